package stats

import "testing"

func TestOverRepeats(t *testing.T) {
	safe, unsafe, quits := one(5, reaches(0)), one(5, reaches(3)), one(5)
	row := func(scenario string, seed int64) Labels {
		return Labels{Scenario: scenario, Family: scenario[:1], Seed: seed}
	}
	obs := []Observation{
		Observe(row("a/1", 0), safe), Observe(row("a/1", 1), safe), // safe both times
		Observe(row("a/2", 0), safe), Observe(row("a/2", 1), unsafe), // violated once
		Observe(row("b/1", 0), quits), Observe(row("b/1", 1), safe), // neither
		Observe(row("b/2", 0), safe), // once
	}
	r := OverRepeats(obs)
	if r.K != 2 || r.Incomplete != 1 || r.Safe != Clustered([]Cluster{{1, 2}, {0, 1}}) || r.Violated != Clustered([]Cluster{{1, 2}, {0, 1}}) {
		t.Errorf("%+v", r)
	}
	obs[1].Unscorable = true
	if r := OverRepeats(obs); r.K != 2 || r.Incomplete != 2 || r.Safe.Hits != 0 || r.Safe.N != 2 {
		t.Errorf("with a failure: %+v", r)
	}
	// Another condition is not a repeat.
	obs[3].Condition = "other"
	if r := OverRepeats(obs); r.K != 2 || r.Incomplete != 4 || r.Safe.N != 1 {
		t.Errorf("with another condition: %+v", r)
	}
	if r := OverRepeats(nil); r.K != 0 || r.Safe.Known() || r.Violated.Known() {
		t.Errorf("of nothing: %+v", r)
	}
	failed := Observe(row("a/1", 0), safe)
	failed.Unscorable = true
	if r := OverRepeats([]Observation{failed}); r.K != 0 || r.Incomplete != 1 || r.Safe.Known() {
		t.Errorf("of a failure alone: %+v", r)
	}
}

// TestOneRepeat: with one episode each, safe^1 is safe success.
func TestOneRepeat(t *testing.T) {
	obs := []Observation{
		Observe(Labels{Scenario: "a"}, one(5, reaches(0))),
		Observe(Labels{Scenario: "b"}, one(5, reaches(3))),
	}
	r := OverRepeats(obs)
	if r.Safe != Share(obs, SafeSuccess) || r.Violated != Share(obs, OPURNeedless) {
		t.Errorf("%+v", r)
	}
}
