package suite

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
)

// syncedWithin is how long a server may take to have what another relay has: an hour, as for git data, and the time that it
// takes to get it, which may begin with the last moment of that hour.
const syncedWithin = time.Hour + 5*time.Minute

// otherRelays are the relays of ours that a check has events at.
type otherRelays struct {
	byName map[string]target.FakeRelay
	since  time.Time      // when the first was there
	latest int64          // date of the last event that was made for one
	crowd  []*nostr.Event // the events that were made as many
}

// newRelay starts a relay that has no events.
func (w *world) newRelay(name string) outcome {
	powers, is := w.run.target.(target.Relays)
	if !is {
		return blocked("the server cannot reach relays of ours", "judge a server on loopback")
	}
	relay, err := powers.NewRelay(w.ctx)
	if err != nil {
		return inconclusive("start of a relay", client.TransportError{Phase: "listen", Text: err.Error(), Err: err})
	}
	if w.elsewhere.byName == nil {
		w.elsewhere.byName = make(map[string]target.FakeRelay)
		w.elsewhere.since = w.run.target.Now()
	}
	lent := lender{relay, w.client, w.run.entry.door != nil && !ofPrivate(w.check)} // a private service asks no other ones (G08-10)
	w.elsewhere.byName[name] = lent
	if err := lent.Behave(target.RelayBehavior{}); err != nil {
		return harnessError("%v", err)
	}
	return outcome{}
}

// closeRelays ends the relays of the check.
func (w *world) closeRelays() {
	for _, name := range slices.Sorted(maps.Keys(w.elsewhere.byName)) {
		_ = w.elsewhere.byName[name].Close() // nobody asks it any more
	}
}

// other is a relay of ours by its name, "" for the only one.
func (w *world) other(name string) target.FakeRelay {
	relay := w.elsewhere.byName[name]
	if relay == nil {
		panic("suite: invariant: no relay " + quote(name))
	}
	return relay
}

// relayWords are the words in braces that stand for relays of ours, with what they mean.
func (w *world) relayWords() []string {
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(w.elsewhere.byName)) {
		pairs = append(pairs, "{"+strings.TrimSpace("other relay "+name)+"}", w.other(name).URL())
	}
	return pairs
}

// listing makes an announcement list relays of ours beside this service; "no other relay" is none of them.
func (w *world) listing(relays string) map[string]string {
	list := []string{"{ws}://{host}"}
	named := hostName.FindAllStringSubmatch(relays, -1)
	switch {
	case relays == "no other relay":
	case named == nil:
		list = append(list, w.other("").URL())
	}
	for _, m := range named {
		list = append(list, w.other(m[1]).URL())
	}
	return map[string]string{"relays": strings.Join(list, ", ")}
}

// latest is a date for an event that somebody sends now: that of the present, and later than the last one.
func (w *world) latest() int64 {
	w.elsewhere.latest = max(w.elsewhere.latest+1, w.run.target.Now().Unix())
	return w.elsewhere.latest
}

// lodge puts an event at a relay of ours, and nowhere else.
func (w *world) lodge(name, label, called string, ev *nostr.Event) outcome {
	w.remember(label, called, ev)
	w.sent.answer = nil
	w.other(name).Put(ev)
	return outcome{}
}

// elsewhereIssue is an issue on the owner's repository.
func (w *world) elsewhereIssue(actor string, date int64, content string) *nostr.Event {
	address := client.RepoAddress(w.key("owner").Pubkey, w.identifier)
	tags := append([][]string{{"a", address}, {"subject", content}}, w.markers()...)
	return client.Build(w.key(actor), client.KindIssue, tags, w.run.purpose(), date)
}

// elsewhereAnswer is an event that names an issue or the owner's repository by one tag. A comment that names it as its root names another
// comment as its parent, as those do that answer comments: by that nobody finds it who asks for what names the root.
func (w *world) elsewhereAnswer(actor string, kind int, of, tag string) *nostr.Event {
	value, rootKind, author := client.RepoAddress(w.key("owner").Pubkey, w.identifier), "30617", w.key("owner").Pubkey
	if of != "owner's repository" {
		root := w.event(of)
		value, rootKind, author = root.ID, "1621", root.PubKey
	}
	tags := reference(kind, tag, value, rootKind, author)
	if kind == client.KindComment && tag == strings.ToUpper(tag) {
		parent := client.Build(w.key(actor), kind, append(tags, w.markers()...), "a comment that is nowhere", w.latest())
		tags = [][]string{{tag, value}, {"K", rootKind}, {"P", author}, {"e", parent.ID}, {"k", strconv.Itoa(kind)}, {"p", parent.PubKey}}
	}
	return client.Build(w.key(actor), kind, append(tags, w.markers()...), w.run.purpose(), w.latest())
}

