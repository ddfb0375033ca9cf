package suite

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/spec"
)

// A way is a form of filter by which an event could be found, without its id and its author.
type way struct {
	name    string
	filters []client.Filter
	// narrow says that few events match, so that an answer is whole and its events can be counted.
	narrow bool
}

// wideMax bounds what is asked for by a filter that may match much.
const wideMax = 500

// wholeMax is from how many events on an answer may be a part of what there is: a server gives no more at once than it likes,
// and a key that the tester gave has written much.
const wholeMax = 40

// whole is from how many events on an answer of this server may be a part, which it may say itself.
func (w *world) whole() int {
	if most, stated := w.run.facts.limit("max_limit"); stated {
		return int(min(most, wholeMax))
	}
	return wholeMax
}

// ways are the forms of filters that match an event. The broad ones ask for all that a server has of a kind, or for
// anything, and the narrow ones for that of the very second of the event.
func (w *world) ways(ev *nostr.Event) []way {
	at, many, kind := int64(ev.CreatedAt), wideMax, []int{ev.Kind}
	other := client.KindIssue
	second := func(f client.Filter) []client.Filter {
		f.Since, f.Until = &at, &at
		return []client.Filter{f}
	}
	all := []way{
		{"kind", []client.Filter{{Kinds: kind, Limit: &many}}, false},
		{"kind since its time", []client.Filter{{Kinds: kind, Since: &at, Limit: &many}}, false},
		{"kind in its second", second(client.Filter{Kinds: kind}), true},
		{"its kind and another one", second(client.Filter{Kinds: []int{ev.Kind, other}}), true},
		{"another kind and its own", second(client.Filter{Kinds: []int{other, ev.Kind}}), true},
		{"nothing in particular", []client.Filter{{Limit: &many}}, false},
		{"time since its own", []client.Filter{{Since: &at, Limit: &many}}, false},
		{"time until its own", []client.Filter{{Until: &at, Limit: &many}}, false},
		{"its second", second(client.Filter{}), true},
		{"author alone", []client.Filter{{Authors: []string{ev.PubKey}}}, true},
		{"author and others", []client.Filter{{Authors: append(w.allAuthors(), ev.PubKey)}}, true},
		{"author and time", second(client.Filter{Authors: []string{ev.PubKey}}), true},
		{"the second of two filters", []client.Filter{{IDs: []string{w.nobody()}}, {Kinds: kind, Since: &at, Until: &at}}, true},
		{"the first of two filters", []client.Filter{{Kinds: kind, Since: &at, Until: &at}, {IDs: []string{w.nobody()}}}, true},
		{"its id among others", []client.Filter{{IDs: []string{w.nobody(), ev.ID}}}, true},
		{"its id and kind", []client.Filter{{IDs: []string{ev.ID}, Kinds: kind}}, true},
	}
	all = slices.DeleteFunc(all, func(of way) bool { return !w.allowed(of.filters) })
	for _, tag := range ev.Tags {
		// The tags that mark events as ours are many others' too.
		if len(tag) < 2 || len(tag[0]) != 1 || tag[0] == "t" {
			continue
		}
		by := map[string][]string{tag[0]: {tag[1]}}
		all = append(all,
			way{"#" + tag[0], []client.Filter{{Tags: by}}, true},
			way{"kind and #" + tag[0], []client.Filter{{Kinds: kind, Tags: by}}, true},
			way{"#" + tag[0] + " with another value", []client.Filter{{Tags: map[string][]string{tag[0]: {w.nobody(), tag[1]}}}}, true},
		)
	}
	return all
}

// tooBroad reports whether a server has refused to look for anything that names no id, author, kind or tag: what it does not
// look for it does not show.
func (w *world) tooBroad(way way, o client.Observation) bool {
	broad := slices.ContainsFunc(way.filters, func(f client.Filter) bool {
		return len(f.IDs)+len(f.Authors)+len(f.Kinds)+len(f.Tags) == 0
	})
	switch o := o.(type) {
	case client.ClosedFrame, client.NegErrFrame, client.NoticeFrame:
		if broad && !client.Inconclusive(o) {
			w.note("asked by %s: %v", way.name, o)
			return true
		}
	}
	return false
}

// ownTime dates what the check publishes from now on in seconds that few others publish in.
func (w *world) ownTime() {
	digest := sha256.Sum256([]byte(w.check.ID))
	w.ticks = max(w.ticks, ownTimeFrom+int64(digest[0])*2)
}

// ownTimeFrom is behind the dates that most checks use.
const ownTimeFrom = 250

// followTags are the tags by which a subscription can wait for an event that is not made yet.
func (w *world) followTags(label string) (int, map[string]string) {
	switch label {
	case "announcement":
		return client.KindAnnouncement, map[string]string{"d": w.identifier}
	case "state":
		return client.KindState, map[string]string{"d": w.identifier}
	}
	kind := client.KindPullRequest
	if label == "update" {
		kind = client.KindUpdate
	}
	owner := w.key("owner").Pubkey
	return kind, map[string]string{"a": client.RepoAddress(owner, w.identifier), "c": w.git.history.oid("side"), "p": owner}
}

