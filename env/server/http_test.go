package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/privgym/privgym/env/episode"
)

// gym is a client of the HTTP routes. Its jar is a single cookie, taken from each answer as NeMo Gym's agent does, unless
// it is to keep the first one for good, as verifiers does.
type gym struct {
	*Server
	t      testing.TB
	cookie string
	static bool
	header http.Header
}

func gymOf(t testing.TB, s *Server) *gym {
	return &gym{Server: s, t: t, header: make(http.Header)}
}

func (g *gym) do(method, path, body string) *http.Response {
	g.t.Helper()
	r := httptest.NewRequestWithContext(g.t.Context(), method, path, strings.NewReader(body))
	r.Header = g.header.Clone()
	if g.cookie != "" {
		r.Header.Set("Cookie", g.cookie)
	}
	w := httptest.NewRecorder()
	g.GymHandler().ServeHTTP(w, r)
	answer := w.Result()
	for _, c := range answer.Cookies() {
		if !g.static || g.cookie == "" {
			g.cookie = c.Name + "=" + c.Value
		}
	}
	return answer
}

func (g *gym) post(path, body string) (int, string) {
	g.t.Helper()
	answer := g.do(http.MethodPost, path, body)
	text := must(io.ReadAll(answer.Body))(g.t)
	answer.Body.Close()
	return answer.StatusCode, string(text)
}

// tool calls a tool and expects the environment's answer.
func (g *gym) tool(name, arguments string) string {
	g.t.Helper()
	code, text := g.post("/"+name, arguments)
	if code != http.StatusOK {
		g.t.Fatalf("%s answered %d %s", name, code, text)
	}
	return text
}

func (g *gym) seed(row gymJSON) {
	g.t.Helper()
	g.cookie = ""
	if code, text := g.post(seedRoute, row.text()); code != http.StatusOK {
		g.t.Fatalf("seed: %d %s", code, text)
	}
}

// verify returns the verdict.
func (g *gym) verify(row gymJSON, response any) gymJSON {
	g.t.Helper()
	code, text := g.post(verifyRoute, row.with("response", response).text())
	if code != http.StatusOK {
		g.t.Fatalf("verify: %d %s", code, text)
	}
	var verdict gymJSON
	if err := json.Unmarshal([]byte(text), &verdict); err != nil {
		g.t.Fatal(err)
	}
	return verdict
}

type gymJSON map[string]any

