package cleanup_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/nbd-wtf/go-nostr"
	"github.com/nbd-wtf/go-nostr/nip19"

	"github.com/graspkit/graspkit/conformance/cleanup"
	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/ledger"
)

// A memory is a file that is none.
type memory struct{ bytes.Buffer }

func (*memory) Sync() error  { return nil }
func (*memory) Close() error { return nil }

var run = ledger.Run{Run: "0a1b2c3d", URL: "http://127.0.0.1:7000", Seed: "cleanup", Nonce: "n"}

// keyOf is a key of the run. Each is made once: a test asks for them at each event, and the race detector makes them dear.
func keyOf(name string) client.Key {
	if key, made := keys.Load(name); made {
		return key.(client.Key)
	}
	key := client.NewKey(client.Root(run.Seed, run.Nonce), name)
	keys.Store(name, key)
	return key
}

var keys sync.Map // of client.Key, by name

// many are the names of further keys.
var many = strings.Fields("b/owner c/owner d/owner e/owner f/owner g/owner h/owner")

// A writer writes to a ledger and to a fake, as a run does.
type writer struct {
	t    *testing.T
	file *memory
	list *ledger.Ledger
	fake *fake
	more []string // names of keys, beside the many
}

func newWriter(t *testing.T, f *fake) *writer {
	t.Helper()
	w := &writer{t: t, file: &memory{}, fake: f}
	var err error
	if w.list, err = ledger.New(w.file, run); err != nil {
		t.Fatal(err)
	}
	return w
}

// writes lists an event; taken puts it at the server.
func (w *writer) writes(ev *nostr.Event, named, taken bool) {
	w.t.Helper()
	npub, name := "", ""
	for _, who := range slices.Concat([]string{"a/owner", "a/author"}, many, w.more) {
		if named && keyOf(who).Pubkey == ev.PubKey {
			name = who
		}
	}
	w.list.Key(ledger.Key{Pubkey: ev.PubKey, Npub: npub, Name: name})
	e := ledger.Event{ID: ev.ID, Kind: ev.Kind, Pubkey: ev.PubKey, CreatedAt: int64(ev.CreatedAt), Identifier: ev.Tags.GetD(), Bytes: 1}
	if nostr.IsAddressableKind(ev.Kind) || nostr.IsReplaceableKind(ev.Kind) {
		e.Address = fmt.Sprintf("%d:%s:%s", ev.Kind, ev.PubKey, e.Identifier)
	}
	if ev.Kind == client.KindAnnouncement {
		owner, err := nip19.EncodePublicKey(ev.PubKey)
		if err != nil {
			w.t.Fatal(err)
		}
		path := "/" + owner + "/" + e.Identifier + ".git"
		e.Repository = run.URL + path
		w.fake.there[path] = taken
	}
	if err := errors.Join(w.list.Event(e), w.list.Answer(ev.ID, taken)); err != nil {
		w.t.Fatal(err)
	}
	if taken {
		w.fake.events[ev.ID] = ev
	}
}

func (w *writer) book() *ledger.Book {
	w.t.Helper()
	b, err := ledger.Read(bytes.NewReader(w.file.Bytes()))
	if err != nil {
		w.t.Fatal(err)
	}
	return b
}

// fill writes an announcement, its older version, two hundred and fifty notes, one of which was refused, and one that is dated ahead.
func (w *writer) fill() {
	owner, author, now := keyOf("a/owner"), keyOf("a/author"), w.fake.now.Unix()
	w.writes(client.Announce(owner, client.AnnounceOpts{Identifier: "gc-0a1b2c3d-1", CreatedAt: now}), true, true)
	w.writes(client.Announce(owner, client.AnnounceOpts{Identifier: "gc-0a1b2c3d-1", Name: "later", CreatedAt: now + 60}), true, true)
	forged := client.Note(author, nil, "forged", now)
	for _, id := range []string{strings.ToUpper(forged.ID), forged.ID[1:], "g" + forged.ID[1:]} {
		forged.ID = id
		w.writes(forged, true, false)
	}
	for i := range 250 {
		w.writes(client.Note(author, nil, fmt.Sprint(i), now), true, i != 7)
	}
}

