package invariant

import (
	"fmt"

	"github.com/graspkit/graspkit/reference/instant"
)

// A Violation is one broken rule.
type Violation struct {
	ID     string // of the invariant, "INV-20"
	Code   string // which way it was broken, "admitted-undeclared"; the same for every run that breaks it so
	At     instant.Instant
	Server string
	Detail string // for the person who looks into it; differs from run to run
}

// String is the id and the code: a shrinking search compares it, so it holds nothing that differs between runs.
func (v Violation) String() string { return v.ID + " " + v.Code }

// must counts a check and reports its failure.
func (m *Monitor) must(ok bool, id, code, format string, args ...any) {
	if !m.met(ok, id) {
		m.violated(id, code, format, args...)
	}
}

// met counts a check, and returns whether it holds. What is checked in every step asks met before it gives violated the words, which
// cost more than the check.
func (m *Monitor) met(ok bool, id string) bool {
	m.count(id, 1)
	return ok
}

// count counts checks.
func (m *Monitor) count(id string, n int) {
	if m.enabled[id] && n > 0 {
		m.checked[id] += n
	}
}

// violated reports the failure of a check.
func (m *Monitor) violated(id, code, format string, args ...any) {
	if !m.enabled[id] {
		return
	}
	m.Violations = append(m.Violations, Violation{
		ID: id, Code: code, At: m.step.now, Server: m.server, Detail: fmt.Sprintf(format, args...),
	})
}
