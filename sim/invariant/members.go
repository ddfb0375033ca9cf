package invariant

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// INV-43: nothing of a private service leaves it by any path. Whoever has not shown that they are a member is told that and nothing else,
// whatever they ask; git shows nothing without the token of one; a relay that has not wanted to know who asks is asked for nothing that
// is here; and git data is looked for at hosts that the events of the service name.

// How far in seconds a proof and a token may be from the present (G08-04, G08-05).
const (
	proofWindow = 300
	tokenWindow = 60
)

// club is what is known of a private service.
type club struct {
	members []repo.PubKey
	guests  map[core.ConnID]*guest
	doors   map[core.PeerID]*door
}

// guest is a client that is connected.
type guest struct {
	challenge string
	keys      []string        // that it has shown
	owed      map[string]bool // events that it has published as a member, which are answered whatever has become of it
}

// door is another relay: it has refused to say anything before it knew who asks, and has let the service in since.
type door struct{ refused, in bool }

// Members says that the service is private, and who its members are in the life that begins.
func (m *Monitor) Members(keys []repo.PubKey) {
	m.club = &club{members: keys, guests: map[core.ConnID]*guest{}, doors: map[core.PeerID]*door{}}
}

func (c *club) member(key string) bool { return slices.Contains(c.members, repo.PubKey(key)) }

func (c *club) lets(g *guest) bool { return g != nil && slices.ContainsFunc(g.keys, c.member) }

// second is the present by the time of day.
func (m *Monitor) second() int64 { return int64((time.Duration(m.step.now) + m.ahead) / time.Second) }

// guests takes over who is connected and who they are.
func (m *Monitor) guests(in core.Input) {
	c := m.club
	if c == nil {
		return
	}
	switch in := in.(type) {
	case core.ConnOpened:
		c.guests[in.Conn] = &guest{challenge: in.Challenge, owed: map[string]bool{}}
	case core.ConnClosed:
		delete(c.guests, in.Conn)
	case core.MembersRead:
		c.members = in.Members
	case core.Message:
		g := c.guests[in.Conn]
		if g == nil {
			return
		}
		switch msg := in.Msg.(type) {
		case relay.Auth:
			if msg.IDOK && in.SigOK && m.proves(msg.Event, g.challenge) {
				g.keys = append(g.keys, msg.Event.PubKey)
			}
		case relay.Event:
			if c.lets(g) {
				g.owed[msg.Event.ID] = true
			}
		}
	case core.PeerOpened:
		c.doors[in.Peer] = &door{}
	case core.PeerClosed:
		delete(c.doors, in.Peer)
	case core.PeerSaid:
		d := c.doors[in.Peer]
		if d == nil {
			return
		}
		switch msg := in.Msg.(type) {
		case relay.Closed:
			d.refused = d.refused || excludes(msg.Text)
		case relay.OK:
			d.in = d.in || d.refused && msg.Accepted
		}
	}
}

// excludes reports whether a text says that somebody is not let in, and nothing else.
func excludes(text string) bool {
	return strings.HasPrefix(text, "auth-required:") || strings.HasPrefix(text, "restricted:")
}

// proves reports whether an event shows who a client is.
func (m *Monitor) proves(ev *nostr.Event, challenge string) bool {
	away := int64(ev.CreatedAt) - m.second()
	host, path := hostAndPath(first(ev, "relay"))
	return ev.Kind == 22242 && away >= -proofWindow && away <= proofWindow && challenge != "" && first(ev, "challenge") == challenge &&
		host == m.book.service.Host && path == m.book.service.Base
}

// first is the first value of the first tag of a name that has one.
func first(ev *nostr.Event, name string) string {
	for _, tag := range ev.Tags {
		if len(tag) > 1 && tag[0] == name {
			return tag[1]
		}
	}
	return ""
}

// leaks judges what leaves the service.
func (m *Monitor) leaks(e core.Effect) {
	if m.club == nil {
		return
	}
	switch e := e.(type) {
	case core.Send:
		m.tells(e)
	case core.SendPeer:
		m.asksOutside(e)
	case core.StartFetch:
		m.huntsOutside(e)
	}
}

