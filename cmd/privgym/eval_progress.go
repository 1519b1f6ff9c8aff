package main

import (
	"fmt"
	"io"
	"time"

	"github.com/privgym/privgym/rollout/eval"
)

// evalProgress tells how far an evaluation is: rate, time left, OPUR and tokens so far.
type evalProgress struct {
	w     io.Writer
	bar   *progress
	start time.Time
	last  eval.Progress
	said  time.Time
}

func newEvalProgress(w io.Writer) *evalProgress {
	now := time.Now()
	return &evalProgress{w: w, start: now, said: now}
}

func (p *evalProgress) show(now eval.Progress) {
	if p.bar == nil {
		p.begin(now)
		return
	}
	p.last = now
	if p.bar.bar != nil {
		p.bar.bar.Describe("eval " + p.standing())
		_ = p.bar.bar.Add(1) // a bar that cannot be drawn must not end the job
		return
	}
	if time.Since(p.said) >= quietFor {
		p.said = time.Now()
		fmt.Fprintln(p.w, p.line())
	}
}

// begin tells what was there before.
func (p *evalProgress) begin(now eval.Progress) {
	p.last = now
	p.bar = newProgress(p.w, "eval", now.Total-now.Before)
	if now.Before > 0 {
		fmt.Fprintf(p.w, "eval: %d of %d episodes are there already\n", now.Before, now.Total)
	}
}

// line is a plain one, for logs.
func (p *evalProgress) line() string {
	played := p.last.Done - p.last.Before
	elapsed := time.Since(p.start).Seconds()
	text := fmt.Sprintf("eval: %d of %d", p.last.Done, p.last.Total)
	if played > 0 && elapsed > 0 {
		rate := float64(played) / elapsed
		left := time.Duration(float64(p.last.Total-p.last.Done) / rate * float64(time.Second))
		text += fmt.Sprintf(", %.2f/s, %v left", rate, left.Round(time.Second))
	}
	return text + ", " + p.standing()
}

// standing is what was measured so far.
func (p *evalProgress) standing() string {
	text := "OPUR –"
	if p.last.Scored > 0 {
		text = fmt.Sprintf("OPUR %.1f%%", 100*float64(p.last.Hits)/float64(p.last.Scored))
	}
	text += fmt.Sprintf(", %d tokens", p.last.Tokens)
	if p.last.Failed > 0 {
		text += fmt.Sprintf(", %d failed", p.last.Failed)
	}
	return text
}

func (p *evalProgress) notice(text string) { fmt.Fprintln(p.w, "privgym:", text) }

func (p *evalProgress) finish() {
	if p.bar == nil {
		return
	}
	if p.bar.bar != nil {
		_ = p.bar.bar.Finish()
	}
	fmt.Fprintln(p.w, p.line())
}
