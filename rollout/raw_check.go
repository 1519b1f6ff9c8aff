package rollout

import (
	"bytes"
	"fmt"
	"slices"
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

func (r *Raw) decodeBlast(value []byte) (err error) {
	if r.text[fieldBlast], err = rawjson.Unwrap(value); err != nil {
		return err
	}
	return blastShape.check(r.text[fieldBlast])
}

func (r *Raw) decodeMessages(value []byte) (err error) {
	if r.text[fieldMessages], r.messages, err = elements(value); err != nil {
		return err
	}
	for i, message := range r.messages {
		if err := messageShape.check(message); err != nil {
			return fmt.Errorf("element %d: %w", i+1, err)
		}
	}
	return nil
}

func (r *Raw) decodeTools(value []byte) (err error) {
	r.text[fieldTools], r.tools, err = elements(value)
	return err
}

// elements returns an array and its elements. It, and each of them, may be given as a string that holds it.
func elements(value []byte) (text []byte, list [][]byte, err error) {
	if text, err = rawjson.Unwrap(value); err != nil {
		return nil, nil, err
	}
	wrapped := false
	err = rawjson.Elements(text, func(element []byte) error {
		wrapped = wrapped || element[0] == '"'
		inner, err := rawjson.Unwrap(element)
		list = append(list, inner)
		return err
	})
	if wrapped && err == nil {
		text = slices.Concat([]byte{'['}, bytes.Join(list, []byte{','}), []byte{']'})
	}
	return text, list, err
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
	blastShape    = shape{
		"rows": integerValue, "cells": integerValue, "standing": integerValue, "lasting": integerValue, "skipped": integerValue,
		"authority": stringValue,
	}
)

func (s shape) check(object []byte) error {
	return rawjson.Members(object, func(key, value []byte) error {
		if check := s.of(key); check != nil && !rawjson.Null(value) {
			if err := check(value); err != nil {
				return fmt.Errorf("%s: %w", key, err)
			}
		}
		return nil
	})
}

// of finds a key as encoding/json does: in any case, where it is not there as it stands.
func (s shape) of(key []byte) func([]byte) error {
	if check, ok := s[string(key)]; ok {
		return check
	}
	for known, check := range s {
		if strings.EqualFold(known, string(key)) {
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
