package workload

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/repo"
)

// odd publishes an event whose form is at an edge of what can be read, on this side or on the other.
func (s *script) odd() {
	switch s.choose("odd", 8) {
	case 0:
		s.oddPlaces()
	case 1:
		s.oddIdentifier()
	case 2:
		s.oddMaintainers()
	case 3:
		s.oddPullRequest()
	case 4:
		s.oddDeletion()
	case 5:
		s.oddPulls()
	default:
		s.oddState()
	}
}

// oddPlaces are announcements that list the service in a form of their own, or nearly list it.
func (s *script) oddPlaces() {
	p := s.p
	ev := p.announce(s.role, s.date(), p.services, p.listed(s.role))
	id, service := p.ID(s.role), p.services[s.choose("service", len(p.services))]
	path, host := service.Base+PathOf(p.people[s.role], p.Identifier), service.Host
	npub := "/" + p.people[s.role].Npub + "/"
	clone, relay := "http://"+host+path, "ws://"+host+service.Base
	switch s.choose("place", 28) {
	case 0:
		clone, relay = "https://"+host+path, "wss://"+host+service.Base
	case 1:
		clone, relay = "http://"+host+":80"+path, "ws://"+host+":80"+service.Base
	case 2:
		clone, relay = "https://"+host+":443"+path, "wss://"+host+":443"+service.Base+"/"
	case 3:
		clone = "https://" + host + ":80" + path
	case 4:
		relay = "ws://" + host + ":443" + service.Base
	case 5:
		clone, relay = "http://"+strings.ToUpper(host)+path, "ws://"+strings.ToUpper(host)+service.Base
	case 6:
		clone += "/"
	case 7:
		clone = "http://" + host + service.Base + "/" + p.people[Stranger].Npub + "/" + p.Identifier + ".git"
	case 8:
		clone = strings.TrimSuffix(clone, ".git")
	case 9:
		clone = "http://" + host + service.Base + npub + ".git"
	case 10:
		clone = "http://" + host + service.Base + npub + "deep/" + p.Identifier + ".git"
	case 11:
		clone = "http://me@" + host + path
	case 12:
		relay = "ws://me:secret@" + host + service.Base
	case 13:
		clone += "?a=b"
	case 14:
		relay += "#here"
	case 15:
		clone = "ssh://" + host + path
	case 16:
		relay = "http://" + host + service.Base
	case 17:
		relay = "ws://" + host + service.Base + "/deeper"
	case 18:
		clone = "http://" + host + service.Base + "/" + strings.ToUpper(p.people[s.role].Npub) + "/" + p.Identifier + ".git"
	case 19:
		clone = "http://" + host + service.Base + npub[:len(npub)-2] + "/" + p.Identifier + ".git"
	case 20:
		clone = "http://" + host + service.Base + npub + "another.git"
	case 21:
		clone = "ws://" + host + path
	case 22:
		relay = "ws://" + host + ":" + service.Base
	case 23:
		clone, relay = "HTTP://"+host+path, "WS://"+host+service.Base
	case 24:
		clone = "http://" + host + service.Base + "/npub1" + string(id.Owner)[:58] + "/" + p.Identifier + ".git"
	case 25:
		clone = "http://%" + host + path
	case 26:
		relay = "ws:" + host
	default:
		clone = "http://" + host + service.Base + "/" + string(id.Owner) + "/" + p.Identifier + ".git"
	}
	tags := slices.DeleteFunc(slices.Clone(ev.Tags), func(t nostr.Tag) bool { return t[0] == "clone" || t[0] == "relays" })
	more := []nostr.Tag{{"clone"}, {"relays"}, {"clone", ""}, {"name", "second"}, {"description"}, {}}
	for range s.choose("besides", 3) {
		tags = append(tags, more[s.choose("more", len(more))])
	}
	lists := nostr.Tags{{"clone", clone}, {"relays", relay}}
	if s.choose("apart", 2) == 0 { // what lists it need not be the first, nor the last
		elsewhere := nostr.Tags{{"clone", "http://elsewhere.example/r.git"}, {"relays", "ws://elsewhere.example"}}
		if s.choose("behind", 2) == 0 {
			lists, elsewhere = elsewhere, lists
		}
		tags = append(tags, elsewhere...)
	}
	s.publish(0, p.event(s.role, s.date(), ev.Kind, "places", append(tags, lists...)))
	if s.choose("used", 3) == 0 {
		s.work()
	}
}

