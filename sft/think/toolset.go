package think

import (
	"errors"
	"fmt"
	"strings"
)

// maxTools bounds a toolset: its tools are bits of a word.
const maxTools = 64

// ErrTools says that a toolset cannot be reasoned about.
var ErrTools = errors.New("bad toolset")

// Toolset is the tools that a model sees, made ready for Write and Check. It is immutable and shared; whoever has many
// rows of a family makes it once.
type Toolset struct {
	tools  []tool
	byName map[string]int
	// byLower is by the name in lower case; of names that differ in case alone the first.
	byLower map[string]int
	// stems holds, for the stem of each word of a schema that is not common, the tools that have it.
	stems map[string]mask
	// runs holds, for each run of runWords words of a schema that are not all common, the tools that have it.
	runs map[uint64]mask
	// vocabulary is all words of the schemas, in lower case.
	vocabulary map[string]bool
}

// mask is a set of tools.
type mask uint64

type tool struct {
	Tool
	bit mask
	// code is the name as it stands in a block.
	code string
	// schema is all that the model sees of the tool, in lower case.
	schema string
	// claims are the groups of claims.txt that the schema supports.
	claims uint32
	facts  []fact
	// asks names the parameters.
	asks string
}

// NewToolset prepares tools. It fails where two have the same name, one has none, or there are more than 64.
func NewToolset(tools []Tool) (*Toolset, error) {
	if len(tools) > maxTools {
		return nil, fmt.Errorf("%w: %d tools, at most %d can be told apart", ErrTools, len(tools), maxTools)
	}
	ts := &Toolset{
		tools:   make([]tool, len(tools)),
		byName:  make(map[string]int, len(tools)),
		byLower: make(map[string]int, len(tools)),
		stems:   map[string]mask{},

		runs:       map[uint64]mask{},
		vocabulary: map[string]bool{},
	}
	for i, t := range tools {
		if _, again := ts.byName[t.Name]; again || t.Name == "" {
			return nil, fmt.Errorf("%w: tool %d is called %q, which is empty or taken", ErrTools, i+1, t.Name)
		}
		ts.byName[t.Name] = i
		if low := lowered(t.Name); ts.toolLower(low) < 0 {
			ts.byLower[low] = i
		}
		ts.tools[i] = newTool(t, mask(1)<<i)
		schema := ts.tools[i].schema
		for start, end := nextWord(schema, 0); start < len(schema); start, end = nextWord(schema, end) {
			ts.vocabulary[schema[start:end]] = true
		}
		eachRun(schema, func(run uint64) { ts.runs[run] |= ts.tools[i].bit })
		eachStem(schema, func(s string) {
			if !common()[s] {
				ts.stems[s] |= ts.tools[i].bit
			}
		})
	}
	for i := range ts.tools {
		t := &ts.tools[i]
		for _, f := range facts(t.Description, t.Note) {
			if ts.supports(t, f.text) {
				t.facts = append(t.facts, f)
			}
		}
	}
	return ts, nil
}

func newTool(t Tool, bit mask) tool {
	var schema, asks strings.Builder
	schema.WriteString(t.Name + " " + strings.ReplaceAll(t.Name, "_", " ") + "\n" + t.Description)
	for i, p := range t.Parameters {
		schema.WriteString("\n" + p.Name + " " + strings.ReplaceAll(p.Name, "_", " ") + "\n" + p.Description)
		for _, e := range p.Enum {
			schema.WriteString("\n" + e)
		}
		switch {
		case i > 0 && i == len(t.Parameters)-1:
			asks.WriteString(" and ")
		case i > 0:
			asks.WriteString(", ")
		}
		asks.WriteString("`" + p.Name + "`")
	}
	s := strings.ToLower(schema.String())
	return tool{Tool: t, bit: bit, code: "`" + t.Name + "`", schema: s, claims: supported(s), asks: asks.String()}
}

func (ts *Toolset) toolLower(name string) int {
	if i, ok := ts.byLower[name]; ok {
		return i
	}
	return -1
}

// Names of the tools, in the order given.
func (ts *Toolset) Names() []string {
	names := make([]string, len(ts.tools))
	for i := range ts.tools {
		names[i] = ts.tools[i].Name
	}
	return names
}

// supports says whether a fact may be told: words that only other tools have do not prevail in it, and it claims nothing
// that the schema does not hold.
func (ts *Toolset) supports(t *tool, text string) bool {
	own, foreign := 0, 0
	var claimed uint32
	text = strings.ToLower(text)
	eachRun(text, func(run uint64) {
		if m := ts.runs[run]; m != 0 && m&t.bit == 0 {
			foreign += runWords
		}
	})
	eachStem(text, func(s string) {
		claimed |= claims()[s]
		switch m := ts.stems[s]; {
		case m&t.bit != 0:
			own++
		case m != 0:
			foreign++
		}
	})
	return (foreign < 2 || foreign <= own) && claimed&^t.claims == 0
}
