package judgetest

import (
	"strings"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
)

func queryScripts() map[string]func(*probe) {
	tagged := func(filters ...client.Filter) func(*probe) {
		return func(p *probe) {
			p.serve("a", "x", "one", 1)
			p.publish("red", p.issue("b", p.address("a", "x"), "red", 2, []string{"t", "red"}, []string{"l", "low"}))
			p.publish("green", p.issue("c", p.address("a", "x"), "green", 3, []string{"t", "green"}, []string{"l", "low"}))
			p.publish("patch", client.Build(p.key("b"), 1617, [][]string{{"a", p.address("a", "x")}, {"t", "red"}}, "", p.base+4))
			p.query(filters...)
		}
	}
	live := func(filters ...client.Filter) func(*probe) {
		return func(p *probe) {
			p.serve("a", "x", "one", 1)
			_, o := p.relay.Subscribe(p.t.Context(), "s", filters...)
			p.note("subscribed: %v", o)
			p.publish("red", p.issue("b", p.address("a", "x"), "red", 2, []string{"t", "red"}))
			p.publish("patch", client.Build(p.key("b"), 1617, [][]string{{"a", p.address("a", "x")}}, "", p.base+4))
			p.live("s")
		}
	}
	replaced := func(first, then []client.Filter) func(*probe) {
		return func(p *probe) {
			p.serve("a", "x", "one", 1)
			_, _ = p.relay.Subscribe(p.t.Context(), "s", first...)
			_, o := p.relay.Subscribe(p.t.Context(), "s", then...)
			p.note("replaced: %v", o)
			p.publish("red", p.issue("b", p.address("a", "x"), "red", 2))
			p.live("s")
		}
	}
	held := func(filter func(p *probe) client.Filter) func(*probe) {
		return func(p *probe) {
			_, _ = p.relay.Subscribe(p.t.Context(), "s", filter(p))
			p.publish("announcement", p.announcement("a", "x", 1))
			p.publish("state", p.state("a", "x", "one", 1))
			p.query(filter(p))
			p.live("s")
			n, o := p.relay.Count(p.t.Context(), filter(p))
			p.note("count: %d %v", n.N, o)
		}
	}
	byKind := held(func(*probe) client.Filter { return client.Filter{Kinds: []int{30617}} })
	b := client.NewKey("probe", "b").Pubkey
	c := client.NewKey("probe", "c").Pubkey
	now := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC).Unix()
	return map[string]func(*probe){
		"first-tag-value-only":             tagged(client.Filter{Tags: map[string][]string{"t": {"red", "green"}}}),
		"first-tag-key-only":               tagged(client.Filter{Tags: map[string][]string{"l": {"low"}, "t": {"red"}}}),
		"first-kind-only":                  tagged(client.Filter{Kinds: []int{1617, 1621}}),
		"first-author-only":                tagged(client.Filter{Authors: []string{b, c}}),
		"kinds-beside-tags-ignored":        tagged(client.Filter{Kinds: []int{1621}, Tags: map[string][]string{"t": {"red"}}}),
		"live-first-filter-only":           live(client.Filter{Kinds: []int{1}}, client.Filter{Kinds: []int{1621}}),
		"live-tags-ignored":                live(client.Filter{Tags: map[string][]string{"t": {"red"}}}),
		"live-ids-ignored":                 live(client.Filter{IDs: []string{strings.Repeat("a", 64)}}),
		"live-kinds-ignored":               live(client.Filter{Kinds: []int{1621}}),
		"live-first-kind-only":             live(client.Filter{Kinds: []int{1617, 1621}}),
		"live-times-ignored":               live(client.Filter{Kinds: []int{1621, 1617}, Since: new(now)}),
		"replaced-by-another-kind-goes-on": replaced([]client.Filter{{Kinds: []int{1621}}}, []client.Filter{{Authors: []string{c}}}),
		"replaced-by-more-filters-goes-on": replaced([]client.Filter{{Kinds: []int{1621}}}, []client.Filter{{Kinds: []int{1}}, {Kinds: []int{7}}}),
		"held-shown-by-kind":               byKind, "held-counted-by-kind": byKind, "held-sent-live-by-kind": byKind,
		"held-shown-by-identifier":  held(func(*probe) client.Filter { return client.Filter{Tags: map[string][]string{"d": {"x"}}} }),
		"held-shown-to-every-query": held(func(p *probe) client.Filter { return client.Filter{Since: new(p.base)} }),
		"held-shown-by-repository": func(p *probe) {
			p.serve("a", "x", "one", 1)
			p.publish("pull request", p.pull(client.KindPullRequest, "two", 2, p.address("a", "x")))
			p.query(client.Filter{Tags: map[string][]string{"a": {p.address("a", "x")}}})
		},
	}
}

