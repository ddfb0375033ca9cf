package ledger_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/conformance/ledger"
)

var first = ledger.Run{Run: "0a1b2c3d", URL: "http://127.0.0.1:7334", Seed: "s", Nonce: "n", Started: time.Unix(1_700_000_000, 0).UTC()}

// What is written is read back, a key once and in front of its first event, and keys without an event not at all.
func TestThereAndBack(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger")
	l, err := ledger.Create(path, first)
	if err != nil {
		t.Fatal(err)
	}
	l.Key(ledger.Key{Pubkey: "aa", Npub: "npub1aa", Name: "G01-ANN-01/owner", Again: true})
	l.Key(ledger.Key{Pubkey: "bb", Npub: "npub1bb", Name: "nobody"})
	announced := ledger.Event{ID: "01", Kind: 30617, Pubkey: "aa", CreatedAt: 7, Identifier: "x", Address: "30617:aa:x", Repository: "http://h/npub1aa/x.git", Bytes: 300}
	for range 2 {
		if err := l.Event(announced); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(l.Push(ledger.Push{Repository: announced.Repository, Bytes: 70}), l.Answer("01", false), l.Answer("01", true), l.Close()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), `"type":"key"`); n != 1 {
		t.Errorf("lines of keys: got %d, want 1\n%s", n, text)
	}
	again, err := ledger.Append(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(again.Event(ledger.Event{ID: "02", Kind: 5, Pubkey: "aa"}), again.Close()); err != nil {
		t.Fatal(err)
	}
	b, err := ledger.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	announced.Type = ledger.TypeEvent
	want := []ledger.Event{announced, {Type: ledger.TypeEvent, ID: "02", Kind: 5, Pubkey: "aa"}}
	if diff := cmp.Diff(want, b.Events); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	if b.Run.Nonce != "n" || b.Keys["aa"].Name != "G01-ANN-01/owner" || !b.Keys["aa"].Again || b.Pushes[announced.Repository] != 1 || !b.Taken["01"] || b.Refused("01") || b.Bytes != 670 || b.Cut != 0 {
		t.Errorf("got %+v", b)
	}
	if _, err := ledger.Create(path, first); !errors.Is(err, os.ErrExist) {
		t.Errorf("a ledger in place of another: got %v, want %v", err, os.ErrExist)
	}
}

// The last line of a run that was killed may be a part of one. What stands before it counts.
func TestCutShort(t *testing.T) {
	t.Parallel()
	const head = `{"type":"run","schema":"graspkit.ledger/1","run":"x","url":"u","seed":"s","nonce":""}` + "\n"
	const event = `{"type":"event","id":"01","kind":1,"pubkey":"aa","created_at":1,"bytes":5}` + "\n"
	tests := []struct {
		name, text  string
		events, cut int
		err         error
	}{
		{"whole", head + event, 1, 0, nil},
		{"cut at each place", head + event + event[:len(event)/2], 1, 1, nil},
		{"cut before its end", head + event + strings.TrimSuffix(event, "\n"), 1, 1, nil},
		{"gone on behind a cut", head + event[:9] + "\n" + event, 1, 1, nil},
		{"too long", head + `{"type":"event","id":"` + strings.Repeat("0", ledger.LineMax) + "\"}\n" + event, 1, 1, nil},
		{"of an unknown sort", head + `{"type":"other"}` + "\n" + event, 1, 1, nil},
		{"nothing behind the head", head, 0, 0, nil},
		{"empty", "", 0, 0, ledger.ErrBegun},
		{"cut in the first line", head[:40], 0, 0, ledger.ErrBegun},
		{"something else", "{}\n", 0, 0, ledger.ErrNoLedger},
		{"another version", strings.Replace(head, "/1", "/2", 1), 0, 0, ledger.ErrNoLedger},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b, err := ledger.Read(strings.NewReader(test.text))
			if !errors.Is(err, test.err) || err == nil && (len(b.Events) != test.events || b.Cut != test.cut) {
				t.Errorf("got %+v, %v, want %d events, %d cut and %v", b, err, test.events, test.cut, test.err)
			}
		})
	}
}

// What was sent under one id in several forms is that of the key that is known, whichever came first.
func TestFormsOfOneEvent(t *testing.T) {
	t.Parallel()
	d := &disk{room: 1 << 20}
	l, err := ledger.New(d, first)
	if err != nil {
		t.Fatal(err)
	}
	l.Key(ledger.Key{Pubkey: "aa", Name: "owner"})
	for _, pubkey := range []string{"a", "aa", "ab"} {
		if err := l.Event(ledger.Event{ID: "01", Pubkey: pubkey, Repository: "http://h/" + pubkey}); err != nil {
			t.Fatal(err)
		}
	}
	b, err := ledger.Read(bytes.NewReader(d.durable.Bytes()))
	if err != nil || len(b.Events) != 1 || b.Events[0].Pubkey != "aa" || len(b.Repositories) != 3 {
		t.Errorf("got %+v, %v", b, err)
	}
}

// A disk keeps what was written before the last sync, and may be full.
type disk struct {
	written, durable bytes.Buffer
	room             int
}

func (d *disk) Write(p []byte) (int, error) {
	if d.written.Len()+d.durable.Len()+len(p) > d.room {
		return 0, errors.New("no space left")
	}
	return d.written.Write(p)
}

func (d *disk) Sync() error {
	_, err := d.written.WriteTo(&d.durable)
	return err
}

func (d *disk) Close() error { return nil }

// When an event or a push has been listed it is on the disk; and where it cannot be listed, neither it nor anything behind it is.
func TestDurableBeforeItReturns(t *testing.T) {
	t.Parallel()
	d := &disk{room: 600}
	l, err := ledger.New(d, first)
	if err != nil {
		t.Fatal(err)
	}
	for i, write := range []func() error{
		func() error { return l.Event(ledger.Event{ID: "01"}) },
		func() error { return l.Push(ledger.Push{Repository: "http://h/r.git"}) },
	} {
		if err := write(); err != nil {
			t.Fatal(err)
		}
		if got, err := ledger.Read(bytes.NewReader(d.durable.Bytes())); err != nil || len(got.Events)+len(got.Pushes) != i+1 {
			t.Errorf("on the disk after write %d: got %+v, %v", i+1, got, err)
		}
	}
	var full error
	for range 10 {
		full = errors.Join(full, l.Event(ledger.Event{ID: "02"}))
	}
	d.room = 1 << 20
	if full == nil || l.Event(ledger.Event{ID: "03"}) == nil || strings.Contains(d.durable.String(), "03") {
		t.Errorf("on a full disk: got %v, and more was listed behind it: %s", full, d.durable.String())
	}
}
