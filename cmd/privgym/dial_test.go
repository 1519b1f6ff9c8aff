package main

import (
	"crypto/x509"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPlayAtAGuardedServer: play comes past all that a server can ask for, and says what it lacks.
func TestPlayAtAGuardedServer(t *testing.T) {
	ours, theirs := newAuthority(t), newAuthority(t)
	cert := ours.issue(t, "localhost", func(c *x509.Certificate) { c.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)} })
	own, foreign := ours.issue(t, "trainer"), theirs.issue(t, "trainer")
	tokenFile := func(text string) string {
		path := filepath.Join(t.TempDir(), "token")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	token := tokenFile("s3cret\n")
	s := serveReal(t, nil, "--token-file", token, "--tls-cert", cert.Cert, "--tls-key", cert.Key, "--tls-client-ca", ours.File)
	show := " --tls-cert " + own.Cert + " --tls-key " + own.Key
	for name, c := range map[string]struct {
		variable, args string
		code           int
		want           string
	}{
		"token of a file":          {"", "--token-file " + token + " --tls-ca " + ours.File + show, exitFine, "episodes written"},
		"token of the environment": {"s3cret", "--tls-ca " + ours.File + show, exitFine, "episodes written"},
		"no token":                 {"", "--tls-ca " + ours.File + show, exitFindings, "put it into PRIVGYM_TOKEN"},
		"another token":            {"s3cret-not", "--tls-ca " + ours.File + show, exitFindings, "put it into PRIVGYM_TOKEN"},
		"an empty token":           {"", "--token-file " + tokenFile("\n") + " --tls-ca " + ours.File + show, exitUsage, "is empty"},
		"another authority":        {"s3cret", "--tls-ca " + theirs.File + show, exitFindings, "certificate signed by unknown authority"},
		"no certificate":           {"s3cret", "--tls-ca " + ours.File, exitFindings, "server " + s.Address},
		"another's certificate":    {"s3cret", "--tls-ca " + ours.File + " --tls-cert " + foreign.Cert + " --tls-key " + foreign.Key, exitFindings, "server " + s.Address},
		"in the clear":             {"s3cret", "", exitFindings, "server " + s.Address},
		"a certificate alone":      {"s3cret", show, exitUsage, "need --tls-ca"},
		"no such file":             {"s3cret", "--tls-ca none.pem", exitUsage, "none.pem"},
		"no PEM":                   {"s3cret", "--tls-ca " + token, exitUsage, "holds no PEM certificate"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.variable != "" {
				t.Setenv("PRIVGYM_TOKEN", c.variable)
			}
			args := "play --policy oracle --split rl --scenarios " + oneFamily + " --out " + filepath.Join(t.TempDir(), "out.jsonl") + " --server " + s.Address + " " + c.args
			code, out := command(t, strings.Fields(args)...)
			if code != c.code || !strings.Contains(out, c.want) || strings.Contains(out, "s3cret") {
				t.Errorf("exit code %d, want %d and %q: %s", code, c.code, c.want, out)
			}
		})
	}
	if code, out := command(t, "play", "--policy", "oracle", "--out", "x.jsonl", "--tls-ca", ours.File); code != exitUsage || !strings.Contains(out, "are for --server") {
		t.Errorf("without --server: exit code %d: %s", code, out)
	}
}