// tells judges what a client is told that is no member, or was one.
func (m *Monitor) tells(e core.Send) {
	g := m.club.guests[e.Conn]
	if m.club.lets(g) {
		m.met(true, "INV-43")
		return
	}
	fine := true
	switch msg := e.Msg.(type) {
	case relay.EventFor, relay.EOSE, relay.Counted, relay.NegAnswer:
		fine = false
	case relay.OK:
		fine = !msg.Accepted && excludes(msg.Text) || g != nil && g.owed[msg.ID]
	case relay.Closed:
		fine = excludes(msg.Text)
	case relay.NegError:
		fine = excludes(msg.Text)
	}
	m.must(fine, "INV-43", "told-stranger", "connection %d is no member's and is told %T", e.Conn, e.Msg)
}

// asksOutside judges what another relay is asked.
func (m *Monitor) asksOutside(e core.SendPeer) {
	d := m.club.doors[e.Peer]
	if d != nil && d.in {
		m.met(true, "INV-43")
		return
	}
	fine := true
	switch msg := e.Msg.(type) {
	case relay.Req:
		fine = len(msg.Filters) == 1
		for _, f := range msg.Filters {
			fine = fine && len(f.IDs) == 1 && f.Authors == nil && f.Kinds == nil && f.Tags == nil && m.book.entries[f.IDs[0]] == nil
		}
	case relay.Event, relay.Count, relay.NegOpen, relay.NegMessage:
		fine = false
	}
	m.must(fine, "INV-43", "asked-outside", "a relay that has let nobody in is sent %T", e.Msg)
}

// huntsOutside judges where git data is looked for.
func (m *Monitor) huntsOutside(f core.StartFetch) {
	host, _ := hostOf(f.URL)
	names := func(e *entry) bool { return slices.Contains(m.hostsOf(e), host) }
	var sources []*entry
	for _, owner := range m.book.owners[f.Repo.Identifier] {
		sources = append(sources, m.book.announcements[repo.ID{Owner: owner, Identifier: f.Repo.Identifier}])
	}
	sources = append(sources, m.book.pulls[f.Repo.Identifier]...)
	m.must(slices.ContainsFunc(sources, names), "INV-43", "hunted-outside", "%s is asked for what no event of %s names", host, f.Repo.Identifier)
}

// Admitted judges whether somebody who asked for git was let in: with the token of a member for this repository, and with no other one.
func (m *Monitor) Admitted(now instant.Instant, ev *nostr.Event, genuine bool, id repo.ID, admitted bool) {
	m.step.now = now
	if m.club == nil {
		return
	}
	away := int64(ev.CreatedAt) - m.second()
	good := genuine && ev.Kind == 27235 && away >= -tokenWindow && away <= tokenWindow && one(ev, "method") == "GET" &&
		m.isCloneOf(one(ev, "u"), id) && m.club.member(ev.PubKey)
	m.must(good || !admitted, "INV-43", "shown-to-stranger", "a token of %s for %q is taken", ev.PubKey, id.Identifier)
	m.must(admitted || !good, "INV-43", "member-refused", "a token of %s for %q is refused", ev.PubKey, id.Identifier)
}

// one is the value of the only tag of a name; "" if there is none, or another one.
func one(ev *nostr.Event, name string) (value string) {
	n := 0
	for _, tag := range ev.Tags {
		if len(tag) > 0 && tag[0] == name {
			n++
		}
	}
	if n == 1 {
		value = first(ev, name)
	}
	return value
}

// isCloneOf reports whether a URL is that of a repository here.
func (m *Monitor) isCloneOf(text string, id repo.ID) bool {
	host, path := hostAndPath(text)
	rest, below := strings.CutPrefix(path, m.book.service.Base)
	identifier := id.Identifier
	if name, is := about(id); is {
		identifier = name
		rest, below = strings.CutPrefix(path, m.book.service.Base+"/prs")
	}
	name, err := url.PathUnescape(strings.TrimPrefix(rest, "/"+id.Owner.Npub()+"/"))
	return err == nil && below && !strings.ContainsAny(text, "?#") && host == m.book.service.Host && name == identifier+".git"
}