func (j gymJSON) text() string {
	text, err := json.Marshal(j)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func (j gymJSON) with(name string, v any) gymJSON {
	out := gymJSON{name: v}
	for k, v := range j {
		if k != name {
			out[k] = v
		}
	}
	return out
}

func rowOf(scenario string, seed int64, o episode.Options) gymJSON {
	return gymJSON{"scenario_id": scenario, "seed": seed, "options": o, "responses_create_params": gymJSON{"input": "…"}}
}

var calm = episode.Options{Faults: "none"}

func TestGymRoundTrip(t *testing.T) {
	g, a := gymOf(t, newServer(t)), act(t, parcel)
	row := rowOf(parcel, 3, episode.Options{Faults: "once"}).with("_ng_task_index", 7)
	g.seed(row)
	call := a.call(a.low[0])
	first := g.tool(call.GetName(), call.GetArguments())
	second := g.tool(call.GetName(), call.GetArguments())
	if first == second {
		t.Fatalf("a tool that fails once said %q twice", first)
	}
	if g.Live() != 1 {
		t.Errorf("%d episodes are live, want 1", g.Live())
	}
	verdict := g.verify(row, said(call, first).said(call, second).says("It is done.").of(90))
	want := gymJSON{"reward": 0.995, "tier": "low_clean", "claim": "claims", "success": true, "tokens": 90.0, "_ng_task_index": 7.0}
	for name, value := range want {
		if fmt.Sprint(verdict[name]) != fmt.Sprint(value) {
			t.Errorf("%s is %v, want %v", name, verdict[name], value)
		}
	}
	if verdict["response"] == nil || verdict["responses_create_params"] == nil {
		t.Error("the request did not come back")
	}
	if g.Live() != 0 {
		t.Error("the session was not closed")
	}
}

func TestGymAnswersInTheEnvironmentsWords(t *testing.T) {
	g := gymOf(t, newServer(t))
	g.seed(rowOf(parcel, 1, episode.Options{K: 64, Faults: "none"}))
	for _, tt := range []struct{ name, path, body, want string }{
		{"no tool", "/", "{}", "The call names no tool."},
		{"unknown tool", "/delete_all", "{}", `There is no tool named "delete_all".`},
		{"a tool with a query", "/edit_assessor_line?x=1", "{}", `There is no tool named "edit_assessor_line?x=1".`},
		{"a tool with a bare query", "/edit_assessor_line?", "{}", `There is no tool named "edit_assessor_line?".`},
		{"a path", "/a/../b//c", "{}", `There is no tool named "a/../b//c".`},
		{"escapes", "/%2Fverify%00", "{}", `There is no tool named "/verify\x00".`},
		{"no JSON", "/edit_assessor_line", `{"line": `, "Malformed arguments for edit_assessor_line: the text is not valid JSON."},
		{"a list", "/edit_assessor_line", "[1]", "Malformed arguments for edit_assessor_line: the text is not a JSON object."},
		{"nothing", "/edit_assessor_line", "", `Invalid arguments for edit_assessor_line: "line" is missing.`},
		{"null", "/edit_assessor_line", "null", `Invalid arguments for edit_assessor_line: "line" is missing.`},
		{"64 KiB and more", "/edit_assessor_line", strings.Repeat(" ", 70<<10), "Malformed arguments for edit_assessor_line: the text is too long."},
		{"depth", "/edit_assessor_line", strings.Repeat(`{"a":`, 9000) + "1" + strings.Repeat("}", 9000), "Malformed arguments for edit_assessor_line: the object is nested too deep."},
		{"no UTF-8", "/edit_assessor_line", "\xff\xfe", "Malformed arguments for edit_assessor_line: the text is not valid JSON."},
		{"behind the prefix of a recorded rollout", "/ng-rollout/0-1/nope", "{}", `There is no tool named "nope".`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			answer := g.do(http.MethodPost, tt.path, tt.body)
			defer answer.Body.Close()
			got := string(must(io.ReadAll(answer.Body))(t))
			if answer.StatusCode != http.StatusOK || got != tt.want {
				t.Errorf("%d %s, want %s", answer.StatusCode, got, tt.want)
			}
			if kind := answer.Header.Get("Content-Type"); kind != "text/plain; charset=utf-8" {
				t.Errorf("content type %s", kind)
			}
		})
	}
}

