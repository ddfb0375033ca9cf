package suite

import (
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

func querySteps() []step {
	return []step{
		{
			text: `a client connects to the relay`,
			role: act,
			doc:  "opens the actors' connection",
			run: func(w *world, _ []string, _ [][]string) outcome {
				_, out := w.connect()
				return out
			},
		},
		{
			text: `the relay answers a query`,
			role: assertion, sees: servedEvents,
			doc: "a REQ gets its EOSE",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.alive() },
		},
		{
			text: `a query is answered`,
			role: control, sees: servedEvents,
			doc: "a REQ gets its EOSE on the same connection",
			run: func(w *world, _ []string, _ [][]string) outcome {
				_, out := w.query(client.Filter{Authors: []string{w.key("stranger").Pubkey}})
				return out
			},
		},
		{
			text: `a query has an end`,
			role: assertion, sees: servedEvents, cost: cost{events: 1},
			doc: "a REQ gets its EOSE; where none comes, an event on the same connection shows whether anything is answered",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.ends() },
		},
		{
			text: `a connection is usable behind the answer to an (accepted|refused) event`,
			role: assertion, sees: servedEvents, cost: cost{events: 2},
			doc: "a query behind the answer to an event is answered on the same connection; one that ends does so twice, and not without the event",
			run: func(w *world, a []string, _ [][]string) outcome {
				if a[0] == "accepted" {
					return w.staysOpen(func() *nostr.Event { return w.build(announcing{actor: "owner", date: w.tick()}) }, true)
				}
				return w.staysOpen(func() *nostr.Event {
					tags := [][]string{{"a", client.RepoAddress(w.key("stranger").Pubkey, w.identifier+"-unknown")}}
					return client.Build(w.key("contributor"), client.KindIssue, append(tags, w.markers()...), w.run.purpose(), w.tick())
				}, false)
			},
		},
		{
			text: `queries by a limit alone, and by nothing, leave out nothing newer than what they bring`,
			role: assertion, sees: servedEvents,
			doc: "REQs by a limit, and by an empty filter, bring the last event, or none that is older; one that is refused is noted",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.leavesOutNothingNewer() },
		},
		{
			text: `a client asks by {any}`,
			role: act, sees: servedEvents,
			doc: "a REQ with the filter named",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.askBy(a[0])
			},
		},
		{
			text: `a client asks for the {actor}'s issues with limit {number}`,
			role: act, sees: servedEvents,
			doc: "a REQ with limit",
			run: func(w *world, a []string, _ [][]string) outcome {
				limit := int(number(a[1]))
				return w.ask(client.Filter{Authors: []string{w.key(a[0]).Pubkey}, Limit: &limit})
			},
		},
		{
			text: `a query for the {actor}'s issues holds exactly {names}`,
			role: assertion, sees: servedEvents,
			doc: "a REQ by author brings these issues and no others",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.ask(client.Filter{Authors: []string{w.key(a[0]).Pubkey}}).then(func() outcome {
					return w.exactly("the query", w.relay.asked, names(a[1]))
				})
			},
		},
		{
			text: `a query for the newest announcement of the {actor} brings one`,
			role: assertion, sees: servedEvents,
			doc: "a REQ by author and kind with limit 1 brings an announcement: what is not served takes no place in it",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.newest(1, client.Filter{Authors: []string{w.key(a[0]).Pubkey}, Kinds: []int{client.KindAnnouncement}})
			},
		},
		{
			text: `a query for the two newest events of the {actor} brings two`,
			role: assertion, sees: servedEvents,
			doc: "a REQ by author with limit 2 brings two events: what is not served takes no place among them",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.newest(2, client.Filter{Authors: []string{w.key(a[0]).Pubkey}})
			},
		},
		{
			text: `the query holds exactly {names}`,
			role: assertion, sees: servedEvents,
			doc: "the last REQ brought these issues and no others",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.exactly("the query", w.relay.asked, names(a[0]))
			},
		},
		{
			text: `the query holds, in this order, {names}`,
			role: assertion, sees: servedEvents,
			doc: "the last REQ brought these issues in this order",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.exactly("the query", w.relay.asked, names(a[0])).then(func() outcome {
					return w.inOrder(w.issuesCalled(names(a[0])))
				})
			},
		},
		{
			text: `the query holds {names}, newest first for each filter`,
			role: assertion, sees: servedEvents,
			doc: "the last REQ brought these issues and no others; those that one filter selects are in their order, whatever stands between them",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.exactly("the query", w.relay.asked, names(a[0])).then(func() outcome {
					return w.inOrderOfFilters(w.issuesCalled(names(a[0])))
				})
			},
		},
		{
			text: `the query holds the {number} of the lowest ids in their order`,
			role: assertion, sees: servedEvents,
			doc: "the last REQ brought the issues with the lowest ids, by id",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.inOrder(w.lowestIDs(int(number(a[0]))))
			},
		},
	}
}

