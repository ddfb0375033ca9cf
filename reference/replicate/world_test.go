package replicate_test

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/negentropy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/replicate"
	"github.com/graspkit/graspkit/reference/repo"
)

const start = instant.Instant(1_767_225_600 * int64(time.Second))

var owner = repo.PubKey(strings.Repeat("ab", 32))

// idOf makes an id of a name.
func idOf(name string) string { return fmt.Sprintf("%064x", name)[:64] }

func event(name string, kind int, created int64, tags ...nostr.Tag) *nostr.Event {
	return &nostr.Event{ID: idOf(name), PubKey: string(owner), Kind: kind, CreatedAt: nostr.Timestamp(created), Tags: tags}
}

func announcement(name, identifier string, relays ...string) *nostr.Event {
	clone := nostr.Tag{"clone"}
	for _, r := range relays {
		clone = append(clone, strings.Replace(r, "ws", "http", 1)+"/"+owner.Npub()+"/"+identifier+".git")
	}
	return event(name, 30617, 1000, nostr.Tag{"d", identifier}, clone, append(nostr.Tag{"relays"}, relays...))
}

func about(identifier string) nostr.Tag {
	return nostr.Tag{"a", repo.ID{Owner: owner, Identifier: identifier}.Coordinate()}
}

// A world is a machine, the events that its server has, and relays that it may connect to.
type world struct {
	t       testing.TB
	m       *replicate.Machine
	now     instant.Instant
	have    map[string]*nostr.Event
	refuses func(ev *nostr.Event) (refused, waits bool)
	shadows func() bool    // a newer announcement is held
	passing map[string]int // ids of events that are refused so often for a reason that passes
	relays  map[string]*fake
	dialed  map[replicate.PeerID]*fake
	taken   []string
	told    []replicate.Told
	dials   map[string][]time.Duration // when, by URL
}

// A fake is a relay that answers at once.
type fake struct {
	events    []*nostr.Event
	plain     bool // without NIP-77
	unended   bool // without EOSE
	page      int  // events of an answer, at most
	down      bool
	hangs     bool // no attempt at a connection ends
	mute      bool
	clings    bool            // the end of a connection that is hung up is never told
	forges    map[string]bool // ids of events that it sends with a signature that does not fit
	peer      replicate.PeerID
	said      []relay.ClientMessage
	saidAt    []time.Duration
	subs      map[string][]relay.Filter
	sets      map[string]*negentropy.Set
	sent      map[string]int
	heard     int                                             // bytes that it said
	answering func(relay.ClientMessage) []relay.ServerMessage // in place of its own answer; nil for that
	door      *door                                           // nil if it is open
}

// A door is what a relay has that sends a challenge.
type door struct {
	open  bool // it answers anybody all the same
	lets  bool // it lets us in
	in    bool // it has
	asked int  // authentications
}

func newWorld(t testing.TB, cfg replicate.Config) *world {
	w := &world{
		t: t, now: start, have: map[string]*nostr.Event{}, relays: map[string]*fake{}, dialed: map[replicate.PeerID]*fake{},
		dials:   map[string][]time.Duration{},
		refuses: func(*nostr.Event) (bool, bool) { return false, false }, shadows: func() bool { return false },
	}
	cfg.Own = repo.Service{Host: "own.test"}
	w.m = replicate.New(cfg, w)
	return w
}

func (w *world) relay(url string, events ...*nostr.Event) *fake {
	f := &fake{events: events, page: 500, subs: map[string][]relay.Filter{}, sets: map[string]*negentropy.Set{}, sent: map[string]int{}}
	w.relays[url] = f
	return f
}

// Has implements replicate.Holdings.
func (w *world) Has(id string) bool { return w.have[id] != nil }

// Items implements replicate.Holdings.
func (w *world) Items(m *relay.Matcher) ([]negentropy.Item, bool) {
	var items []negentropy.Item
	for _, ev := range w.have {
		if m.Matches(ev) {
			items = append(items, item(ev))
		}
	}
	return items, true
}

func item(ev *nostr.Event) negentropy.Item {
	it := negentropy.Item{Time: uint64(ev.CreatedAt)}
	if _, err := hex.Decode(it.ID[:], []byte(ev.ID)); err != nil {
		panic(err)
	}
	return it
}

// store puts an event into the server.
func (w *world) store(ev *nostr.Event) {
	w.have[ev.ID] = ev
	if ev.Kind == 30617 {
		w.m.Announced(w.now, repo.ID{Owner: repo.PubKey(ev.PubKey), Identifier: ev.Tags.GetD()}, ev, true)
	}
	w.m.Stored(w.now, ev)
	w.m.Comes(w.now, ev, true)
}

// until goes on to an instant.
func (w *world) until(d time.Duration) {
	end := start.Add(d)
	w.settle()
	for {
		at, ok := w.m.Deadline()
		if !ok || at > end {
			break
		}
		w.now = max(w.now, at)
		w.m.Due(w.now)
		w.settle()
	}
	w.now = end
}

