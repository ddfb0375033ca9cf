package suite

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// Bounds of what filters are asked to compare.
const (
	longValue = 300 // letters of a long tag value: more than a column of 255 has room for
	others    = 149 // values that stand before the right one: more than a hundred, at which lists are cut
	further   = 19  // filters that stand before the right one

	// The same where lists are cut later: of ids and keys as many as a message of 64 KiB has room for and more than five hundred, of what is
	// shorter as many as a statement of a small database has no room for.
	othersLong, othersShort = 599, 999
)

// valueSteps are about which values of events and of filters count: all of each, and all of them.
func valueSteps() []step {
	return []step{
		{
			text: `the {actor} posted issues with these tags:`,
			role: setUp, sees: answers, cost: cost{events: 10},
			doc: "issues of the table (name, tags; JSON, in which {long} is 300 letters) were accepted; one with a long value may be refused, and is not spoken of any more",
			run: func(w *world, a []string, table [][]string) outcome { return w.postTaggedIssues(a[0], table) },
		},
		{
			text: `queries for the {actor}'s issues by these topics hold what matches and nothing else:`,
			role: assertion, sees: servedEvents,
			doc: "for each row of the table (topic, events) a REQ by the author and #t brings exactly these events; one by a long value, by none at all, {empty}, or by one with {nul}, which is the character 0, may be refused",
			run: func(w *world, a []string, table [][]string) outcome { return w.topicsFit(a[0], table) },
		},
		{
			text: `queries that name many others before it bring the (issue|comment){name}`,
			role: assertion, sees: servedEvents,
			doc: "REQs with the right id, author, kind, topic, address, or event or key that a comment names, behind 149 others, or filter behind 19, bring it, and so do those with the right id, author, address, event or key behind 599 others, or kind or topic behind 999; one that is refused, or longer than the document allows, is noted",
			run: func(w *world, a []string, _ [][]string) outcome { return w.farValues(w.event("issue " + quote(a[1]))) },
		},
		{
			text: `subscriptions that name 149 others before it are open for the issue{name}`,
			role: setUp, sees: servedEvents,
			doc: "the same for an issue that is signed and will be published; one that is refused is noted",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.followFar(w.event("issue "+quote(a[0])), a[0])
			},
		},
		{
			text: `queries by these filters hold the newest of each and nothing else:`,
			role: assertion, sees: servedEvents,
			doc: "for each row of the table (filter, events) a REQ brings exactly these events: a limit is one of its filter alone",
			run: func(w *world, _ []string, table [][]string) outcome {
				rows, out := w.askable(table[1:])
				if !out.held() {
					return out
				}
				for _, row := range rows {
					got, out := w.query(w.filtersOf(row[0])...)
					if !out.held() {
						return out
					}
					if out := w.exactly("a query by "+row[0], once(got), names(row[1])); !out.held() {
						return out
					}
				}
				return outcome{}
			},
		},
	}
}

// once leaves out what comes again: that an event comes once is judged elsewhere.
func once(events []*nostr.Event) (single []*nostr.Event) {
	for _, ev := range events {
		if !holds(single, ev) {
			single = append(single, ev)
		}
	}
	return single
}

// lengthen writes out the long value of a table.
func lengthen(text string) string {
	return strings.ReplaceAll(text, "{long}", strings.Repeat("l", longValue))
}

// postTaggedIssues publishes issues with tags of a table's.
func (w *world) postTaggedIssues(actor string, table [][]string) outcome {
	return w.needLighthouse().then(func() outcome {
		for _, row := range table[1:] {
			var own [][]string
			if err := json.Unmarshal([]byte(lengthen(row[1])), &own); err != nil {
				return harnessError("tags %s: %v", row[1], err)
			}
			tags := append([][]string{{"a", w.run.lighthouse.address}}, own...)
			ev := client.Build(w.key(actor), client.KindIssue, append(tags, w.markers()...), row[0]+": "+w.run.purpose(), w.tick())
			w.remember("issue", row[0], ev)
			if out := w.publish(ev); !out.held() {
				return out
			}
			if reason, refused := client.Refusal(w.sent.answer); refused && strings.Contains(row[1], "{long}") {
				w.note("an issue with a tag value of %d letters is refused: %s", longValue, reason)
				continue
			}
			if out := w.accepted().asSetup(); !out.held() {
				return out
			}
			w.sent.posted = append(w.sent.posted, ev)
		}
		return outcome{}
	})
}

// topicNames fills in what a table cannot say as it is.
var topicNames = strings.NewReplacer("{nul}", "\x00", "{empty}", "")

// topicsFit judges queries by topics, of which a long one, one with a character 0 and an empty one may be refused.
func (w *world) topicsFit(actor string, table [][]string) outcome {
	for _, row := range table[1:] {
		relay, out := w.connect()
		if !out.held() {
			return out
		}
		filter := client.Filter{Authors: []string{w.key(actor).Pubkey}, Tags: map[string][]string{"t": {topicNames.Replace(lengthen(unquoted(row[0])))}}}
		got, o := relay.Query(w.ctx, filter)
		if o != nil && strings.Contains(row[0], "{") && w.turnsAway(relay, o) {
			w.note("a query by the topic %s is refused: %v", row[0], o)
			continue
		}
		if o != nil {
			return w.unanswering(o)
		}
		var want []string
		for _, name := range names(row[1]) {
			if holds(w.sent.posted, w.event("issue "+quote(name))) {
				want = append(want, name)
			}
		}
		if out := w.exactly("a query by the topic "+row[0], got, want); !out.held() {
			return out
		}
	}
	return outcome{}
}

