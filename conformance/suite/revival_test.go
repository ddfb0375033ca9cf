package suite_test

import (
	"context"
	"fmt"
	"slices"
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

// Whoever is alone while a server ends is no culprit yet: what was sent before may have done it. A new server shows that, and one that
// ends again shows the contrary.
func TestWhoIsAloneAtADeathIsTriedOnANewServer(t *testing.T) {
	for _, c := range []struct {
		name  string
		kills func(events int) bool
		want  suite.Verdict
	}{
		{"of something before", func(events int) bool { return events == 1 }, suite.Pass},
		{"of this", func(int) bool { return true }, suite.Fail},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := &mortal{fake: newFake()}
			m.exchange, m.frame = status(200, "{}"), answerAll(true, "")
			events, begun := 0, false
			m.drops = func(msg string) bool {
				if !strings.HasPrefix(msg, `["EVENT"`) || !strings.Contains(msg, `"kind":30617`) {
					return false
				}
				if !begun { // the lighthouse
					begun = true
					return false
				}
				events++
				m.mu.Lock()
				m.dead = m.dead || c.kills(events)
				m.mu.Unlock()
				return c.kills(events)
			}
			r := judge(t, m, func(cfg *suite.Config) {
				cfg.Features = featureOf(`
  @G01-ANN-01 @hostile
  Scenario: it is accepted
    When the owner announces the repository
    Then the event is accepted
`)
			})
			if got := r.Checks[0]; got.Verdict != c.want || r.Down != "" {
				t.Errorf("got %s (%s), down %q, want %s", got.Verdict, got.Reason, r.Down, c.want)
			}
		})
	}
}

// What a target died of that stays away is told where its end is, for the end is what everybody reads first.
func TestWhatATargetDiedOfIsNamedAtItsEnd(t *testing.T) {
	m := &mortal{fake: newFake()}
	m.exchange, m.frame = status(200, "{}"), answerAll(true, "")
	announced := 0
	m.drops = func(msg string) bool {
		announces := strings.HasPrefix(msg, `["EVENT"`) && strings.Contains(msg, `"kind":30617`)
		if announces {
			announced++
		}
		kills := announces && announced == 3 // behind the lighthouse and the first check
		m.mu.Lock()
		defer m.mu.Unlock()
		m.dead = m.dead || kills
		return kills
	}
	r := judge(t, struct{ target.Target }{m}, func(cfg *suite.Config) {
		cfg.Features = featureOf(`
  @G01-ANN-01.first @hostile
  Scenario: it is accepted
    When the owner announces the repository
    Then the event is accepted

  @G01-ANN-01.second @hostile
  Scenario: it is accepted again
    When the owner announces the repository
    Then the event is accepted
`)
	})
	killers := slices.DeleteFunc(r.Checks, func(c suite.CheckResult) bool { return !c.Verdict.Violated() }) // which of the two comes last is chance
	if len(killers) != 1 || !strings.Contains(r.Down, "before "+killers[0].Check.ID+", ") {
		t.Errorf("got %d checks violated, down %q, want one, which is named", len(killers), r.Down)
	}
}
