package suite_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/conformance/target"
)

// A mortal target can be started again. Behind a start a front turns connections away for a while, as one does whose server begins.
type mortal struct {
	*fake

	dead   bool // guarded by mu of fake, as is the next one
	behind int  // connections that are turned away still
}

func (m *mortal) Dial(ctx context.Context) (target.Conn, error) {
	m.mu.Lock()
	gone := m.dead || m.behind > 0
	m.behind = max(m.behind-1, 0)
	m.mu.Unlock()
	if gone {
		return nil, fmt.Errorf("%w: answered with HTTP 502", target.ErrUnreachable)
	}
	return m.fake.Dial(ctx)
}

func (m *mortal) Restart(context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.dead, m.behind = false, 5
	return nil
}

// A server that dies is started again and waited for, however long its front answers before it does, and the run goes on.
func TestARevivedTargetIsWaitedFor(t *testing.T) {
	m := &mortal{fake: newFake()}
	m.exchange, m.frame = status(200, "{}"), answerAll(true, "")
	events := 0
	m.drops = func(msg string) bool {
		if strings.HasPrefix(msg, `["EVENT"`) {
			events++
			m.mu.Lock()
			m.dead = m.dead || events == 25
			m.mu.Unlock()
		}
		return events == 25
	}
	r := judge(t, m, func(cfg *suite.Config) { cfg.Features, cfg.Parallel = featureOf(acceptedOften(40)), 1 })
	if n := count(r); n[suite.Pass] != 40 || r.Down != "" {
		t.Errorf("got %v, down %q; want 40 PASS, and it lives", n, r.Down)
	}
}

// Nor is a server that the run itself starts again accused of what its front answers meanwhile.
func TestARestartedTargetIsWaitedFor(t *testing.T) {
	m := &mortal{fake: newFake()}
	m.exchange, m.frame = status(200, "{}"), answerAll(true, "")
	r := judge(t, m, func(cfg *suite.Config) {
		cfg.Features = featureOf(`
  @G01-ANN-01 @serial @needs:restart
  Scenario: it is accepted behind a restart
    When the server restarts
    And the owner announces the repository
    Then the event is accepted
`)
	})
	if c := r.Checks[0]; c.Verdict != suite.Pass {
		t.Errorf("got %s (%s), want PASS", c.Verdict, c.Reason)
	}
}
