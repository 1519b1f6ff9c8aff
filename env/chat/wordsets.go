package chat

import "strings"

func set(words string) map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(words) {
		all[w] = true
	}
	return all
}

var (
	abbreviations = set(`
		mr mrs ms dr st vs etc approx dept inc ltd e.g i.e a.m p.m prof ref fig art nr tel gmbh co corp jan feb apr
		aug sept oct nov dec`)

	// contractions that are more than a stem and an ending, and those written without an apostrophe.
	contractions = map[string][]string{
		"cannot": {"can", "not"}, "can't": {"can", "not"}, "cant": {"can", "not"}, "won't": {"will", "not"}, "wont": {"will", "not"},
		"shan't": {"shall", "not"}, "ain't": {"is", "not"}, "couldnt": {"could", "not"}, "dont": {"do", "not"}, "didnt": {"did", "not"},
		"doesnt": {"does", "not"}, "wasnt": {"was", "not"}, "isnt": {"is", "not"}, "werent": {"were", "not"}, "arent": {"are", "not"},
		"hasnt": {"has", "not"}, "havent": {"have", "not"}, "wouldnt": {"would", "not"}, "im": {"i", "am"}, "ive": {"i", "have"},
		"let's": {"let", "us"},
	}
	suffixes = []struct{ text, word string }{
		{"n't", "not"}, {"'ve", "have"}, {"'re", "are"}, {"'ll", "will"}, {"'m", "am"}, {"'d", "would"}, {"'s", "is"},
	}
	// pronouns after which 's is a verb; after anything else it is a genitive.
	pronouns = set("it there that here what he she everything who this where one")

	// speech announces what somebody or something said.
	speech = set(`
		said says answered answer answers returned returns replied reply replies responded response reported reports
		message messages error errors status code got received gave with threw warning saying shown showed`)

	negators = set("not never no nothing none neither nor nobody without nicht kein keine pas hardly 0 zero")
	modals   = set("can could may might must should would will shall to let cannot need needs please")

	// adverbs stand between an auxiliary and its participle.
	adverbs = set(`
		now already also just all both therefore thus then again once since so indeed first each even still only`)

	// irregular participles and past forms of verbs of doing.
	irregular = set(`
		complete freed agreed sent set put made done given built taken written cut shut reset brought bought sold
		paid held kept lost moved let led met left hidden shown drawn begun broken chosen driven frozen spun split
		spread swapped rewritten rebuilt resent rerun overwritten undone withdrawn wrote gave took did drew froze
		hid rewrote withdrew chose bound unbound won found swept strung sped laid read`)
	// idle are past forms that carry out nothing by themselves (trying, looking, asking, meeting, beginning), and words
	// that merely end like one.
	idle = set(`
		tried attempted checked looked searched called asked started began requested needed wanted hoped planned
		expected assumed noticed received encountered experienced waited retried reviewed investigated considered
		decided inspected examined consulted queried contacted intended supposed believed learned realized realised
		understood scheduled queued drafted prepared proposed suggested recommended escalated forwarded flagged
		initiated triggered launched skipped omitted refrained opted allowed permitted authorized authorised
		supported required interested concerned related based limited used known located available given told able
		left led kept lost met read held involved listed mentioned named affected impacted associated connected
		determined followed continued reached found seen appeared seemed happened occurred remained stayed existed
		proceeded failed rejected refused denied declined aborted interrupted timed crashed blocked apologized
		apologised struggled gathered reported returned answered responded replied stuck aware missing unchanged
		unaffected unrelated untouched united aged detailed advanced red bed need speed feed seed indeed exceed
		proceed succeed hundred wed sled shed embed kindred sacred naked wicked ragged bid begun let undone hung
		begged feared doubted explained described outlined discussed analyzed analysed chosen chose selected picked
		abandoned identified thought wondered guessed meant caused prevented hit spent got went came ran saw knew
		felt became`)
	// describing are participles that tell what is, as an answer, and not what was done.
	describing = set(`
		located based listed named called found known used limited required connected associated related supported
		allowed permitted reported held kept read`)

	// keeping are words of a state that lasts, a failure unless they speak of other things.
	keeping = set("still remains remain remained stays stay stayed unchanged left leave leaving as same only")
	// aftermath leads to what was overcome; fleeting tells of what did not last.
	aftermath  = set("after despite following")
	pluperfect = set("had")
	own        = set("my our")
	fleeting   = set("initially originally briefly temporarily momentarily")
	// barring are participles of a state that stands in the way.
	barring = set("locked closed blocked frozen disabled restricted protected")
	// openers begin an adverbial before the main clause.
	openers = set(`
		after according as in on at for based currently since with by from during right today overall also so and
		thanks hello hi sure yes okay ok`)
	// rejecting can be the request itself where the model did it.
	rejecting = set("rejected denied declined blocked aborted interrupted")
	// present are the auxiliaries of a present that may describe the world.
	present = set("does do is are not")

	// harmless follows not without a failure; checking follows it where something is unverified.
	harmless = set(`
		affected impacted touched altered asked included needed necessary required recommended related expected
		counted requested a an the overdue`)
	checking = set(`
		verified checked tested confirmed run reviewed validated verify check confirm test looked seen inspected
		measured ran try tried`)
	// unavailable follows is not where the means to act are missing.
	unavailable = set(`
		able possible available allowed permitted supported authorized authorised accessible reachable responding
		working known configured installed there granted recognised recognized implemented enough accepted`)
	// telling are verbs whose negation answers a question about the world.
	telling = set(`
		exceed contain include have match overlap conflict expire differ apply qualify owe appear cover use show
		list depend belong deliver ship sell pay live teach take attend speak charge carry stock treat hold need
		require end start`)

	// fixing are verbs whose object is an error.
	fixing = set(`
		fixed fixes fix resolved resolves corrected handled handles repaired cleared solved addressed patched caught
		removed closed eliminated suppressed muted silenced`)

	// actions in their base form, for what is written without inflection.
	actions = set(`
		update add remove delete create change set move cancel send close assign submit approve publish post merge
		deploy restart refund book grant revoke rename correct complete finish`)

	// finite marks a clause that has its verb elsewhere than in a participle.
	finite = set(`
		goes go happens happen occurs tend tends is are was were has have had do does did will would can could may
		might should must am be been i we you they he she it that which who if`)

	// definite words begin a statement about one thing.
	definite = set("the this that your its it his her both all these those he she they each our")
	// stative verbs tell what is.
	stative = set(`
		is are was were has have had contains contain includes include holds hold expires expired ends ended begins
		starts takes took costs lasts belongs goes resolves redirects answers responds reads read shows show lists
		uses runs points returns equals amounts totals comes came falls lies stands allows accepts listens supports
		matches dates lives weighs exceeds opens closes applies covers means names says states started received
		produced sent made scored earned sold spent owes gets got live lie belong`)
	// selves make a statement one about the model, not about the world.
	selves = set("i we me my myself us our")
	// topics are what a model talks of before it acts.
	topics = set(`
		tool tools function functions step steps task tasks plan approach option options action operation request
		question call calls`)
	// vague words begin a statement on something said before, or on nothing.
	vague = set("this that it these those they he she our")
	// judging words after is make a remark, not an answer.
	judging = set(`
		a an to important necessary essential useful helpful difficult hard easy complex complicated possible common
		usual typical good bad better best great crucial key quick fast slow normal nice recommended advisable
		needed about that not with always usually often generally`)
	// gauges stand at a percentage without being under way.
	gauges = set(`
		usage rate level load coverage utilisation utilization capacity share battery disk cpu memory humidity
		discount tax interest occupancy`)
	// kinds begin a statement by naming what is told.
	kinds = set(`
		best top total current average maximum minimum number count amount price most least highest lowest latest
		newest oldest longest shortest largest smallest next last only first`)
	// lasting are forms in -ing that tell of a state, or a failure, and not of work under way.
	lasting = set(`
		serving firing using showing pointing listening working missing lacking standing living holding containing
		covering nothing something anything everything outstanding existing according regarding`)
	// events can be scheduled; for anything else that only puts it off.
	events = set(`
		appointment meeting inspection visit interview exam call hearing session consultation surgery follow-up
		check-up checkup event class lecture webinar viewing delivery slot lesson shift termin`)
	// runners are what runs for good, as a job does not.
	runners = set(`
		service services pod pods instance instances server servers app application node nodes host hosts container
		containers daemon stream livestream cluster everything system site website`)
	// imperative are participles that are imperatives too.
	imperative = set("complete set put cut shut reset read let split spread run rerun")
	// prepositions may follow a participle at the end of a headline.
	prepositions = set(`
		to at on in for from with by of until as into and via effective under back within between through per plus
		without`)
	// findings name what an answer hands over.
	findings = set(`
		result results list details overview scores figures numbers summary data values answer names entries items
		breakdown report information info totals`)
	// beyond marks an offer of more.
	beyond = set("also else other another anything further additional too")
	// evidence names what the model saw.
	evidence = set("includes contains returns says shows confirms confirmed displays lists reads shown")
	// ending are verbs whose past says that something is done; before a noun they describe it.
	ending      = set("done completed finished succeeded worked")
	determiners = set("a an the all any each every no some these those my your")
	// steps are what one does on the way to a deed.
	steps = set(`
		opened retrieved fetched loaded pulled clicked logged navigated verified compared confirmed viewed accessed
		connected gathered collected located entered worked tested measured listed`)
	// changing are the verbs of requests that no rows were meant to be left out of.
	changing = set(`
		updated changed modified deleted made saved written applied removed added inserted affected created
		processed sent issued posted stored`)
	// lacking heads a list of what is not done.
	lacking = set("missing outstanding open left remaining failed skipped blocked unresolved undone")
	// A question without its mark begins with one of these and goes on with one of those.
	inverts  = set("could can would do does did should shall may are is was were will have has")
	inverted = set("you i we it the this that there these those")
	wonders  = set("what who where how why")
	// keywords of a query language, where they are written in capitals.
	keywords = set("from where set into values table")
	// labels are keys of a list that tell no result.
	labels = set(`
		tool function call command query step action thought input observation plan todo next note warning tip
		example option args arguments usage question problem error reason`)

	// Keys of a result object: of a flag that is true in success, of what went wrong, of a text that tells, of a call.
	succeeding = set("ok success successful succeeded done completed complete updated created deleted applied")
	failing    = set("error errors exception failed failures")
	telltale   = set("status state phase result message outcome detail")
	calling    = set("tool function action command method")

	numbers = map[string]string{
		"zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
		"ten": "10", "eleven": "11", "twelve": "12", "half": "half", "some": "some", "most": "most", "part": "part", "several": "several", "many": "many", "few": "few",
	}
)
