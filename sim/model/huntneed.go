package model

import (
	"slices"

	"github.com/graspkit/graspkit/reference/repo"
)

// A source is a URL that may be asked, and whether it must be if there is room.
type source struct {
	url, host string
	sure      bool
}

// busy reports whether something is under way in a room after which it may need less.
func (r *room) busy() bool { return r.orders+r.pushing > 0 }

// plain reports whether only one repository is in question for what is hunted here: for others the text leaves open into
// which one it comes, and what they have in common.
func (r *room) plain() bool {
	return !r.shared && len(r.announcements) == 1 && r.announcements[0].listed && !r.announcements[0].soft
}

// waits lists the events of a room that wait for data, with what they declare.
func (m *Model) waits(r *room, each func(e *entry, oids []repo.OID)) {
	for _, list := range [][]*entry{r.states, r.pulls} {
		for _, e := range list {
			if m.waiting(e) {
				each(e, e.needs)
			}
		}
	}
}

func (m *Model) waiting(e *entry) bool { return e.phase == held && (m.now < e.deadline || m.pinned(e)) }

// pending reports whether an event of a room waits for data.
func (m *Model) pending(r *room) bool {
	return slices.ContainsFunc(r.states, m.waiting) || slices.ContainsFunc(r.pulls, m.waiting)
}

// declared lists the objects that those events declare that wait in a room and count for a repository: the maintainer set of its
// owner holds the author of the state, or the pull request is for it (REF-HUNT-19).
func (m *Model) declared(r *room, id repo.ID) (list []repo.OID) {
	keys := r.set(string(id.Owner))
	m.waits(r, func(e *entry, oids []repo.OID) {
		if e.state && slices.Contains(keys, e.ev.PubKey) || e.pull && slices.Contains(m.concerned(e), id) {
			list = append(list, oids...)
		}
	})
	return list
}

// lacking lists what the repository of a plain room lacks of what is declared for it, sorted. It is looked up once in a step,
// and again when something happens in the room.
func (m *Model) lacking(r *room) []repo.OID {
	if r.looked != m.checks {
		r.looked, r.lacks = m.checks, m.look(r)
	}
	return r.lacks
}

func (m *Model) look(r *room) []repo.OID {
	if m.Missing == nil || !r.plain() {
		return nil
	}
	id := repo.ID{Owner: repo.PubKey(r.announcements[0].ev.PubKey), Identifier: r.identifier}
	if x := m.repository(id); !x.there || x.unread {
		return nil
	}
	list := m.declared(r, id)
	if len(list) == 0 {
		return nil
	}
	list = slices.Clone(m.lacks(id, list))
	slices.Sort(list)
	return slices.Compact(list)
}

// places are the clone URLs of all announcements of a room and of the pull requests that wait in it, without the own service
// (REF-HUNT-15, REF-HUNT-21).
func (m *Model) places(r *room) []source {
	if !r.placed {
		r.placed, r.places = true, m.placesIn(r)
	}
	return r.places
}

func (m *Model) placesIn(r *room) (list []source) {
	take := func(e *entry) {
		for _, s := range e.clones {
			if !slices.ContainsFunc(list, func(o source) bool { return o.url == s.url }) {
				list = append(list, s)
			}
		}
	}
	if len(r.announcements) == 1 && len(r.pulls) == 0 {
		return r.announcements[0].clones
	}
	for _, a := range r.announcements {
		take(a)
	}
	for _, p := range r.pulls {
		switch about := func(id repo.ID) bool { return id.Identifier == r.identifier }; {
		case !slices.ContainsFunc(m.concerned(p), about): // it waits for what comes to a place, and no repository here is for it
		case p.phase == held:
			take(p)
		case p.phase == arriving: // it may be held by now, and is not answered
			for _, s := range p.clones {
				if !slices.ContainsFunc(list, func(o source) bool { return o.url == s.url }) {
					list = append(list, source{url: s.url, host: s.host})
				}
			}
		}
	}
	return list
}

// huntable reports whether a room needs something that somebody might have.
func (m *Model) huntable(r *room) bool {
	return len(m.lacking(r)) > 0 && slices.ContainsFunc(m.places(r), func(s source) bool { return s.sure })
}
