package stats

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/privgym/privgym/reward"
)

// listed puts high tools at some positions of three, the others below them.
func listed(high ...int) []reward.Tool {
	tools := []reward.Tool{{Sufficient: true}, {Sufficient: true}, {Sufficient: true}}
	var below []int
	for i := range tools {
		if !slices.Contains(high, i) {
			below = append(below, i)
		}
	}
	for _, h := range high {
		tools[h].Below = below
	}
	return tools
}

func TestPositions(t *testing.T) {
	obs := []Observation{
		episode("a", false, play(listed(0, 2), 5, turn(reaches(0)))),
		episode("b", false, play(listed(0, 1), 5, turn(reaches(1)))),
		episode("c", false, play(listed(2), 5, turn(reaches(2)))),
		episode("d", false, play(listed(2), 5, turn(reaches(0)))),
		episode("e", false, play([]reward.Tool{{Sufficient: true}}, 5, turn(reaches(0)))), // no high tool
	}
	for position, want := range [][2]Cluster{{{2, 2}, {1, 2}}, {{0, 0}, {1, 1}}, {{1, 2}, {1, 2}}} {
		opur, first := Share(obs, OPURByPosition(position)), Share(obs, FirstHighAt(position))
		if opur.Hits != want[0].Hits || opur.N != want[0].N || first.Hits != want[1].Hits || first.N != want[1].N {
			t.Errorf("position %d: OPUR %+v, first high call %+v; want %+v", position, opur, first, want)
		}
	}
	if n := Positions(obs); n != 3 {
		t.Errorf("%d positions", n)
	}
}

// TestPositionBias: one who always takes the first of the list is told from one who takes any high tool.
func TestPositionBias(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var first, fair []Observation
	for range 600 {
		order := r.Perm(6)
		tools := make([]reward.Tool, 6)
		var low, high []int
		for position, tool := range order {
			tools[position].Sufficient = true
			if tool < 3 {
				low = append(low, position)
			} else {
				high = append(high, position)
			}
		}
		for _, h := range high {
			tools[h].Below = low
		}
		first = append(first, episode("", false, play(tools, 5, turn(reaches(0)))))
		fair = append(fair, episode("", false, play(tools, 5, turn(reaches(high[r.IntN(3)])))))
	}
	for position := range 4 {
		biased, even := Share(first, OPURByPosition(position)), Share(fair, FirstHighAt(position))
		if want := map[bool]float64{true: 1, false: 0}[position == 0]; biased.Value != want {
			t.Errorf("position %d: OPUR %v of one who takes the first", position, biased.Value)
		}
		if even.Value < 0.2 || even.Value > 0.47 {
			t.Errorf("position %d: %v of one who takes any", position, even.Value)
		}
	}
}
