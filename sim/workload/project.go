// Package workload makes the operations of simulated people: an owner and maintainers who work on a repository, and a
// stranger who tries what must not work. A Profile says what they do how often. It decides what they do and builds their events; it sends nothing, waits for
// no answer and knows no server's inside.
package workload

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/internal/identity"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/kernel"
)

// Limits of what a project remembers.
const (
	historyMax = 64 // events that somebody may send again
	pastMax    = 8  // earlier refs that somebody may go back to
	pullsMax   = 8  // refs of pull requests that somebody may meddle with
	refsMax    = 6  // branches and tags
)

// A Role is what somebody does in a project.
type Role int

// The roles.
const (
	Owner Role = iota
	Maintainer
	Stranger
	roles // further maintainers are counted from here on; whoever is a Maintainer acts for them as well
)

// String is the role as it is named in traces, "owner".
func (r Role) String() string {
	if r >= roles {
		r = Maintainer
	}
	return [roles]string{"owner", "maintainer", "stranger"}[r]
}

// A Project is one repository as the people see it who work on it. All of them share what they know.
type Project struct {
	Identifier string

	profile  Profile
	people   []identity.Identity // by role
	names    []string            // of them; one person may have several, in several projects
	services []repo.Service
	refs     []repo.Ref // what owner and maintainer want the repository to be, sorted by name
	head     string
	past     [][]repo.Ref
	history  []*nostr.Event
	pulls    []repo.Ref // of pull requests: their refs at their commits
	given    []gift     // refs at places for contributions
	oids     int
	versions []int           // of events, for their names
	latest   nostr.Timestamp // of the last event
	ids      []string        // of the first events
	vouched  bool            // the maintainer's announcement lists no service
	apart    bool            // the stranger's announcement names nobody, so that no state of the team governs it
	named    func(id, name string)
	listing  kernel.Key // of what is drawn about
	listings []Listing
}

// A Keyring has the keys of people by their names: the same for one name each time.
type Keyring func(name string) identity.Identity

// Keys are those of a seed, made each time that somebody asks for one.
func Keys(seed uint64) Keyring {
	return func(name string) identity.Identity { return identity.New(seed, name) }
}

// New returns project number n of a run with its people, none of whom has done anything. Named, unless nil, is told the
// symbolic names of keys and events. It panics on a profile that is not valid.
func New(keys Keyring, n int, services []repo.Service, profile Profile, named func(id, name string)) *Project {
	if err := profile.Validate(); err != nil {
		panic("workload: invariant: " + err.Error())
	}
	if named == nil {
		named = func(string, string) {}
	}
	p := &Project{
		Identifier: profile.identifier(n), profile: profile, services: services, head: "refs/heads/main", named: named,
		vouched: n%4 == 0, apart: n%2 == 0,
	}
	key := n
	if profile.Owners > 0 {
		key = 1 + (n-1)%profile.Owners
	}
	for role := range roles + Role(max(profile.Maintainers, 1)) - 1 {
		ending := ""
		if role >= roles {
			ending = fmt.Sprintf(".%d", role-roles+2)
		}
		p.names = append(p.names, fmt.Sprintf("%s%d%s", role, n, ending))
		p.people = append(p.people, keys(fmt.Sprintf("%s%d%s", role, key, ending)))
		named(p.people[role].PubKey, p.names[role])
	}
	p.versions = make([]int, len(p.people))
	return p
}

// identifier is what project number n is called.
func (p Profile) identifier(n int) string {
	if p.Identifiers > 0 {
		n = 1 + (n-1)%p.Identifiers
	}
	if !p.Aliases {
		return fmt.Sprintf("repository%d", n)
	}
	near := []string{"repositor\u00fd", "Repository", "repository", "repository.git", "repository ", "%72epository", "repository.", "r"}
	return near[n%len(near)] + strings.Repeat("y", n/len(near))
}

// Name is the name of somebody, "owner1".
func (p *Project) Name(r Role) string { return p.names[r] }

// ID is the repository of somebody.
func (p *Project) ID(r Role) repo.ID {
	return repo.ID{Owner: repo.PubKey(p.people[r].PubKey), Identifier: p.Identifier}
}

// team is the owner and all maintainers.
func (p *Project) team() []Role {
	list := []Role{Owner, Maintainer}
	for r := roles; int(r) < len(p.people); r++ {
		list = append(list, r)
	}
	return list
}

// listed are those whom somebody lists as maintainers, where the chain does not leave it to them.
func (p *Project) listed(r Role) []Role {
	team := p.team()
	at := slices.Index(team, r)
	switch {
	case r == Stranger && p.apart:
		return nil
	case r == Stranger:
		return team[:1]
	case p.profile.Chain == Line || p.profile.Chain == Circle:
		if at+1 < len(team) {
			return team[at+1 : at+2]
		}
		if p.profile.Chain == Line {
			return nil
		}
		return team[:1]
	case r == Owner:
		return team[1:]
	}
	return team[:1]
}

