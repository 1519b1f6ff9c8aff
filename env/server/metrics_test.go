package server

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	pb "github.com/privgym/privgym/proto/privgym/v1"
)

// counterValue reads one series of the server's registry; label pairs may be left out.
func counterValue(t testing.TB, s *Server, name string, labels ...string) float64 {
	t.Helper()
	families, err := s.cfg.Registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() != name {
			continue
		}
		for _, m := range f.GetMetric() {
			has := make(map[string]string)
			for _, l := range m.GetLabel() {
				has[l.GetName()] = l.GetValue()
			}
			match := true
			for i := 0; i < len(labels); i += 2 {
				match = match && has[labels[i]] == labels[i+1]
			}
			if match {
				return m.GetCounter().GetValue() + m.GetGauge().GetValue() + float64(m.GetHistogram().GetSampleCount())
			}
		}
	}
	t.Fatalf("no series %s %v", name, labels)
	return 0
}

func TestMetricsCountWhatHappened(t *testing.T) {
	h, a := serve(t), act(t, parcel)
	history := []*pb.Turn{a.turn(a.low[0], a.low[1])}
	must(h.env.Reset(t.Context(), reset("a", parcel, 1, noFaults, history...)))(t)
	must(h.env.Reset(t.Context(), reset("a", parcel, 1, noFaults, append(history, turnOf(1))...)))(t)
	must(h.env.Reset(t.Context(), reset("b", parcel, 1, noFaults)))(t)
	for range 2 { // the second time nothing is played
		must(h.env.Step(t.Context(), step("a", 3, a.turn())))(t)
	}
	if _, err := h.env.Step(t.Context(), step("a", 4, a.turn())); err == nil {
		t.Error("a turn after the end was played")
	}
	must(h.env.Close(t.Context(), &pb.CloseRequest{EpisodeIds: []string{"a"}}))(t)
	const stepMethod = "/privgym.v1.EnvironmentService/Step"
	for _, tt := range []struct {
		want   float64
		name   string
		labels []string
	}{
		{1, "privgym_episodes_live", nil},
		{0, "privgym_retained_bytes", nil},
		{2, "privgym_resets_total", nil},
		{3, "privgym_steps_total", nil},
		{2, "privgym_calls_total", []string{"status", "ok"}},
		{0, "privgym_calls_total", []string{"status", "miss"}},
		{1, "privgym_calls_total", []string{"status", "unknown_tool"}},
		{0, "privgym_calls_total", []string{"status", "not_executed"}},
		{1, "privgym_episodes_closed_total", []string{"why", "client"}},
		{2, "privgym_rpcs_total", []string{"method", stepMethod, "code", "OK"}},
		{1, "privgym_rpcs_total", []string{"method", stepMethod, "code", "FailedPrecondition"}},
		{3, "privgym_rpc_seconds", []string{"method", stepMethod}},
	} {
		if got := counterValue(t, h.Server, tt.name, tt.labels...); got != tt.want {
			t.Errorf("%s %v is %v, want %v", tt.name, tt.labels, got, tt.want)
		}
	}
}

func TestMetricsHandler(t *testing.T) {
	web := httptest.NewServer(newServer(t).MetricsHandler())
	defer web.Close()
	resp, err := http.Get(web.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body := must(io.ReadAll(resp.Body))(t)
	for _, want := range []string{
		"privgym_episodes_live 0", `privgym_calls_total{status="ok"} 0`, `privgym_episodes_closed_total{why="idle"} 0`, "privgym_rpc_seconds_bucket",
	} {
		if !strings.Contains(string(body), want) {
			t.Errorf("/metrics does not hold %s", want)
		}
	}
	http.DefaultClient.CloseIdleConnections()
}
