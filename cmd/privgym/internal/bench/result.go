package bench

import (
	"fmt"
	"runtime"
	"slices"
)

// Report is what a run has measured.
type Report struct {
	Version      string   `json:"version"`
	CorpusDigest string   `json:"corpus_digest"`
	Machine      Machine  `json:"machine"`
	Rounds       int      `json:"rounds"`
	Quick        bool     `json:"quick"`
	Results      []Result `json:"results"`
}

// Machine is what figures depend on.
type Machine struct {
	CPUs int    `json:"cpus"`
	OS   string `json:"os"`
	Arch string `json:"arch"`
	Go   string `json:"go"`
	// Load is the number of tasks that wanted a processor in the minute before the run, where the system tells.
	Load float64 `json:"load,omitempty"`
}

func thisMachine() Machine {
	return Machine{
		CPUs: runtime.GOMAXPROCS(0), OS: runtime.GOOS, Arch: runtime.GOARCH, Go: runtime.Version(), Load: loadAverage(),
	}
}

// Result is one thing measured.
type Result struct {
	Name string `json:"name"`
	What string `json:"what"`
	Unit string `json:"unit"`
	// Ours is nil where this system cannot tell.
	Ours *Figure `json:"ours"`
	// Beside was measured in the same rounds, as BesideWhat says; Ratio is that of ours to it, round by round.
	BesideWhat string  `json:"beside_what,omitempty"`
	Beside     *Figure `json:"beside,omitempty"`
	Ratio      *Figure `json:"ratio,omitempty"`
	Mark       *Mark   `json:"mark,omitempty"`
	// Reached is nil where there is no mark, or nothing was measured that it could be held against.
	Reached *bool  `json:"reached,omitempty"`
	Note    string `json:"note,omitempty"`
}

// perCPU is the row of the same by the time computed, of client and server together. Where they keep all processors busy,
// its ratio is what the clock would show on a machine that does nothing else.
func (r Result) perCPU() Result {
	r.Name, r.What, r.Unit = r.Name+"-cpu", "the same for a second computed", r.Unit[:len(r.Unit)-1]+"CPU s"
	if r.Mark != nil && !r.Mark.OfRatio {
		r.Mark = nil // it is of the clock
	}
	return r
}

// Figure is the median over the rounds, with the lowest and the highest.
type Figure struct {
	Median float64 `json:"median"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
}

// figureOf is nil without values. Of an even number it takes the lower of the two in the middle.
func figureOf(values []float64) *Figure {
	if len(values) == 0 {
		return nil
	}
	sorted := slices.Sorted(slices.Values(values))
	return &Figure{Median: sorted[(len(sorted)-1)/2], Low: sorted[0], High: sorted[len(sorted)-1]}
}

// Mark is the limit of docs/design.md section 8.
type Mark struct {
	Limit float64 `json:"limit"`
	// AtMost: the limit is an upper one.
	AtMost bool `json:"at_most"`
	// OfRatio: the limit is of Result.Ratio, not of Result.Ours.
	OfRatio bool `json:"of_ratio"`
}

// String is "≥ 0.7" or "≤ 300".
func (m Mark) String() string {
	if m.AtMost {
		return fmt.Sprintf("≤ %g", m.Limit)
	}
	return fmt.Sprintf("≥ %g", m.Limit)
}

// judge says whether the mark is reached, nil where there is nothing to hold against it.
func (m *Mark) judge(r *Result) *bool {
	of := r.Ours
	if m != nil && m.OfRatio {
		of = r.Ratio
	}
	if m == nil || of == nil {
		return nil
	}
	reached := of.Median >= m.Limit
	if m.AtMost {
		reached = of.Median <= m.Limit
	}
	return &reached
}
