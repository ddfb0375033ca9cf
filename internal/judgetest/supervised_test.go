package judgetest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/legal"
)

// restartTakes is how long whoever looks after a supervised server needs to start it again.
const restartTakes = 1500 * time.Millisecond

// A supervised server dies of a comment, and somebody starts it again. Before it stands a front that says 502 meanwhile.
type supervised struct {
	target.Target

	mu    sync.Mutex
	until time.Time // it is away; guarded by mu
	lives int       // guarded by mu
}

// life is which of its lives the server is in, or an error while it is away.
func (s *supervised) life() (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Now().Before(s.until) {
		return 0, fmt.Errorf("handshake answered with HTTP %d: %w", http.StatusBadGateway, target.ErrClosed)
	}
	return s.lives, nil
}

func (s *supervised) Dial(ctx context.Context) (target.Conn, error) {
	life, err := s.life()
	if err != nil {
		return nil, err
	}
	conn, err := s.Target.Dial(ctx)
	return &mortalConn{conn, s, life}, err
}

func (s *supervised) RoundTrip(req *http.Request) (*http.Response, error) {
	if _, err := s.life(); err != nil {
		return &http.Response{
			StatusCode: http.StatusBadGateway, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
			Header: http.Header{}, Body: io.NopCloser(strings.NewReader("bad gateway\n")), Request: req,
		}, nil
	}
	return s.Target.RoundTrip(req)
}

type mortalConn struct {
	target.Conn

	server *supervised
	life   int
}

func (c *mortalConn) ended() error {
	if life, err := c.server.life(); err != nil || life != c.life {
		return fmt.Errorf("%w: the server is gone", target.ErrClosed)
	}
	return nil
}

func (c *mortalConn) Send(ctx context.Context, msg []byte) error {
	if err := c.ended(); err != nil {
		return err
	}
	if bytes.HasPrefix(msg, []byte(`["EVENT"`)) && bytes.Contains(msg, []byte(`"kind":1111,`)) {
		c.server.mu.Lock()
		c.server.until, c.server.lives = c.server.Now().Add(restartTakes), c.server.lives+1
		c.server.mu.Unlock()
		return nil
	}
	return c.Conn.Send(ctx, msg)
}

func (c *mortalConn) Recv(ctx context.Context) ([]byte, error) {
	if err := c.ended(); err != nil {
		return nil, err
	}
	return c.Conn.Recv(ctx)
}

// TestSupervisedDeathIsAFinding: a server that dies, and is back before anybody else asks, violates the checks that it dies of.
func TestSupervisedDeathIsAFinding(t *testing.T) {
	all := legal.All()
	base := all[slices.IndexFunc(all, func(s legal.Server) bool { return s.Name == "plain-git" })]
	var r *suite.Result
	synctest.Test(t, func(t *testing.T) {
		on := &supervised{Target: base.Open(clock.New())}
		r = judge(t, on, suite.Config{Parallel: 4, TimeBudget: legalBudget, Tags: "(@G01-REL-01 or @G01-REL-02 or @N01-EV-03) and " + bulky})
	})
	found := 0
	for _, c := range r.Checks {
		if c.Verdict.Violated() && strings.Contains(c.Reason, "and not behind it") {
			found++
		} else if c.Verdict.Violated() {
			t.Errorf("%s: got %s: %s, want nothing but ends of the server", c.Check.ID, c.Verdict, c.Reason)
		}
	}
	if found == 0 {
		for _, c := range r.Checks {
			t.Logf("%s %s: %s", c.Verdict, c.Check.ID, c.Reason)
		}
		t.Error("no check found that the server dies of comments")
	}
}
