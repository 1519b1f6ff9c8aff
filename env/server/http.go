package server

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// The routes of a NeMo Gym resources server (docs/nemo-gym.md). Every other POST is a tool call: tools are named in the
// rows, and a name that no tool has is the environment's to answer.
const (
	seedRoute      = "/seed_session"
	verifyRoute    = "/verify"
	aggregateRoute = "/aggregate_metrics"
	toolRoute      = "/{tool}"
)

// gymRoutes are counted like the methods of the gRPC services.
var gymRoutes = []string{seedRoute, verifyRoute, aggregateRoute, toolRoute}

// gymReply is an answer that is no error.
type gymReply struct {
	body   []byte
	isText bool
}

// gymRoute answers one request. It may set headers; errors are written by gymFailure.
type gymRoute func(header http.Header, r *http.Request) (gymReply, error)

// GymHandler returns the routes of a NeMo Gym resources server, over the episodes and within the limits of this server.
// Serve it by ServeGym, which adds the time-outs.
func (s *Server) GymHandler() http.Handler {
	return http.NewCrossOriginProtection().Handler(http.HandlerFunc(s.serveGym))
}

func (s *Server) serveGym(w http.ResponseWriter, r *http.Request) {
	path := gymPath(r)
	if body := gymProbes[path]; body != "" && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(body))
		return
	}
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		writeGymFailure(w, http.StatusMethodNotAllowed, "invalid", "send POST")
		return
	}
	name, route := s.gymRoute(path)
	start := time.Now()
	reply, err := s.guardedRoute(w.Header(), r, route)
	st := s.status(err)
	s.metrics.answered(name, st.Code(), time.Since(start))
	if err != nil {
		gymFailure(w, st, err)
		return
	}
	kind := "application/json"
	if reply.isText {
		kind = "text/plain; charset=utf-8"
	}
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write(reply.body) // the peer may be gone; it asks again
}

func (s *Server) gymRoute(path string) (name string, route gymRoute) {
	switch path {
	case seedRoute:
		return seedRoute, s.seedSession
	case verifyRoute:
		return verifyRoute, s.verify
	case aggregateRoute:
		return aggregateRoute, s.aggregateMetrics
	}
	return toolRoute, func(header http.Header, r *http.Request) (gymReply, error) {
		return s.callTool(header, r, strings.TrimPrefix(path, "/"))
	}
}

// guardedRoute checks the token first, keeps the session of the request in every answer, and turns a panic into an error.
// An agent takes its cookies from the last answer: one without would lose it the session, even if that call had gone to a
// route that needs none.
func (s *Server) guardedRoute(header http.Header, r *http.Request, route gymRoute) (reply gymReply, err error) {
	defer func() {
		if p := recover(); p != nil {
			reply, err = gymReply{}, s.recovered(p)
		}
	}()
	if s.cfg.Token != "" && !s.bearer(r.Header.Values("Authorization")) {
		return gymReply{}, refuse(errUnauthenticated, `give the token in the header "Authorization: Bearer <token>"`)
	}
	if c, err := r.Cookie(sessionCookie); err == nil {
		s.setSession(header, c.Value)
	}
	return route(header, r)
}

// gymPath is what the request names, with its query: a tool has the name that the model wrote. The prefix under which
// agents that record their rollouts call (/ng-rollout/<id>) is left out.
func gymPath(r *http.Request) string {
	path := r.URL.Path
	if rest, ok := strings.CutPrefix(path, "/ng-rollout/"); ok {
		if at := strings.IndexByte(rest, '/'); at > 0 {
			path = rest[at:]
		}
	}
	if r.URL.RawQuery != "" || r.URL.ForceQuery {
		path += "?" + r.URL.RawQuery
	}
	return path
}

// gymProbes are what is asked by GET, without a session: is the server there, and can it verify rollouts again from their
// record alone.
var gymProbes = map[string]string{"/": `{"status":"ok"}`, "/reverify_mode": `"stateless"`}

// httpStatus of the codes that refusals have.
var httpStatus = map[codes.Code]int{
	codes.InvalidArgument:    http.StatusUnprocessableEntity,
	codes.NotFound:           http.StatusNotFound,
	codes.AlreadyExists:      http.StatusConflict,
	codes.FailedPrecondition: http.StatusConflict,
	codes.Unauthenticated:    http.StatusUnauthorized,
	codes.ResourceExhausted:  http.StatusServiceUnavailable,
	codes.Unavailable:        http.StatusServiceUnavailable,
}

// gymFailure writes an error. One that is not the request's own fault says that the rollout is unscorable: a trainer masks
// it. There is no reward in it, so that none can be taken for 0.
func gymFailure(w http.ResponseWriter, st *status.Status, err error) {
	code, ok := httpStatus[st.Code()]
	if !ok {
		code = http.StatusInternalServerError
	}
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		code = http.StatusRequestEntityTooLarge
	case code == http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", strconv.Itoa(int(retryAfter/time.Second)))
	case code == http.StatusUnauthorized:
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	kind := "invalid"
	if code >= http.StatusInternalServerError || code == http.StatusNotFound {
		kind = "unscorable"
	}
	writeGymFailure(w, code, kind, st.Message())
}

func writeGymFailure(w http.ResponseWriter, code int, kind, detail string) {
	body, err := json.Marshal(struct {
		Error  string `json:"error"`
		Detail string `json:"detail"`
	}{kind, detail})
	if err != nil {
		panic(err) // two strings
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_, _ = w.Write(body)
}