// nobody is an id and a key that nobody has, of this check.
func (w *world) nobody() string { return client.NewKey(w.run.cfg.Seed, w.check.ID+"/nobody").Pubkey }

// hidden judges, behind a barrier, that no query finds an event that is held, in whatever way it is asked.
func (w *world) hidden(ev *nostr.Event) outcome {
	return w.behindBarrier(ev, func(relay *client.Relay) outcome { return w.broughtByNone(relay, ev, "waits for git data") })
}

// takenOut judges that no query brings an event that is not there any more.
func (w *world) takenOut(ev *nostr.Event) outcome {
	fresh, out := w.barrier()
	if !out.held() {
		return out
	}
	defer fresh.Close()
	return w.broughtByNone(fresh, ev, "was taken out")
}

// broughtByNone asks for an event in every way, for the reason given in vain.
func (w *world) broughtByNone(relay *client.Relay, ev *nostr.Event, why string) outcome {
	for _, way := range w.ways(ev) {
		events, o := relay.Query(w.ctx, way.filters...)
		if holds(events, ev) {
			return violated("%s %s, but a query by %s brings it", describe(ev), why, way.name)
		}
		if o != nil && way.narrow && !w.tooBroad(way, o) {
			return unable("query by "+way.name, o)
		}
	}
	return outcome{}
}

// behindBarrier judges a held event on a new connection behind a barrier, if its kind is held here.
func (w *world) behindBarrier(ev *nostr.Event, judge func(*client.Relay) outcome) outcome {
	if w.run.lighthouse.holding(w.ctx, ev.Kind) == holdingNo {
		return notApplicable("the server does not hold events of kind %d", ev.Kind)
	}
	fresh, out := w.barrier()
	if !out.held() {
		return out
	}
	defer fresh.Close()
	return judge(fresh)
}

// countedAtMost bounds how often a count and a query are compared, which others may disturb.
const countedAtMost = 4

// uncounted judges that no count tells more than a query by the same filters brings. Other checks may publish meanwhile, so a
// difference has to stand between two equal queries.
func (w *world) uncounted(ev *nostr.Event) outcome {
	return w.behindBarrier(ev, func(relay *client.Relay) outcome {
		for _, way := range w.ways(ev) {
			if !way.narrow {
				continue
			}
			if out := w.countIsOfServed(relay, ev, way); !out.held() {
				return out
			}
		}
		return outcome{}
	})
}

func (w *world) countIsOfServed(relay *client.Relay, ev *nostr.Event, way way) outcome {
	for range countedAtMost {
		before, o := relay.Query(w.ctx, way.filters...)
		if o != nil && w.tooBroad(way, o) {
			return outcome{}
		}
		if o != nil {
			return unable("query by "+way.name, o)
		}
		n, o := relay.Count(w.ctx, way.filters...)
		if o != nil {
			return w.uncountable(relay, "a count by "+way.name, o)
		}
		after, o := relay.Query(w.ctx, way.filters...)
		if o != nil {
			return unable("query by "+way.name, o)
		}
		if n.Rough || n.N == len(before) || n.N == len(after) || len(after) >= w.whole() {
			return outcome{}
		}
		if slices.Equal(fullIDs(before), fullIDs(after)) {
			return violated("a count by %s is %d while %s waits for git data, and a query brings %d", way.name, n.N, describe(ev), len(after))
		}
	}
	w.note("count by %s: others publish too much to tell", way.name)
	return outcome{}
}

// unreconciled judges that no reconciliation holds an event that is held.
func (w *world) unreconciled(ev *nostr.Event) outcome {
	return w.behindBarrier(ev, func(relay *client.Relay) outcome {
		for _, way := range w.ways(ev) {
			if len(way.filters) > 1 {
				continue
			}
			result, o := relay.Reconcile(w.ctx, subNeg, way.filters[0], nil)
			if slices.Contains(result.Need, ev.ID) {
				return violated("%s waits for git data, but a reconciliation by %s holds it", describe(ev), way.name)
			}
			if o != nil && way.narrow && !w.tooBroad(way, o) {
				return unable("reconcile by "+way.name, o)
			}
		}
		return outcome{}
	})
}

// found judges that an event that was released is found in every way that brings whole answers: without that, nothing was
// proven while it was held.
func (w *world) found(ev *nostr.Event) outcome {
	relay, out := w.connect()
	if !out.held() {
		return out
	}
	for _, way := range w.ways(ev) {
		if !way.narrow {
			continue
		}
		events, o := relay.Query(w.ctx, way.filters...)
		if o != nil && w.tooBroad(way, o) {
			continue
		}
		if o != nil {
			return unable("query by "+way.name, o)
		}
		if !holds(events, ev) && len(events) < w.whole() && !w.foundAmongMany(relay, way, ev) { // some send few where nobody says how many
			return w.notBrought(ev, "a query by %s does not bring it", way.name)
		}
	}
	return outcome{}
}

