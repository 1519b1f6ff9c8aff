package rollout

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/reward"
	"github.com/privgym/privgym/rollout/rawjson"
)

// Raw is a record that is scored by its trace and goes out again as it came: what scoring needs has been decoded, all
// else is checked and stays text. Decoding a whole record takes several times as long.
type Raw struct {
	ScenarioID, Family string
	Seed               int64
	Options            episode.Options
	Trace              *reward.Trace
	// Error is that of the record: one that has it is unscorable.
	Error string
	// Outcome and Rewards are what Score found, not what the text holds.
	Outcome reward.Outcome
	Rewards []reward.Reward

	// text of each field, nil where it is absent or null.
	text            [numFields][]byte
	messages, tools [][]byte
}

// The fields of a record, in their order.
const (
	fieldID = iota
	fieldScenarioID
	fieldFamily
	fieldSplit
	fieldDomain
	fieldRisk
	fieldCorpusDigest
	fieldVersion
	fieldSeed
	fieldOptions
	fieldFaultPlan
	fieldMessages
	fieldTools
	fieldTrace
	fieldTerminated
	fieldOutcome
	fieldAnswered
	fieldBlast
	fieldRewards
	fieldPolicy
	fieldModel
	fieldLogID
	fieldError
	numFields
)

// fields says how each is checked and written. absent is written where there is none; empty leaves the field out.
var fields = [numFields]struct {
	name, absent string
	check        func(*Raw, []byte) error
}{
	fieldID:           {"id", `""`, isString},
	fieldScenarioID:   {"scenario_id", `""`, isString},
	fieldFamily:       {"family", `""`, isString},
	fieldSplit:        {"split", `""`, isString},
	fieldDomain:       {"domain", `""`, isString},
	fieldRisk:         {"risk", `""`, isString},
	fieldCorpusDigest: {"corpus_digest", `""`, isString},
	fieldVersion:      {"version", `""`, isString},
	fieldSeed:         {"seed", `0`, (*Raw).decodeSeed},
	fieldOptions:      {"options", `{}`, (*Raw).decodeOptions},
	fieldFaultPlan:    {"fault_plan", `""`, isString},
	fieldMessages:     {"messages", `null`, (*Raw).decodeMessages},
	fieldTools:        {"tools", `null`, (*Raw).decodeTools},
	fieldTrace:        {"trace", `null`, (*Raw).decodeTrace},
	fieldTerminated:   {"terminated", `false`, isBool},
	fieldOutcome:      {"outcome", `{}`, nil},
	fieldAnswered:     {"answered", `false`, isBool},
	fieldBlast:        {"blast", `{}`, (*Raw).decodeBlast},
	fieldRewards:      {"rewards", `null`, nil},
	fieldPolicy:       {"policy", ``, isString},
	fieldModel:        {"model", ``, isString},
	fieldLogID:        {"log_id", ``, isString},
	fieldError:        {"error", ``, isString},
}

var fieldByName = func() map[string]int {
	m := map[string]int{}
	for i := range fields {
		m[fields[i].name] = i
	}
	return m
}()

