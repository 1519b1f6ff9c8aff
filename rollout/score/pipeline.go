package score

import (
	"context"
	"errors"
	"io/fs"
	"runtime"
	"sync"

	"github.com/privgym/privgym/rollout"
)

// A batch is passed on when it has so many rows or bytes.
const (
	batchRows  = 64
	batchBytes = 256 << 10
	// keptBytes is the size beyond which the memory of a batch is not used again.
	keptBytes = 4 << 20
)

// batch is some rows of one file on their way from the reader through a worker to the writer.
type batch struct {
	file  string
	text  []byte // of all rows
	items []item
	out   []byte // lines of all scored rows, for JSONL
	// read counts the bytes of all inputs up to here.
	read int64
	done chan struct{}
}

type item struct {
	line       int
	start, end int // in text
	result
}

func (b *batch) row(i *item) []byte { return b.text[i.start:i.end] }

func (b *batch) add(row rollout.Row) {
	start := len(b.text)
	b.text = append(b.text, row.JSON...)
	b.items = append(b.items, item{line: row.Line, start: start, end: len(b.text), result: result{err: row.Err}})
}

func (b *batch) full() bool { return len(b.items) >= batchRows || len(b.text) >= batchBytes }

func (b *batch) reset() {
	clear(b.items)
	b.items, b.text, b.out = b.items[:0], b.text[:0], b.out[:0]
	if cap(b.text) > keptBytes {
		b.text = nil
	}
	if cap(b.out) > keptBytes {
		b.out = nil
	}
}

// pipeline moves a fixed number of batches round: from free to the reader, through work to a worker, and through order to
// the writer, who puts them back.
type pipeline struct {
	free, work, order chan *batch
}

// run reads all inputs, scores their rows on all processors and calls write with each batch, in order. It returns when all
// is written, or the first error.
func run(ctx context.Context, s *scorer, inputs []string, write func(*batch) error) error {
	ctx, cancel := context.WithCancel(ctx)
	workers := runtime.GOMAXPROCS(0)
	n := 3*workers + 2
	p := &pipeline{free: make(chan *batch, n), work: make(chan *batch, n), order: make(chan *batch, n)}
	for range n {
		p.free <- &batch{done: make(chan struct{}, 1)}
	}
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	for range workers {
		wg.Go(func() { p.scoreAll(ctx, s) })
	}
	failed := make(chan error, 1)
	// The reader is not waited for: it may hang in standard input when ctx ends.
	go func() { failed <- (&reader{pipeline: p, ctx: ctx}).readAll(inputs, s) }()
	for {
		b, err := p.next(ctx)
		if err != nil {
			return err
		}
		if b == nil {
			return <-failed
		}
		if err := write(b); err != nil {
			return err
		}
		b.reset()
		p.free <- b
	}
}

// next returns the next batch that has been scored, nil at the end.
func (p *pipeline) next(ctx context.Context) (*batch, error) {
	select {
	case b, ok := <-p.order:
		if !ok {
			return nil, nil
		}
		select {
		case <-b.done:
			return b, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *pipeline) scoreAll(ctx context.Context, s *scorer) {
	for {
		select {
		case b, ok := <-p.work:
			if !ok {
				return
			}
			s.batch(b)
			b.done <- struct{}{}
		case <-ctx.Done():
			return
		}
	}
}

// reader fills batches.
type reader struct {
	*pipeline
	ctx     context.Context
	current *batch
	read    int64 // bytes of the inputs that are done
}

func (r *reader) readAll(inputs []string, s *scorer) error {
	defer close(r.order)
	defer close(r.work)
	for _, name := range inputs {
		if err := r.file(name, s); err != nil {
			return err
		}
	}
	return nil
}

// file reads one input. Where it cannot be read, or not to its end, what is left of it is one bad row.
func (r *reader) file(name string, s *scorer) error {
	in, err := rollout.Open(name, s.Stdin)
	if path := new(fs.PathError); errors.As(err, &path) {
		return err
	}
	if err == nil {
		err = in.Rows(func(row rollout.Row) error { return r.add(name, row, in.Read()) })
		r.read += in.Read()
		err = errors.Join(err, in.Close())
	} else {
		err = &rollout.RowError{File: name, Line: 1, Err: err}
	}
	if lost := new(rollout.RowError); errors.As(err, &lost) {
		err = r.add(name, rollout.Row{Line: lost.Line, Err: lost.Err}, 0)
	}
	return errors.Join(err, r.send())
}

func (r *reader) add(file string, row rollout.Row, read int64) error {
	if r.current == nil {
		select {
		case r.current = <-r.free:
		case <-r.ctx.Done():
			return r.ctx.Err()
		}
	}
	r.current.file = file
	r.current.add(row)
	r.current.read = r.read + read
	if r.current.full() {
		return r.send()
	}
	return nil
}

// send passes the current batch on. The channels have room for all batches.
func (r *reader) send() error {
	if r.current != nil {
		r.order <- r.current
		r.work <- r.current
		r.current = nil
	}
	return r.ctx.Err()
}
