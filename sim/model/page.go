package model

import (
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// A Page is what a server shows of a repository to whoever looks at it.
type Page struct {
	Exists, Served    bool
	Name, Description string
}

// Looked judges a page: there is one where a repository is that somebody's announcement lists, and it tells of the announcement
// when that is served, and of nothing before (G01-PURG-06, G01-WEB-03). While something is under way it may be not there yet.
func (m *Model) Looked(now instant.Instant, id repo.ID, got Page) {
	if len(m.Differences) > 0 {
		return
	}
	m.now, m.step = now, step{}
	m.checks++
	r, x := m.room(id.Identifier), m.repository(id)
	a, want := r.announced(string(id.Owner)), Page{}
	if isPlace(id) { // whatever is there (G06-FETCH-01)
		want.Exists = m.cfg.Rules.Contributions
	}
	if a != nil && a.listed && !a.soft && x.there {
		want.Exists = true
		if want.Served = a.phase == stored; want.Served {
			want.Name, want.Description = a.first("name"), a.first("description")
		}
	}
	if got == want || got == (Page{}) && (r.busy() || m.ailing(r) || x.unread) {
		return
	}
	m.differ("G01-WEB-03", "page", "the page of %q of %s is %+v, want %+v", id.Identifier, id.Owner, got, want)
}

// first is the first value of the first tag of a name that has one.
func (e *entry) first(name string) string {
	for _, tag := range e.ev.Tags {
		if len(tag) > 1 && tag[0] == name {
			return tag[1]
		}
	}
	return ""
}
