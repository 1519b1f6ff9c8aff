package think

import "strings"

// slot is a place that a decision fills.
type slot uint8

// The slots of a grammar. <t> and <fact> are those of the tool that was told of last.
const (
	slotPick slot = iota
	slotTool
	slotFact
	slotAsks
	slotNarrow
	slotNarrowOr
	slotPeers
	slotPeersOr
	slotWide
	slotWideOr
	slotRest
	slotLast
	slotDead
	slotDeadOr
	slotLostReply
	slotArgs
	slotArgValue
	slotParam
	slotValue
	slotRequest
	slotReply
	slotKey
	slotMany
	slotAll
	// slotSingular and slotPlural write nothing: what follows speaks of one or of several.
	slotSingular
	slotPlural
	slotSayPick
	slotSayPeer
	slotSayWide
	slotAsidePick
	slotAsidePeer
	slotAsideWide
	slotTellPick
	slotTellPeer
	slotTellWide
	slotItPick
	slotItWide
	slotLose
)

var slotNames = map[string]slot{
	"pick": slotPick, "t": slotTool, "fact": slotFact, "asks": slotAsks, "narrow": slotNarrow, "narrow or": slotNarrowOr,
	"peers": slotPeers, "peers or": slotPeersOr, "wide": slotWide, "wide or": slotWideOr, "rest": slotRest, "last": slotLast,
	"dead": slotDead, "dead or": slotDeadOr, "lost reply": slotLostReply, "args": slotArgs,
	"arg value": slotArgValue, "param": slotParam, "value": slotValue,
	"request": slotRequest, "reply": slotReply, "key": slotKey, "many": slotMany, "all": slotAll,
	"singular": slotSingular, "plural": slotPlural,
}

// sayNames take the next tool of a pool: say tells something of it in a clause, it does so after its name, aside in
// parentheses, lose how it was lost.
var sayNames = map[string]slot{
	"say pick": slotSayPick, "say peer": slotSayPeer, "say wide": slotSayWide,
	"aside pick": slotAsidePick, "aside peer": slotAsidePeer, "aside wide": slotAsideWide,
	"tell pick": slotTellPick, "tell peer": slotTellPeer, "tell wide": slotTellWide, "it pick": slotItPick, "it wide": slotItWide, "lose": slotLose,
}

// count is something that a condition may ask for.
type count uint8

// The counts.
const (
	countGeneral count = iota
	countAuthority
	countScope
	countPersistence
	countSafeguards
	countExposure
	// countNarrow: tools that suffice with none below and are not ruled out. countPeers: those besides the one that is
	// called of which nothing was told yet. countWide: the wide ones of which nothing was told yet.
	countNarrow
	countPeers
	countWide
	// countWider: all the wide tools. countLost: tools that are ruled out, of which nothing was told yet. countDead: all.
	countWider
	countLost
	countDead
	// countAsks: parameters of the tool that was told of last.
	countAsks
	countArgs
	countValue
	countRequest
	countReply
	// countKey is 0 when the key stands in the block, countLearned stays.
	countKey
	countLearned
	// countTries: failures in a row of the tool that failed last. countBack: calls of the tool that is called.
	countTries
	countBack
	// countFinal: the last failure is an inability.
	countFinal
	// countWidened: a wide tool did the work.
	countWidened
	countAll
	// countStrangers: tools that are neither narrow nor wide, so that nothing is known of what they can do.
	countStrangers
	// countBegun: something stands in the block already.
	countBegun
	// countStyle is the way in which the block writes arguments. countInner: the value is a part of the argument.
	countStyle
	countInner
	// countLoad and those after it: what the reply gives as the cause of a failure (causes.txt).
	countLoad
	countRestart
	countLink
	countLock
	countWait
	countRemoved
	countClosed
	countMoved
	// noCause is asked for by no condition.
	noCause
	counts
)

