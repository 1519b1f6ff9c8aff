package bench

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"sync/atomic"
	"testing"
	"time"
)

func TestSpreadDoesEachOnce(t *testing.T) {
	for _, clients := range []int{1, 3, 8} {
		var done [7]atomic.Int64
		if err := spread(t.Context(), clients, len(done), func(_ context.Context, i int) error {
			done[i].Add(1)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		for i := range done {
			if n := done[i].Load(); n != 1 {
				t.Errorf("%d clients: %d was done %d times", clients, i, n)
			}
		}
	}
	failure := errors.New("no")
	if err := spread(t.Context(), 2, 4, func(context.Context, int) error { return failure }); !errors.Is(err, failure) {
		t.Errorf("got %v", err)
	}
}

// Either side does everything once, by pieces, and each is first half the time.
func TestAlternate(t *testing.T) {
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	me := &server{cmd: &exec.Cmd{Process: self}}
	var done [2][10]int
	var order []int
	if _, err := alternate(1, 10, 4, [2]*server{me, me}, func(side, from, to int) error {
		for i := from; i < to; i++ {
			done[side][i]++
		}
		order = append(order, side)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	first := map[int]int{}
	for i := 0; i < len(order); i += 2 {
		first[order[i]]++
	}
	if first[ours] != 2 || first[beside] != 2 {
		t.Errorf("first were %v", first)
	}
	for side, all := range done {
		for i, n := range all {
			if n != 1 {
				t.Errorf("side %d did %d %d times", side, i, n)
			}
		}
	}
}

func TestRates(t *testing.T) {
	got := rates(100, [2]effort{{took: time.Second, cpu: 2 * time.Second}, {took: 500 * time.Millisecond}})
	if got[0] != (sample{ours: 100, beside: 200}) {
		t.Errorf("by the clock: %+v", got[0])
	}
	if !got[1].absent {
		t.Errorf("by the time computed, of which one is not known: %+v", got[1])
	}
}
