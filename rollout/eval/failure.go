package eval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/rollout"
	"github.com/privgym/privgym/rollout/llm"
)

// Failure is an episode that the endpoint, not the model, ended. As JSON it is a trajectory record, with the turns until
// then and with Error set, so that it is read as unscorable wherever records are, and has these fields besides.
type Failure struct {
	rollout.Record
	// Repeat counts from 0.
	Repeat int `json:"repeat"`
	// Turn that was asked for in vain, from 1, and how often it was.
	Turn     int `json:"turn"`
	Attempts int `json:"attempts"`
	// Class is infrastructure, or refused for what the endpoint does not accept.
	Class string `json:"class"`

	cause *llm.Error
}

// The classes of failures.
const (
	ClassInfrastructure = "infrastructure"
	ClassRefused        = "refused"
)

// endpointError is a turn that the endpoint did not answer.
type endpointError struct {
	cause *llm.Error
	turn  int
}

func (e *endpointError) Error() string { return e.cause.Error() }

// class of the failure. A request that is too long before the model has said a word tells of the server, not of the model.
func (e *endpointError) class() string {
	if errors.Is(e.cause, llm.ErrInfrastructure) {
		return ClassInfrastructure
	}
	return ClassRefused
}

// failureOf returns the failure of a job after the turns that were played.
func (p *player) failureOf(g *episode.Game, j job, turns []episode.Turn, e *endpointError) (*Failure, error) {
	rec, err := rollout.Make(g, p.settings.Options, j.seed, turns, p.source)
	if err != nil {
		return nil, err
	}
	said := *e.cause
	said.Attempts = 0 // how often it was tried is no part of the record
	rec.Error, rec.Rewards = said.Error(), nil
	if rec.ID, err = rec.ContentID(); err != nil {
		return nil, err
	}
	return &Failure{
		Record: *rec, Repeat: j.repeat, Turn: e.turn, Attempts: e.cause.Attempts, Class: e.class(), cause: e.cause,
	}, nil
}

func (f *Failure) row() ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(f); err != nil {
		return nil, fmt.Errorf("failure of %s: %w", f.ScenarioID, err)
	}
	return buf.Bytes(), nil
}

// failureAgain makes the row of a failure from its record. Only attempts and class are taken from the row itself.
func failureAgain(row []byte, rec *rollout.Record, firstSeed int64) ([]byte, error) {
	f := new(Failure)
	if err := json.Unmarshal(row, f); err != nil {
		return nil, err
	}
	if f.Class != ClassInfrastructure && f.Class != ClassRefused {
		return nil, fmt.Errorf("class %q is none of a failure", printable(f.Class))
	}
	f.Record, f.Repeat, f.Turn = *rec, int(rec.Seed-firstSeed), len(rec.Turns())+1
	return f.row()
}

func recordRow(rec *rollout.Record) ([]byte, error) {
	var buf bytes.Buffer
	err := rollout.WriteJSONL(&buf, rec)
	return buf.Bytes(), err
}
