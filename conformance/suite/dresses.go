package suite

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// A dress is what an event has beside what its kind asks for, as clients write it: whoever looks at one part of an event too closely treats
// those unlike others that have it.
type dress struct {
	name    string
	content string
	tags    [][]string
	older   time.Duration // than the others
}

// A dressing is what a check knows of events in every dress beside the events.
type dressing struct {
	names  []string       // of their dresses
	former []*nostr.Event // the versions that they have replaced
	anew   func() outcome // signs a further version of each
	times  int            // how often they were signed
	worn   dress          // by announcements and states that are signed now
}

// dresses are those in which a check posts events: together they have each form of content, tag, value and date that clients write.
func (w *world) dresses() []dress {
	hint, owner, stranger := w.client.RelayURL(), w.key("owner").Pubkey, w.key("stranger").Pubkey
	const commit = "1111111111111111111111111111111111111111"
	crowd := make([][]string, 60)
	for i := range crowd {
		crowd[i] = []string{"x-" + strings.Repeat("i", i%7+1), "v", strings.Repeat("w", i%3)}
	}
	work := [][]string{{"x", strings.Repeat("0123456789ABCDEF", 4)}}
	if w.run.facts.work == 0 { // else whoever builds the event puts a nonce into it
		work = append(work, []string{"nonce", "776797", "0"})
	}
	return []dress{
		{"bare", "", nil, 0},
		{"prose", "  A title\r\n\n\tand " + strings.Repeat("what there is to say. ", 60) + "\n ", [][]string{{"subject", strings.Repeat("long ", 30)}, {"alt", "an issue"}}, 0},
		{
			"quoted", `{"kind":1621,"tags":[["d","\\n \" \/"]]} <b>&amp;</b> https://one.example.invalid/?a=b&c=%20#d`,
			[][]string{{"subject", `"so", he said: C:\new\table`}, {"labels", "a,b;c"}, {"summary", "one\ntwo\r\n\tthree"}},
			0,
		},
		{"foreign", "größe, 日本語, 👩‍👩‍👧 🚀", [][]string{{"subject", "größe 🚀"}, {"tëxt", "日本語"}}, 0},
		{"crowd", "many tags", crowd, 0},
		{"odd", "tags of many forms", [][]string{{"alone"}, {"five", "a", "b", "c", "d", "e"}, {"Z", "z"}, {"ALT", "x"}, {"subject", ""}}, 0},
		{
			"people", "to several, in a thread",
			[][]string{
				{"p", owner},
				{"p", stranger, hint, "name"},
				{"q", unknownID, hint, owner},
				{"e", unknownID, hint, "root"},
				{"e", strings.Repeat("4567", 16), "", "reply", owner},
			},
			0,
		},
		{"linked", "to commits, a day ago", [][]string{{"a", "30617:" + stranger + ":elsewhere", hint}, {"c", commit}, {"r", commit, "euc"}, {"description", strings.Repeat("x", 1200)}}, 24 * time.Hour},
		{"worked", "with work, a minute ago", work, time.Minute},
	}
}

// dressedIdentifiers are what an identifier may be; those of more articles are like others.
func (w *world) dressedIdentifiers() []string {
	return []string{
		"7", "", "-A_b.c", "größe %2f", "a:b+c.git", w.identifier + strings.Repeat("-and-on", 10),
	}
}

// manyKinds are those in which a check posts what refers to a repository; who keeps some of them in another place treats them unlike others.
func manyKinds() []int {
	return []int{client.KindIssue, client.KindNote, client.KindPatch, 1985, 30078, 7, 1630, 1631, 1632}
}

