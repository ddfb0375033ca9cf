package livetarget

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"

	"github.com/graspkit/graspkit/conformance/target"
)

// RoundTrip performs one HTTP/1.1 exchange on a connection of its own. A path in URL.Opaque goes out
// verbatim, in origin form.
func (t *Target) RoundTrip(req *http.Request) (*http.Response, error) {
	if strings.HasPrefix(req.URL.Opaque, "//") {
		line := target.RequestTarget(req)
		path, _, _ := strings.Cut(line, "?")
		u := *req.URL
		u.Opaque = path
		req = req.Clone(req.Context())
		req.URL = &u
	}
	resp, err := t.transport.RoundTrip(req)
	if err != nil {
		return nil, reachability(err)
	}
	return resp, nil
}

// reachability marks an error from before there was a TCP connection.
func reachability(err error) error {
	op, ok := errors.AsType[*net.OpError](err)
	if ok && op.Op == "dial" {
		return fmt.Errorf("%w: %w", target.ErrUnreachable, err)
	}
	return err
}

// DialRaw opens a TCP connection to the service, with TLS if its URL is https.
func (t *Target) DialRaw(ctx context.Context) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	conn, err := dial(ctx, "tcp", t.address())
	if err != nil {
		return nil, fmt.Errorf("%w: %w", target.ErrUnreachable, err)
	}
	if t.service.Scheme == "http" {
		return conn, nil
	}
	secure := tls.Client(conn, t.secure())
	if err := secure.HandshakeContext(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("TLS handshake: %w", err), conn.Close())
	}
	return secure, nil
}

// secure is how TLS is spoken on a bare connection.
func (t *Target) secure() *tls.Config {
	config := t.transport.TLSClientConfig.Clone()
	config.ServerName = t.service.Hostname()
	return config
}

// address is the host and port of the service.
func (t *Target) address() string {
	port := t.service.Port()
	if port == "" {
		port = "80"
		if t.service.Scheme == "https" {
			port = "443"
		}
	}
	return net.JoinHostPort(t.service.Hostname(), port)
}