// announce builds an announcement by somebody for some services, with the maintainers that it lists: in a star the
// repositories of owner and maintainers are siblings that list each other, the stranger's lists the owner or nobody.
func (p *Project) announce(r Role, now instant.Instant, services []repo.Service, maintainers []Role) *nostr.Event {
	clone, relays := nostr.Tag{"clone"}, nostr.Tag{"relays"}
	for _, s := range services {
		if r == Maintainer && p.vouched {
			s.Host = "elsewhere.example"
		}
		clone = append(clone, CloneURL(s, p.people[r], p.Identifier))
		relays = append(relays, RelayURL(s))
	}
	relays = append(relays, p.beside(r)...)
	tags := nostr.Tags{{"d", p.Identifier}, {"name", p.Identifier}, clone, relays}
	if len(maintainers) > 0 {
		tag := nostr.Tag{"maintainers"}
		for _, m := range maintainers {
			tag = append(tag, p.people[m].PubKey)
		}
		tags = append(tags, tag)
	}
	return p.event(r, now, repo.KindAnnouncement, "announcement", tags)
}

// state builds a state event by somebody that declares the refs, and HEAD unless that is "".
func (p *Project) state(r Role, now instant.Instant, refs []repo.Ref, head string) *nostr.Event {
	tags := nostr.Tags{{"d", p.Identifier}}
	for _, ref := range refs {
		tags = append(tags, nostr.Tag{ref.Name, string(ref.OID)})
	}
	if head != "" {
		tags = append(tags, nostr.Tag{"HEAD", "ref: " + head})
	}
	return p.event(r, now, repo.KindState, "state", tags)
}

// issue builds an issue about the owner's repository.
func (p *Project) issue(r Role, now instant.Instant) *nostr.Event {
	return p.event(r, now, 1621, "issue", nostr.Tags{
		{"a", fmt.Sprintf("%d:%s:%s", repo.KindAnnouncement, p.people[Owner].PubKey, p.Identifier)},
	})
}

// event stamps an event, names it and keeps it in the history. The version in its content makes it different from any
// other of the same second.
func (p *Project) event(r Role, now instant.Instant, kind int, what string, tags nostr.Tags) *nostr.Event {
	p.versions[r]++
	ev := &nostr.Event{
		Kind: kind, CreatedAt: nostr.Timestamp(now.Unix()), Tags: tags, Content: fmt.Sprintf("version %d", p.versions[r]),
	}
	p.people[r].Stamp(ev)
	p.latest = ev.CreatedAt
	p.named(ev.ID, fmt.Sprintf("%s/%s@%d", p.Name(r), what, p.versions[r]))
	if len(p.ids) < idsMost {
		p.ids = append(p.ids, ev.ID)
	}
	if len(p.history) == historyMax {
		p.history = slices.Delete(p.history, 0, 1)
	}
	p.history = append(p.history, ev)
	return ev
}

// Sign makes an event one of somebody, which belongs to no history.
func (p *Project) Sign(r Role, ev *nostr.Event) { p.people[r].Stamp(ev) }

// Protected is the last event of somebody that nobody else may publish, nil if there is none.
func (p *Project) Protected(r Role) *nostr.Event {
	for _, ev := range slices.Backward(p.history) {
		if ev.PubKey == p.people[r].PubKey && slices.ContainsFunc(ev.Tags, func(t nostr.Tag) bool { return len(t) > 0 && t[0] == "-" }) {
			return ev
		}
	}
	return nil
}

// oid makes up a new object, and names it.
func (p *Project) oid() repo.OID {
	p.oids++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s/%s/%d", p.people[Owner].PubKey, p.Identifier, p.oids))
	oid := repo.OID(hex.EncodeToString(sum[:20]))
	p.named(string(oid), fmt.Sprintf("%s/object@%d", p.Identifier, p.oids))
	return oid
}

// change puts a ref of what the team wants at an object, or takes it out if that is the zero one.
func (p *Project) change(name string, to repo.OID) {
	at, found := slices.BinarySearchFunc(p.refs, name, func(r repo.Ref, name string) int { return strings.Compare(r.Name, name) })
	switch {
	case nothing(to) && found:
		p.refs = slices.Delete(p.refs, at, at+1)
	case nothing(to):
	case found:
		p.refs[at].OID = to
	default:
		p.refs = slices.Insert(p.refs, at, repo.Ref{Name: name, OID: to})
	}
}

// remember keeps the refs as they are for somebody who wants to go back.
func (p *Project) remember() {
	if len(p.past) == pastMax {
		p.past = slices.Delete(p.past, 0, 1)
	}
	p.past = append(p.past, slices.Clone(p.refs))
}
