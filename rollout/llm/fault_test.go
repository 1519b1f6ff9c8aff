package llm

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/privgym/privgym/rollout/llm/llmtest"
)

// failWith returns the error of a completion whose only attempt is answered by the step.
func failWith(t *testing.T, step llmtest.Step, r Request) *Error {
	t.Helper()
	_, err := client(t, llmtest.New(t, step), attempts(1)).Complete(t.Context(), r)
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("error %v is no *Error", err)
	}
	return e
}

func TestErrorBodiesInEveryShape(t *testing.T) {
	for name, tc := range map[string]struct{ body, want string }{
		"object":             {`{"error":{"message":"no such model","type":"invalid_request_error","param":null,"code":"model_not_found"}}`, "no such model"},
		"older vLLM":         {`{"object":"error","message":"no such model","type":"NotFoundError","param":null,"code":404}`, "no such model"},
		"string":             {`{"error":"no such model"}`, "no such model"},
		"detail":             {`{"detail":"no such model"}`, "no such model"},
		"list of details":    {`{"detail":[{"loc":["body","model"],"msg":"field required"}]}`, `[{"loc":["body","model"],"msg":"field required"}]`},
		"list of messages":   {`{"error":{"message":["no","model"]}}`, `["no","model"]`},
		"forwarded":          {`{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"no such model"}}}`, "Provider returned error: no such model"},
		"no message":         {`{"error":{"code":7}}`, `{"error":{"code":7}}`},
		"null":               {`{"error":null}`, `{"error":null}`},
		"nested without end": {strings.Repeat(`{"error":`, 5000) + "1" + strings.Repeat("}", 5000), `{"error":{"error":`},
		"page":               {"<!doctype html><html><head><title> Not\n found </title><style>b{}</style></head><body>x</body></html>", "a page: Not found"},
		"page without title": {"<html><script>var x=1</script><body><h1>Not</h1>found</body></html>", "Not found"},
		"text":               {"404 page not found\n", "404 page not found"},
		"empty":              {"", "the answer is empty"},
		"broken JSON":        {`{"error":{"message":"no such`, `{"error":{"message":"no such`},
		"control characters": {"\x1b[31mno\x00 such\r\nmodel\u202e", "[31mno such model"},
	} {
		t.Run(name, func(t *testing.T) {
			e := failWith(t, llmtest.Status(http.StatusNotFound, tc.body), hello)
			if !errors.Is(e, ErrRefused) || e.Status != http.StatusNotFound || !strings.HasPrefix(e.Message, tc.want) {
				t.Errorf("%v: %q, want %q", e.Class, e.Message, tc.want)
			}
			if len(e.Message) > maxMessage || !strings.Contains(e.Error(), "/v1/chat/completions: 404 Not Found: ") {
				t.Errorf("error %v", e)
			}
		})
	}
}

func TestLongMessagesAreCutBetweenRunes(t *testing.T) {
	for shift := range 4 {
		e := failWith(t, llmtest.Status(400, strings.Repeat("x", shift)+strings.Repeat("€", 1000)), hello)
		if len(e.Message) > maxMessage || len(e.Message) < maxMessage-3 || !utf8.ValidString(e.Message) || !strings.HasSuffix(e.Message, "…") {
			t.Errorf("message of %d bytes: %q", len(e.Message), e.Message)
		}
	}
}

func TestClasses(t *testing.T) {
	for status, want := range map[int]error{
		400: ErrRefused, 401: ErrRefused, 403: ErrRefused, 404: ErrRefused, 405: ErrRefused, 413: ErrRefused, 422: ErrRefused, 501: ErrRefused,
		408: ErrInfrastructure, 409: ErrInfrastructure, 425: ErrInfrastructure, 429: ErrInfrastructure, 500: ErrInfrastructure,
		502: ErrInfrastructure, 503: ErrInfrastructure, 504: ErrInfrastructure, 524: ErrInfrastructure, 529: ErrInfrastructure,
	} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			script := []llmtest.Step{llmtest.Page(status)}
			if errors.Is(want, ErrInfrastructure) {
				script = append(script, script[0], script[0])
			}
			s := llmtest.New(t, script...)
			_, err := client(t, s, attempts(3)).Complete(t.Context(), hello)
			if !errors.Is(err, want) || len(s.Requests()) != len(script) {
				t.Errorf("error %v after %d requests, want class %v after %d", err, len(s.Requests()), want, len(script))
			}
		})
	}
}

func TestExhaustedQuotaIsRefused(t *testing.T) {
	e := failWith(t, llmtest.Status(429, `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}`), hello)
	if !errors.Is(e, ErrRefused) {
		t.Error(e)
	}
}