// DecodeRaw reads a record as Decode does. What is nested may also be given as a string that holds it, as columns of
// Parquet hold it. Fields that a record does not have are dropped; one that is there twice is an error. The Raw shares
// the memory of line.
func DecodeRaw(line []byte) (*Raw, error) {
	if err := rawjson.Check(line); err != nil {
		return nil, err
	}
	r := new(Raw)
	err := rawjson.Members(line, func(key, value []byte) error {
		i, known := fieldByName[string(key)]
		switch {
		case !known:
			return nil
		case r.text[i] != nil:
			return fmt.Errorf("%s is there twice", key)
		}
		r.text[i] = value
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("not a trajectory record: %w", err)
	}
	if trace := r.text[fieldTrace]; trace == nil || rawjson.Null(trace) {
		return nil, ErrNoTrace
	}
	return r, r.decode()
}

func (r *Raw) decode() error {
	for i := range fields {
		switch {
		case r.text[i] == nil:
			continue
		case rawjson.Null(r.text[i]):
			r.text[i] = nil
			continue
		case fields[i].check == nil:
			continue
		}
		if err := fields[i].check(r, r.text[i]); err != nil {
			return fmt.Errorf("%s: %w", fields[i].name, err)
		}
	}
	r.ScenarioID, r.Family, r.Error = r.string(fieldScenarioID), r.string(fieldFamily), r.string(fieldError)
	if r.ScenarioID == "" {
		return errNoScenario
	}
	return nil
}

func (r *Raw) string(field int) string {
	if r.text[field] == nil {
		return ""
	}
	return rawjson.Text(r.text[field])
}

func (r *Raw) decodeSeed(value []byte) (err error) {
	if r.Seed, err = strconv.ParseInt(string(value), 10, 64); err != nil {
		return fmt.Errorf("%.40s is no integer of 64 bits", value)
	}
	return nil
}

func (r *Raw) decodeOptions(value []byte) error { return r.nested(fieldOptions, value, &r.Options) }

func (r *Raw) decodeTrace(value []byte) error {
	if err := r.nested(fieldTrace, value, &r.Trace); err != nil {
		return err
	}
	if r.Trace == nil { // a string that holds null
		return ErrNoTrace
	}
	return r.Trace.Validate()
}

// nested decodes a field that is an object, or a string that holds one.
func (r *Raw) nested(field int, value []byte, into any) error {
	text, err := rawjson.Unwrap(value)
	if err != nil {
		return err
	}
	if key := duplicate(text, 4); key != "" {
		return fmt.Errorf("%s is there twice", key)
	}
	r.text[field] = text
	return json.Unmarshal(text, into)
}

// maxKeys is more than any object of a record has.
const maxKeys = 32

// duplicate returns a key that an object, or one inside it, has twice: readers disagree on what that means. It looks no
// deeper than it is told, and at no more keys than a record has, since a hostile row has any number of both.
func duplicate(text []byte, levels int) (twice string) {
	if levels == 0 {
		return ""
	}
	switch text[0] {
	case '[':
		_ = rawjson.Elements(text, func(value []byte) error { // an array, so it cannot fail
			twice = cmp.Or(twice, duplicate(value, levels-1))
			return nil
		})
	case '{':
		var buffer [8][]byte
		keys := buffer[:0]
		_ = rawjson.Members(text, func(key, value []byte) error { // an object, so it cannot fail
			if slices.ContainsFunc(keys, func(k []byte) bool { return bytes.Equal(k, key) }) {
				twice = string(key)
			}
			if len(keys) < maxKeys {
				keys = append(keys, key)
			}
			twice = cmp.Or(twice, duplicate(value, levels-1))
			return nil
		})
	}
	return twice
}

// Score judges the trace and scores it under each preset; a record with an error gets no rewards.
func (r *Raw) Score(presets []reward.Preset) {
	r.Outcome, r.Rewards = reward.Judge(r.Trace), nil
	if r.Error != "" {
		return
	}
	for _, p := range presets {
		r.Rewards = append(r.Rewards, reward.Score(p, r.Trace, r.Outcome))
	}
}

// AppendJSONL appends the record, with what Score found, as one line of JSONL.
func (r *Raw) AppendJSONL(dst []byte) ([]byte, error) {
	text := r.text
	var err error
	if text[fieldOutcome], text[fieldRewards], err = r.found(); err != nil {
		return dst, err
	}
	return appendFields(dst, &text), nil
}

func appendFields(dst []byte, all *[numFields][]byte) []byte {
	for i, text := range all {
		switch {
		case text == nil && fields[i].absent == "", text != nil && fields[i].absent == "" && len(text) == len(`""`):
			continue
		case text == nil:
			text = []byte(fields[i].absent)
		}
		dst = append(dst, ",\""...)
		if i == 0 {
			dst[len(dst)-2] = '{'
		}
		dst = append(dst, fields[i].name...)
		dst = append(dst, '"', ':')
		dst = append(dst, text...)
	}
	return append(dst, '}', '\n')
}

// Record decodes all of the record, with what Score found.
func (r *Raw) Record() (*Record, error) {
	line, err := r.AppendJSONL(nil)
	if err != nil {
		return nil, err
	}
	return Decode(line)
}

// Recorded decodes all of the record, with the outcome and rewards that the text holds.
func (r *Raw) Recorded() (*Record, error) {
	text := r.text
	for _, i := range []int{fieldOutcome, fieldRewards} {
		if text[i] == nil {
			continue
		}
		var err error
		if text[i], err = rawjson.Unwrap(text[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", fields[i].name, err)
		}
	}
	return Decode(appendFields(nil, &text))
}

func (r *Raw) found() (outcome, rewards []byte, err error) {
	if outcome, err = json.Marshal(r.Outcome); err != nil {
		return nil, nil, err
	}
	rewards, err = json.Marshal(r.Rewards)
	return outcome, rewards, err
}

// ParquetRow returns the record, with what Score found, as columns.
func (r *Raw) ParquetRow() (ParquetRow, error) {
	outcome, rewards, err := r.found()
	if err != nil {
		return ParquetRow{}, err
	}
	row := ParquetRow{
		ID: r.string(fieldID), ScenarioID: r.ScenarioID, Family: r.Family, Split: r.string(fieldSplit),
		Domain: r.string(fieldDomain), Risk: r.string(fieldRisk), CorpusDigest: r.string(fieldCorpusDigest),
		Version: r.string(fieldVersion), Seed: r.Seed, Options: r.nestedText(fieldOptions), FaultPlan: r.string(fieldFaultPlan),
		Messages: texts(r.messages), Tools: texts(r.tools), Trace: r.nestedText(fieldTrace),
		Terminated: r.bool(fieldTerminated), Outcome: string(outcome), Answered: r.bool(fieldAnswered),
		Blast: r.nestedText(fieldBlast), Rewards: string(rewards), Policy: r.string(fieldPolicy), Model: r.string(fieldModel),
		LogID: r.string(fieldLogID), Error: r.Error,
	}
	row.setFound(&r.Outcome, r.Rewards)
	return row, nil
}

func (r *Raw) nestedText(field int) string {
	if r.text[field] == nil {
		return fields[field].absent
	}
	return string(r.text[field])
}

func (r *Raw) bool(field int) bool { return r.text[field] != nil && r.text[field][0] == 't' }

func texts(list [][]byte) []string {
	if list == nil {
		return nil
	}
	out := make([]string, len(list))
	for i, text := range list {
		out[i] = string(text)
	}
	return out
}
