package workload

import (
	"fmt"
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/repo"
)

// refsMost is how many refs one state event may declare.
const refsMost = 5000

// edge does what few people ever do.
func (s *script) edge() {
	switch s.choose("edge", 8) {
	case 0:
		s.rootless()
	case 1:
		s.oddVanish()
	case 2:
		s.push(0, Push{To: s.place(), None: true})
	case 3:
		s.oddHeads()
	case 4:
		s.below()
	case 5:
		s.plain()
	case 6:
		s.mixed()
	default:
		s.oddNames()
	}
}

// rootless publishes what anybody may store without a reference, and then what has nothing but that to refer to: it belongs to
// no repository. What is mentioned by such a root is not let in by that either.
func (s *script) rootless() {
	p := s.p
	mine := p.people[s.role].PubKey
	kind := []int{10317, 10317, 5, 62, 10318}[s.choose("root", 5)]
	var tags nostr.Tags
	switch kind {
	case 5:
		tags = nostr.Tags{{"e", fmt.Sprintf("%064x", p.oids+1)}}
	case 62:
		tags = nostr.Tags{{"relay", "wss://elsewhere.example"}}
	}
	root := p.event(s.role, s.date(), kind, "root", tags)
	s.publish(0, root)
	at := fmt.Sprintf("%d:%s:", kind, mine)
	refer := []nostr.Tag{
		{"e", root.ID}, {"E", root.ID}, {"q", root.ID}, {"a", at}, {"A", at}, {"q", at}, {"a", at + "x"}, {"a", fmt.Sprintf("%d:%s", kind, mine)}, {"p", mine},
	}
	for range 1 + s.choose("refer", 3) {
		about := refer[s.choose("about", len(refer))]
		leaf := p.event(s.role, s.date(), []int{1, 1111, 10317, 10318}[s.choose("leaf", 4)], "leaf", nostr.Tags{about})
		s.publish(s.soon(), leaf)
	}
	named := p.event(s.role, s.date(), 1, "named", nil)
	s.publish(s.soon(), p.event(s.role, s.date(), 10317, "naming", nostr.Tags{{[]string{"e", "E", "q", "p"}[s.choose("by", 4)], named.ID}}))
	s.publish(s.soon()*2, named)
}

// oddVanish asks to vanish from relays that are this one in other words, or are not it.
func (s *script) oddVanish() {
	p := s.p
	own := p.services[s.choose("service", len(p.services))]
	tags := []nostr.Tag{
		{"x", "ALL_RELAYS"},
		{"relay"},
		{"relay", "all_relays"},
		{"relays", "ALL_RELAYS"},
		{"relay", "", "ALL_RELAYS"},
		{"relay", "ws://elsewhere.example"},
		{"relay", RelayURL(own) + "/deeper"},
		{"Relay", RelayURL(own)},
		{"r", RelayURL(own)},
		{},
		{"relay", RelayURL(own)},
		{"relay", RelayURL(own) + "/"},
		{"relay", "ALL_RELAYS"},
	}
	about := nostr.Tags{tags[s.choose("tag", len(tags))]}
	for range s.choose("besides", 3) {
		about = append(about, tags[s.choose("more", 10)]) // none of those that speak to it
	}
	s.publish(0, p.event(s.role, s.date(), 62, "vanishing", about))
	s.publish(s.soon(), p.issue(s.role, s.date()))
	s.announce(s.soon())
}

// oddNames announces under several names and descriptions, of which the first count, and looks at what is shown.
func (s *script) oddNames() {
	p := s.p
	ev := p.announce(s.role, s.date(), p.services, p.listed(s.role))
	tags := []nostr.Tag{
		{"name", "one"},
		{"name", "two", "three"},
		{"name"},
		{"name", ""},
		{"description", "first"},
		{"description", "second"},
		{"description"},
		{"description", ""},
	}
	var all nostr.Tags
	for _, tag := range ev.Tags {
		if tag[0] != "name" {
			all = append(all, tag)
		}
	}
	for range 1 + s.choose("names", 4) {
		all = append(all, tags[s.choose("name", len(tags))])
	}
	s.publish(0, p.event(s.role, s.date(), ev.Kind, "names", all))
	id := p.ID(s.role)
	s.add(Operation{After: s.soon(), Look: &id})
}

// oddHeads declares several branches and, before, among or behind them, where HEAD is, perhaps twice: the first counts.
func (s *script) oddHeads() {
	p := s.p
	s.evolve()
	refs := slices.Clone(p.refs)
	for _, name := range []string{"refs/heads/main", "refs/heads/other"} {
		if !slices.ContainsFunc(refs, func(r repo.Ref) bool { return r.Name == name }) && len(refs) < refsMax {
			p.change(name, p.oid())
			refs = slices.Clone(p.refs)
		}
	}
	tags := nostr.Tags{}
	for _, ref := range refs {
		tags = append(tags, nostr.Tag{ref.Name, string(ref.OID)})
	}
	for i := range 1 + s.choose("heads", 2) {
		name := refs[s.choose("head", len(refs))].Name
		if i == 0 {
			p.head = name
		}
		at := s.choose("at", len(tags)+1)
		if i > 0 {
			at = len(tags) // the first one stays that
		}
		tags = slices.Insert(tags, at, nostr.Tag{"HEAD", "ref: " + name})
	}
	s.publish(0, p.event(s.role, s.date(), repo.KindState, "heads", append(tags, nostr.Tag{"d", p.Identifier})))
	s.push(s.soon(), Push{To: s.place(), Want: refs})
}

// below declares a ref below another one, which no repository can have both of, or one that is called almost so.
func (s *script) below() {
	p := s.p
	tags := nostr.Tags{{"d", p.Identifier}}
	for _, ref := range p.refs {
		tags = append(tags, nostr.Tag{ref.Name, string(ref.OID)})
	}
	name := "refs/heads/main" + []string{"/below", "/b/c", ".below", "-/b", "0", "/.b"}[s.choose("below", 6)]
	at := s.choose("before", len(tags)+1)
	s.publish(0, p.event(s.role, s.date(), repo.KindState, "below", slices.Insert(tags, at, nostr.Tag{name, string(p.oid())})))
}

// many declares as many refs as a state may, or one more, and pushes them.
func (s *script) many() {
	p := s.p
	n, oid := refsMost+s.choose("over", 2), p.oid()
	refs := make([]repo.Ref, n)
	for i := range refs {
		refs[i] = repo.Ref{Name: fmt.Sprintf("refs/tags/t%d", i), OID: oid}
	}
	s.publish(0, p.state(s.role, s.date(), refs, p.head))
	s.push(s.soon(), Push{To: p.ID(s.role), Only: refs[0]})
}
