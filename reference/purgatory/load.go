package purgatory

import "github.com/graspkit/graspkit/reference/repo"

// A Load is how many entries there are, and what they take by repo.Size.
type Load struct{ Entries, Bytes int }

// Active is the load of the entries in their first phase, and of all that have one only.
func (p *Purgatory) Active() Load { return p.active }

// ActiveOf is that of one author.
func (p *Purgatory) ActiveOf(key string) Load { return p.activeOf[key] }

// Soft is the load of the announcements in their second phase.
func (p *Purgatory) Soft() Load { return p.soft }

// All is the load of everything.
func (p *Purgatory) All() Load {
	return Load{p.active.Entries + p.soft.Entries, p.active.Bytes + p.soft.Bytes}
}

// SetSoft moves an announcement that is held to its second phase, or back to its first.
func (p *Purgatory) SetSoft(e *Entry, soft bool) {
	p.weigh(e, -1)
	e.Soft = soft
	p.weigh(e, 1)
}

// FirstSoft returns the announcement in the second phase that expires first, nil if there is none. It may look at every
// entry, so it is for rare occasions.
func (p *Purgatory) FirstSoft() *Entry {
	var first *Entry
	for _, e := range p.order {
		if e.Soft && (first == nil || e.Deadline < first.Deadline) {
			first = e
		}
	}
	return first
}

// weigh adds an entry to its loads, or takes it off with the sign -1.
func (p *Purgatory) weigh(e *Entry, sign int) {
	n, size := sign, sign*repo.Size(e.Event)
	if e.Soft {
		p.soft = p.soft.with(n, size)
		return
	}
	p.active = p.active.with(n, size)
	key := e.Event.PubKey
	if p.activeOf[key] = p.activeOf[key].with(n, size); p.activeOf[key] == (Load{}) {
		delete(p.activeOf, key)
	}
}

func (l Load) with(entries, bytes int) Load { return Load{l.Entries + entries, l.Bytes + bytes} }