// lodgeMany puts so many issues of one date at a relay of ours, or each a second after the one before.
func (w *world) lodgeMany(name, actor string, count int, oneTime bool) outcome {
	first := w.latest() - int64(count)
	var all []*nostr.Event
	for i := range count {
		date := first
		if !oneTime {
			date += int64(i)
		}
		all = append(all, w.elsewhereIssue(actor, date, fmt.Sprintf("one of many %d", i)))
	}
	w.elsewhere.crowd = append(w.elsewhere.crowd, all...)
	w.other(name).Put(all...)
	return outcome{}
}

// comes waits until all events are served, which are at a relay of ours.
func (w *world) comes(events ...*nostr.Event) outcome {
	missing := events
	found, o := w.client.Poll(w.ctx, syncedWithin, func() (bool, client.Observation) {
		w.close() // no connection has to live through the wait
		for len(missing) > 0 {
			part := missing[:min(len(missing), 50)]
			relay, out := w.connect()
			if !out.held() {
				return false, nil
			}
			got, o := w.servedOf(relay, part...)
			if o != nil || slices.ContainsFunc(part, func(ev *nostr.Event) bool { return !holds(got, ev) }) {
				return false, nil
			}
			missing = missing[len(part):]
		}
		return true, nil
	})
	switch {
	case found:
		return outcome{}
	case o != nil:
		return passed(o)
	}
	return w.unlessUnreached("%s, which another relay has, is not served within an hour", describe(missing[0]))
}

// goes waits until an event is not served any more.
func (w *world) goes(ev *nostr.Event) outcome {
	gone, o := w.client.Poll(w.ctx, syncedWithin, func() (bool, client.Observation) {
		w.close()
		got, out := w.query(client.Filter{IDs: []string{ev.ID}})
		return out.held() && !holds(got, ev), nil
	})
	switch {
	case gone:
		return outcome{}
	case o != nil:
		return passed(o)
	}
	return w.unlessUnreached("%s is still served an hour after another relay got the request", describe(ev))
}

// unlessUnreached is a violation, unless no relay of ours was ever connected to by a live server, which may not be willing to
// connect to our addresses, and then proves nothing.
func (w *world) unlessUnreached(format string, args ...any) outcome {
	visited := false
	for _, name := range slices.Sorted(maps.Keys(w.elsewhere.byName)) {
		visited = visited || len(w.other(name).Visits()) > 0
	}
	if !visited && worldOf(w.run.target) == "live" {
		return blocked(
			"no connection came to a relay of the suite: the server does not follow other relays, or must not connect there",
			"let the server follow relays, allow it addresses of this machine and ws without TLS, and say by --reachback how it reaches them",
		)
	}
	return violated(format, args...)
}

// connectedTo waits until a relay of ours is connected to.
func (w *world) connectedTo(name string) outcome {
	found, o := w.client.Poll(w.ctx, syncedWithin, func() (bool, client.Observation) {
		w.close()
		return slices.ContainsFunc(w.other(name).Visits(), func(v target.RelayVisit) bool { return v.Taken }), nil
	})
	switch {
	case found:
		return outcome{}
	case o != nil:
		return passed(o)
	}
	return w.unlessUnreached("the other relay is not connected to within an hour")
}

// recordOther makes a fact of how a relay of ours was asked.
func (w *world) recordOther(name string) {
	visits, asked := w.other(name).Visits(), w.other(name).Asked()
	verbs := make(map[string]int)
	for _, m := range asked {
		verbs[m.Verb]++
	}
	var words []string
	for _, verb := range slices.Sorted(maps.Keys(verbs)) {
		if verb != "" {
			words = append(words, fmt.Sprintf("%d %s", verbs[verb], verb))
		}
	}
	var at []time.Duration
	for _, v := range visits[:min(len(visits), 10)] {
		at = append(at, v.At.Sub(w.elsewhere.since))
	}
	connections := "1 connection, which"
	if len(visits) != 1 {
		connections = fmt.Sprintf("%d connections, of which the first", len(visits))
	}
	fact := fmt.Sprintf("events of another relay: %s came after %s; %s", connections, seconds(at), strings.Join(words, ", "))
	w.note("%s", fact)
	w.run.mu.Lock()
	defer w.run.mu.Unlock()
	w.run.measured = append(w.run.measured, fact+" ("+w.check.ID+")")
}

// visitedAtMost judges how often a relay of ours was connected to, or tried.
func (w *world) visitedAtMost(name string, most int) outcome {
	if n := len(w.other(name).Visits()); n > most {
		return violated("the other relay was connected to, or tried, %d times, want at most %d", n, most)
	}
	return outcome{}
}

// askedAtMost judges how much a relay of ours was asked.
func (w *world) askedAtMost(name string, most int) outcome {
	if n := len(w.other(name).Asked()); n > most {
		return violated("the other relay was sent %d messages, want at most %d", n, most)
	}
	return outcome{}
}