// signDressed signs events that refer to the lighthouse, and sends none: issues in each dress, articles in each dress and with identifiers of
// every form, or events of many kinds.
func (w *world) signDressed(what, actor string, further ...[]string) outcome {
	return w.needLighthouse().then(func() outcome {
		w.sent.posted, w.sent.dressing.names = nil, nil
		w.sent.dressing.anew = func() outcome { return w.signDressed(what, actor, further...) }
		w.sent.dressing.times++
		for i, d := range w.dresses() {
			kind, identifier := client.KindIssue, ""
			tags := append([][]string{{"a", w.run.lighthouse.address}, {"t", w.topic("dressed")}}, further...)
			switch what {
			case "articles":
				kind, identifier = client.KindArticle, d.name
				if all := w.dressedIdentifiers(); i < len(all) {
					identifier = all[i]
				}
			case "events of many kinds":
				kind, identifier, d = manyKinds()[i], d.name, dress{name: fmt.Sprint(manyKinds()[i]), content: "a kind of its own"}
			}
			if nostr.IsAddressableKind(kind) {
				tags = append(tags, []string{"d", identifier})
			}
			content := d.content + strings.Repeat(" once more", w.sent.dressing.times-1)
			ev := client.Build(w.key(actor), kind, slices.Concat(tags, d.tags, w.markers()), content, w.tick()-int64(d.older.Seconds()))
			w.remember("issue", d.name, ev)
			w.sent.posted, w.sent.dressing.names = append(w.sent.posted, ev), append(w.sent.dressing.names, d.name)
		}
		return outcome{}
	})
}

// sendDressed publishes what was signed. What is refused is no part of what follows: a relay may have its reasons for one or the other.
func (w *world) sendDressed() outcome {
	var posted []*nostr.Event
	var names []string
	for i, ev := range w.sent.posted {
		if out := w.publish(ev); !out.held() {
			return out
		}
		late := w.sent.expires > 0 && w.run.target.Now().Unix() >= w.sent.expires
		if reason, refused := client.Refusal(w.sent.answer); refused && (len(posted) > 0 || late) {
			w.note("%s %q is refused: %s", describe(ev), w.sent.dressing.names[i], reason)
			continue
		}
		if out := w.accepted(); !out.held() {
			return out
		}
		posted, names = append(posted, ev), append(names, w.sent.dressing.names[i])
	}
	if len(posted) == 0 {
		return inconclusive("events that expire", w.sent.answer)
	}
	w.sent.posted, w.sent.dressing.names = posted, names
	for i := range w.relay.followed { // which were to get all of them
		f := &w.relay.followed[i]
		f.want = slices.DeleteFunc(slices.Clone(f.want), func(name string) bool { return !slices.Contains(names, name) })
	}
	return outcome{}
}

// allOfThem stands in tables for every one of them that was taken.
const allOfThem = "all of them"

// named reads a list of names.
func (w *world) named(list string) []string {
	if list == allOfThem {
		return w.sent.dressing.names
	}
	return names(list)
}

// dressedTable is what the state of a repository in some dress says.
func dressedTable() [][]string { return [][]string{{"refs/heads/main", "first"}} }

// announceDressed announces a repository of the owner for each dress and publishes its state, both of them in that dress. An announcement
// that is refused for what it wears is left out.
func (w *world) announceDressed() outcome {
	defer func() { w.sent.dressing.worn = dress{} }()
	for i, d := range w.dresses() {
		w.sent.dressing.worn = d
		out := w.announce(announcing{actor: "owner", repo: d.name})
		if reason, refused := client.Refusal(w.sent.answer); out.held() && refused && i > 0 {
			w.note("the announcement %q is refused: %s", d.name, reason)
			continue
		}
		announced := w.sent.last
		out = out.then(w.accepted).then(func() outcome {
			return w.publishState(whose("owner", d.name), d.name, w.tick(), dressedTable())
		}).then(w.accepted)
		if !out.held() {
			out.reason = quote(d.name) + ": " + out.reason
			return out
		}
		w.sent.posted = append(w.sent.posted, announced, w.sent.last)
		w.sent.dressing.names = append(w.sent.dressing.names, d.name, d.name)
	}
	return outcome{}
}

// noneServed judges of several events what notServed does of one, behind one barrier.
func (w *world) noneServed(events []*nostr.Event, never bool) outcome {
	fresh, out := w.barrier()
	if !out.held() {
		return out
	}
	defer fresh.Close()
	for _, ev := range events {
		if out := w.notServedBehind(fresh, ev, never); !out.held() {
			return out
		}
	}
	return outcome{}
}
