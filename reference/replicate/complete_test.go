package replicate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"
	"pgregory.net/rapid"

	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/replicate"
	"github.com/graspkit/graspkit/reference/repo"
)

// accepts is a policy in small: what an event needs must be there. Deletions and lists need nothing.
func (w *world) accepts(ev *nostr.Event) bool {
	switch ev.Kind {
	case 5, 10317:
		return true
	case 30617:
		return true
	case 30618:
		return w.announced(func(a *nostr.Event) bool { return a.Tags.GetD() == ev.Tags.GetD() })
	}
	for _, tag := range ev.Tags {
		known := w.have[tag[1]]
		if known != nil && known.Kind != 5 && known.Kind != 10317 || w.announced(func(a *nostr.Event) bool { return coordinate(a) == tag[1] }) {
			return true
		}
	}
	return false
}

func (w *world) announced(such func(*nostr.Event) bool) bool {
	for _, ev := range w.have {
		if ev.Kind == 30617 && such(ev) {
			return true
		}
	}
	return false
}

func coordinate(a *nostr.Event) string {
	return repo.ID{Owner: repo.PubKey(a.PubKey), Identifier: a.Tags.GetD()}.Coordinate()
}

// owed lists the events of a relay that a server must have that has what it has: those of the layers.
func (w *world) owed(url string, f *fake) []*nostr.Event {
	var identifiers, coordinates, roots, writers []string
	for _, a := range w.have {
		if a.Kind == 30617 && slices.ContainsFunc(a.Tags, func(tag nostr.Tag) bool { return tag[0] == "relays" && slices.Contains(tag[1:], url) }) {
			identifiers, coordinates = append(identifiers, a.Tags.GetD()), append(coordinates, coordinate(a))
			writers = append(writers, a.PubKey)
		}
	}
	for _, ev := range w.have {
		if ev.Kind == 5 || ev.Kind == 10317 {
			continue
		}
		for _, tag := range ev.Tags {
			if (tag[0] == "a" || tag[0] == "A") && slices.Contains(coordinates, tag[1]) {
				writers = append(writers, ev.PubKey)
				if ev.Kind == 1621 {
					roots = append(roots, ev.ID)
				}
			}
		}
	}
	var list []*nostr.Event
	for _, ev := range f.events {
		owed := ev.Kind == 30617 || ev.Kind == 10317 || ev.Kind == 30618 && slices.Contains(identifiers, ev.Tags.GetD()) ||
			ev.Kind == 5 && slices.Contains(writers, ev.PubKey)
		for _, tag := range ev.Tags {
			owed = owed || slices.Contains([]string{"a", "A", "q"}, tag[0]) && slices.Contains(coordinates, tag[1]) ||
				slices.Contains([]string{"e", "E", "q"}, tag[0]) && slices.Contains(roots, tag[1])
		}
		if owed && w.accepts(ev) {
			list = append(list, ev)
		}
	}
	return list
}

// Whatever is published where and when, in whatever order and through whatever outages of whatever relays: what a relay has
// and the server wants comes to the server, and what was refused does not come again and again.
func TestWhateverHappensEverythingComes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		urls := []string{"ws://one.test", "ws://two.test/base", "wss://three.test"}
		w := newWorld(t, replicate.Config{
			Bootstrap: urls[:1], LiveMax: rapid.SampledFrom([]int{0, 3}).Draw(rt, "live"), ValuesMax: rapid.SampledFrom([]int{0, 2}).Draw(rt, "values"),
			Seed: 7,
		})
		w.refuses = func(ev *nostr.Event) (bool, bool) { return !w.accepts(ev), true }
		for _, url := range urls {
			f := w.relay(url)
			f.plain = rapid.Bool().Draw(rt, "plain")
			f.page = rapid.SampledFrom([]int{500, 5}).Draw(rt, "page")
			f.down = url != urls[0] && rapid.Bool().Draw(rt, "down")
		}
		w.m.Start(w.now)
		var all []*nostr.Event
		n := 0
		publish := func(ev *nostr.Event) {
			all = append(all, ev)
			for _, url := range urls {
				if rapid.Bool().Draw(rt, "there") {
					w.publish(w.relays[url], ev)
				}
			}
		}
		created := func() int64 { return int64(w.now)/int64(time.Second) - rapid.Int64Range(0, 7200).Draw(rt, "earlier") }
		name := func(kind string) string { n++; return fmt.Sprintf("%s%d", kind, n) }
		some := func() string {
			if len(all) == 0 {
				return idOf("none")
			}
			return rapid.SampledFrom(all).Draw(rt, "event").ID
		}
		elapsed := time.Duration(0)
		for range rapid.IntRange(1, 40).Draw(rt, "steps") {
			identifier := rapid.SampledFrom([]string{"x", "y"}).Draw(rt, "identifier")
			letter := rapid.SampledFrom([]string{"e", "E", "q"}).Draw(rt, "letter")
			switch rapid.IntRange(0, 8).Draw(rt, "what") {
			case 0:
				a := announcement(name("a"), identifier, rapid.SliceOfNDistinct(rapid.SampledFrom(urls), 1, 3, rapid.ID).Draw(rt, "relays")...)
				a.PubKey = strings.Repeat(rapid.SampledFrom([]string{"ab", "cd"}).Draw(rt, "owner"), 32)
				if !slices.ContainsFunc(all, func(ev *nostr.Event) bool { return ev.Kind == 30617 && coordinate(ev) == coordinate(a) }) {
					publish(a)
				}
			case 1:
				publish(event(name("state"), 30618, created(), nostr.Tag{"d", identifier}))
			case 2:
				publish(event(name("issue"), 1621, created(), about(identifier)))
			case 3:
				publish(event(name("note"), 1111, created(), nostr.Tag{letter, some()}))
			case 4:
				publish(event(name("deletion"), 5, created(), nostr.Tag{"e", some()}))
			case 5:
				f := w.relays[rapid.SampledFrom(urls).Draw(rt, "falls")]
				f.down = true
				if f.peer != 0 {
					w.drop(f)
				}
			case 6:
				w.relays[rapid.SampledFrom(urls).Draw(rt, "stands")].down = false
			case 7:
				f := w.relays[rapid.SampledFrom(urls).Draw(rt, "mute")]
				f.mute = !f.mute
			}
			elapsed += rapid.SampledFrom([]time.Duration{0, time.Second, time.Minute, 20 * time.Minute, 5 * time.Hour}).Draw(rt, "pause")
			w.until(elapsed)
		}
		for _, f := range w.relays {
			f.down, f.mute = false, false
		}
		w.until(elapsed + 30*time.Hour)
		for _, url := range urls {
			for _, ev := range w.owed(url, w.relays[url]) {
				if w.have[ev.ID] == nil && w.m.Knows(url) {
					rt.Errorf("%s has %s of kind %d, and it did not come", url, ev.ID[:24], ev.Kind)
				}
			}
			f := w.relays[url]
			if len(f.said) > 20_000 {
				rt.Errorf("%s was asked %d times", url, len(f.said))
			}
			subs := map[string]bool{}
			for _, msg := range f.said {
				if req, is := msg.(relay.Req); is {
					if subs[req.Sub] && !strings.HasPrefix(req.Sub, "p") { // the one that asks whether the relay is there is asked again as it is
						rt.Errorf("%s: subscription %s was opened twice", url, req.Sub)
					}
					subs[req.Sub] = true
				}
			}
		}
	})
}
