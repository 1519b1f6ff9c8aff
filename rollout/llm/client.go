package llm

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	openai "github.com/sashabaranov/go-openai"
	"golang.org/x/time/rate"
)

// Defaults of Config.
const (
	// DefaultConcurrency keeps a local server's batch filled without the queues that a public one answers with 429.
	DefaultConcurrency = 16
	// DefaultAttempts outlasts the restart of a proxy, and ends within minutes where nothing is there.
	DefaultAttempts = 5
	// DefaultAttemptTimeout lets a reasoning model think.
	DefaultAttemptTimeout = 5 * time.Minute
	// DefaultTimeout is that of three attempts, and is longer where one has longer.
	DefaultTimeout = 15 * time.Minute
)

// Key is an API key. It prints and marshals as a placeholder, so that no log or configuration dump shows it.
type Key string

const hiddenKey = "[key]"

// String hides the key.
func (k Key) String() string {
	if k == "" {
		return ""
	}
	return hiddenKey
}

// GoString hides the key.
func (k Key) GoString() string { return `"` + k.String() + `"` }

// MarshalText hides the key.
func (k Key) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Config says how to reach an endpoint. Zero values mean the defaults.
type Config struct {
	// BaseURL is what stands before /chat/completions, such as http://localhost:8000/v1.
	BaseURL string
	Model   string
	// APIKey is sent as a bearer token; empty for servers that want none. Take it from the environment.
	APIKey Key
	// Stream asks for streamed answers, for servers that answer in no other way.
	Stream bool
	// Concurrency bounds the completions under way; further callers wait.
	Concurrency int
	// Rate bounds the requests a second, repeated ones included; 0 does not.
	Rate float64
	// Attempts bounds the requests of a completion. One more is made where the server refuses the history (Completion.Tamed).
	Attempts int
	// AttemptTimeout bounds one request, from the dial to the last byte; Timeout bounds a completion with all its attempts
	// and waits.
	AttemptTimeout, Timeout time.Duration
	// Notify is told of every attempt that failed, from the goroutine of its caller; nil tells nobody.
	Notify func(Failure)
}

// Client asks one model at one endpoint. It is safe for concurrent use.
type Client struct {
	api   *openai.Client
	shim  *shim
	slots chan struct{}
}

// New checks the configuration and returns a client. Nothing is sent.
func New(cfg Config) (*Client, error) {
	cfg.APIKey = Key(strings.TrimSpace(string(cfg.APIKey)))
	endpoint, err := cfg.check()
	if err != nil {
		return nil, err
	}
	cfg.setDefaults()
	s := &shim{
		cfg:      cfg,
		endpoint: endpoint,
		http:     newHTTPClient(cfg.Concurrency),
		maxBytes: maxAnswerBytes,
		jitter:   uniform,
	}
	if cfg.Rate > 0 {
		s.limiter = rate.NewLimiter(rate.Limit(cfg.Rate), 1)
	}
	api := openai.DefaultConfig(string(cfg.APIKey))
	api.BaseURL = cfg.BaseURL
	api.HTTPClient = s
	return &Client{
		api:   openai.NewClientWithConfig(api),
		shim:  s,
		slots: make(chan struct{}, cfg.Concurrency),
	}, nil
}

// Close drops idle connections. Completions under way go on.
func (c *Client) Close() { c.shim.http.CloseIdleConnections() }

// check returns the endpoint's URL as messages show it: without user, password or query.
func (cfg *Config) check() (endpoint string, err error) {
	u, err := url.Parse(cfg.BaseURL)
	if err != nil { // its text would show a password
		return "", errors.New("the base URL cannot be read; give one like http://localhost:8000/v1")
	}
	base := url.URL{Scheme: u.Scheme, Host: u.Host, Path: strings.TrimRight(u.Path, "/")}
	switch {
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return "", fmt.Errorf("base URL %s: want http:// or https:// and a host, such as http://localhost:8000/v1", &base)
	case u.RawQuery != "" || u.Fragment != "":
		return "", fmt.Errorf("base URL %s: leave out the query and the fragment", &base)
	case strings.HasSuffix(base.Path, completionsPath):
		return "", fmt.Errorf("base URL %s: leave out %s", &base, completionsPath)
	case cfg.Model == "":
		return "", errors.New("no model named")
	case cfg.Concurrency < 0 || cfg.Attempts < 0 || cfg.AttemptTimeout < 0 || cfg.Timeout < 0 || !(cfg.Rate >= 0):
		return "", errors.New("concurrency, attempts, time-outs and rate cannot be negative")
	case strings.ContainsFunc(string(cfg.APIKey), func(r rune) bool { return r <= ' ' || r >= 0x7f }):
		return "", errors.New("the API key has characters that no header can hold; look for a quote, a blank or a second line")
	}
	base.Path += completionsPath
	return base.String(), nil
}

const completionsPath = "/chat/completions"

func (cfg *Config) setDefaults() {
	if cfg.Concurrency == 0 {
		cfg.Concurrency = DefaultConcurrency
	}
	if cfg.Attempts == 0 {
		cfg.Attempts = DefaultAttempts
	}
	if cfg.AttemptTimeout == 0 {
		cfg.AttemptTimeout = DefaultAttemptTimeout
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = max(DefaultTimeout, 3*cfg.AttemptTimeout)
	}
	if cfg.Notify == nil {
		cfg.Notify = func(Failure) {}
	}
}