func TestGymRefusals(t *testing.T) {
	row := rowOf(parcel, 1, calm)
	for _, tt := range []struct {
		name, method, path, body string
		code                     int
		detail                   string
	}{
		{"no row", "POST", seedRoute, "[]", 422, "not a JSON object"},
		{"null", "POST", seedRoute, "null", 422, "not a JSON object"},
		{"no scenario", "POST", seedRoute, "{}", 422, "scenario_id: is missing"},
		{"unknown scenario", "POST", seedRoute, row.with("scenario_id", "x/1.1").text(), 422, "scenario_id:"},
		{"a scenario that is a number", "POST", seedRoute, row.with("scenario_id", 7).text(), 422, "scenario_id:"},
		{"half a seed", "POST", seedRoute, row.with("seed", 0.5).text(), 422, "seed:"},
		{"unknown option", "POST", seedRoute, row.with("options", episode.Options{Faults: "all"}).text(), 422, "options.faults:"},
		{"k beyond 32 bits", "POST", seedRoute, row.with("options", gymJSON{"k": 1<<32 + 5}).text(), 422, "options.k:"},
		{"turns of messages", "POST", seedRoute, row.with("options", gymJSON{"turns": "messages"}).text(), 422, "options.turns:"},
		{"another corpus", "POST", seedRoute, row.with("corpus_digest", "00").text(), 422, "write the rows again"},
		{"a body beyond the limit", "POST", seedRoute, `{"x":"` + strings.Repeat("x", 20<<10) + `"}`, 413, "more than 16384 bytes"},
		{"no session", "POST", "/edit_assessor_line", "{}", 404, "has no session"},
		{"verify without a rollout", "POST", verifyRoute, row.text(), 422, "response: is missing"},
		{"a rollout without output", "POST", verifyRoute, row.with("response", gymJSON{}).text(), 422, "response.output: is missing"},
		{"output that is no list", "POST", verifyRoute, row.with("response", gymJSON{"output": 3}).text(), 422, "response.output: cannot be a JSON number"},
		{"an endless output", "POST", verifyRoute, row.with("response", gymJSON{"output": make([]gymJSON, 1025)}).text(), 422, "response.output: has 1025 items"},
		{"GET of a tool", "GET", "/edit_assessor_line", "", 405, "send POST"},
		{"PUT", "PUT", verifyRoute, "{}", 405, "send POST"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := gymOf(t, newServer(t, limits(func(l *Limits) { l.MessageBytes = 16 << 10 })))
			answer := g.do(tt.method, tt.path, tt.body)
			defer answer.Body.Close()
			var said struct{ Error, Detail string }
			if err := json.NewDecoder(answer.Body).Decode(&said); err != nil {
				t.Fatal(err)
			}
			if answer.StatusCode != tt.code || !strings.Contains(said.Detail, tt.detail) {
				t.Errorf("%d %s, want %d %s", answer.StatusCode, said.Detail, tt.code, tt.detail)
			}
			if unscorable := said.Error == "unscorable"; unscorable != (tt.code == 404) {
				t.Errorf("error is %q", said.Error)
			}
			if g.Live() != 0 {
				t.Error("an episode was opened")
			}
		})
	}
}

func TestGymProbes(t *testing.T) {
	g := gymOf(t, newServer(t, func(c *Config) { c.Token = "x" }))
	for path, want := range map[string]string{"/": `{"status":"ok"}`, "/reverify_mode": `"stateless"`} {
		answer := g.do(http.MethodGet, path, "")
		if body := string(must(io.ReadAll(answer.Body))(t)); answer.StatusCode != 200 || body != want {
			t.Errorf("GET %s: %d %s", path, answer.StatusCode, body)
		}
		answer.Body.Close()
	}
}

func TestGymToken(t *testing.T) {
	g := gymOf(t, newServer(t, func(c *Config) { c.Token = "s3cret" }))
	row := rowOf(parcel, 1, calm).text()
	for header, want := range map[string]int{"": 401, "Bearer s3cre": 401, "s3cret": 401, "Bearer s3cret": 200, "bearer s3cret": 200} {
		g.header.Set("Authorization", header)
		answer := g.do(http.MethodPost, seedRoute, row)
		text := string(must(io.ReadAll(answer.Body))(t))
		answer.Body.Close()
		if answer.StatusCode != want || strings.Contains(text, "s3cret") {
			t.Errorf("%q: %d %s", header, answer.StatusCode, text)
		}
		if want == 401 && answer.Header.Get("WWW-Authenticate") != "Bearer" {
			t.Errorf("%q: no WWW-Authenticate", header)
		}
	}
	if n := counterValue(t, g.Server, "privgym_rpcs_total", "method", seedRoute, "code", "Unauthenticated"); n != 3 {
		t.Errorf("%v refusals were counted, want 3", n)
	}
}

func TestGymRefusesPagesOfOtherSites(t *testing.T) {
	g := gymOf(t, newServer(t))
	g.header.Set("Sec-Fetch-Site", "cross-site")
	if code, _ := g.post(seedRoute, rowOf(parcel, 1, calm).text()); code != http.StatusForbidden || g.Live() != 0 {
		t.Errorf("a page of another site was answered %d", code)
	}
}

