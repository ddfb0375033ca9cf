package replicate

import (
	"encoding/hex"
	"slices"
	"strconv"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/negentropy"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// refusals are the events of relays that were refused: they are not downloaded again for a while. What was refused because
// something is not here yet is judged again when that comes: the event itself, if it is still at hand, else it is asked for
// by its id.
type refusals struct {
	byID   map[string]*refusal
	order  []*refusal            // as they came
	lacked map[string][]*refusal // by what might let them in
	hot    int                   // bytes of events at hand
	warm   []*refusal            // those that have one, as they came
}

// A refusal is one of them.
type refusal struct {
	id         string
	created    int64
	kind       int
	author     string
	identifier string
	from       string          // URL of the relay
	until      instant.Instant // when it is forgotten
	event      *nostr.Event    // while it is hot
	cool       instant.Instant // when that goes
	lacks      []string
	gone       bool
}

// Limits of what is remembered.
const (
	refusedMax  = 50_000
	hotBytesMax = 8 << 20
	lacksPerMax = 16                                          // things that may let one event in
	nameMax     = len("30618:") + 64 + 1 + repo.IdentifierMax // bytes of the longest name that anything here has
)

func newRefusals() refusals {
	return refusals{byID: map[string]*refusal{}, lacked: map[string][]*refusal{}}
}

// Refused says that an event of a relay was refused for good, or, with waits, for want of something that may come.
func (m *Machine) Refused(now instant.Instant, ev *nostr.Event, from string, waits bool) {
	var lacks []string
	if waits {
		lacks = lacksOf(ev)
	}
	m.refuse(now, ev, from, lacks)
}

// Shadowed says that an announcement of a relay does not count while a newer one is held. It is judged again when no
// other one counts any more; see Left.
func (m *Machine) Shadowed(now instant.Instant, ev *nostr.Event, from string) {
	identifier, _ := repo.Identifier(ev)
	m.refuse(now, ev, from, []string{shadow(repo.ID{Owner: repo.PubKey(ev.PubKey), Identifier: identifier})})
}

// Left says that a repository has no announcement any more, neither served nor held.
func (m *Machine) Left(now instant.Instant, id repo.ID) { m.release(now, []string{shadow(id)}) }

func shadow(id repo.ID) string { return "s" + id.Coordinate() }

func (m *Machine) refuse(now instant.Instant, ev *nostr.Event, from string, lacks []string) {
	r := &m.refused
	r.forget(now)
	if r.byID[ev.ID] != nil {
		return
	}
	identifier, _ := repo.Identifier(ev)
	if len(identifier) > nameMax { // nothing is asked for by it
		identifier = ""
	}
	x := &refusal{
		id: ev.ID, created: int64(ev.CreatedAt), kind: ev.Kind, author: ev.PubKey, identifier: identifier, from: from,
		until: now.Add(m.cfg.ColdLife),
	}
	if len(lacks) > 0 {
		x.event, x.cool, x.lacks = ev, now.Add(m.cfg.HotLife), lacks
		r.warm = append(r.warm, x)
		r.hot += repo.Size(ev)
	}
	for _, key := range x.lacks {
		r.lacked[key] = append(r.lacked[key], x)
	}
	r.byID[ev.ID] = x
	r.order = append(r.order, x)
	r.forget(now)
}

// lacksOf lists what might let an event in: an announcement of its identifier, or what it speaks of, or what speaks of it. Nothing
// comes by a name that is longer than any.
func lacksOf(ev *nostr.Event) []string {
	if ev.Kind == policy.KindAnnouncement || ev.Kind == policy.KindState {
		identifier, _ := repo.Identifier(ev)
		if len(identifier) > nameMax {
			return nil
		}
		return []string{"d" + identifier}
	}
	list := []string{"m" + ev.ID}
	for _, tag := range ev.Tags {
		if len(tag) > 1 && len(tag[0]) == 1 && len(tag[1]) <= nameMax && len(list) < lacksPerMax {
			switch tag[0][0] {
			case 'a', 'A', 'e', 'E', 'q':
				list = with(list, "r"+tag[1])
				if id, ok := repo.ParseCoordinate(tag[1]); ok { // a maintainer set may have its key
					list = with(list, "d"+id.Identifier)
				}
			}
		}
	}
	return list
}

func with(list []string, key string) []string {
	if slices.Contains(list, key) {
		return list
	}
	return append(list, key)
}

// Comes says that an event is served, or that an announcement is held: what was refused for want of it is judged again.
func (m *Machine) Comes(now instant.Instant, ev *nostr.Event, served bool) {
	if len(m.refused.lacked) == 0 {
		return
	}
	var keys []string
	if ev.Kind == policy.KindAnnouncement {
		identifier, _ := repo.Identifier(ev)
		keys = append(keys, "d"+identifier)
	}
	if served {
		keys = append(keys, "r"+ev.ID)
		if identifier, ok := repo.Identifier(ev); ok {
			keys = append(keys, "r"+strconv.Itoa(ev.Kind)+":"+ev.PubKey+":"+identifier)
		}
		for _, tag := range ev.Tags {
			if len(tag) > 1 && (tag[0] == "e" || tag[0] == "E" || tag[0] == "q") {
				keys = append(keys, "m"+tag[1])
			}
		}
	}
	m.release(now, keys)
}

// release has judged again what waits for any of what the keys stand for.
func (m *Machine) release(now instant.Instant, keys []string) {
	count := 0
	for _, key := range keys {
		for _, x := range slices.Clone(m.refused.lacked[key]) {
			if x.gone {
				continue
			}
			count++
			event := x.event
			m.refused.remove(x)
			if event != nil && now < x.cool {
				m.orders = append(m.orders, Take{Event: event, From: x.from})
			} else {
				m.seek(now, x)
			}
		}
		delete(m.refused.lacked, key)
	}
	if count > 0 {
		m.tell(Told{Fact: RefusedAgain, Count: count})
	}
}

// seek asks for an event that was refused and is not at hand any more: at the relay that has sent it, and if that is gone, or turns
// out not to have it, at all others. Nobody knows which of them have it too, for what was refused is passed over; and who has sent it
// first must not hide it by that.
func (m *Machine) seek(now instant.Instant, x *refusal) {
	it := item{single, x.id}
	l := m.links[x.from]
	if l != nil && l.singles >= singlesMax {
		return
	}
	if l != nil {
		m.add(now, l, it)
		if l.wanted[it].first = l.status.live(); l.wanted[it].first && l.firstUntil == 0 {
			l.firstUntil = now.Add(m.cfg.Window + seekWait*m.cfg.Answer)
			m.touchAt(now, l)
		}
	}
	if l == nil || !l.status.live() {
		m.seekElsewhere(now, l, it)
	}
}

// seekWait is how many times as long as the next message of an answer may take an event is waited for at the relay that has sent it,
// before others are asked. Its other answers may keep that one from ever being asked for.
const seekWait = 2

// firstsOver has others asked for what a relay was asked for first and has not sent.
func (m *Machine) firstsOver(now instant.Instant, l *link) {
	l.firstUntil = 0
	for _, it := range l.items(func(s *standing) bool { return s.first }) {
		l.wanted[it].first = false
		if m.lacks(now, it.value) {
			m.seekElsewhere(now, l, it)
		}
	}
}

// seekElsewhere asks for an event at all relays but one of which anything is wanted.
func (m *Machine) seekElsewhere(now instant.Instant, not *link, it item) {
	for _, l := range m.byURL {
		if l != not && l.needed() && l.wanted[it] == nil && l.singles < elsewhereMax {
			m.add(now, l, it)
		}
	}
}

// lacks reports whether an event has neither come nor been refused.
func (m *Machine) lacks(now instant.Instant, id string) bool {
	return !m.have.Has(id) && !m.refused.has(now, id)
}

// Passing says that an event of a relay was refused for a reason that passes: it is asked for again (W-87).
func (m *Machine) Passing(now instant.Instant, ev *nostr.Event, from string) {
	l := m.links[from]
	if l == nil || len(l.failed) >= passingMax {
		return
	}
	it := item{single, ev.ID}
	if s := l.wanted[it]; s != nil { // its batch has not ended, and asks for it again then
		s.again = true
		return
	}
	l.wanted[it] = &standing{count: 1, phase: pending}
	l.counts(it, 1)
	l.failed = append(l.failed, it)
	m.again(now, l)
	m.touchAt(now, l)
}

// passingMax is how many events of a relay are asked for again one by one; what is beyond comes with the daily pass.
const passingMax = 1_000

// has reports whether an event was refused of late.
func (r *refusals) has(now instant.Instant, id string) bool {
	x := r.byID[id]
	return x != nil && now < x.until
}

// items adds to items of the server those that were refused and that a filter asks for, as far as that can be told.
func (r *refusals) items(now instant.Instant, items []negentropy.Item, f *relay.Matcher) []negentropy.Item {
	for _, x := range r.order {
		if x.gone || now >= x.until {
			continue
		}
		like := nostr.Event{ID: x.id, PubKey: x.author, CreatedAt: nostr.Timestamp(x.created), Kind: x.kind, Tags: nostr.Tags{{"d", x.identifier}}}
		if !f.Matches(&like) {
			continue
		}
		it := negentropy.Item{Time: uint64(x.created)}
		if n, err := hex.Decode(it.ID[:], []byte(x.id)); err == nil && n == len(it.ID) {
			items = append(items, it)
		}
	}
	return items
}

// remove forgets one.
func (r *refusals) remove(x *refusal) {
	x.gone = true
	delete(r.byID, x.id)
	r.cools(x)
	for _, key := range x.lacks {
		r.lacked[key] = slices.DeleteFunc(r.lacked[key], func(other *refusal) bool { return other == x })
		if len(r.lacked[key]) == 0 {
			delete(r.lacked, key)
		}
	}
}

// cools lets go of the event itself.
func (r *refusals) cools(x *refusal) {
	if x.event != nil {
		r.hot -= repo.Size(x.event)
		x.event = nil
	}
}

// forget forgets what has lasted its time, and what is beyond the limits, the oldest first.
func (r *refusals) forget(now instant.Instant) {
	for len(r.warm) > 0 && (r.warm[0].event == nil || r.warm[0].cool <= now || r.hot > hotBytesMax) {
		r.cools(r.warm[0])
		r.warm[0] = nil
		r.warm = r.warm[1:]
	}
	for len(r.order) > 0 && (r.order[0].gone || r.order[0].until <= now || len(r.byID) > refusedMax) {
		if !r.order[0].gone {
			r.remove(r.order[0])
		}
		r.order[0] = nil
		r.order = r.order[1:]
	}
}
