package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/privgym/privgym/env/episode"
)

// gymRow is what a row of `privgym prompts --format nemo-gym` says of its episode. Its prompt and its tools are for the
// model; they are not read here.
type gymRow struct {
	game *game
	opts episode.Options
	seed int64
}

// gymFields are the members of a request; what nobody here reads goes back as it came.
type gymFields map[string]json.RawMessage

// readFields reads a request within the limit of a message.
func (s *Server) readFields(r *http.Request) (gymFields, error) {
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, int64(s.limits.MessageBytes)))
	if err != nil {
		return nil, bodyError(err)
	}
	var fields gymFields
	if err := json.Unmarshal(body, &fields); err != nil || fields == nil {
		return nil, invalid("", "the body is not a JSON object; send a row of privgym prompts --format nemo-gym")
	}
	return fields, nil
}

// read decodes one member; one that is absent leaves what is there.
func (f gymFields) read(name string, into any) error {
	raw, ok := f[name]
	if !ok {
		return nil
	}
	return fieldError(name, json.Unmarshal(raw, into))
}

// readEach decodes the elements of a list and hands them over one by one, until take fails. The list is never held whole:
// decoded, a message of three bytes an element has fifty times its size.
func readEach[T any](name string, list json.RawMessage, take func(*T) error) error {
	if len(list) == 0 {
		return nil
	}
	if list[0] != '[' { // null, or what cannot be a list
		return fieldError(name, json.Unmarshal(list, new([]T)))
	}
	elements := json.NewDecoder(bytes.NewReader(list))
	_, err := elements.Token()
	for err == nil && elements.More() {
		element := new(T)
		if err = fieldError(name, elements.Decode(element)); err == nil {
			err = take(element)
		}
	}
	return err
}

// fieldError says of a member that could not be decoded what is wrong with it.
func fieldError(name string, err error) error {
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		if wrong.Field != "" {
			name += "." + wrong.Field
		}
		return invalid(name, "cannot be a JSON %s", wrong.Value)
	}
	if err != nil {
		return invalid(name, "is not what it has to be")
	}
	return nil
}

// gymRow reads the row of a request. A turn is one call, as in the session: a message with two calls is two requests.
func (s *Server) gymRow(f gymFields) (gymRow, error) {
	var (
		row        gymRow
		id, digest string
	)
	for _, field := range []struct {
		name string
		into any
	}{{"scenario_id", &id}, {"seed", &row.seed}, {"options", &row.opts}, {"corpus_digest", &digest}} {
		if err := f.read(field.name, field.into); err != nil {
			return row, err
		}
	}
	if id == "" {
		return row, invalid("scenario_id", "is missing; send a row of privgym prompts --format nemo-gym")
	}
	if serves := s.cfg.Corpus.Digest(); digest != "" && digest != serves {
		return row, invalid("corpus_digest", "is %s, and this server serves %s; write the rows again with its version", digest, serves)
	}
	var err error
	if row.game, err = s.games.get("scenario_id", id); err != nil {
		return row, err
	}
	if row.opts.Turns == "" {
		row.opts.Turns = episode.TurnsCalls
	}
	if row.opts, err = s.limits.resolve(row.opts, row.game.Scenario().Family.Split); err != nil {
		return row, err
	}
	if row.opts.Turns != episode.TurnsCalls {
		return row, invalid("options.turns", "is %q; over HTTP a turn is a call: leave it out or say %q", row.opts.Turns, episode.TurnsCalls)
	}
	return row, nil
}