// newest judges that a query with a limit brings as many events.
func (w *world) newest(limit int, filter client.Filter) outcome {
	filter.Limit = &limit
	events, out := w.query(filter)
	if out.held() && len(events) != limit {
		return violated("a query with limit %d brings %d events where more are served", limit, len(events))
	}
	return out
}

// ask keeps what a query brings.
func (w *world) ask(filters ...client.Filter) outcome {
	events, out := w.query(filters...)
	w.relay.asked, w.relay.filters = events, filters
	return out
}

// askBy asks by a filter that steps name. A relay may also refuse half an id.
func (w *world) askBy(name string) outcome {
	relay, out := w.connect()
	if !out.held() {
		return out
	}
	events, o := relay.Query(w.ctx, w.filters(name)...)
	w.relay.asked = events
	if o != nil && strings.HasPrefix(name, halfOf) && w.turnsAway(relay, o) {
		return outcome{}
	}
	if o != nil && strings.HasPrefix(name, limitBeyond) && w.turnsAway(relay, o) {
		return notApplicable("the relay does not take so large a limit: %v", o)
	}
	if o != nil {
		return unlessInconclusive("query", o)
	}
	return outcome{}
}

// limitBeyond begins the names of filters whose limit is the least number that so many bits do not hold.
const limitBeyond = "a limit beyond "

// turnsAway reports whether a query that may be refused was: by CLOSED, by a NOTICE, or by the end of the connection, if a
// proper query is answered on another one.
func (w *world) turnsAway(relay *client.Relay, o client.Observation) bool {
	switch o := o.(type) {
	case client.ClosedFrame:
		return !client.Inconclusive(o)
	case client.Silence:
		if len(relay.Notices()) == 0 {
			return false
		}
	case client.TransportError:
	default:
		return false
	}
	w.hangUp()
	_, out := w.query(client.Filter{Limit: new(int)})
	return out.held()
}

// halfOf begins the names of filters that must match nothing or be refused.
const halfOf = "the first half of "

