package model

import (
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"
)

// Rules are what the operator asks for beside the protocol.
type Rules struct {
	Reciprocal bool     // maintainers count who list each other (G01-MNT-06)
	Work       int      // leading zero bits of ids (N13-01)
	Authors    []Named  // of whom nothing is taken (INV-28)
	Blocked    []Named  // repositories that are not announced (INV-28)
	Allowed    []Named  // those that may be announced as hosted here; none is all (G01-ANN-13)
	Archive    []Named  // those that are hosted here whatever they list (G05-01)
	ArchiveOf  []string // and what lists one of these services, host and path (G05-07)
	ReadOnly   bool     // no push is taken, and what only lists the service is not hosted (G05-04)

	Private       bool // only members are served (G08-01)
	Contributions bool // anybody may put commits of pull requests at places of their own (G06-ADV-01)
}

// A Named is a repository by its key, by its identifier, or by both.
type Named struct{ Key, Identifier string }

var (
	outWork    = outcome{false, "pow:", nowhere}
	outBarred  = outcome{false, "blocked:", nowhere}
	outUnasked = outcome{false, "restricted:", nowhere}
)

func names(list []Named, key, identifier string) bool {
	return slices.ContainsFunc(list, func(n Named) bool {
		return (n.Key == "" || n.Key == key) && (n.Identifier == "" || n.Identifier == identifier)
	})
}

// barred is how the operator answers an event that they keep out; none if they do not.
func (m *Model) barred(e *entry) []outcome {
	r := m.cfg.Rules
	d := firstD(&e.ev)
	switch {
	case names(r.Authors, e.ev.PubKey, ""):
		return []outcome{outBarred}
	case !e.announcement:
		return nil
	case names(r.Blocked, e.ev.PubKey, d):
		return []outcome{outBarred}
	case len(r.Allowed) > 0 && e.listed && !names(r.Allowed, e.ev.PubKey, d):
		return []outcome{outUnasked}
	}
	return nil
}

// works reports whether an id begins with as many zero bits as are asked for.
func (m *Model) works(ev *nostr.Event) bool {
	digits := strings.TrimLeft(ev.ID, "0")
	zeros := 4 * (len(ev.ID) - len(digits))
	switch {
	case digits == "" || digits[0] >= '8':
	case digits[0] >= '4':
		zeros++
	case digits[0] >= '2':
		zeros += 2
	default:
		zeros += 3
	}
	return zeros >= m.cfg.Rules.Work
}
