package server

import (
	"fmt"
	"unicode"

	pb "github.com/privgym/privgym/proto/privgym/v1"

	"github.com/privgym/privgym/env/episode"
)

// finishReasonBytes is room for the reasons that endpoints give; only "length" means something here.
const finishReasonBytes = 64

func (l Limits) checkEpisodeID(id string) error {
	const field = "episode_id"
	if id == "" {
		return invalid(field, "is empty; name the episode")
	}
	if len(id) > l.EpisodeIDBytes {
		return invalid(field, "has %d bytes; at most %d are allowed", len(id), l.EpisodeIDBytes)
	}
	for _, r := range id {
		if !unicode.IsPrint(r) {
			return invalid(field, "holds %q; use printable characters only", r)
		}
	}
	return nil
}

// checkSize bounds a list of items of a batch.
func (l Limits) checkSize(field string, n int) error {
	if n > l.Batch {
		return invalid(field, "has %d items; at most %d are allowed, send the rest in another call", n, l.Batch)
	}
	return nil
}

func (l Limits) checkTurn(t *pb.Turn) error {
	if t == nil {
		return invalid("", "is missing")
	}
	if n := len(t.GetText()); n > l.TextBytes {
		return invalid("text", "has %d bytes; at most %d are allowed", n, l.TextBytes)
	}
	if n := len(t.GetReasoning()); n > l.TextBytes {
		return invalid("reasoning", "has %d bytes; at most %d are allowed", n, l.TextBytes)
	}
	if t.GetTokens() < 0 {
		return invalid("tokens", "is %d; leave it out where the count is unknown", t.GetTokens())
	}
	if n := len(t.GetFinishReason()); n > finishReasonBytes {
		return invalid("finish_reason", "has %d bytes; at most %d are allowed", n, finishReasonBytes)
	}
	if n := len(t.GetCalls()); n > l.CallsPerTurn {
		return invalid("calls", "has %d calls; at most %d a turn are allowed", n, l.CallsPerTurn)
	}
	for i, c := range t.GetCalls() {
		for _, f := range [...]struct{ name, value string }{
			{"id", c.GetId()}, {"name", c.GetName()}, {"arguments", c.GetArguments()},
		} {
			if n := len(f.value); n > l.ArgumentBytes {
				return invalid(fmt.Sprintf("calls[%d].%s", i, f.name), "has %d bytes; at most %d are allowed", n, l.ArgumentBytes)
			}
		}
	}
	return nil
}

// checkTurns checks turns that are to be played in one go. It leaves nothing that could fail half-way: a turn without a
// call and the turn after the k-th end an episode, so they can only be last.
func (l Limits) checkTurns(field string, turns []*pb.Turn, o episode.Options) error {
	if most := o.K + 1; len(turns) > most {
		return invalid(field, "has %d turns; k = %d allows at most %d", len(turns), o.K, most)
	}
	for i, t := range turns {
		path := fmt.Sprintf("%s[%d]", field, i)
		if err := l.checkTurn(t); err != nil {
			return within(path, err)
		}
		if len(t.GetCalls()) == 0 && i < len(turns)-1 {
			return invalid(path+".calls", "is empty, which ends the episode, but turns follow")
		}
		if o.Turns == episode.TurnsCalls && len(t.GetCalls()) > 1 {
			return invalid(path+".calls", "has %d calls; with turns: calls a turn takes one", len(t.GetCalls()))
		}
	}
	return nil
}

// checkOptions resolves the options for a split within the limits of this server.
func (l Limits) checkOptions(m *pb.EpisodeOptions, split string) (episode.Options, error) {
	return l.resolve(optionsFromProto(m), split)
}

func (l Limits) resolve(o episode.Options, split string) (episode.Options, error) {
	o, err := o.Resolve(split)
	if err != nil {
		return o, optionField(err)
	}
	if o.K > l.Turns {
		return o, invalid("options.k", "is %d; at most %d is allowed", o.K, l.Turns)
	}
	return o, nil
}
