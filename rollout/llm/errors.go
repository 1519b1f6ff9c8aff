package llm

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// The classes of an Error.
var (
	// ErrInfrastructure: the endpoint could not be reached or did not answer properly, however often it was tried.
	ErrInfrastructure = errors.New("infrastructure")
	// ErrRefused: the endpoint does not accept such requests (a wrong key, model or parameter), now or later.
	ErrRefused = errors.New("refused")
	// ErrTooLong: the conversation is longer than the model can read. It is the end of an episode, not a failure.
	ErrTooLong = errors.New("conversation too long")
)

// Error is a completion that failed. errors.Is tells its class.
type Error struct {
	// Class is ErrInfrastructure, ErrRefused or ErrTooLong.
	Class error
	// Status is the HTTP status of the last answer, 0 where there was none.
	Status int
	// URL of the endpoint, without user, password or key.
	URL string
	// Message is what the server said, or what became of the connection: one line of at most 300 bytes.
	Message string
	// Attempts counts the requests.
	Attempts int

	retry bool
	// after is what the server asked to wait.
	after time.Duration
}

// Error says where, what and how often.
func (e *Error) Error() string {
	text := "POST " + e.URL + ": "
	if e.Status != 0 {
		text += strings.TrimSpace(fmt.Sprintf("%d %s", e.Status, http.StatusText(e.Status))) + ": "
	}
	text += e.Message
	if e.Attempts > 1 {
		text += fmt.Sprintf(" (after %d attempts)", e.Attempts)
	}
	return text
}

// Unwrap returns the class.
func (e *Error) Unwrap() error { return e.Class }

// Failure is an attempt that failed.
type Failure struct {
	Err *Error
	// Attempt counts from 1.
	Attempt int
	// First of all failures of the client: the one to show to a person.
	First bool
	// Last attempt of its completion; otherwise Wait says after how long the next one comes.
	Last bool
	Wait time.Duration
}

// String is a line for a log.
func (f Failure) String() string {
	if f.Last {
		return f.Err.Error()
	}
	return fmt.Sprintf("%v; next attempt in %v", f.Err, f.Wait.Round(time.Millisecond))
}
