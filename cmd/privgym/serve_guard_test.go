package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	reflectionpb "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"

	pb "github.com/privgym/privgym/proto/privgym/v1"
)

const serverName = "train.example"

func TestServeTLS(t *testing.T) {
	ours, theirs := newAuthority(t), newAuthority(t)
	cert := ours.issue(t, serverName)
	s := serveReal(t, nil, "--tls-cert", cert.Cert, "--tls-key", cert.Key)
	for name, client := range map[string]struct {
		cfg  *tls.Config
		code codes.Code
	}{
		"right":             {&tls.Config{RootCAs: ours.pool(), ServerName: serverName}, codes.OK},
		"other authority":   {&tls.Config{RootCAs: theirs.pool(), ServerName: serverName}, codes.Unavailable},
		"other name":        {&tls.Config{RootCAs: ours.pool(), ServerName: "eval.example"}, codes.Unavailable},
		"TLS 1.2":           {&tls.Config{RootCAs: ours.pool(), ServerName: serverName, MaxVersion: tls.VersionTLS12}, codes.Unavailable},
		"in the clear":      {nil, codes.Unavailable},
		"usual authorities": {&tls.Config{ServerName: serverName}, codes.Unavailable},
	} {
		if err := describe(t.Context(), s.connect(t, client.cfg)); status.Code(err) != client.code {
			t.Errorf("%s: %v, want %v", name, err, client.code)
		}
	}
}

func TestServeMutualTLS(t *testing.T) {
	ours, theirs := newAuthority(t), newAuthority(t)
	cert := ours.issue(t, serverName)
	s := serveReal(t, nil, "--tls-cert", cert.Cert, "--tls-key", cert.Key, "--tls-client-ca", ours.File)
	expired := func(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Minute) }
	forServers := func(c *x509.Certificate) { c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth} }
	for name, client := range map[string]struct {
		shows []tls.Certificate
		code  codes.Code
	}{
		"right":                   {ours.issue(t, "trainer").load(t), codes.OK},
		"none":                    {nil, codes.Unavailable},
		"of another authority":    {theirs.issue(t, "trainer").load(t), codes.Unavailable},
		"expired":                 {ours.issue(t, "trainer", expired).load(t), codes.Unavailable},
		"a server's, not for use": {ours.issue(t, "trainer", forServers).load(t), codes.Unavailable},
	} {
		// The certificate is shown whatever the server asks for: a client that is hostile does not look.
		conn := s.connect(t, &tls.Config{
			RootCAs: ours.pool(), ServerName: serverName,
			GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
				if client.shows == nil {
					return new(tls.Certificate), nil
				}
				return &client.shows[0], nil
			},
		})
		if err := describe(t.Context(), conn); status.Code(err) != client.code {
			t.Errorf("certificate %s: %v, want %v", name, err, client.code)
		}
		if _, err := healthpb.NewHealthClient(conn).Check(t.Context(), &healthpb.HealthCheckRequest{}); status.Code(err) != client.code {
			t.Errorf("certificate %s, health: %v, want %v", name, err, client.code)
		}
	}
}

// TestServeToken asks every method for its token, with the token from each of its two sources and over TLS.
func TestServeToken(t *testing.T) {
	ca := newAuthority(t)
	cert := ca.issue(t, serverName)
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("s3cret-of-the-file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		env   []string
		args  []string
		token string
	}{
		"file":        {nil, []string{"--token-file", file}, "s3cret-of-the-file"},
		"environment": {[]string{"PRIVGYM_TOKEN=s3cret-of-the-environment\n"}, nil, "s3cret-of-the-environment"},
		"both":        {[]string{"PRIVGYM_TOKEN=s3cret-of-the-environment"}, []string{"--token-file", file}, "s3cret-of-the-file"},
	} {
		t.Run(name, func(t *testing.T) {
			s := serveReal(t, tt.env, append(tt.args, "--tls-cert", cert.Cert, "--tls-key", cert.Key, "--metrics", "0")...)
			conn := s.connect(t, &tls.Config{RootCAs: ca.pool(), ServerName: serverName})
			for _, token := range []string{"", "wrong", tt.token + "x", tt.token[1:]} {
				if got := admitted(t, conn, token); len(got) > 0 {
					t.Errorf("with %q these answer: %v", token, got)
				}
			}
			if got := admitted(t, conn, tt.token); !slices.Equal(got, allMethods()) {
				t.Errorf("with the token these answer: %v", got)
			}
			if _, err := healthpb.NewHealthClient(conn).Check(t.Context(), &healthpb.HealthCheckRequest{}); err != nil {
				t.Errorf("health without a token: %v", err)
			}
			_, metrics := get(t, s.metricsURL(t))
			if strings.Contains(s.log(t)+metrics, "s3cret") {
				t.Error("the token is told in the log or the metrics")
			}
		})
	}
}

