package server

import (
	"fmt"
	"sync"
	"testing"
)

// All wordings of an instance share one compiled world, also when many ask at the same time; instances do not.
func TestWordingsShareTheWorld(t *testing.T) {
	s := newServer(t)
	id := func(instance, wording int) string {
		return fmt.Sprintf("gov-se-parcel-use/%d.%d", instance, wording)
	}
	var wg sync.WaitGroup
	for k := range 18 {
		wg.Go(func() {
			if _, err := s.games.get("scenario_id", id(1+k%3, 1+k/3%2)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for instance := range 3 {
		first := must(s.games.get("", id(instance+1, 1)))(t)
		for wording := range 2 {
			g := must(s.games.get("", id(instance+1, wording+1)))(t)
			if g.World() != first.World() {
				t.Errorf("%s has a world of its own", id(instance+1, wording+1))
			}
			if got := g.Scenario().ID; got != id(instance+1, wording+1) {
				t.Errorf("%s is played as %s", id(instance+1, wording+1), got)
			}
		}
		if other := must(s.games.get("", id((instance+1)%3+1, 1)))(t); other.World() == first.World() {
			t.Error("two instances share a world")
		}
	}
}