// filters are the filters that steps name; the events are those of the feature about queries.
func (w *world) filters(name string) []client.Filter {
	author := []string{w.key("contributor").Pubkey}
	id := func(issue string) string { return w.event("issue " + quote(issue)).ID }
	green := func() *int64 {
		at := int64(w.event(`issue "green"`).CreatedAt)
		return &at
	}
	tag := func(name, value string) map[string][]string { return map[string][]string{name: {value}} }
	switch name {
	case "two ids":
		return []client.Filter{{IDs: []string{id("red"), id("green")}}}
	case "author":
		return []client.Filter{{Authors: author}}
	case "kind":
		return []client.Filter{{Kinds: []int{client.KindComment}, Authors: w.allAuthors()}}
	case "an until at the beginning of time":
		return []client.Filter{{Authors: author, Until: new(int64)}}
	case "a since at the beginning of time":
		return []client.Filter{{Authors: author, Since: new(int64)}}
	case "a since in the ninth second of time": // as a text it is behind every date of ours
		since := int64(9)
		return []client.Filter{{Authors: author, Since: &since}}
	case "an until in the year 5236": // as a text it is before every date of ours, and in 32 bits it is zero
		until := int64(24) << 32
		return []client.Filter{{Authors: author, Until: &until}}
	case "an author and a limit of 5000":
		limit := 5000
		if most, stated := w.run.facts.limit("max_limit"); stated {
			limit = min(limit, int(most))
		}
		return []client.Filter{{Authors: author, Limit: &limit}}
	case limitBeyond + "16 bits", limitBeyond + "32 bits":
		limit := 1 << number(name[len(limitBeyond):len(limitBeyond)+2])
		return []client.Filter{{Authors: author, Limit: &limit}}
	case "a lower-case tag":
		return []client.Filter{{Tags: tag("t", w.topic("green"))}}
	case "an upper-case tag":
		return []client.Filter{{Tags: tag("E", id("red"))}}
	case "a since at the time of green":
		return []client.Filter{{Authors: author, Since: green()}}
	case "an until at the time of green":
		return []client.Filter{{Authors: author, Until: green()}}
	case "since and until both at green":
		return []client.Filter{{Authors: author, Since: green(), Until: green()}}
	case "author and another author's kind":
		return []client.Filter{{Authors: author, Kinds: []int{client.KindComment}}}
	case "either of two filters":
		return []client.Filter{{IDs: []string{id("red")}}, {Kinds: []int{client.KindComment}, Authors: w.allAuthors()}}
	case "the first half of an id":
		return []client.Filter{{Raw: `{"ids":["` + id("red")[:32] + `"],"authors":["` + author[0] + `"]}`}}
	case "the first half of a tag value":
		return []client.Filter{{Authors: author, Tags: tag("t", w.topic("gre"))}}
	}
	panic("suite: invariant: unknown filter " + name)
}

// issuesCalled are events by the names that their steps gave them.
func (w *world) issuesCalled(names []string) []*nostr.Event {
	var events []*nostr.Event
	for _, name := range names {
		events = append(events, w.event("issue "+quote(name)))
	}
	return events
}

// exactly judges whether a set of events is the one named.
func (w *world) exactly(what string, got []*nostr.Event, want []string) outcome {
	expected := w.issuesCalled(want)
	for i, ev := range expected {
		if !holds(got, ev) {
			return violated("%s lacks %q", what, want[i])
		}
	}
	seen := make(map[string]bool)
	for _, ev := range got {
		if !holds(expected, ev) {
			return violated("%s holds %s, which does not match", what, describe(ev))
		}
		if seen[ev.ID] {
			return violated("%s holds %s twice", what, describe(ev))
		}
		seen[ev.ID] = true
	}
	return outcome{}
}

// inOrder judges whether the last query brought exactly these events in this order.
func (w *world) inOrder(want []*nostr.Event) outcome {
	if got := ids(w.relay.asked); !slices.Equal(got, ids(want)) {
		return violated("the query holds %v, want %v", got, ids(want))
	}
	return outcome{}
}

func ids(events []*nostr.Event) []string {
	var short []string
	for _, ev := range events {
		short = append(short, ev.ID[:12])
	}
	return short
}

// lowestIDs are the n issues of the lowest ids, by id.
func (w *world) lowestIDs(n int) []*nostr.Event {
	byID := make(map[string]*nostr.Event)
	for label, ev := range w.sent.byLabel {
		if strings.HasPrefix(label, "issue ") {
			byID[ev.ID] = ev
		}
	}
	var sorted []*nostr.Event
	for _, ev := range byID {
		sorted = append(sorted, ev)
	}
	slices.SortFunc(sorted, func(a, b *nostr.Event) int { return strings.Compare(a.ID, b.ID) })
	return sorted[:n]
}
