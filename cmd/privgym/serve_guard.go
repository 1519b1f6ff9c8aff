package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"os"
	"strings"
)

// guardFlags say who may call the server. A token is never given on the command line, where other users of the machine
// can read it.
type guardFlags struct {
	TokenFile string `placeholder:"FILE" help:"Ask for the bearer token in FILE; PRIVGYM_TOKEN in the environment does the same."`
	TLSCert   string `name:"tls-cert" placeholder:"FILE" help:"Serve TLS with this certificate chain, PEM."`
	TLSKey    string `name:"tls-key" placeholder:"FILE" help:"Private key of the certificate, PEM."`
	ClientCA  string `name:"tls-client-ca" placeholder:"FILE" help:"Admit only clients with a certificate that these authorities signed (mutual TLS), PEM."`
}

// tokenVariable holds the token where there is no file.
const tokenVariable = "PRIVGYM_TOKEN"

// tokenOf reads the token of a file, or where there is none that of the environment; empty where there is neither.
func tokenOf(file string) (string, error) {
	if file == "" {
		text, given := os.LookupEnv(tokenVariable)
		if !given {
			return "", nil
		}
		return readToken(tokenVariable+" in the environment", text)
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("token file: %w", err)
	}
	return readToken("token file "+file, string(content))
}

// readToken refuses an empty token, which would guard nothing where somebody believes in a guard, and one that no header
// can carry. It never tells the token.
func readToken(source, text string) (string, error) {
	token := strings.TrimSpace(text)
	if token == "" {
		return "", fmt.Errorf("%s is empty", source)
	}
	if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", fmt.Errorf("%s holds more than one word of printable ASCII; openssl rand -hex 32 makes a good token", source)
	}
	return token, nil
}

// tls returns nil where no certificate is given.
func (g *guardFlags) tls() (*tls.Config, error) {
	if g.TLSCert == "" && g.TLSKey == "" {
		if g.ClientCA != "" {
			return nil, errors.New("--tls-client-ca needs --tls-cert and --tls-key")
		}
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(g.TLSCert, g.TLSKey)
	if err != nil {
		return nil, fmt.Errorf("--tls-cert and --tls-key: %w", err)
	}
	cfg := &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS13}
	if g.ClientCA == "" {
		return cfg, nil
	}
	cfg.ClientAuth = tls.RequireAndVerifyClientCert
	cfg.ClientCAs, err = authorities("--tls-client-ca", g.ClientCA)
	return cfg, err
}