func cleaned(t *testing.T, f *fake, b *ledger.Book, keys ...client.Key) *cleanup.Result {
	t.Helper()
	r, err := cleanup.Run(t.Context(), f, b, cleanup.Config{Keys: keys})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Everything goes by requests of at most a hundred targets, of the keys that wrote, with the kinds in them; they expire if they can.
func TestEverythingGoes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, document string
		requests, most int
		expire         bool
	}{
		{"as it may", `{"supported_nips":[1,9,40]}`, 4, 100, true},
		{"without expiration", `{"supported_nips":[9]}`, 4, 100, false},
		{"with few tags", `{"supported_nips":[9],"limitation":{"max_event_tags":42}}`, 14, 20, false},
		{"after a while", `{"supported_nips":[9]}`, 4, 100, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := newFake()
			f.document = test.document
			if test.name == "after a while" {
				f.limit = 1
			}
			w := newWriter(t, f)
			w.fill()
			r := cleaned(t, f, w.book())
			if !r.Clean() || len(f.events) > 0 || r.Events != 251 || r.Repositories != 1 || r.Requests != test.requests || r.Expire != test.expire {
				t.Errorf("got %+v, %d events left", r, len(f.events))
			}
			for i, ev := range f.requests {
				targets, kinds, expires := 0, 0, false
				for _, tag := range ev.Tags {
					switch tag[0] {
					case "e", "a":
						targets++
					case "k":
						kinds++
					case "expiration":
						expires = true
					}
				}
				if targets > test.most || kinds != 1 || expires != test.expire {
					t.Errorf("request %d: %d targets, %d kinds, expires %v", i, targets, kinds, expires)
				}
			}
			if last := f.requests[len(f.requests)-1]; last.PubKey != keyOf("a/owner").Pubkey {
				t.Error("the owner's announcement went before what refers to it")
			} else if last.CreatedAt < 1_790_000_060 {
				t.Errorf("the request is dated %d, before what it names by its address", last.CreatedAt)
			}
		})
	}
}

// One key has written more than a server remembers deletions of. What is served goes all the same: it is named first, what has an address by
// that alone, and who is told to slow down stops asking for what nobody sees.
func TestManyOfOneKey(t *testing.T) {
	t.Parallel()
	f := newFake()
	f.document, f.room = `{"supported_nips":[9]}`, 2500
	w := newWriter(t, f)
	key := keyOf("a/owner")
	for i := range 3000 { // two versions each, of which the later one is there
		for version := range 2 {
			ev := client.StateEvent(key, fmt.Sprintf("gc-%s-%d", run.Run, i/2), nil, "", int64(1_790_000_000+i*2+version))
			w.writes(ev, true, i%2 == 1 && version == 1)
		}
	}
	r := cleaned(t, f, w.book())
	if !r.Clean() || len(f.events) > 0 || f.asked != 15 {
		t.Errorf("got %+v, %d events left, %d requests sent, want 15: a hundredth of the addresses", r, len(f.events), f.asked)
	}
	f.room, f.asked, f.named = 1000, 0, make(map[string]int)
	if r = cleaned(t, f, w.book()); !r.Clean() || f.asked > 13 {
		t.Errorf("of what nobody sees: got %+v, %d requests sent, want no more than three behind the thousand that are remembered", r, f.asked)
	}
}

// A server that takes nothing more is not asked by every key in turn: each would wait for a minute.
func TestServerTakesNothingMore(t *testing.T) {
	t.Parallel()
	f := newFake()
	f.limit = 1 << 30
	w := newWriter(t, f)
	w.fill()
	for i := range many {
		w.writes(client.Build(keyOf(many[i]), client.KindIssue, nil, "", 1_790_000_000), true, true)
	}
	if r := cleaned(t, f, w.book()); r.Clean() || !strings.Contains(r.Refused, "slow down") || f.asked > 2*(2*vainAtMost) {
		t.Errorf("got %d left, refused by %q, %d requests sent", len(r.Kept), r.Refused, f.asked)
	}
}

// vainAtMost is how many keys in turn are refused before a round is over.
const vainAtMost = 3

