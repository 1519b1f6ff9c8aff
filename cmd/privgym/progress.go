package main

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progress tells how far a long job is: a bar on a terminal, a line now and then elsewhere.
type progress struct {
	bar     *progressbar.ProgressBar
	w       io.Writer
	what    string
	done    int
	total   int
	lastSay time.Time
}

// quietFor is how long a job runs between two plain lines.
const quietFor = 5 * time.Second

func newProgress(w io.Writer, what string, total int) *progress {
	p := &progress{w: w, what: what, total: total, lastSay: time.Now()}
	if f := terminalOf(w); f != nil {
		p.bar = progressbar.NewOptions(total,
			progressbar.OptionSetWriter(f),
			progressbar.OptionSetDescription(what),
			progressbar.OptionShowCount(),
			progressbar.OptionShowIts(),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionClearOnFinish(),
		)
	}
	return p
}

// add counts one finished item.
func (p *progress) add() {
	p.done++
	if p.bar != nil {
		_ = p.bar.Add(1) // a bar that cannot be drawn must not end the job
		return
	}
	if now := time.Now(); now.Sub(p.lastSay) >= quietFor {
		p.lastSay = now
		fmt.Fprintf(p.w, "%s: %d of %d\n", p.what, p.done, p.total)
	}
}

// finish ends the display.
func (p *progress) finish() {
	if p.bar != nil {
		_ = p.bar.Finish()
		return
	}
	fmt.Fprintf(p.w, "%s: %d of %d, done\n", p.what, p.done, p.total)
}