// foundAmongMany asks for as many events as an answer has at most, for as long as a release takes: who answers may hear of it a moment
// later than who told a listener.
func (w *world) foundAmongMany(relay *client.Relay, by way, ev *nostr.Event) bool {
	found, o := w.client.Poll(w.ctx, spec.ReleaseWithin, func() (bool, client.Observation) { return holds(w.asMany(relay, by), ev), nil })
	_, late := o.(client.Late)
	return found || late
}

// asMany asks once more, for as many events as an answer has at most.
func (w *world) asMany(relay *client.Relay, by way) []*nostr.Event {
	filters := slices.Clone(by.filters)
	for i := range filters {
		most := w.whole()
		filters[i].Limit = &most
	}
	events, _ := relay.Query(w.ctx, filters...)
	return events
}

// watchEveryWay opens a subscription for new events in each way that does not need the event itself: by kind, by the values
// that its tags will have, by time, by nothing in particular.
func (w *world) watchEveryWay(kind int, tags map[string]string) outcome {
	now := w.start
	forms := []way{
		{"kind", []client.Filter{{Kinds: []int{kind}, Limit: new(int)}}, false},
		{"kind among others", []client.Filter{{Kinds: []int{client.KindIssue, kind}, Limit: new(int)}}, false},
		{"time", []client.Filter{{Since: &now, Limit: new(int)}}, false},
		{"nothing in particular", []client.Filter{{Limit: new(int)}}, false},
		{"the second of two filters", []client.Filter{{IDs: []string{w.nobody()}, Limit: new(int)}, {Kinds: []int{kind}, Limit: new(int)}}, false},
		{"author", []client.Filter{{Authors: w.allAuthors(), Limit: new(int)}}, false},
	}
	for _, letter := range slices.Sorted(maps.Keys(tags)) {
		forms = append(forms, way{"#" + letter, []client.Filter{{Tags: map[string][]string{letter: {tags[letter]}}, Limit: new(int)}}, false})
	}
	forms = slices.DeleteFunc(forms, func(of way) bool { return !w.allowed(of.filters) })
	begins := opening{subBeacon, client.Filter{Authors: []string{w.run.lighthouse.key.Pubkey}, Kinds: []int{client.KindIssue}, Limit: new(int)}}
	for i, form := range forms {
		f := following{sub: fmt.Sprintf("way-%d", i), name: form.name, filters: form.filters}
		var out outcome
		if f.relay, out = w.follow(begins, f.sub, f.filters...); !out.held() {
			if out.verdict == Fail {
				out.verdict = DependencyFail
			}
			return out
		}
		w.relay.followed = append(w.relay.followed, f)
	}
	return outcome{}
}

// unsent judges that no subscription got an event that is held.
func (w *world) unsent(ev *nostr.Event) outcome {
	return w.behindBarrier(ev, func(*client.Relay) outcome {
		for _, relay := range w.relay.extra {
			if out := w.beaconOn(relay); !out.held() {
				return out
			}
		}
		for _, f := range w.relay.followed {
			if holds(f.relay.Heard(f.sub), ev) {
				return violated("%s waits for git data, but is sent to a subscription by %s", describe(ev), f.name)
			}
		}
		return outcome{}
	})
}

// beaconOn waits for a beacon on a connection, and for what else is on its way.
func (w *world) beaconOn(relay *client.Relay) outcome {
	beacon, out := w.run.lighthouse.beacon(w.ctx)
	if !out.held() {
		return out
	}
	if o := relay.Await(w.ctx, subBeacon, beacon.ID); o != nil {
		return missing("barrier on the connection of the subscriptions", o)
	}
	if _, o := relay.Live(w.ctx, subBeacon); o != nil {
		return unable("the subscriptions", o)
	}
	return outcome{}
}

// notBrought is what became of a check that needs an event to be told in some way which a server does not know. Where a query by its id
// brings it, that is a violation of the row about queries, whatever its own checks have met.
func (w *world) notBrought(ev *nostr.Event, format string, args ...any) outcome {
	out := violated("%s is served, but "+format, append([]any{describe(ev)}, args...)...).dueTo(restsOnQueries)
	if events, asked := w.query(client.Filter{IDs: []string{ev.ID}}); asked.held() && holds(events, ev) {
		w.run.accuseOf(restsOnQueries, out.reason)
	}
	return out
}

// sentEverywhere judges that each subscription gets an event when it is released.
func (w *world) sentEverywhere(ev *nostr.Event) outcome {
	bound, _ := w.run.patience(&w.run.releases, 0)
	start := w.run.target.Now()
	for _, f := range w.relay.followed {
		o := f.relay.Await(w.ctx, f.sub, ev.ID)
		for waited := time.Duration(-1); unanswered(o); o = f.relay.Await(w.ctx, f.sub, ev.ID) { // a server may release what waits by and by
			before := waited
			if waited = w.run.target.Now().Sub(start); waited >= bound || waited == before {
				break
			}
		}
		if o != nil {
			if _, silent := o.(client.Silence); !silent {
				return unable("the subscription by "+f.name, o)
			}
			return w.notBrought(ev, "a subscription by %s does not get it", f.name)
		}
	}
	return outcome{}
}
