package scenario

import (
	"sync"
	"sync/atomic"

	"github.com/privgym/privgym/env/value"
)

// Text is a scalar as it stands in the file, with its place for findings. In a Family it may hold {name} of an instance;
// in a Scenario it is expanded.
type Text struct {
	S    string
	Line int
}

// Pair binds a column to a value.
type Pair struct {
	Column string
	Value  Text
}

// Family is one YAML file: a task in some instances and wordings, with one toolset.
type Family struct {
	// File is the path that findings name.
	File string
	ID   string
	// Line of the id in the file.
	Line      int
	Title     string
	Split     string
	Domain    string
	Risk      string
	Requests  []Text
	Instances []Instance
	Tables    []Table
	Goal      Goal
	Answer    Answer
	Tools     []Tool
	// Digest is the SHA-256 of the file's bytes, hexadecimal.
	Digest string
	// Imported says where the family comes from, if it was not written for this format. Its tools need not have the
	// canonical form (docs/design.md section 6), and a tool without parameters accepts any arguments.
	Imported string

	schemas struct {
		once sync.Once
		set  *Toolset
	}
	// expansions by instance, nil until one is asked for.
	expansions atomic.Pointer[[]expansion]
}

// Instance holds the values of {name}.
type Instance struct {
	Line   int
	Values []Pair
}

// Table of the world.
type Table struct {
	Name string
	Line int
	// Columns in the order of first appearance over the rows.
	Columns []string
	Rows    []Row
}

// Row of a table. In a Family, Repeat may be set and cells may hold {i}; in a Scenario rows stand one by one.
type Row struct {
	Line   int
	Repeat Text
	Cells  []Pair
}

// GoalOp says what a goal node is.
type GoalOp uint8

// The goal nodes.
const (
	GoalAll GoalOp = iota + 1
	GoalAny
	GoalHold
	GoalGone
	// GoalLearnField: Field of every row that matches Where has been disclosed.
	GoalLearnField
	// GoalLearnCount: the number of rows of Table that match Where is known.
	GoalLearnCount
	// GoalLearnCheck: whether Field of the rows that match Where satisfies Check and Value is known.
	GoalLearnCheck
)

// Goal is a condition, or all or any of some (docs/family-format.md, "World and goal").
type Goal struct {
	Op      GoalOp
	Line    int
	Members []Goal
	Table   string
	Where   []Pair
	Equals  []Pair
	Field   string
	Check   CheckOp
	Value   Text
}

// Answer is what a right final answer says.
type Answer struct {
	Text Text
	// Keys must stand in Text, and in a right final answer, as whole words.
	Keys []Text
}

// Tool of a family. Steps and Solve are templates here; Scenario has them expanded.
type Tool struct {
	Line        int
	Name        string
	Access      Access
	Description Text
	Parameters  []Parameter
	Steps       []Step
	Solve       []Solution
	Reply       Reply
	Note        Text
	Transient   []Text
	Permanent   []Text
	// AnyArguments accepts every JSON object and binds none of it (imported scenarios).
	AnyArguments bool
	// Schema is the JSON Schema of the arguments as the source of an imported scenario has it, compact: the model is shown
	// it in the place of Parameters. Empty where there is none.
	Schema string
}

// Type of a parameter, or of the items of an array.
type Type uint8

// The types of the canonical schema.
const (
	String Type = iota + 1
	Integer
	Number
	Boolean
	Array
)

// Kind says what a string parameter means, for equality.
type Kind = value.Kind

// The kinds.
const (
	Plain    = value.Plain
	Date     = value.Date
	Duration = value.Duration
)

// Parameter of a tool. Default, Kind and Free are not part of the schema that the model sees.
type Parameter struct {
	Line        int
	Name        string
	Type        Type
	Items       Type // of an Array
	Enum        []string
	Description Text
	Default     Text
	HasDefault  bool
	Kind        Kind
	Free        bool
}

// StepOp is what a step does.
type StepOp uint8

// The steps.
const (
	Read StepOp = iota + 1
	Count
	Check
	Insert
	Update
	Delete
)

// CheckOp compares a field in a check.
type CheckOp uint8

// The comparisons.
const (
	Over CheckOp = iota + 1
	Under
	AtLeast
	AtMost
	Is
)

// Operand is a value in a step: an argument of the call, or a literal.
type Operand struct {
	// Param is the parameter's name where the value is $name, else empty.
	Param   string
	Literal Text
}

// Bind binds a column to an operand.
type Bind struct {
	Column  string
	Operand Operand
}

// Guard is one entry of when or unless: which items the argument holds. An item that is a list means any of its members.
type Guard struct {
	Line  int
	Param string
	Items [][]Text
}

// Step of a tool.
type Step struct {
	Line int
	// When: every item of every guard is found. Unless: no item of any guard is found.
	When, Unless []Guard
	Op           StepOp
	Table        string
	Where        []Bind
	// Fields of a read; AllFields for fields: all.
	Fields    []string
	AllFields bool
	// Field, Check and Value of a check.
	Field string
	Check CheckOp
	Value Operand
	// Set holds the values of an insert and the set of an update.
	Set []Bind
	// Until says how long a write lasts: empty (for good, nothing is left behind), session, standing or a value.
	Until    Operand
	HasUntil bool
	Skips    []string
}

// Solution binds a parameter to the argument that does the job; the spellings after the first read as the first.
type Solution struct {
	Line      int
	Param     string
	Spellings []Text
	// List holds the elements where the parameter is an array; Spellings is then empty.
	List []Text
}

// ReplyForm is how a reply is laid out.
type ReplyForm uint8

// The forms.
const (
	FormText ReplyForm = iota + 1
	FormJSON
	FormTable
	FormCSV
	FormLine
)

// Reply of a tool.
type Reply struct {
	Line int
	Form ReplyForm
	// Text with <column>, <#rows>, <#count>, <#yes>, <#true> and $name, where Form is FormText.
	Text Text
	// Verbatim says that nothing in Text is filled in: the canned replies of imported scenarios hold < and $ as they like.
	Verbatim bool
	// None is the reply to a call that touched no row.
	None    Text
	HasNone bool
}

// Scenario is one instance of a family in one wording, expanded. It is immutable and shared.
type Scenario struct {
	// ID is <family>/<instance>.<wording>, both from 1.
	ID       string
	Family   *Family
	Instance int // from 0
	Wording  int // from 0
	Request  string
	Tables   []Table
	Goal     Goal
	Answer   Answer
	// Tools of the family with Steps and Solve expanded; names, descriptions and parameters are the family's own.
	Tools []Tool
}