// unquoted is a value that a table has between quotation marks, so that its blanks are seen.
func unquoted(text string) string { return strings.TrimSuffix(strings.TrimPrefix(text, `"`), `"`) }

// An asking is a query that names what it is for behind many other things.
type asking struct {
	by      string // what those are
	names   int    // of them, with the right one
	filters []client.Filter
}

// behindOthers are the queries for an event whose last member is the right one, as far as the document of the relay allows them.
func (w *world) behindOthers(ev *nostr.Event) []asking {
	var filters []client.Filter
	for i := range further {
		filters = append(filters, client.Filter{IDs: []string{w.unused(i)}})
	}
	all := append(w.behindValues(ev, others, others), asking{"filters", further + 1, append(filters, client.Filter{IDs: []string{ev.ID}})})
	return slices.DeleteFunc(all, func(q asking) bool { return !w.permits(q) })
}

// behindMore are the same with longer lists.
func (w *world) behindMore(ev *nostr.Event) []asking {
	return slices.DeleteFunc(w.behindValues(ev, othersLong, othersShort), func(q asking) bool { return !w.permits(q) })
}

// unused is an id that no event has.
func (w *world) unused(i int) string { return fmt.Sprintf("%064x", i+1) }

// behindValues are queries with the right value behind so many others: long ones, or short ones.
func (w *world) behindValues(ev *nostr.Event, long, short int) []asking {
	author, kind := []string{ev.PubKey}, []int{ev.Kind}
	var ids, authors, topics, addresses []string
	var kinds []int
	for i := range long {
		ids, authors = append(ids, w.unused(i)), append(authors, client.NewKey(w.run.cfg.Seed, fmt.Sprint(w.check.ID, "/other/", i)).Pubkey)
		addresses = append(addresses, fmt.Sprintf("%d:%s:%s", client.KindAnnouncement, authors[i], "other"))
	}
	for i := range short {
		kinds, topics = append(kinds, client.KindIssue+1000+i), append(topics, w.topic(fmt.Sprint("other", i)))
	}
	all := []asking{
		{"ids", long + 1, []client.Filter{{IDs: append(slices.Clone(ids), ev.ID)}}},
		{"authors", long + 1, []client.Filter{{Authors: append(slices.Clone(authors), ev.PubKey), Kinds: kind}}},
		{"kinds", short + 1, []client.Filter{{Authors: author, Kinds: append(kinds, ev.Kind)}}},
	}
	for _, named := range []struct {
		tag, by string
		before  []string
	}{{"t", "topics", topics}, {"a", "addresses", addresses}, {"e", "events", ids}, {"E", "roots", ids}, {"p", "keys", authors}} {
		if tag := ev.Tags.Find(named.tag); tag != nil {
			values := append(slices.Clone(named.before), tag[1])
			all = append(all, asking{named.by, len(values), []client.Filter{{Authors: author, Kinds: kind, Tags: map[string][]string{named.tag: values}}}})
		}
	}
	return all
}

// envelope is more than what a message has beside its filter.
const envelope = 100

// permits reports whether a query is one that the document of the relay allows.
func (w *world) permits(q asking) bool {
	most, stated := w.run.facts.limit("max_message_length")
	if w.allowed(q.filters) && (!stated || len(q.filters[0].JSON())+envelope <= int(most)) {
		return true
	}
	w.note("a query by %d %s is more than the document allows", q.names, q.by)
	return false
}

// farValues asks for an event by lists of which the last member is the right one.
func (w *world) farValues(ev *nostr.Event) outcome {
	for _, q := range append(w.behindOthers(ev), w.behindMore(ev)...) {
		relay, out := w.connect()
		if !out.held() {
			return out
		}
		got, o := relay.Query(w.ctx, q.filters...)
		_, silent := o.(client.Silence)
		if o != nil && (w.turnsAway(relay, o) || silent && q.names > others+1 && w.answersShorter()) {
			w.note("a query by %d %s is refused: %v", q.names, q.by, o)
			continue
		}
		if o != nil {
			return w.unanswering(o)
		}
		if !holds(got, ev) {
			return violated("a query by %d %s, of which the last is right, does not bring %s", q.names, q.by, describe(ev))
		}
	}
	return outcome{}
}

// answersShorter reports whether the relay answers a short query behind a long message in silence, which it may not have read.
func (w *world) answersShorter() bool {
	w.hangUp()
	return w.alive().held()
}

// followFar opens subscriptions for an issue to come by the same lists.
func (w *world) followFar(ev *nostr.Event, name string) outcome {
	if out := w.openExtra(opening{subEnd, client.Filter{Authors: []string{w.key("owner").Pubkey}, Kinds: []int{client.KindIssue}}}); !out.held() {
		return out
	}
	relay := w.relay.extra[len(w.relay.extra)-1]
	for i, q := range w.behindOthers(ev) {
		f := following{
			relay: relay, sub: fmt.Sprintf("far-%d", i), name: fmt.Sprintf("%d %s, of which the last is right", q.names, q.by),
			filters: q.filters, want: []string{name},
		}
		switch _, o := relay.Subscribe(w.ctx, f.sub, f.filters...); {
		case o == nil:
			w.relay.followed = append(w.relay.followed, f)
		case turnedAway(relay, o):
			w.note("a subscription by %d %s is refused: %v", q.names, q.by, o)
		default:
			return unlessInconclusive("subscribe", o)
		}
	}
	return outcome{}
}
