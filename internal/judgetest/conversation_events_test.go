package judgetest

import (
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// unsigned spoils the signature, unlisted the id.
func unsigned(ev *nostr.Event) *nostr.Event {
	spoilt := *ev
	spoilt.Sig = strings.Repeat("1", len(ev.Sig))
	return &spoilt
}

func misnumbered(ev *nostr.Event) *nostr.Event {
	spoilt := *ev
	spoilt.ID = strings.Repeat("2", len(ev.ID))
	return &spoilt
}

// pull is a pull request or an update.
func (p *probe) pull(kind int, commit string, at int64, addresses ...string) *nostr.Event {
	tags := [][]string{{"c", p.commit(commit)}}
	for _, a := range addresses {
		tags = append(tags, []string{"a", a})
	}
	if kind == client.KindUpdate {
		tags = append(tags, []string{"E", strings.Repeat("e", 64)}, []string{"P", p.key("b").Pubkey})
	}
	return client.Build(p.key("b"), kind, tags, "", p.base+at)
}

func eventScripts() map[string]func(*probe) {
	announces := func(spoil func(*nostr.Event) *nostr.Event) func(*probe) {
		return func(p *probe) {
			p.publish("announcement", spoil(p.announcement("a", "x", 1)))
			p.refs("a", "x")
		}
	}
	states := func(spoil func(*nostr.Event) *nostr.Event) func(*probe) {
		return func(p *probe) {
			p.publish("announcement", p.announcement("a", "x", 1))
			p.publish("state", spoil(p.state("a", "x", "one", 2)))
			p.main("a", "x", "one")
		}
	}
	pulls := func(kind int) func(*probe) {
		return func(p *probe) {
			p.serve("a", "x", "one", 1)
			p.publish("pull", unsigned(p.pull(kind, "two", 2, p.address("a", "x"))))
			p.push("a", "x", "refs/nostr/"+p.last, "two")
			p.query(client.Filter{Kinds: []int{kind}})
		}
	}
	deletes := func(spoil func(*nostr.Event) *nostr.Event) func(*probe) {
		return func(p *probe) {
			p.serve("a", "x", "one", 1)
			p.publish("issue", p.issue("b", p.address("a", "x"), "issue", 2))
			p.publish("deletion", spoil(client.Deletion(p.key("b"), []string{p.last}, nil, p.base+3)))
			p.query(client.Filter{Kinds: []int{1621}})
		}
	}
	return map[string]func(*probe){
		"unsigned-announcements-taken": announces(unsigned), "unsigned-states-taken": states(unsigned),
		"unsigned-pull-requests-taken": pulls(client.KindPullRequest), "unsigned-updates-taken": pulls(client.KindUpdate),
		"unsigned-deletions-taken": deletes(unsigned), "states-of-any-id-taken": states(misnumbered),
		"deletions-of-any-id-taken": deletes(misnumbered), "refused-deletions-applied": deletes(unsigned),
		"refused-states-applied": states(unsigned), "refused-announcements-applied": announces(unsigned),
	}
}

func severalScripts() map[string]func(*probe) {
	two := func(p *probe) {
		p.serve("a", "x", "one", 1, "m")
		p.serve("a", "y", "one", 2)
		p.publish("state for x", p.state("a", "x", "two", 3))
		p.main("a", "y", "two")
		p.publish("maintainer's state", p.state("m", "y", "three", 4))
		p.main("a", "y", "three")
		p.main("a", "x", "two")
		p.query(client.Filter{Kinds: []int{30617}})
		p.query(client.Filter{Kinds: []int{30618}})
	}
	mixed := func(byID bool) func(*probe) {
		return func(p *probe) {
			p.serve("a", "x", "one", 1)
			article := func(actor string) *nostr.Event {
				return client.Build(p.key(actor), 30023, [][]string{{"d", "z"}, {"a", p.address("a", "x")}}, "", p.base+2)
			}
			own, other := article("b"), article("c")
			p.publish("own", own)
			p.publish("other", other)
			ids, addresses := []string{own.ID, other.ID}, []string(nil)
			if !byID {
				ids = nil
				for _, actor := range []string{"b", "c"} {
					addresses = append(addresses, "30023:"+p.key(actor).Pubkey+":z")
				}
			}
			p.publish("deletion", client.Deletion(p.key("b"), ids, addresses, p.base+3))
			p.query(client.Filter{Kinds: []int{30023}})
		}
	}
	return map[string]func(*probe){
		"states-of-other-repositories-authorize": two, "latest-state-of-the-author-decides": two,
		"second-announcement-erases-the-first": two, "second-state-erases-the-first": two, "maintainers-of-any-repository-count": two,
		"mixed-deletions-by-id": mixed(true), "mixed-deletions-by-address": mixed(false),
		"first-deletion-only": func(p *probe) {
			p.serve("a", "x", "one", 1)
			first, second := p.issue("b", p.address("a", "x"), "first", 2), p.issue("b", p.address("a", "x"), "second", 3)
			p.publish("first", first)
			p.publish("second", second)
			p.publish("deletion", client.Deletion(p.key("b"), []string{first.ID, second.ID}, nil, p.base+4))
			p.query(client.Filter{Kinds: []int{1621}})
		},
		"first-repository-of-pull-requests": func(p *probe) {
			p.serve("a", "x", "one", 1)
			p.publish("pull request", p.pull(client.KindPullRequest, "two", 2, p.address("a", "none"), p.address("a", "x")))
		},
		"first-reference-of-talk": func(p *probe) {
			p.serve("a", "x", "one", 1)
			p.publish("issue", p.issue("b", p.address("a", "none"), "issue", 2, []string{"a", p.address("a", "x")}))
		},
		"owners-and-identifiers-crossed": func(p *probe) {
			p.serve("a", "y", "one", 1)
			p.publish("pull request", p.pull(client.KindPullRequest, "two", 2, p.address("a", "x"), p.address("c", "y")))
		},
		"colons-refused": func(p *probe) { p.serve("a", "x:y", "one", 1) }, "suffixes-refused": func(p *probe) { p.serve("a", "x.git", "one", 1) },
		"colons-end-coordinates": colons, "coordinates-with-colons-refused": colons,
		"second-suffix-dropped": func(p *probe) {
			p.serve("a", "x", "one", 1)
			p.serve("a", "x.git", "two", 2)
			p.refs("a", "x.git")
		},
		"identifiers-in-lower-case": func(p *probe) {
			p.serve("a", "x", "one", 1)
			p.serve("a", "X", "two", 2)
			p.refs("a", "X")
		},
	}
}

func colons(p *probe) {
	p.serve("a", "x:y", "one", 1)
	p.publish("issue", p.issue("b", p.address("a", "x:y"), "issue", 2))
}
