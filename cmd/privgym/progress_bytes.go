package main

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// byteProgress tells how far a job over files is, where nobody knows how many rows they have: a bar of bytes on a terminal,
// a line of rows now and then elsewhere.
type byteProgress struct {
	bar     *progressbar.ProgressBar
	w       io.Writer
	what    string
	rows    int
	lastSay time.Time
}

// newByteProgress measures by total bytes; -1 where that is unknown.
func newByteProgress(w io.Writer, what string, total int64) *byteProgress {
	p := &byteProgress{w: w, what: what, lastSay: time.Now()}
	if f := terminalOf(w); f != nil {
		p.bar = progressbar.NewOptions64(total,
			progressbar.OptionSetWriter(f),
			progressbar.OptionSetDescription(what),
			progressbar.OptionShowBytes(true),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionClearOnFinish(),
		)
	}
	return p
}

// at tells that so many rows are done, and so many bytes read.
func (p *byteProgress) at(rows int, bytes int64) {
	p.rows = rows
	now := time.Now()
	switch {
	case p.bar != nil:
		p.bar.Describe(fmt.Sprintf("%s, %d rows", p.what, rows))
		_ = p.bar.Set64(bytes) // a bar that cannot be drawn must not end the job
	case now.Sub(p.lastSay) >= quietFor:
		p.lastSay = now
		fmt.Fprintf(p.w, "%s: %d rows\n", p.what, rows)
	}
}

// finish ends the display.
func (p *byteProgress) finish() {
	if p.bar != nil {
		_ = p.bar.Finish()
		return
	}
	fmt.Fprintf(p.w, "%s: %d rows, done\n", p.what, p.rows)
}
