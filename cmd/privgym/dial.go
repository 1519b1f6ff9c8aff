package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"github.com/privgym/privgym/env/corpus"
	"github.com/privgym/privgym/rollout/play"
)

// clientFlags say how to come past the guards of a server; see guardFlags.
type clientFlags struct {
	TokenFile string `placeholder:"FILE" help:"Bear the token in FILE; PRIVGYM_TOKEN in the environment does the same."`
	TLSCA     string `name:"tls-ca" placeholder:"FILE" help:"Speak TLS with a server that these authorities signed for, PEM."`
	TLSCert   string `name:"tls-cert" placeholder:"FILE" help:"Show this certificate chain to a server that asks for one (mutual TLS), PEM; needs --tls-ca."`
	TLSKey    string `name:"tls-key" placeholder:"FILE" help:"Private key of the certificate, PEM."`
}

// options reads the files.
func (f *clientFlags) options() ([]grpc.DialOption, error) {
	how := insecure.NewCredentials()
	if *f != (clientFlags{TokenFile: f.TokenFile}) {
		cfg, err := f.tls()
		if err != nil {
			return nil, err
		}
		how = credentials.NewTLS(cfg)
	}
	options := []grpc.DialOption{grpc.WithTransportCredentials(how)}
	token, err := tokenOf(f.TokenFile)
	if err == nil && token != "" {
		options = append(options, grpc.WithPerRPCCredentials(bearer(token)))
	}
	return options, err
}

func (f *clientFlags) tls() (*tls.Config, error) {
	if f.TLSCA == "" {
		return nil, errors.New("--tls-cert and --tls-key need --tls-ca")
	}
	cfg := &tls.Config{MinVersion: tls.VersionTLS13}
	var err error
	if cfg.RootCAs, err = authorities("--tls-ca", f.TLSCA); err != nil || f.TLSCert == "" && f.TLSKey == "" {
		return cfg, err
	}
	pair, err := tls.LoadX509KeyPair(f.TLSCert, f.TLSKey)
	if err != nil {
		return nil, fmt.Errorf("--tls-cert and --tls-key: %w", err)
	}
	cfg.Certificates = []tls.Certificate{pair}
	return cfg, nil
}

// authorities reads the file of a flag.
func authorities(flag, file string) (*x509.CertPool, error) {
	pem, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%s: %s holds no PEM certificate", flag, file)
	}
	return pool, nil
}

// bearer is a token that goes with every call.
type bearer string

// GetRequestMetadata returns the header.
func (b bearer) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	return map[string]string{"authorization": "Bearer " + string(b)}, nil
}

// RequireTransportSecurity leaves it to the server, which may listen to this machine alone.
func (bearer) RequireTransportSecurity() bool { return false }

// dial connects to a server that has the same corpus.
func dial(ctx context.Context, address string, scenarios *corpus.Corpus, options ...grpc.DialOption) (*grpc.ClientConn, *play.Client, error) {
	conn, err := grpc.NewClient(address, options...)
	if err != nil {
		return nil, nil, usageError{fmt.Errorf("server %s: %w", address, err)}
	}
	client, err := play.NewClient(ctx, conn, scenarios)
	if err != nil {
		conn.Close()
		switch status.Code(err) {
		case codes.Unauthenticated:
			err = fmt.Errorf("%w; put it into PRIVGYM_TOKEN or the file of --token-file", err)
		case codes.Unavailable:
			err = fmt.Errorf("%w; see that privgym serve runs at this host:port or unix:path, and give --tls-ca exactly where it serves TLS, and --tls-cert where it asks for one", err)
		}
		return nil, nil, fmt.Errorf("server %s: %w", address, err)
	}
	return conn, client, nil
}
