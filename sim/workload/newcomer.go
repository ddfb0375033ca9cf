package workload

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/internal/identity"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// A Newcomer is a repository whose git data nobody pushes: its announcement lists where else it is to be had.
type Newcomer struct {
	Identifier string

	owner    identity.Identity
	services []repo.Service
	urls     []string
	versions int
	named    func(id, name string)
}

// NewNewcomer returns newcomer number n of a run, who has published nothing. The URLs are those of the hosts that have
// the data. Named, unless nil, is told the symbolic names of keys and events.
func NewNewcomer(keys Keyring, n int, services []repo.Service, urls []string, named func(id, name string)) *Newcomer {
	if named == nil {
		named = func(string, string) {}
	}
	c := &Newcomer{
		Identifier: fmt.Sprintf("newcomer%d", n), services: services, urls: urls, named: named,
		owner: keys(fmt.Sprintf("newcomer%d", n)),
	}
	named(c.owner.PubKey, c.owner.Name)
	return c
}

// Move builds an announcement that names other URLs than the last one.
func (c *Newcomer) Move(now instant.Instant, urls []string) *nostr.Event {
	c.urls = urls
	return c.Announce(now)
}

// Announce builds the announcement, for all services.
func (c *Newcomer) Announce(now instant.Instant) *nostr.Event {
	clone, relays := nostr.Tag{"clone"}, nostr.Tag{"relays"}
	for _, s := range c.services {
		clone = append(clone, CloneURL(s, c.owner, c.Identifier))
		relays = append(relays, RelayURL(s))
	}
	clone = append(clone, c.urls...)
	return c.event(now, repo.KindAnnouncement, "announcement", nostr.Tags{{"d", c.Identifier}, clone, relays})
}

// State builds a state that declares a branch and a tag at objects that no other event has.
func (c *Newcomer) State(now instant.Instant) (ev *nostr.Event, oids []repo.OID) {
	oids = []repo.OID{c.oid("branch"), c.oid("tag")}
	return c.event(now, repo.KindState, "state", nostr.Tags{
		{"d", c.Identifier},
		{"refs/heads/main", string(oids[0])},
		{"refs/tags/v1", string(oids[1])},
		{"HEAD", "ref: refs/heads/main"},
	}), oids
}

// PullRequest builds a pull request with a commit that no other event has, and with the same URLs as the announcement.
func (c *Newcomer) PullRequest(now instant.Instant) (ev *nostr.Event, oids []repo.OID) {
	oids = []repo.OID{c.oid("commit")}
	return c.event(now, repo.KindPullRequest, "pull request", nostr.Tags{
		{"a", fmt.Sprintf("%d:%s:%s", repo.KindAnnouncement, c.owner.PubKey, c.Identifier)},
		{"c", string(oids[0])},
		append(nostr.Tag{"clone"}, c.urls...),
	}), oids
}

func (c *Newcomer) event(now instant.Instant, kind int, what string, tags nostr.Tags) *nostr.Event {
	c.versions++
	ev := &nostr.Event{
		Kind: kind, CreatedAt: nostr.Timestamp(now.Unix()), Tags: tags, Content: fmt.Sprintf("version %d", c.versions),
	}
	c.owner.Stamp(ev)
	c.named(ev.ID, fmt.Sprintf("%s/%s@%d", c.owner.Name, what, c.versions))
	return ev
}

// oid makes up the object of the next event, and names it.
func (c *Newcomer) oid(what string) repo.OID {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s/%s/%d", c.owner.PubKey, what, c.versions))
	oid := repo.OID(hex.EncodeToString(sum[:20]))
	c.named(string(oid), fmt.Sprintf("%s/%s@%d", c.Identifier, what, c.versions+1))
	return oid
}
