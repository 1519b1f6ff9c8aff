package server

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/privgym/privgym/env/episode"
)

// TestGymRepeats: a client that takes the cookie of each answer sends a call whose answer it has not had with the cookie
// of the answer before it.
func TestGymRepeats(t *testing.T) {
	g, a := gymOf(t, newServer(t)), act(t, parcel)
	g.seed(rowOf(parcel, 1, episode.Options{K: 10, Faults: "twice"}))
	call := a.call(a.low[0])
	other := g.tool("nope", "{}")
	before := g.cookie
	first := g.tool(call.GetName(), call.GetArguments())
	after := g.cookie
	for range 3 { // the answer was lost
		g.cookie = before
		if again := g.tool(call.GetName(), call.GetArguments()); again != first || g.cookie != after {
			t.Fatalf("a repeated call says %q and goes on at %s; it said %q and went on at %s", again, g.cookie, first, after)
		}
	}
	second, third := g.tool(call.GetName(), call.GetArguments()), g.tool(call.GetName(), call.GetArguments())
	if second == third || third == other {
		t.Errorf("a tool that fails twice and then works said %q, %q, %q", first, second, third)
	}
	if n := counterValue(t, g.Server, "privgym_steps_total"); n != 4 {
		t.Errorf("%v turns were played, want 4", n)
	}
}

// TestGymKeepsTheFirstCookie: a client that sends the first cookie for good calls the same tool twice on purpose, since
// its first call failed.
func TestGymKeepsTheFirstCookie(t *testing.T) {
	g, a := gymOf(t, newServer(t)), act(t, parcel)
	g.static = true
	g.seed(rowOf(parcel, 1, episode.Options{Faults: "once"}))
	call := a.call(a.low[0])
	said := make(map[string]bool)
	for range 2 {
		said[g.tool(call.GetName(), call.GetArguments())] = true
	}
	if len(said) != 2 {
		t.Errorf("the second call was taken for a repeat: %v", said)
	}
}

// TestGymCallsOfOneMessage: calls that a client sends at once bear one cookie, and all are played.
func TestGymCallsOfOneMessage(t *testing.T) {
	s, a := newServer(t), act(t, parcel)
	g := gymOf(t, s)
	g.seed(rowOf(parcel, 1, episode.Options{K: 20, Faults: "none"}))
	g.tool("nope", "{}")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			one := gymOf(t, s)
			one.cookie = g.cookie
			call := a.call(a.low[i%len(a.low)])
			if code, text := one.post("/"+call.GetName(), strings.Repeat(" ", i)+call.GetArguments()); code != 200 {
				t.Errorf("%d %s", code, text)
			}
		})
	}
	all.Wait()
	if n := counterValue(t, s, "privgym_steps_total"); n != 9 {
		t.Errorf("%v turns were played, want 9", n)
	}
}

func TestGymLimitOfCalls(t *testing.T) {
	g := gymOf(t, newServer(t))
	g.seed(rowOf(parcel, 1, episode.Options{K: 1, Faults: "none"}))
	g.tool("nope", "{}")
	for range 3 {
		if text := g.tool("nope", "{}"); text != "The turn limit has been reached; this call was not executed." {
			t.Errorf("past the limit a call says %q", text)
		}
	}
}

func TestGymLostSession(t *testing.T) {
	g, a := gymOf(t, newServer(t)), act(t, parcel)
	row := rowOf(parcel, 1, calm)
	g.seed(row)
	call := a.call(a.low[0])
	text := g.tool(call.GetName(), call.GetArguments())
	id, _, _ := strings.Cut(strings.TrimPrefix(g.cookie, sessionCookie+"="), ".")
	g.table.remove(id)
	if code, body := g.post("/"+call.GetName(), call.GetArguments()); code != 404 || !strings.Contains(body, "unscorable") {
		t.Errorf("%d %s", code, body)
	}
	if verdict := g.verify(row, said(call, text).says("It is done.").of(9)); verdict["tier"] != "low_clean" {
		t.Errorf("the transcript of a lost session is scored %v", verdict["tier"])
	}
}

func TestGymForeignCookies(t *testing.T) {
	g := gymOf(t, newServer(t))
	for _, value := range []string{"x", "x.1", "x.", ".1", "x.1.1", "x.99999999999999999999", "ÿ.1", strings.Repeat("x", 9000) + ".1"} {
		g.cookie = sessionCookie + "=" + value
		if code, text := g.post("/edit_assessor_line", "{}"); code != http.StatusNotFound {
			t.Errorf("%.20q: %d %s", value, code, text)
		}
	}
	g.seed(rowOf(parcel, 1, calm))
	g.cookie = g.cookie[:strings.LastIndexByte(g.cookie, '.')] + ".-7"
	g.tool("nope", "{}")
}

// TestGymCookie: every answer bears the session, since an agent takes its cookies from the last one, and one to a call of
// a reserved name too.
func TestGymCookie(t *testing.T) {
	g := gymOf(t, newServer(t))
	g.seed(rowOf(parcel, 1, calm))
	before := g.cookie
	for _, path := range []string{verifyRoute, seedRoute, aggregateRoute} {
		answer := g.do(http.MethodPost, path, `{"verify_responses": 3}`)
		answer.Body.Close()
		cookies := answer.Cookies()
		if answer.StatusCode != 422 || len(cookies) != 1 || g.cookie != before {
			t.Fatalf("%s: %d %v", path, answer.StatusCode, answer.Header)
		}
		if c := cookies[0]; c.Path != "/" || !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Secure || c.Domain != "" || c.MaxAge != 0 {
			t.Errorf("cookie %s", c.Raw)
		}
	}
	g.tool("nope", "{}")
	if g.cookie == before {
		t.Error("the cookie did not move on")
	}
}

func TestGymIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, limits(func(l *Limits) { l.IdleTimeout = time.Minute }))
		g := gymOf(t, s)
		g.seed(rowOf(parcel, 1, episode.Options{K: 20, Faults: "none"}))
		for range 4 {
			time.Sleep(50 * time.Second)
			g.tool("nope", "{}")
		}
		time.Sleep(2 * time.Minute)
		if code, text := g.post("/nope", "{}"); code != 404 || s.Live() != 0 {
			t.Errorf("after two minutes: %d %s", code, text)
		}
		s.Close()
	})
}