func TestTooLong(t *testing.T) {
	for server, tc := range map[string]struct {
		status int
		body   string
	}{
		"OpenAI":           {400, `{"error":{"message":"This model's maximum context length is 128000 tokens. However, your messages resulted in 204308 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`},
		"code alone":       {400, `{"error":{"message":"Bad request","code":"context_length_exceeded"}}`},
		"older vLLM":       {400, `{"object":"error","message":"This model's maximum context length is 16384 tokens. However, you requested 17384 tokens (16384 in the messages, 1000 in the completion). Please reduce the length of the messages or completion.","type":"BadRequestError","param":null,"code":400}`},
		"vLLM prompt":      {400, `{"error":{"message":"The decoder prompt (length 5000) is longer than the maximum model length of 4096.","type":"BadRequestError","param":null,"code":400}}`},
		"SGLang":           {400, `{"object":"error","message":"The input (61709 tokens) is longer than the model's context length (40960 tokens).","type":"BadRequestError","param":null,"code":400}`},
		"llama.cpp":        {400, `{"error":{"code":400,"message":"request (1407 tokens) exceeds the available context size (256 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":1407,"n_ctx":256}}`},
		"llama.cpp as 500": {500, `{"error":{"code":500,"message":"the request exceeds the available context size. try increasing the context size or enable context shift","type":"exceed_context_size_error"}}`},
		"LM Studio":        {400, `{"error":"The number of tokens to keep from the initial prompt is greater than the context length."}`},
		"TGI":              {422, "{\"error\":\"Input validation error: `inputs` must have less than 4096 tokens. Given: 5000\",\"error_type\":\"validation\"}"},
		"Anthropic":        {400, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 205351 tokens > 200000 maximum"}}`},
		"Gemini":           {400, `[{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}]`},
		"xAI":              {400, `{"code":"Client specified an invalid argument","error":"This model's maximum prompt length is 131072 but the request contains 150000 tokens."}`},
		"Bedrock":          {400, `{"message":"Input is too long for requested model."}`},
		"OpenRouter":       {400, `{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"error\":{\"message\":\"This model's maximum context length is 32768 tokens.\"}}"}}}`},
		"in a 200":         {200, `{"error":{"message":"This endpoint's maximum context length is 32768 tokens. However, you requested about 42832 tokens","code":400}}`},
	} {
		t.Run(server, func(t *testing.T) {
			r := hello
			r.MaxTokens = 1000
			if server == "llama.cpp" {
				r.MaxTokens = 100
			}
			if e := failWith(t, llmtest.Status(tc.status, tc.body), r); !errors.Is(e, ErrTooLong) {
				t.Errorf("class %v: %v", e.Class, e)
			}
		})
	}
}

// TestNoRoomForTheAnswerIsRefused: where the limit on the answer alone fills the context, no episode would ever begin.
func TestNoRoomForTheAnswerIsRefused(t *testing.T) {
	r := hello
	r.MaxTokens = 40000
	step := llmtest.Status(400, `{"error":{"message":"'max_tokens' or 'max_completion_tokens' is too large: 40000. This model's maximum context length is 32768 tokens and your request has 900 input tokens (40000 > 32768 - 900).","type":"BadRequestError","code":400}}`)
	if e := failWith(t, step, r); !errors.Is(e, ErrRefused) {
		t.Error(e)
	}
	r.MaxTokens = 32000
	if e := failWith(t, step, r); !errors.Is(e, ErrTooLong) {
		t.Error(e)
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	e := failWith(t, llmtest.Status(http.StatusMovedPermanently, "", "Location", "https://elsewhere/v1/"), hello)
	if !errors.Is(e, ErrRefused) || !strings.Contains(e.Message, "redirected to https://elsewhere/v1/") {
		t.Error(e)
	}
}

func TestUntrustedCertificateIsRefused(t *testing.T) {
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	c, err := New(Config{BaseURL: s.URL + "/v1", Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Complete(t.Context(), hello); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "certificate") {
		t.Error(err)
	}
}

func TestPlainServerBehindHTTPSIsRefused(t *testing.T) {
	s := llmtest.New(t)
	c := client(t, s, func(cfg *Config) { cfg.BaseURL = strings.Replace(cfg.BaseURL, "http:", "https:", 1) })
	if _, err := c.Complete(t.Context(), hello); !errors.Is(err, ErrRefused) {
		t.Error(err)
	}
}

func TestNobodyListens(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	s := &llmtest.Server{URL: "http://" + l.Addr().String() + "/v1"}
	_, err = client(t, s, attempts(3)).Complete(t.Context(), hello)
	want := "POST " + s.URL + "/chat/completions: dial tcp " + l.Addr().String() + ": connect: connection refused (after 3 attempts)"
	if !errors.Is(err, ErrInfrastructure) || err.Error() != want {
		t.Errorf("error %v, want %v", err, want)
	}
}

func TestKeyIsInNoError(t *testing.T) {
	const key = "sk-very-secret"
	var told []string
	withKey := func(cfg *Config) {
		cfg.APIKey, cfg.Attempts = " "+key+"\n", 1
		cfg.BaseURL = strings.Replace(cfg.BaseURL, "http://", "http://user:"+key+"@", 1)
		cfg.Notify = func(f Failure) { told = append(told, f.String()) }
	}
	s := llmtest.New(t, llmtest.Status(401, `{"error":{"message":"Incorrect API key provided: `+key+`"}}`), llmtest.NoAnswer())
	c := client(t, s, withKey)
	for range 2 {
		_, err := c.Complete(t.Context(), hello)
		told = append(told, err.Error())
	}
	if got := s.Requests()[0].Header.Get("Authorization"); got != "Bearer "+key {
		t.Errorf("sent %q", got)
	}
	cfg := Config{BaseURL: "http://x/v1", Model: "m", APIKey: key}
	told = append(told, fmt.Sprintf("%v %+v %#v %s %q", cfg, cfg, cfg, cfg.APIKey, cfg.APIKey))
	marshalled, err := cfg.APIKey.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	told = append(told, string(marshalled))
	if all := strings.Join(told, "\n"); strings.Contains(all, key) || strings.Contains(all, "user:") {
		t.Error(all)
	}
}