const reflection = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"

func allMethods() []string {
	all := []string{reflection}
	for _, d := range []grpc.ServiceDesc{pb.EnvironmentService_ServiceDesc, pb.RewardService_ServiceDesc} {
		for _, m := range d.Methods {
			all = append(all, "/"+d.ServiceName+"/"+m.MethodName)
		}
		for _, m := range d.Streams {
			all = append(all, "/"+d.ServiceName+"/"+m.StreamName)
		}
	}
	return slices.Sorted(slices.Values(all))
}

// admitted returns the methods that answer a token, whatever they answer.
func admitted(t *testing.T, conn *grpc.ClientConn, token string) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if token != "" {
		ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+token)
	}
	var names []string
	for _, name := range allMethods() {
		var err error
		switch {
		case name == reflection:
			err = reflect(ctx, conn)
		case strings.HasSuffix(name, "/ListScenarios"):
			err = list(ctx, conn)
		default: // an empty message is a request of every method
			err = conn.Invoke(ctx, name, &pb.DescribeRequest{}, &pb.CloseResponse{})
		}
		switch st := status.Convert(err); st.Code() {
		case codes.Unauthenticated:
			if strings.Contains(st.Message(), "s3cret") {
				t.Errorf("the refusal tells a token: %v", st)
			}
		case codes.OK, codes.InvalidArgument:
			names = append(names, name)
		default:
			t.Errorf("%s: %v", name, err)
		}
	}
	return names
}

func reflect(ctx context.Context, conn *grpc.ClientConn) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := reflectionpb.NewServerReflectionClient(conn).ServerReflectionInfo(ctx)
	if err != nil {
		return err
	}
	// Where the call has been refused already, Send says only that it is over, and Recv says why.
	_ = stream.Send(&reflectionpb.ServerReflectionRequest{
		MessageRequest: &reflectionpb.ServerReflectionRequest_ListServices{},
	})
	_, err = stream.Recv()
	return err
}

func list(ctx context.Context, conn *grpc.ClientConn) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := pb.NewEnvironmentServiceClient(conn).ListScenarios(ctx, &pb.ListScenariosRequest{})
	if err != nil {
		return err
	}
	_, err = stream.Recv()
	return err
}

// TestSecretsAreNotFlags walks all flags: a secret comes from a file or from the environment.
func TestSecretsAreNotFlags(t *testing.T) {
	parser, err := kong.New(&commands{}, kong.Vars{"version": ""})
	if err != nil {
		t.Fatal(err)
	}
	secret := regexp.MustCompile(`token|secret|password|key|auth|credential`)
	byName := regexp.MustCompile(`^(token-file|tls-key|api-key-env)$`) // files, and the name of a variable
	count := regexp.MustCompile(`^max-tokens$`)                        // not of that kind
	seen := 0
	err = kong.Visit(parser.Model, func(node kong.Visitable, next kong.Next) error {
		if f, ok := node.(*kong.Flag); ok {
			seen++
			if secret.MatchString(f.Name) && !byName.MatchString(f.Name) && !count.MatchString(f.Name) {
				t.Errorf("--%s would put a secret where every user of the machine can read it", f.Name)
			}
		}
		return next(nil)
	})
	if err != nil || seen < 20 {
		t.Errorf("%d flags, %v", seen, err)
	}
}
