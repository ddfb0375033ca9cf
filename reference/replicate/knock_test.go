package replicate_test

import (
	"strings"
	"testing"
	"time"

	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/replicate"
)

// asked is everything that a relay was asked, as text.
func (f *fake) asked() string {
	var text strings.Builder
	for _, msg := range f.said {
		text.Write(relay.EncodeClient(msg))
	}
	return text.String()
}

// A private service asks about repositories only where strangers are refused and it is let in. A public relay hears nothing but a
// question for an event that nobody has, whatever challenge it sends (G08-10).
func TestPrivateAsksPrivateOnly(t *testing.T) {
	w := newWorld(t, replicate.Config{Private: true, Identity: true})
	issue := event("issue", 1621, 2000, about("demo"))
	doors := map[string]*door{
		"wss://private.test": {lets: true}, "wss://stranger.test": {}, "wss://public.test": nil, "wss://asks.test": {open: true},
	}
	urls := make([]string, 0, len(doors))
	for url, d := range doors {
		w.relay(url, announcement("a1", "other"), issue).door = d
		urls = append(urls, url)
	}
	w.m.Start(w.now)
	w.store(announcement("a0", "demo", urls...))
	w.until(time.Minute)
	if w.have[issue.ID] == nil || doors["wss://private.test"].asked != 1 || doors["wss://asks.test"].asked != 0 {
		t.Errorf("the private relay was asked for who we are %d times, and its event came: %v", doors["wss://private.test"].asked, w.have[issue.ID] != nil)
	}
	for url := range doors {
		asked := w.relays[url].asked()
		if named := strings.Contains(asked, "demo") || strings.Contains(asked, string(owner)) || strings.Contains(asked, "kinds"); named != (url == "wss://private.test") {
			t.Errorf("%s was asked %s", url, asked)
		}
	}
	first := len(w.dials["wss://public.test"])
	w.until(11 * time.Hour)
	if got := len(w.dials["wss://public.test"]); got != first {
		t.Errorf("a public relay: dialed %d times, want it left alone for half a day", got)
	}
	if tried := len(w.dials["wss://stranger.test"]); tried < 10 {
		t.Errorf("a service that does not know us: dialed %d times, want it tried on and on, for it may come to know us", tried)
	}
	doors["wss://stranger.test"].lets = true
	w.until(13 * time.Hour)
	if asked := w.relays["wss://stranger.test"].asked(); !strings.Contains(asked, "demo") {
		t.Errorf("once it knows us: got %s, want it asked", asked)
	}
}

// What says nothing where we knock is left by a private service; a public one that may authenticate goes on as any other.
func TestKnockHasAnEnd(t *testing.T) {
	for _, private := range []bool{false, true} {
		w := newWorld(t, replicate.Config{Private: private, Identity: true})
		f := w.relay("wss://mute.test")
		f.unended = true
		w.m.Start(w.now)
		w.store(announcement("a0", "demo", "wss://mute.test"))
		w.until(replicate.Answer + 20*time.Second)
		if named := strings.Contains(f.asked(), "demo"); named == private {
			t.Errorf("private %v: a relay that ends no answer was asked %s", private, f.asked())
		}
	}
}

// A public service that has a key is let in where it has to authenticate, and asks all others as ever; after a while apart, too.
func TestIdentityIsShownWhereItIsAskedFor(t *testing.T) {
	w := newWorld(t, replicate.Config{Identity: true})
	issue, later := event("issue", 1621, 2000, about("demo")), event("later", 1621, 3000, about("demo"))
	private, public := w.relay("wss://private.test", issue), w.relay("wss://public.test")
	private.door, public.door = &door{lets: true}, &door{open: true}
	w.m.Start(w.now)
	w.store(announcement("a0", "demo", "wss://private.test", "wss://public.test"))
	w.until(time.Minute)
	if w.have[issue.ID] == nil || private.door.asked != 1 || public.door.asked != 0 || !strings.Contains(public.asked(), "demo") {
		t.Errorf("got %+v, %+v, and what the public one was asked is %s", *private.door, *public.door, public.asked())
	}
	w.drop(private)
	private.events = append(private.events, later)
	w.until(3 * time.Minute)
	if w.have[later.ID] == nil || private.door.asked != 2 {
		t.Errorf("after a gap: got %+v, want it let in again and what came meanwhile", *private.door)
	}
}
