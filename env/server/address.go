package server

import (
	"crypto/tls"
	"fmt"
	"net"
	"strings"
)

// CheckAddress refuses an address that others could reach while neither TLS nor a token guards the server. Loopback
// addresses, localhost and unix sockets ("unix:path") always pass; an empty host means every interface and does not.
func (c Config) CheckAddress(address string) error {
	if c.TLS != nil || c.Token != "" {
		return nil
	}
	local, err := isLocal(address)
	if err != nil {
		return fmt.Errorf("listen address %q: %w; give host:port or unix:path", address, err)
	}
	if !local {
		return fmt.Errorf("listen address %q can be reached from other machines and nothing guards it: "+
			"give a TLS certificate or a token, or listen on 127.0.0.1", address)
	}
	return nil
}

// isLocal reports whether only this machine can reach an address. It asks no resolver.
func isLocal(address string) (bool, error) {
	if strings.HasPrefix(address, "unix:") {
		return true, nil
	}
	host, _, err := net.SplitHostPort(address)
	return host == "localhost" || net.ParseIP(host).IsLoopback(), err
}

// checkListener is CheckAddress for a listener that stands already. In-memory listeners pass.
func (s *Server) checkListener(addr net.Addr) error {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok {
		return nil
	}
	if local, _ := isLocal(tcp.String()); !local {
		s.warn(tcp.String())
	}
	return s.cfg.CheckAddress(tcp.String())
}

// warn says what a guard leaves open.
func (s *Server) warn(address string) {
	switch cfg := s.cfg.TLS; {
	case cfg == nil && s.cfg.Token != "":
		s.cfg.Log.Warn("the token crosses the network in the clear; give a TLS certificate", "address", address)
	case cfg != nil && cfg.ClientAuth != tls.RequireAndVerifyClientCert && s.cfg.Token == "":
		s.cfg.Log.Warn("TLS keeps nobody from calling; ask for a token or for client certificates", "address", address)
	}
}