// oddIdentifiers are names of repositories that are none, or nearly.
var oddIdentifiers = []string{
	"", ".", "..", "a/b", `a\b`, "a\x00b", "a\x1fb", "a\x7fb", "...", ".a", "a b", "a~b", "a%2fb", "Az09-._~", "@[`{/:", "@[`{:", "\u00e9\u20ac",
	"a\nb", "-", "~", strings.Repeat("x", repo.IdentifierMax), strings.Repeat("x", repo.IdentifierMax+1),
}

// oddIdentifier announces a repository of such a name, and declares something for it.
func (s *script) oddIdentifier() {
	p := s.p
	name := oddIdentifiers[s.choose("identifier", len(oddIdentifiers))]
	id := repo.ID{Owner: p.ID(s.role).Owner, Identifier: name}
	clone, relays := nostr.Tag{"clone"}, nostr.Tag{"relays"}
	for _, service := range p.services {
		clone = append(clone, CloneURL(service, p.people[s.role], name))
		relays = append(relays, RelayURL(service))
	}
	d := [][]nostr.Tag{{{"d", name}}, {{"d", name}}, {{"d", name}, {"d", "second"}}, {}, {{"d"}}}[s.choose("d", 5)]
	s.publish(0, p.event(s.role, s.date(), repo.KindAnnouncement, "named", append(nostr.Tags{clone, relays}, d...)))
	refs := []repo.Ref{{Name: "refs/heads/main", OID: p.oid()}}
	s.publish(s.soon(), p.event(s.role, s.date(), repo.KindState, "named",
		append(nostr.Tags{{refs[0].Name, string(refs[0].OID)}}, d...)))
	s.push(s.soon(), Push{To: id, Want: refs})
}

// oddMaintainers announces with keys that are none, and several tags.
func (s *script) oddMaintainers() {
	p := s.p
	ev := p.announce(s.role, s.date(), p.services, nil)
	key := p.people[Maintainer].PubKey
	odd := []string{
		strings.ToUpper(key), key[:63], key + "0", "g" + key[1:], key[:63] + "g", key[:62] + "G0", key[:63] + "A", "/" + key[1:], ":" + key[1:], "`" + key[1:], "",
		p.people[Maintainer].Npub, key, p.people[s.role].PubKey, p.people[Stranger].PubKey,
	}
	tags := slices.Clone(ev.Tags)
	for range 1 + s.choose("tags", 2) {
		tag := nostr.Tag{"maintainers"}
		for range s.choose("keys", 4) {
			tag = append(tag, odd[s.choose("key", len(odd))])
		}
		tags = append(tags, tag)
	}
	s.publish(0, p.event(s.role, s.date(), ev.Kind, "maintainers", tags))
	by := s.role
	s.role = Maintainer
	s.evolve()
	s.declare(s.soon())
	s.role = by
	s.push(s.soon(), Push{To: p.ID(s.role), Want: p.refs})
}

// oddRefs are names of refs that are none, or nearly.
var oddRefs = []string{
	"refs/heads/", "refs/heads/a..b", "refs/heads/a@{b", "refs/heads/a b", "refs/heads/a\x7fb", "refs/heads/a~b", "refs/heads/a^b",
	"refs/heads/a:b", "refs/heads/a?b", "refs/heads/a*b", "refs/heads/a[b", `refs/heads/a\b`, "refs/heads/.a", "refs/heads/a.", "refs/heads/a/.b",
	"refs/heads/a.lock", "refs/heads/a.lock/b", "refs/heads/a//b", "refs/heads//a", "refs/heads/a/", "refs/heads/@", "refs/heads/a@b",
	"refs/heads/a.lockb", "refs/heads/a]b", "refs/heads/a!b", "refs/heads/a\x1fb", "refs/heads/a.b", "refs/tags/v1^{}", "refs/heads/a^{}", "refs/notes/x",
	"refs/headsa", "refs/heads", "refs/tagsa", "HEAD", "refs/nostr/x", "refs/heads/\u00e9", "refs/heads/main/below", "refs/heads/a@", "refs/heads/a~",
}

