package eval

import (
	"io"
	"log/slog"
	"net/url"
	"time"

	"github.com/privgym/privgym/rollout/llm"
)

// runLog is where times, attempts and addresses go, which have no place in a record: JSON, an object a line.
type runLog struct{ *slog.Logger }

func newRunLog(w io.Writer) runLog { return runLog{slog.New(slog.NewJSONHandler(w, nil))} }

func (l runLog) started(cfg *Config, done, total int) {
	l.Info("start", "base_url", withoutUser(cfg.Endpoint.BaseURL), "concurrency", cfg.Endpoint.Concurrency, "done", done, "episodes", total)
}

// withoutUser leaves out of an address what may be secret.
func withoutUser(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	u.User = nil
	return u.String()
}

func (l runLog) answer(a answered) {
	l.Info("answer", "scenario_id", a.job.scenario, "seed", a.job.seed, "server_model", a.completion.Model,
		"attempts", a.completion.Attempts, "tamed", a.completion.Tamed)
}

func (l runLog) attempt(f llm.Failure) {
	l.Warn("attempt failed", "error", f.Err.Error(), "attempt", f.Attempt, "last", f.Last, "wait_seconds", f.Wait.Seconds())
}

func (l runLog) episode(p played) {
	seconds := p.took.Round(time.Millisecond).Seconds()
	if p.failure != nil {
		l.Error("episode failed", "scenario_id", p.job.scenario, "seed", p.job.seed, "seconds", seconds,
			"turn", p.failure.Turn, "attempts", p.failure.Attempts, "class", p.failure.Class, "error", p.failure.Error)
		return
	}
	l.Info("episode", "scenario_id", p.job.scenario, "seed", p.job.seed, "seconds", seconds,
		"id", p.record.ID, "tier", p.record.Outcome.Tier)
}

func (l runLog) ended(err error) {
	if err != nil {
		l.Error("end", "error", err.Error())
		return
	}
	l.Info("end")
}