func answerScripts() map[string]func(*probe) {
	refusals := func(p *probe) {
		p.serve("a", "x", "one", 1)
		p.publish("orphan", p.issue("b", p.address("a", "none"), "orphan", 2))
		issue := p.issue("b", p.address("a", "x"), "issue", 2)
		p.publish("issue", issue)
		p.publish("issue again", issue)
		p.publish("deletion", client.Deletion(p.key("b"), []string{issue.ID}, nil, p.base+3))
		p.publish("issue", issue)
		p.query(client.Filter{Kinds: []int{1621}})
		n, o := p.relay.Count(p.t.Context(), client.Filter{Kinds: []int{1621}})
		p.note("count: %d %T", n.N, o)
	}
	odd := func(p *probe) {
		_, o := p.relay.NegOpen(p.t.Context(), "n", client.Filter{Kinds: []int{1621}}, []byte{0x61, 0x01})
		p.note("odd: %T", o)
		p.query(client.Filter{Kinds: []int{1}})
		_, o = p.relay.Subscribe(p.t.Context(), "s", client.Filter{Raw: `{"#e":"no list"}`})
		p.note("bad filter: %T", o)
	}
	all := map[string]func(*probe){}
	for _, name := range []string{
		"members-only-unsaid", "authentication-demanded-unsaid", "members-repositories-only-unsaid", "refusals-silent",
		"acknowledgements-lost", "ends-of-stored-events-lost", "counts-lost", "duplicates-silent", "closes-after-each-acknowledgement",
		"closes-after-each-refusal", "closes-instead-of-refusals", "policy-refusals-in-prose", "orphans-refused-in-prose",
		"deleted-refused-in-prose", "prefixes-unknown",
	} {
		all[name] = refusals
	}
	for _, name := range []string{
		"reconciliation-errors-misnamed", "closed-misnamed", "reconciliation-errors-as-notices", "odd-reconciliations-kill",
		"odd-reconciliations-deafen",
	} {
		all[name] = odd
	}
	listed := func(p *probe) {
		host := strings.TrimPrefix(p.on.ServiceURL(), "http://")
		npub := p.key("a").Npub
		for _, url := range []string{
			"http://" + host + "@git.example.invalid/" + npub + "/x.git", "http://git.example.invalid/" + npub + "/x.git?at=http://" + host,
			"http://git.example.invalid/http://" + host + "/" + npub + "/x.git", "http://" + host + "1/" + npub + "/x.git",
			"http://git.example.invalid/" + npub + "/x.git#http://" + host,
		} {
			p.publish(url, client.Announce(p.key("a"), client.AnnounceOpts{
				Identifier: "x", Clone: []string{url}, Relays: []string{p.c.RelayURL()}, CreatedAt: p.base,
			}))
		}
	}
	for _, name := range []string{
		"ports-compared-by-prefix", "service-found-as-user", "service-found-in-fragment", "service-found-in-path",
		"service-found-in-query",
	} {
		all[name] = listed
	}
	return all
}
