package model

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr/nip19"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/repo"
)

// A place is where anybody may put the commits of pull requests under the key that signs them (GRASP-06): a repository whose identifier
// stands behind a prefix that no identifier has. It is in a room of its own, and no announcement, state or hunt is about it.
const prefixOfPlaces = "prs/"

func isPlace(id repo.ID) bool { return strings.HasPrefix(id.Identifier, prefixOfPlaces) }

// How many pushed refs may wait for their events at places: in all, and at those of one key (G06-PUSH-01).
const (
	placedMost    = 1_000
	placedKeyMost = 50
)

// placesOf are the places here that a pull request names: http or https, this service, /prs/, the npub of its signer and an identifier of
// its a tags; slashes may follow, and nothing else (G06-EV-02).
func (m *Model) placesOf(e *entry) (list []repo.ID) {
	npub, err := nip19.EncodePublicKey(e.ev.PubKey)
	if err != nil || !m.cfg.Rules.Contributions {
		return nil
	}
	for _, tag := range e.ev.Tags {
		if len(tag) < 2 || tag[0] != "clone" {
			continue
		}
		for _, text := range tag[1:] {
			scheme, host, path := place(text)
			name, below := strings.CutPrefix(strings.TrimRight(path, "/"), m.cfg.Base+"/prs/"+npub+"/")
			name, unescaped := url.PathUnescape(name)
			d, is := strings.CutSuffix(name, ".git")
			id := repo.ID{Owner: repo.PubKey(e.ev.PubKey), Identifier: prefixOfPlaces + d}
			if (scheme == "http" || scheme == "https") && host == m.cfg.Host && below && unescaped == nil && is &&
				slices.ContainsFunc(e.repos, func(r repo.ID) bool { return r.Identifier == d }) && !slices.Contains(list, id) {
				list = append(list, id)
			}
		}
	}
	return list
}

// placeObjections are the reasons for which a push to a place must be refused, none if it must be taken: it is all or nothing.
func (m *Model) placeObjections(p *push) (why []string) {
	x := m.repository(p.repo)
	object := func(is bool, id string) {
		if is && !slices.Contains(why, id) {
			why = append(why, id)
		}
	}
	object(m.cfg.Rules.ReadOnly, "G05-04")
	object(p.certificate, "G06-PUSH-04")
	object(!m.cfg.Rules.Contributions, "G06-ADV-01")
	object(len(p.commands) == 0, "G06-PUSH-02")
	object(x.unread, "G01-PUSH-28")
	object(names(m.cfg.Rules.Authors, string(p.repo.Owner), ""), "INV-28")
	for _, c := range p.commands {
		id, below := strings.CutPrefix(c.Ref, "refs/nostr/")
		is := x.at(c.Ref)
		object(!below || !isHex(id, 64) || isZero(c.New) && is == "", "G06-PUSH-02")
		object(stale(c, is), "G01-PUSH-25")
		e := m.entries[id]
		if e == nil || e.phase == nowhere {
			continue
		}
		object(!e.pull || e.ev.PubKey != string(p.repo.Owner) || !slices.Contains(e.places, p.repo), "G06-PUSH-03")
		object(isZero(c.New) && e.phase == stored, "G01-PR-11")
		object(!isZero(c.New) && c.New != e.commit, "G06-PUSH-03")
	}
	return why
}

// placesLeft reports whether a push makes more refs that wait at places than may. That is not sure while one has run out that is not
// removed yet.
func (m *Model) placesLeft(p *push, more int) (few, sure bool) {
	most := cmp.Or(m.cfg.Limits.Clocks, placedMost)
	all, his, over := 0, 0, false
	for _, name := range m.names {
		for _, x := range m.rooms[name].repositories {
			if !isPlace(x.id) {
				continue
			}
			all += len(x.clocks)
			if x.id.Owner == p.repo.Owner {
				his += len(x.clocks)
			}
			over = over || slices.ContainsFunc(x.clocks, func(k core.Mark) bool { return k.Until <= m.now })
		}
	}
	return more > 0 && (his+more > placedKeyMost || all+more > most), !over
}

// mayOrderPlace judges that a place is made for a push, and removed when it has nothing.
func (m *Model) mayOrderPlace(x *repository, o order) {
	switch {
	case o.creates && x.there && !m.room(o.repo.Identifier).everFailed:
		m.differ("G06-FETCH-01", "made-again", "a place of %s is made and is there", o.repo.Owner)
	case o.creates && !m.pushedTo(o.repo):
		m.differ("G06-FETCH-01", "made-for-nobody", "a place of %s is made and nobody pushes there", o.repo.Owner)
	case o.removes && len(x.refs) > 0 && !x.unread:
		m.differ("INV-16", "removed-in-use", "a place of %s is removed with %d refs", o.repo.Owner, len(x.refs))
	case o.reads && !x.unread:
		m.differ("INV-02", "read-for-nothing", "the refs of a place of %s are read, which are known", o.repo.Owner)
	}
}

// pushedTo reports whether a push to a place has not ended.
func (m *Model) pushedTo(place repo.ID) bool {
	return slices.ContainsFunc(m.work.order, func(id core.PushID) bool { return m.work.pushes[id].repo == place })
}

// placeRests judges a place in which nothing is under way: it has refs, each of them is that of a pull request that names it and is
// served, or waits for an event of which nobody has heard.
func (m *Model) placeRests(x *repository) {
	if !x.there || x.unread {
		return
	}
	if len(x.refs) == 0 {
		if m.pushedTo(x.id) { // its pack is still to come
			return
		}
		m.differ("G06-GC-02", "place-stays", "a place of %s is there for nobody", x.id.Owner)
		return
	}
	m.clocked(x)
	for _, ref := range x.refs {
		e := m.entries[strings.TrimPrefix(ref.Name, "refs/nostr/")]
		if e == nil || !e.pull || e.phase != held && e.phase != stored {
			continue
		}
		switch {
		case !slices.Contains(e.places, x.id) || e.commit != ref.OID:
			m.differ("G06-EV-05", "contradicted", "%s at a place of %s is not what its event says", ref.Name, x.id.Owner)
		case m.inTime(e):
			m.differ("G06-EV-04", "not-released", "pull request %s is held though its commit is at its place", e.ev.ID)
		}
	}
}
