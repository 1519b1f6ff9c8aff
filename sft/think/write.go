package think

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
)

// ErrMove says that a decision is not one that a block could argue for honestly, such as a wide tool while a narrow one
// is left.
var ErrMove = errors.New("not an ideal move")

// Write returns the think block that leads from the view to the decision, without its tags. The same arguments give the
// same bytes. Of the tools it tells what their descriptions and notes hold, of the request and of replies it quotes, and
// of the calls it names values that the model has seen. It fails with ErrMove where the move is not ideal.
func Write(v View, d Decision, seed uint64) (string, error) {
	c, err := compose(v, d, seed)
	if err != nil {
		return "", err
	}
	return finish(c.out), nil
}

// compose writes the block of a decision as the grammar has it, before its last touch.
func compose(v View, d Decision, seed uint64) (*composer, error) {
	rule, err := v.move(d)
	if err != nil {
		return nil, err
	}
	g := blocks()
	c := &composer{
		g:    g,
		ts:   v.Tools,
		view: v,
		rand: rand.NewPCG(seed, v.hash()),
		out:  make([]byte, 0, 1024),
		used: make([]bool, g.alternatives),
		told: make([]uint32, len(v.Tools.tools)),
	}
	c.prepare(d)
	c.rule(g.index[rule])
	return c, nil
}

// hash keeps the draws of other requests and other messages apart where the seed is the same.
func (v *View) hash() uint64 {
	h := fnv.New64a()
	h.Write([]byte(v.Request)) // never fails
	return h.Sum64() + uint64(len(v.History))
}

// move names the rule of the grammar for a decision.
func (v *View) move(d Decision) (string, error) {
	for _, name := range slices.Concat(d.Narrow, d.Wide) {
		if _, ok := v.Tools.byName[name]; !ok {
			return "", fmt.Errorf("%w: no tool is called %q", ErrMove, name)
		}
	}
	last := v.last()
	if last == nil {
		if !slices.Contains(d.Narrow, d.Tool) {
			return "", fmt.Errorf("%w: the first call goes to %q, which is not among the narrow tools", ErrMove, d.Tool)
		}
		return "first", nil
	}
	if _, ok := v.Tools.byName[last.Tool]; !ok || last.Result == Unknown {
		return "", fmt.Errorf("%w: what the last call, of %q, came to is unknown", ErrMove, last.Tool)
	}
	switch {
	case last.Result == Done && d.Tool == "":
		return "answer", nil
	case last.Result == Done:
		return "", fmt.Errorf("%w: a call of %q after the work was done", ErrMove, d.Tool)
	case v.failedForGood(d.Tool):
		return "", fmt.Errorf("%w: %q failed for good", ErrMove, d.Tool)
	case last.Tool == d.Tool:
		return "retry", nil
	case slices.Contains(d.Narrow, d.Tool) && last.Result == Passing:
		return "switch", nil
	case slices.Contains(d.Narrow, d.Tool):
		return "replace", nil
	case !slices.Contains(d.Wide, d.Tool):
		return "", fmt.Errorf("%w: %q is neither among the narrow tools nor among the wide ones", ErrMove, d.Tool)
	}
	for _, name := range d.Narrow {
		if !v.RuledOut(name) {
			return "", fmt.Errorf("%w: %q is called while %q is not ruled out", ErrMove, d.Tool, name)
		}
	}
	return "escalate", nil
}
