package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/repo"
)

// ScopeAll is the entry of a Scope that has everything. An identifier of that name is written %61ll.
const ScopeAll = "all"

// A Scope is what an archive keeps although it does not list the service (GRASP-05): all of a key, one repository, all of an
// identifier, all that lists another service in its clone values, or everything. Nil is nothing.
type Scope struct {
	list     List
	all      bool
	services []repo.Service
	entries  []string
}

// Add adds what an entry names: all, the URL of a service, an npub, npub/identifier or an identifier, encoded as in a clone URL.
func (s *Scope) Add(entry string) error {
	switch {
	case entry == ScopeAll:
		s.all = true
	case strings.Contains(entry, "://"):
		service, err := repo.ParseService(entry)
		if err != nil {
			return fmt.Errorf("%q: want an origin such as https://grasp.example.com, at most with a base path", entry)
		}
		s.services = append(s.services, service)
	default:
		if err := s.list.Add(entry); err != nil {
			return err
		}
	}
	if !slices.Contains(s.entries, entry) {
		s.entries = append(s.entries, entry)
	}
	return nil
}

// Entries lists what was added, each once and as it was given.
func (s *Scope) Entries() []string {
	if s == nil {
		return nil
	}
	return s.entries
}

// Empty reports whether the scope names nothing.
func (s *Scope) Empty() bool { return len(s.Entries()) == 0 }

// Has reports whether an announcement is in the scope. The answer depends on nothing else, so a restart does not change it.
func (s *Scope) Has(a repo.Announcement) bool {
	if s == nil {
		return false
	}
	return s.all || s.list.names(a.ID) != "" || slices.ContainsFunc(s.services, func(other repo.Service) bool {
		clone, _ := other.ListedIn(a)
		return clone
	})
}
