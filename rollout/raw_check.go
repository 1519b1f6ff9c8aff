package rollout

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/privgym/privgym/rollout/rawjson"
)

// The checks of this file let pass what encoding/json would decode into the fields of a Record, and nothing else but null
// for any field.

func wrongKind(value []byte, want string) error {
	return fmt.Errorf("%s where %s should be", rawjson.Kind(value), want)
}

func isString(_ *Raw, value []byte) error { return stringValue(value) }

func stringValue(value []byte) error {
	if value[0] != '"' {
		return wrongKind(value, "a string")
	}
	return nil
}

func isBool(_ *Raw, value []byte) error {
	if value[0] != 't' && value[0] != 'f' {
		return wrongKind(value, "a boolean")
	}
	return nil
}

func isBlast(r *Raw, value []byte) error {
	return r.nested(fieldBlast, value, new(Blast))
}

func isArray(r *Raw, value []byte) (err error) {
	r.text[fieldTools], err = unwrapList(value)
	return err
}

func checkMessages(r *Raw, value []byte) error {
	text, err := unwrapList(value)
	if err != nil {
		return err
	}
	r.text[fieldMessages] = text
	return listOf(messageShape.check)(text)
}

// unwrapList returns an array whose elements, or which itself, may be given as strings that hold them.
func unwrapList(value []byte) ([]byte, error) {
	text, err := rawjson.Unwrap(value)
	if err != nil {
		return nil, err
	}
	wrapped := false
	err = rawjson.Elements(text, func(element []byte) error {
		wrapped = wrapped || element[0] == '"'
		return nil
	})
	if err != nil || !wrapped {
		return text, err
	}
	list := []byte{'['}
	err = rawjson.Elements(text, func(element []byte) error {
		inner, err := rawjson.Unwrap(element)
		if len(list) > 1 {
			list = append(list, ',')
		}
		list = append(list, inner...)
		return err
	})
	return append(list, ']'), err
}

// shape says how the members of an object are checked.
type shape map[string]func(value []byte) error

var (
	messageShape = shape{
		"role": stringValue, "content": stringValue, "reasoning": stringValue, "tool_calls": listOf(callShape.check),
		"tokens": integerValue, "finish_reason": stringValue, "tool_call_id": stringValue, "name": stringValue,
	}
	callShape     = shape{"id": stringValue, "type": stringValue, "function": functionShape.check}
	functionShape = shape{"name": stringValue, "arguments": stringValue}
)

func (s shape) check(object []byte) error {
	return rawjson.Members(object, func(key string, value []byte) error {
		if check := s.of(key); check != nil && !rawjson.Null(value) {
			if err := check(value); err != nil {
				return fmt.Errorf("%s: %w", key, err)
			}
		}
		return nil
	})
}

// of finds a key as encoding/json does: in any case, where it is not there as it stands.
func (s shape) of(key string) func([]byte) error {
	if check, ok := s[key]; ok {
		return check
	}
	for known, check := range s {
		if strings.EqualFold(known, key) {
			return check
		}
	}
	return nil
}

func listOf(check func([]byte) error) func([]byte) error {
	return func(list []byte) error {
		n := 0
		return rawjson.Elements(list, func(element []byte) error {
			n++
			if err := check(element); err != nil {
				return fmt.Errorf("element %d: %w", n, err)
			}
			return nil
		})
	}
}

func integerValue(value []byte) error {
	if _, err := strconv.Atoi(string(value)); err != nil {
		return wrongKind(value, "an integer")
	}
	return nil
}
