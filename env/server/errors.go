package server

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/protoadapt"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/privgym/privgym/env/episode"
)

// What a request may be refused for. A refusal wraps one of them.
var (
	errInvalid  = errors.New("invalid request")
	errUnknown  = errors.New("unknown episode")
	errConflict = errors.New("episode exists")
	errOrder    = errors.New("turn refused")
	errFull     = errors.New("no room")
	errDraining = errors.New("server is ending")

	errUnauthenticated = errors.New("no valid token")
	// errUnscorable: the record of an episode is not one of this environment, so it has no reward.
	errUnscorable = errors.New("unscorable")
)

// refusal is an error that the client is to read.
type refusal struct {
	kind error
	// field is the path of the field at fault, for errInvalid.
	field, text string
}

func (r *refusal) Error() string {
	if r.field != "" {
		return r.field + ": " + r.text
	}
	return r.text
}

func (r *refusal) Unwrap() error { return r.kind }

func refuse(kind error, format string, args ...any) error {
	return &refusal{kind: kind, text: fmt.Sprintf(format, args...)}
}

func invalid(field, format string, args ...any) error {
	return &refusal{kind: errInvalid, field: field, text: fmt.Sprintf(format, args...)}
}

// within puts the path of the message that holds it before the field of a refusal.
func within(path string, err error) error {
	var r *refusal
	if !errors.As(err, &r) || !errors.Is(r.kind, errInvalid) {
		return err
	}
	if r.field != "" {
		path += "." + r.field
	}
	return &refusal{kind: r.kind, field: path, text: r.text}
}

// retryAfter is what RetryInfo tells a client that found no room: about as long as a short episode takes, and too short
// to idle a trainer.
const retryAfter = time.Second

// status is the one mapping from errors to gRPC status. The text of an error that nobody foresaw goes to the log; the
// wire learns that there was one.
func (s *Server) status(err error) *status.Status {
	var r *refusal
	switch {
	case err == nil:
		return nil
	case errors.As(err, &r):
		return r.status()
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return status.FromContextError(err)
	}
	if st, ok := status.FromError(err); ok {
		return st // it is one already: a broken stream, a panic
	}
	s.cfg.Log.Error("call failed", "error", err)
	return status.New(codes.Internal, internalText)
}

const internalText = "internal error; the server's log says more"

func (r *refusal) status() *status.Status {
	text := clip(r.Error())
	switch r.kind {
	case errInvalid: //nolint:errorlint // a kind is one of these sentinels, never wrapped
		return withDetails(status.New(codes.InvalidArgument, text), &errdetails.BadRequest{
			FieldViolations: []*errdetails.BadRequest_FieldViolation{{Field: r.field, Description: clip(r.text)}},
		})
	case errUnknown:
		return status.New(codes.NotFound, text)
	case errConflict:
		return status.New(codes.AlreadyExists, text)
	case errOrder:
		return status.New(codes.FailedPrecondition, text)
	case errDraining:
		return status.New(codes.Unavailable, text)
	case errUnauthenticated:
		return status.New(codes.Unauthenticated, text)
	case errUnscorable:
		return status.New(codes.DataLoss, text)
	}
	return withDetails(status.New(codes.ResourceExhausted, text),
		&errdetails.RetryInfo{RetryDelay: durationpb.New(retryAfter)})
}

// clip bounds what of a client's own text comes back in an error, which travels in headers.
func clip(s string) string {
	const most = 1 << 10
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

func withDetails(st *status.Status, detail protoadapt.MessageV1) *status.Status {
	if detailed, err := st.WithDetails(detail); err == nil {
		return detailed
	}
	return st
}

// optionField turns the error of episode.Options into one that names the field of the message.
func optionField(err error) error {
	var o *episode.OptionError
	if errors.As(err, &o) {
		return invalid("options."+o.Field, "%v", o)
	}
	return err
}