// settle carries orders out until there are none.
func (w *world) settle() {
	for range 1_000_000 {
		o, ok := w.m.Next()
		if !ok {
			return
		}
		switch o := o.(type) {
		case replicate.Dial:
			f := w.relays[o.URL]
			w.dials[o.URL] = append(w.dials[o.URL], w.now.Sub(start))
			if f != nil && f.hangs {
				continue
			}
			if f == nil || f.down {
				w.m.Closed(w.now, o.Peer, replicate.Unreachable)
				continue
			}
			f.peer, w.dialed[o.Peer] = o.Peer, f
			clear(f.subs)
			w.m.Opened(w.now, o.Peer)
			if f.door != nil {
				f.door.in = false
				w.m.Said(w.now, o.Peer, relay.Challenge{Text: "sesame"}, false)
			}
		case replicate.Authenticate:
			if f := w.dialed[o.Peer]; f != nil && f.peer == o.Peer && f.door != nil {
				f.door.in = f.door.lets && o.Challenge == "sesame"
				f.door.asked++
				w.m.Said(w.now, o.Peer, relay.OK{ID: idOf("proof"), Accepted: f.door.in, Text: "restricted: members only"}, false)
			}
		case replicate.HangUp:
			f := w.dialed[o.Peer]
			if f != nil && f.peer == o.Peer {
				f.peer = 0
			}
			if f != nil && f.clings {
				continue
			}
			w.m.Closed(w.now, o.Peer, replicate.NoFailure)
		case replicate.Send:
			f := w.dialed[o.Peer]
			if f == nil || f.peer != o.Peer || f.mute {
				continue
			}
			f.said, f.saidAt = append(f.said, o.Msg), append(f.saidAt, w.now.Sub(start))
			for _, msg := range f.answer(o.Msg) {
				f.heard += len(relay.Encode(msg))
				sent, is := msg.(relay.EventFor)
				w.m.Said(w.now, o.Peer, msg, !is || !f.forges[sent.Event.ID])
			}
		case replicate.Take:
			w.taken = append(w.taken, o.Event.ID)
			if w.passing[o.Event.ID] > 0 {
				w.passing[o.Event.ID]--
				w.m.Passing(w.now, o.Event, o.From)
				continue
			}
			if w.shadows() {
				w.m.Shadowed(w.now, o.Event, o.From)
				continue
			}
			if refused, waits := w.refuses(o.Event); refused {
				w.m.Refused(w.now, o.Event, o.From, waits)
				continue
			}
			w.store(o.Event)
		case replicate.Told:
			w.told = append(w.told, o)
		}
	}
	w.t.Fatal("there is no end of orders")
}

// publish gives a relay an event, which goes to who listens.
func (w *world) publish(f *fake, ev *nostr.Event) {
	f.events = append(f.events, ev)
	if f.peer == 0 || f.mute {
		return
	}
	for sub, filters := range f.subs {
		if slices.ContainsFunc(filters, func(f relay.Filter) bool { return f.Compile().Matches(ev) }) {
			w.m.Said(w.now, f.peer, relay.EventFor{Sub: sub, Event: ev}, true)
		}
	}
	w.settle()
}

// drop ends the connection to a relay.
func (w *world) drop(f *fake) {
	peer := f.peer
	f.peer = 0
	w.m.Closed(w.now, peer, replicate.Unreachable)
	w.settle()
}

func (f *fake) answer(msg relay.ClientMessage) []relay.ServerMessage {
	if f.answering != nil {
		if own := f.answering(msg); own != nil {
			return own
		}
	}
	if req, is := msg.(relay.Req); is && f.door != nil && !f.door.open && !f.door.in {
		return []relay.ServerMessage{relay.Closed{Sub: req.Sub, Text: "auth-required: members only"}}
	}
	switch m := msg.(type) {
	case relay.Req:
		f.subs[m.Sub] = m.Filters
		var out []relay.ServerMessage
		for _, filter := range m.Filters {
			matching := f.matching(filter)
			n := min(len(matching), f.page)
			if filter.Limit != nil {
				n = min(n, *filter.Limit)
			}
			for _, ev := range matching[:n] {
				f.sent[ev.ID]++
				out = append(out, relay.EventFor{Sub: m.Sub, Event: ev})
			}
		}
		if f.unended {
			return out
		}
		return append(out, relay.EOSE{Sub: m.Sub})
	case relay.Close:
		delete(f.subs, m.Sub)
	case relay.NegOpen:
		if f.plain {
			return []relay.ServerMessage{relay.Notice{Text: "ERROR: bad msg: unknown envelope NEG-OPEN"}}
		}
		var items []negentropy.Item
		for _, ev := range f.matching(m.Filter) {
			items = append(items, item(ev))
		}
		f.sets[m.Sub] = negentropy.NewSet(items)
		return f.reconcile(m.Sub, m.Message)
	case relay.NegMessage:
		return f.reconcile(m.Sub, m.Message)
	}
	return nil
}

func (f *fake) reconcile(sub string, message []byte) []relay.ServerMessage {
	answer, err := f.sets[sub].Reconcile(message, 60_000)
	if err != nil {
		return []relay.ServerMessage{relay.NegError{Sub: sub, Text: "invalid: " + err.Error()}}
	}
	return []relay.ServerMessage{relay.NegAnswer{Sub: sub, Message: answer}}
}

func (f *fake) matching(filter relay.Filter) []*nostr.Event {
	var list []*nostr.Event
	m := filter.Compile()
	for _, ev := range f.events {
		if m.Matches(ev) {
			list = append(list, ev)
		}
	}
	slices.SortFunc(list, func(a, b *nostr.Event) int {
		return cmp.Or(cmp.Compare(b.CreatedAt, a.CreatedAt), strings.Compare(a.ID, b.ID))
	})
	return list
}

// reqs counts requests for the past, and live ones.
func (f *fake) reqs() (past, live int) {
	for _, msg := range f.said {
		if m, is := msg.(relay.Req); is {
			if l := m.Filters[0].Limit; l != nil && *l == 0 {
				live++
			} else {
				past++
			}
		}
	}
	return past, live
}
