package importlog

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/privgym/privgym/env/episode"
	"github.com/privgym/privgym/env/scenario"
	"github.com/privgym/privgym/rollout"
	"github.com/privgym/privgym/rollout/rawjson"
)

// Defaults stand in for what a row does not say.
type Defaults struct {
	Seed    int64
	Options episode.Options
}

// Decode reads one row, the JSON text of an object. Its fields are messages; scenario_id, seed and options, which may also
// stand in metadata; model, policy, error; and id, which becomes the record's LogID. Others are passed over.
func Decode(row []byte, d Defaults) (*rollout.Record, error) {
	if err := rawjson.Check(row); err != nil {
		return nil, err
	}
	top, err := objectOf(row)
	if err != nil {
		return nil, fmt.Errorf("not a chat log: %w", err)
	}
	messages, ok := top["messages"]
	if !ok {
		return nil, errors.New("neither a trajectory record nor a chat log: it has no trace and no messages")
	}
	r := &rollout.Record{Seed: d.Seed, Options: d.Options}
	if err := readSettings(r, top.with(top["metadata"])); err != nil {
		return nil, err
	}
	r.LogID, r.Model, r.Policy = top.text("id"), top.text("model"), top.text("policy")
	r.Error = top.text("error")
	if r.Messages, err = readMessages(messages); err != nil {
		return nil, err
	}
	if r.Options.Prompt == "" {
		r.Options.Prompt = promptOf(r.Messages)
	}
	return r, nil
}

// readSettings reads what is played.
func readSettings(r *rollout.Record, o object) error {
	id, ok := o["scenario_id"]
	if !ok {
		return errors.New("it names no scenario: scenario_id should stand in the row, or in its metadata")
	}
	if id[0] != '"' || len(id) == len(`""`) {
		return fmt.Errorf("scenario_id: %.40s where a string should be", id)
	}
	r.ScenarioID = rawjson.Text(id)
	if seed, ok := o["seed"]; ok {
		n, ok := integer(seed)
		if !ok {
			return fmt.Errorf("seed: %.40s is no integer of 64 bits", seed)
		}
		r.Seed = n
	}
	options, ok := o["options"]
	if !ok {
		return nil
	}
	text, err := rawjson.Unwrap(options)
	if err == nil {
		_, err = objectOf(text)
	}
	if err == nil {
		err = json.Unmarshal(text, &r.Options)
	}
	if err != nil {
		return fmt.Errorf("options: %w", err)
	}
	return nil
}

// promptOf names the system prompt that the model saw, empty where it is none of ours.
func promptOf(messages []rollout.Message) string {
	if len(messages) == 0 || messages[0].Role != "system" {
		return ""
	}
	for _, name := range []string{scenario.PromptBase, scenario.PromptSecurityPrinciple} {
		if text, err := scenario.SystemPrompt(name); err == nil && strings.TrimSpace(messages[0].Content) == strings.TrimSpace(text) {
			return name
		}
	}
	return ""
}

// object has the members of a JSON object that are not null.
type object map[string][]byte

func objectOf(text []byte) (object, error) {
	o := object{}
	err := rawjson.Members(text, func(key, value []byte) error {
		if _, twice := o[string(key)]; twice {
			return fmt.Errorf("%.40q is there twice", key)
		}
		if !rawjson.Null(value) {
			o[string(key)] = value
		}
		return nil
	})
	return o, err
}

// with returns o, and the members of another object where o has none of the name. What is no object adds nothing.
func (o object) with(value []byte) object {
	if value == nil {
		return o
	}
	text, err := rawjson.Unwrap(value)
	if err != nil {
		return o
	}
	both, err := objectOf(text)
	if err != nil {
		return o
	}
	for key, value := range o {
		both[key] = value
	}
	return both
}

// text returns a string, the text of any other value, or nothing.
func (o object) text(key string) string {
	value, ok := o[key]
	switch {
	case !ok:
		return ""
	case value[0] == '"':
		return rawjson.Text(value)
	}
	return string(value)
}

// string returns a string, or nothing where there is none.
func (o object) string(key string) string {
	if value, ok := o[key]; ok && value[0] == '"' {
		return rawjson.Text(value)
	}
	return ""
}

// integer reads a whole number; data frames write 3 as 3.0 where another row has none.
func integer(value []byte) (int64, bool) {
	if n, err := strconv.ParseInt(string(value), 10, 64); err == nil {
		return n, true
	}
	const exact = 1 << 53
	f, err := strconv.ParseFloat(string(value), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > exact {
		return 0, false
	}
	return int64(f), true
}
