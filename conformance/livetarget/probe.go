package livetarget

import (
	"context"
	"fmt"
	"net/http"

	"github.com/graspkit/graspkit/conformance/target"
)

// Probe asks whether there is anything to judge, within a few seconds. It returns nil if the service
// answers an HTTP request for its NIP-11 document, in whatever way, or else a WebSocket handshake. It
// returns an error that wraps target.ErrUnreachable if there is no TCP connection, and one that wraps
// target.ErrNoAnswer if neither was answered.
func (t *Target) Probe(ctx context.Context) error {
	raw, err := t.DialRaw(ctx)
	if err != nil {
		return err
	}
	if err := raw.Close(); err != nil {
		return fmt.Errorf("close probe connection: %w", err)
	}
	httpErr := t.probeHTTP(ctx)
	if httpErr == nil {
		return nil
	}
	wsErr := t.probeWebSocket(ctx)
	if wsErr == nil {
		return nil
	}
	return fmt.Errorf("%w: %w; %w", target.ErrNoAnswer, httpErr, wsErr)
}

func (t *Target) probeHTTP(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, t.ServiceURL()+"/", nil)
	if err != nil {
		return fmt.Errorf("NIP-11 request: %w", err)
	}
	req.Header.Set("Accept", "application/nostr+json")
	resp, err := t.RoundTrip(req)
	if err != nil {
		return fmt.Errorf("NIP-11 request: %w", err)
	}
	return resp.Body.Close()
}

func (t *Target) probeWebSocket(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	conn, err := t.Dial(ctx)
	if err != nil {
		return fmt.Errorf("WebSocket: %w", err)
	}
	return conn.Close()
}
