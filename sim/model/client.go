package model

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
)

// subsMost is how many subscriptions of a connection are open at most; with fewer none may be refused for their number.
const subsMost = 20

// A sub is one open subscription.
type sub struct {
	name      string
	filters   []relay.Filter
	searching bool // its first answer takes longer than a step
}

// A client is one open connection.
type client struct {
	conn core.ConnID
	subs []*sub
	sets []*set // of reconciliations

	challenge string   // what it has to sign
	keys      []string // that have been authenticated
	shown     []proof  // that are not answered
}

type clients struct {
	byConn map[core.ConnID]*client
	all    []*client
	counts []count // that take longer than a step
}

// A count is a COUNT that waits for its answer.
type count struct {
	conn    core.ConnID
	sub     string
	filters []relay.Filter
}

// A delivery is an event that is sent to a subscription.
type delivery struct {
	conn core.ConnID
	sub  string
	id   string
}

// A question is a REQ or a COUNT of this step, or the late answer to one.
type question struct {
	conn    core.ConnID
	sub     string
	filters []relay.Filter
	count   bool
	late    bool // it was asked in an earlier step
	got     []*nostr.Event
	done    bool // EOSE has come
	after   []*nostr.Event
}

func newClients() clients { return clients{byConn: map[core.ConnID]*client{}} }

func (c *clients) has(conn core.ConnID) bool { return c.byConn[conn] != nil }

func (c *clients) open(conn core.ConnID, challenge string) {
	c.byConn[conn] = &client{conn: conn, challenge: challenge}
	c.all = append(c.all, c.byConn[conn])
}

func (c *clients) leave(conn core.ConnID) {
	delete(c.byConn, conn)
	c.all = slices.DeleteFunc(c.all, func(x *client) bool { return x.conn == conn })
	c.counts = slices.DeleteFunc(c.counts, func(x count) bool { return x.conn == conn })
}

func (c *clients) find(conn core.ConnID, name string) *sub {
	if x := c.byConn[conn]; x != nil {
		for _, s := range x.subs {
			if s.name == name {
				return s
			}
		}
	}
	return nil
}

func (c *clients) close(conn core.ConnID, name string) {
	if x := c.byConn[conn]; x != nil {
		x.subs = slices.DeleteFunc(x.subs, func(s *sub) bool { return s.name == name })
	}
}

func (c *clients) is(conn core.ConnID, key string) bool {
	return c.byConn[conn] != nil && slices.Contains(c.byConn[conn].keys, key)
}

// wanting appends the subscriptions that an event must be sent to when it becomes stored: all that match, each once.
func (c *clients) wanting(list []delivery, e *entry) []delivery {
	for _, x := range c.all {
		for _, s := range x.subs {
			if !s.searching && anyMatches(s.filters, &e.ev) {
				list = append(list, delivery{x.conn, s.name, e.ev.ID})
			}
		}
	}
	return list
}

func anyMatches(filters []relay.Filter, ev *nostr.Event) bool {
	for i := range filters {
		if matches(&filters[i], ev) {
			return true
		}
	}
	return false
}

// matches reports whether an event is what a filter asks for: every condition of it, whole values only (N01-REQ-01).
func matches(f *relay.Filter, ev *nostr.Event) bool {
	switch {
	case f.IDs != nil && !slices.Contains(f.IDs, ev.ID),
		f.Authors != nil && !slices.Contains(f.Authors, ev.PubKey),
		f.Kinds != nil && !slices.Contains(f.Kinds, ev.Kind),
		f.Since != nil && int64(ev.CreatedAt) < *f.Since,
		f.Until != nil && int64(ev.CreatedAt) > *f.Until:
		return false
	}
	for _, t := range f.Tags {
		if name := string(rune(t.Letter)); !slices.ContainsFunc(ev.Tags, func(tag nostr.Tag) bool {
			return len(tag) > 1 && tag[0] == name && slices.Contains(t.Values, tag[1])
		}) {
			return false
		}
	}
	return true
}