// TestGymFull: where there is no room, a client is told to come back, and that nothing here is a reward.
func TestGymFull(t *testing.T) {
	g := gymOf(t, newServer(t, limits(func(l *Limits) { l.Episodes = 1 })))
	row := rowOf(parcel, 1, calm)
	g.seed(row)
	answer := g.do(http.MethodPost, seedRoute, row.text())
	text := string(must(io.ReadAll(answer.Body))(t))
	answer.Body.Close()
	if answer.StatusCode != 503 || answer.Header.Get("Retry-After") != "1" || !strings.Contains(text, `"unscorable"`) || strings.Contains(text, "reward") {
		t.Errorf("%d %v %s", answer.StatusCode, answer.Header, text)
	}
}

func TestGymPanicsAreToldAsUnscorable(t *testing.T) {
	var log bytes.Buffer
	s := newServer(t, func(c *Config) { c.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	reply, err := s.guardedRoute(make(http.Header), httptest.NewRequest("POST", "/x", nil), func(http.Header, *http.Request) (gymReply, error) {
		panic("the secret cause")
	})
	if err == nil || len(reply.body) > 0 || !strings.Contains(log.String(), "the secret cause") {
		t.Errorf("%v %v, log %s", reply, err, log.String())
	}
	w := httptest.NewRecorder()
	gymFailure(w, s.status(err), err)
	if body := w.Body.String(); w.Code != 500 || !strings.Contains(body, `"unscorable"`) || strings.Contains(body, "secret") {
		t.Errorf("%d %s", w.Code, body)
	}
}

func TestGymMetrics(t *testing.T) {
	g, a := gymOf(t, newServer(t)), act(t, parcel)
	row := rowOf(parcel, 1, calm)
	g.seed(row)
	call := a.call(a.low[0])
	text := g.tool(call.GetName(), call.GetArguments())
	g.verify(row, said(call, text).says("It is done.").of(9))
	for _, series := range [][]string{
		{"privgym_resets_total"},
		{"privgym_steps_total"},
		{"privgym_calls_total", "status", "ok"},
		{"privgym_episodes_closed_total", "why", "client"},
		{"privgym_rpcs_total", "method", seedRoute, "code", "OK"},
		{"privgym_rpcs_total", "method", toolRoute, "code", "OK"},
		{"privgym_rpc_seconds", "method", verifyRoute},
	} {
		if n := counterValue(t, g.Server, series[0], series[1:]...); n != 1 {
			t.Errorf("%v is %v, want 1", series, n)
		}
	}
}

func TestGymAggregate(t *testing.T) {
	g := gymOf(t, newServer(t))
	code, text := g.post(aggregateRoute, `{"verify_responses":[{"reward":0.5,"opur":true,"tier":"x","_ng_task_index":3},{"reward":1,"opur":false,"ped":2}]}`)
	want := `{"agent_metrics":{"mean/opur":0.5,"mean/ped":2,"mean/reward":0.75},"group_level_metrics":[],"key_metrics":{"mean/opur":0.5,"mean/ped":2,"mean/reward":0.75}}`
	if code != 200 || text != want {
		t.Errorf("%d %s, want %s", code, text, want)
	}
	if code, text = g.post(aggregateRoute, `{"verify_responses":{}}`); code != 422 {
		t.Errorf("%d %s", code, text)
	}
}

// TestBodyErrorsTellNoAddress: why a body did not arrive names both ends of the connection.
func TestBodyErrorsTellNoAddress(t *testing.T) {
	broken := &net.OpError{Op: "read", Net: "tcp", Addr: &net.TCPAddr{IP: net.IPv4(10, 0, 0, 4), Port: 7}, Err: os.ErrDeadlineExceeded}
	if err := bodyError(broken); strings.Contains(err.Error(), "10.0.0.4") || !errors.Is(err, errInvalid) {
		t.Errorf("the client reads %v", err)
	}
}
