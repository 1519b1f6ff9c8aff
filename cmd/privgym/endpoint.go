package main

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/privgym/privgym/rollout/llm"
)

// advise adds what a person can do about an endpoint that answers nothing; address is the flag with its URL, key where its
// key is taken from.
func advise(err error, address, key string) error {
	stopped := (*llm.Stopped)(nil)
	if !errors.As(err, &stopped) {
		return err
	}
	advice := "look whether the endpoint runs and " + address + " is its address"
	switch status := stopped.Last.Status; {
	case !stopped.Refused:
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		advice = "put a valid key into " + key
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed, status/100 == 3:
		advice = "look whether " + address + " is what stands before /chat/completions, and --model what the endpoint calls its model"
	default:
		advice = "change what it does not accept: --model, --max-tokens, --temperature, or how the server was started (tool calls have to be enabled on many)"
	}
	return fmt.Errorf("%w\n%s; then the same command goes on, and what was made is kept", err, advice)
}