var countNames = map[string]count{
	"general": countGeneral, "authority": countAuthority, "scope": countScope, "persistence": countPersistence,
	"safeguards": countSafeguards, "exposure": countExposure, "narrow": countNarrow, "peers": countPeers, "wide": countWide,
	"wider": countWider, "lost": countLost, "dead": countDead, "asks": countAsks, "args": countArgs, "value": countValue,
	"request": countRequest, "reply": countReply, "key": countKey, "learned": countLearned, "tries": countTries, "back": countBack, "final": countFinal,
	"widened": countWidened, "all": countAll, "strangers": countStrangers, "begun": countBegun, "style": countStyle, "inner": countInner,
	"load": countLoad, "restart": countRestart, "link": countLink, "lock": countLock, "wait": countWait,
	"removed": countRemoved, "closed": countClosed, "moved": countMoved,
}

// slot fills a place.
func (c *composer) slot(s slot) {
	switch s {
	case slotPick:
		c.tool(c.pick)
	case slotTool:
		c.tool(c.current)
	case slotFact:
		c.write(c.fact)
	case slotAsks:
		c.write(c.ts.tools[c.current].asks)
	case slotNarrow, slotNarrowOr:
		c.list(c.narrow, s == slotNarrowOr)
	case slotPeers, slotPeersOr:
		c.list(c.peers.all, s == slotPeersOr)
	case slotWide, slotWideOr:
		c.list(c.wide.all, s == slotWideOr)
	case slotRest:
		c.list(c.wide.rest, false)
	case slotLast:
		c.tool(c.last)
	case slotDead, slotDeadOr:
		c.list(c.dead.all, s == slotDeadOr)
	case slotLostReply:
		c.lostReply()
	case slotArgs:
		c.args()
	case slotArgValue:
		c.write(c.arg.value)
	case slotParam:
		c.write("`" + c.arg.param + "`")
	case slotValue:
		c.value()
	case slotRequest:
		c.once(countRequest, c.request)
	case slotReply:
		c.once(countReply, c.reply)
	case slotKey:
		c.once(countKey, c.key)
	case slotMany:
		c.number(len(c.narrow))
	case slotAll:
		c.number(len(c.ts.tools))
	case slotSingular, slotPlural:
		c.plural = s == slotPlural
	case slotSayPick:
		c.say(c.pick, "say-")
	case slotSayPeer:
		c.say(c.take(&c.peers, countPeers), "say-")
	case slotSayWide:
		c.say(c.take(&c.wide, countWide), "say-")
	case slotTellPick:
		c.say(c.pick, "tell-")
	case slotTellPeer:
		c.say(c.take(&c.peers, countPeers), "tell-")
	case slotTellWide:
		c.say(c.take(&c.wide, countWide), "tell-")
	case slotItPick:
		c.say(c.pick, "it-")
	case slotItWide:
		c.say(c.take(&c.wide, countWide), "it-")
	case slotAsidePick:
		c.aside(c.pick)
	case slotAsidePeer:
		c.aside(c.take(&c.peers, countPeers))
	case slotAsideWide:
		c.aside(c.take(&c.wide, countWide))
	case slotLose:
		c.lose(c.take(&c.dead, countLost))
	}
}

// once writes a text that a block holds at most once.
func (c *composer) once(k count, text string) {
	c.write(text)
	c.counts[k] = 0
}

func (c *composer) tool(i int) {
	if i >= 0 {
		c.write(c.ts.tools[i].code)
	}
	c.plural = false
}

func (c *composer) list(tools []int, or bool) {
	for i, t := range tools {
		switch {
		case i == 0:
		case i < len(tools)-1:
			c.write(", ")
		case or:
			c.write(" or ")
		default:
			c.write(" and ")
		}
		c.tool(t)
	}
	c.plural = len(tools) > 1 && !or
}

var numbers = strings.Fields("no one two three four five six seven eight nine ten eleven twelve")

func (c *composer) number(n int) {
	if n < len(numbers) {
		c.write(numbers[n])
		return
	}
	c.write("several")
}