// oddState declares what may be none, beside what is, and pushes what is.
func (s *script) oddState() {
	p := s.p
	s.evolve()
	full := string(p.oid())
	values := []string{
		full, full, full, full[:39], full + "0", full + full[:24], strings.ToUpper(full), "g" + full[1:], "/" + full[1:], ":" + full[1:], "`" + full[1:],
		full[:39] + "g", full[:39] + "F",
		string(repo.ZeroOID), string(repo.ZeroOID[1:]) + "1", "", "ref: refs/heads/main", "ref:refs/heads/main",
	}
	tags := nostr.Tags{{"d", p.Identifier}}
	for _, ref := range p.refs {
		tags = append(tags, nostr.Tag{ref.Name, string(ref.OID)})
	}
	name, value := oddRefs[s.choose("ref", len(oddRefs))], full
	var more []nostr.Tag
	switch s.choose("what", 6) {
	case 0:
		name, value = "refs/heads/other", values[s.choose("value", len(values))]
	case 1:
		more = append(more, nostr.Tag{"refs/heads/main", full}) // twice, perhaps
	case 2:
		more = append(more, nostr.Tag{name, value}, nostr.Tag{name + "/b", full})
	case 3:
		more = append(more, nostr.Tag{name, full, "more"}, nostr.Tag{"refs/tags/bare"}, nostr.Tag{})
	default:
	}
	tags = append(tags, nostr.Tag{name, value})
	tags = append(tags, more...)
	heads := []string{
		"ref: refs/heads/main", "refs/heads/main", "ref: refs/tags/v1", "ref: refs/heads/a..b", "", "ref: ", "main", "ref: refs/heads/",
		"ref: ref: refs/heads/main", "ref: refs/heads/none",
	}
	for range s.choose("heads", 3) {
		tags = append(tags, nostr.Tag{"HEAD", heads[s.choose("head", len(heads))]})
	}
	s.publish(0, p.event(s.role, s.date(), repo.KindState, "odd", tags))
	want := slices.Clone(p.refs)
	at, there := slices.BinarySearchFunc(want, name, func(r repo.Ref, name string) int { return strings.Compare(r.Name, name) })
	if s.choose("all of it", 2) == 0 && !there {
		want = slices.Insert(want, at, repo.Ref{Name: name, OID: repo.OID(full)})
	}
	s.push(s.soon(), Push{To: s.place(), Want: want})
}

// oddPullRequest is one whose commit or whose repositories are none, or nearly.
func (s *script) oddPullRequest() {
	p := s.p
	commit := string(p.oid())
	commits := []nostr.Tag{
		{"c", commit},
		{"c", commit},
		{"c", commit},
		{"c", commit[:39]},
		{"c", commit + "0"},
		{"c", strings.ToUpper(commit)},
		{"c", string(repo.ZeroOID)},
		{"c", ""},
		{"c"},
		{"c", commit + commit[:24]},
	}
	owner := p.people[Owner].PubKey
	places := []string{
		"", "30617", "30617:" + owner, "30617:" + owner + ":", "30618:" + owner + ":" + p.Identifier, "30617:" + strings.ToUpper(owner) + ":" + p.Identifier,
		"30617:" + owner[1:] + ":" + p.Identifier, "30617:" + owner + ":a:b", "30617:" + owner + ":a/b", ":" + owner + ":" + p.Identifier,
		p.coordinate(repo.KindAnnouncement, Owner), p.coordinate(repo.KindAnnouncement, Owner), p.coordinate(repo.KindAnnouncement, Stranger),
	}
	tags := nostr.Tags{commits[s.choose("commit", len(commits))]}
	if s.choose("second commit", 3) == 0 {
		tags = append(tags, nostr.Tag{"c", string(p.oid())})
	}
	for range s.choose("repositories", 4) {
		tags = append(tags, nostr.Tag{[]string{"a", "a", "a", "A"}[s.choose("letter", 4)], places[s.choose("place", len(places))]})
	}
	ev := p.event(s.role, s.date(), repo.KindPullRequest+s.choose("update", 2), "odd", tags)
	s.publish(s.soon(), ev)
	names := []string{
		repo.PullRequestPrefix + ev.ID, repo.PullRequestPrefix + ev.ID, repo.PullRequestPrefix + ev.ID, repo.PullRequestPrefix + ev.ID[1:],
		repo.PullRequestPrefix + ev.ID + "0", repo.PullRequestPrefix + strings.ToUpper(ev.ID), repo.PullRequestPrefix + ev.ID + "/x",
		fmt.Sprint(repo.PullRequestPrefix, "g", ev.ID[1:]),
	}
	s.push(s.soon(), Push{To: p.ID(Owner), Only: repo.Ref{Name: names[s.choose("name", len(names))], OID: repo.OID(commit)}})
}
