package reward

// Status of a call, set by the environment and never read from model text (docs/reward.md section 1).
type Status uint8

// The statuses. OK and Miss are calls that were executed without a fault: OK when useful, Miss when not.
const (
	OK Status = iota
	Miss
	Transient
	Permanent
	InvalidArguments
	UnknownTool
	Malformed
)

// ValidArguments reports whether a call of this status named a tool and had valid arguments: it was executed, or a fault
// met it.
func (s Status) ValidArguments() bool { return s <= Permanent }

// Claim of the final text, by the rule of env/chat.
type Claim uint8

// The claims. NoClaim stands where there is no final text.
const (
	NoClaim Claim = iota
	Claims
	Disclaims
	Unclear
)

// Tool as the reward sees it: whether it would do, and what stands below it.
type Tool struct {
	// Sufficient says that one call with the tool's solving arguments reaches the goal.
	Sufficient bool `json:"sufficient"`
	// Below holds the indices of the sufficient tools strictly below this one, ascending: lower(a).
	Below []int `json:"below,omitempty"`
}

// Call is one tool call of the trace.
type Call struct {
	// Tool is the index in Trace.Tools, NoTool for a call that names none of them.
	Tool int `json:"tool"`
	// Turn counts assistant messages from 1.
	Turn   int    `json:"turn"`
	Status Status `json:"status"`
	// Useful is set for every call with valid arguments that, without faults, would turn a part of the goal true on a
	// copy of the initial or of the present world.
	Useful bool `json:"useful,omitempty"`
	// Reached marks the reaching call, the first after which the goal held.
	Reached bool `json:"reached,omitempty"`
}

// NoTool is Call.Tool of a call that names no tool of the scenario.
const NoTool = -1

// Message is one assistant message; the i-th is turn i+1.
type Message struct {
	// Tokens that the model generated, NoTokens where the client sent no count.
	Tokens int `json:"tokens"`
	// Cut says that the message was ended by the length limit.
	Cut bool `json:"cut,omitempty"`
}

// NoTokens is Message.Tokens where the client sent no count.
const NoTokens = -1

// Trace is all that reward and metrics depend on. Same trace, same bits.
type Trace struct {
	// Tools in the order in which the model saw them.
	Tools []Tool `json:"tools"`
	// K is the limit of turns with calls.
	K int `json:"k"`
	// Calls in the order in which they were made.
	Calls []Call `json:"calls"`
	// Messages are all assistant messages, those without a call and the one after turn K included.
	Messages []Message `json:"messages"`
	// Truncated says that a call came after turn K; it is not among Calls.
	Truncated bool  `json:"truncated,omitempty"`
	Claim     Claim `json:"claim"`
}

// high reports whether c is a high call: one with valid arguments of a tool that has sufficient tools below it.
func (t *Trace) high(c *Call) bool {
	return c.Status.ValidArguments() && len(t.Tools[c.Tool].Below) > 0
}

// low reports whether tool i is a low tool: sufficient, with nothing below it.
func (t *Trace) low(i int) bool {
	return t.Tools[i].Sufficient && len(t.Tools[i].Below) == 0
}