// What stays is told, with the reason.
func TestWhatStaysIsTold(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		change   func(f *fake)
		listed   bool
		why      string
		requests int
	}{
		{"no NIP-09, and no effect", func(f *fake) { f.document, f.heeds = `{"supported_nips":[1]}`, false }, false, "asked to delete", 3},
		{"no document, and refused", func(f *fake) { f.document, f.refusal, f.heeds = ``, "blocked: no such kind here", false }, false, "no such kind here", 0},
		{"listed, and nothing done", func(f *fake) { f.heeds = false }, true, "asked to delete", 8},
		{"listed, and refused", func(f *fake) { f.refusal, f.heeds = "blocked: not you", false }, true, "not you", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := newFake()
			test.change(f)
			w := newWriter(t, f)
			w.fill()
			r := cleaned(t, f, w.book())
			if r.Clean() || len(r.Kept) != 251 || r.Listed != test.listed || len(r.Left) != 1 || len(f.requests) != test.requests {
				t.Fatalf("got %d kept, %q, listed %v, %d requests", len(r.Kept), r.Left, r.Listed, len(f.requests))
			}
			if !strings.Contains(r.Kept[0].Why, test.why) || !strings.Contains(r.Left[0], "gc-0a1b2c3d-1.git (") {
				t.Errorf("got %q and %q", r.Kept[0].Why, r.Left[0])
			}
		})
	}
}

// A server that does what it does not list is asked for all.
func TestUnlistedAndHeeded(t *testing.T) {
	t.Parallel()
	f := newFake()
	f.document = `{"supported_nips":[1]}`
	w := newWriter(t, f)
	w.fill()
	if r := cleaned(t, f, w.book()); !r.Clean() || len(f.events) > 0 {
		t.Errorf("got %+v, %d events left", r, len(f.events))
	}
}

// What keys of the tester wrote goes with these keys alone, and what else they have at an address stays.
func TestKeysThatWereGiven(t *testing.T) {
	t.Parallel()
	f := newFake()
	w := newWriter(t, f)
	mine, now := client.NewKey("given", "me"), f.now.Unix()
	other := client.Build(mine, 10002, nil, "my own", now-9)
	f.events[other.ID] = other
	w.writes(client.Build(mine, 10002, nil, "the run's", now), false, true)
	w.writes(client.Build(mine, client.KindArticle, [][]string{{"d", "gc-0a1b2c3d-1"}}, "", now), false, true)
	without := cleaned(t, f, w.book())
	if without.NoKey != 2 || len(without.Kept) != 2 || without.Kept[0].Why != "its key is not here" {
		t.Errorf("without the key: got %+v", without)
	}
	with := cleaned(t, f, w.book(), mine)
	if !with.Clean() || f.events[other.ID] == nil || len(f.events) != 1 {
		t.Errorf("with the key: got %+v, left %v", with, f.events)
	}
	if !slices.ContainsFunc(f.requests[0].Tags, func(tag nostr.Tag) bool { return tag[0] == "a" }) {
		t.Error("the address of the run is not named")
	}
}

// A key that does not follow from what the ledger says signs nothing.
func TestForgedLedger(t *testing.T) {
	t.Parallel()
	f := newFake()
	w := newWriter(t, f)
	stranger := client.Note(client.NewKey("somebody", "else"), nil, "", 1)
	w.list.Key(ledger.Key{Pubkey: stranger.PubKey, Name: "a/owner"})
	w.writes(stranger, false, true)
	if r := cleaned(t, f, w.book()); len(r.Kept) != 1 || len(f.requests) != 0 {
		t.Errorf("got %+v, %d requests", r, len(f.requests))
	}
}

// A full is a disk with room for nothing but the first line.
type full struct{ memory }

func (f *full) Write(p []byte) (int, error) {
	if f.Len() > 0 {
		return 0, errors.New("no space left")
	}
	return f.memory.Write(p)
}

// Where the requests cannot be listed they are sent all the same.
func TestNoRoomForTheLedger(t *testing.T) {
	t.Parallel()
	f := newFake()
	w := newWriter(t, f)
	w.fill()
	list, err := ledger.New(&full{}, run)
	if err != nil {
		t.Fatal(err)
	}
	r, err := cleanup.Run(t.Context(), f, w.book(), cleanup.Config{Ledger: list})
	if err != nil || !r.Clean() || len(f.events) > 0 {
		t.Errorf("got %+v, %v, %d events left", r, err, len(f.events))
	}
}

func TestUnreachable(t *testing.T) {
	t.Parallel()
	f := newFake()
	w := newWriter(t, f)
	w.fill()
	f.silent = true
	if r, err := cleanup.Run(t.Context(), f, w.book(), cleanup.Config{}); !errors.Is(err, cleanup.ErrUnreachable) {
		t.Errorf("got %+v, %v", r, err)
	}
}
