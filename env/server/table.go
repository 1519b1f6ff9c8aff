package server

import (
	"context"
	"hash/maphash"
	"sync"
	"sync/atomic"
	"time"
)

// shardCount keeps calls for different episodes off one another's lock.
const shardCount = 64

// table holds the live episodes by id.
type table struct {
	limits Limits
	seed   maphash.Seed
	// start is what times of last use count from, so that a jump of the wall clock idles nobody.
	start  time.Time
	live   atomic.Int64
	bytes  atomic.Int64
	shards [shardCount]shard
}

type shard struct {
	mu       sync.RWMutex
	sessions map[string]*session
}

func newTable(l Limits) *table {
	t := &table{limits: l, seed: maphash.MakeSeed(), start: time.Now()}
	for i := range t.shards {
		t.shards[i].sessions = make(map[string]*session)
	}
	return t
}

func (t *table) shard(id string) *shard {
	return &t.shards[maphash.String(t.seed, id)%shardCount]
}

func (t *table) now() int64 { return int64(time.Since(t.start)) }

// get finds a live episode and counts as a use of it.
func (t *table) get(id string) (*session, bool) {
	sh := t.shard(id)
	sh.mu.RLock()
	defer sh.mu.RUnlock()
	s, ok := sh.sessions[id]
	if ok {
		s.used.Store(t.now()) // under the lock, or the sweep could come between
	}
	return s, ok
}

// add enters a session whose id is free and returns it; where the id is taken it returns the one that has it.
func (t *table) add(s *session) (*session, error) {
	sh := t.shard(s.id)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if live, ok := sh.sessions[s.id]; ok {
		live.used.Store(t.now())
		return live, nil
	}
	if t.live.Add(1) > int64(t.limits.Episodes) {
		t.live.Add(-1)
		return nil, t.full()
	}
	s.used.Store(t.now())
	sh.sessions[s.id] = s
	t.bytes.Add(int64(s.bytes))
	return s, nil
}

// room says, before any work is done, whether an episode could be opened now.
func (t *table) room() error {
	if t.live.Load() >= int64(t.limits.Episodes) {
		return t.full()
	}
	return t.space()
}

func (t *table) full() error {
	return refuse(errFull, "%d episodes are live, which is the limit: close some, or wait for idle ones to go", t.limits.Episodes)
}

// space says whether more answers can be held.
func (t *table) space() error {
	if t.bytes.Load() >= int64(t.limits.RetainedBytes) {
		return refuse(errFull, "the answers held for live episodes fill %d bytes, which is the limit: close some, or wait for idle ones to go",
			t.limits.RetainedBytes)
	}
	return nil
}

// remove ends an episode and reports whether it was live.
func (t *table) remove(id string) bool {
	sh := t.shard(id)
	sh.mu.Lock()
	s, ok := sh.sessions[id]
	delete(sh.sessions, id)
	sh.mu.Unlock()
	if ok {
		t.release(s)
	}
	return ok
}

// discard takes out a session that is gone, if it still stands in the table.
func (t *table) discard(s *session) {
	sh := t.shard(s.id)
	sh.mu.Lock()
	stands := sh.sessions[s.id] == s
	if stands {
		delete(sh.sessions, s.id)
	}
	sh.mu.Unlock()
	if stands {
		t.release(s)
	}
}

// release gives back what a session that left the table has held. Calls that found it earlier see that it is gone.
func (t *table) release(s *session) {
	s.mu.Lock()
	s.gone = true
	t.bytes.Add(-int64(s.bytes))
	s.mu.Unlock()
	t.live.Add(-1)
}

// sweep ends the episodes that nobody has used for the idle time-out and returns their number.
func (t *table) sweep() int {
	closed := 0
	var idle []*session
	for i := range t.shards {
		sh := &t.shards[i]
		idle = idle[:0]
		sh.mu.Lock()
		before := t.now() - int64(t.limits.IdleTimeout)
		for id, s := range sh.sessions {
			if s.used.Load() <= before {
				delete(sh.sessions, id)
				idle = append(idle, s)
			}
		}
		sh.mu.Unlock()
		for _, s := range idle {
			t.release(s)
		}
		closed += len(idle)
	}
	return closed
}

// sweepsPerTimeout bounds how late an idle episode goes: by an eighth of the time-out.
const sweepsPerTimeout = 8

// run sweeps until the context ends. One walk over all episodes is cheaper than a timer for each: 65,536 take about two
// milliseconds, once in 75 s.
func (t *table) run(ctx context.Context, closed func(int)) {
	tick := time.NewTicker(max(t.limits.IdleTimeout/sweepsPerTimeout, time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if n := t.sweep(); n > 0 {
				closed(n)
			}
		}
	}
}
