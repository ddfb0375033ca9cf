package invariant

import (
	"strings"

	"github.com/graspkit/graspkit/reference/instant"
)

// Complete is INV-07: of so many events that the server has to have of another one it lacks none.
func (m *Monitor) Complete(now instant.Instant, of string, events int, lacks []string) {
	m.step.now = now
	m.count("INV-07", events)
	if len(lacks) > 0 {
		m.violated("INV-07", "lacks", "of %d events of %s that it has to have the server lacks %s", events, of, strings.Join(lacks, ", "))
	}
}
