package node_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nbd-wtf/go-nostr"
	"go.etcd.io/bbolt"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/node"
	"github.com/graspkit/graspkit/reference/repo"
)

// event makes an unsigned event; a journal does not look at signatures.
func event(createdAt int64, content string) *nostr.Event {
	e := &nostr.Event{
		PubKey:    strings.Repeat("ab", 32),
		CreatedAt: nostr.Timestamp(createdAt),
		Kind:      30617,
		Tags:      nostr.Tags{{"d", "demo"}, {"clone", "http://a", "http://b"}},
		Content:   content,
		Sig:       strings.Repeat("cd", 64),
	}
	e.ID = e.GetID()
	return e
}

func store(e *nostr.Event) core.Record {
	return core.Record{Op: core.OpStore, ID: e.ID, Event: e}
}

func hold(e *nostr.Event, arrived, deadline instant.Instant) core.Record {
	return core.Record{Op: core.OpHold, ID: e.ID, Event: e, Arrived: arrived, Deadline: deadline}
}

func soft(r core.Record) core.Record {
	r.Soft = true
	return r
}

func forget(op core.Op, e *nostr.Event) core.Record { return core.Record{Op: op, ID: e.ID} }

func mark(event, identifier string, until instant.Instant) core.Mark {
	return core.Mark{
		Kind: core.MarkPlaceholder, Event: event, Repo: repo.ID{Owner: "owner", Identifier: identifier},
		Created: -3, At: 7, Until: until,
	}
}

func marked(op core.Op, m core.Mark) core.Record { return core.Record{Op: op, Mark: m} }

type survivors = core.Started

func load(t *testing.T, j node.Journal) survivors {
	t.Helper()
	started, aside, err := j.Load()
	if err != nil || len(aside) > 0 {
		t.Fatalf("Load: %v, set aside: %v", err, aside)
	}
	return started
}

func write(t *testing.T, j node.Journal, records ...core.Record) {
	t.Helper()
	if err := j.Write(records); err != nil {
		t.Fatalf("Write: %v", err)
	}
}

func openJournal(t *testing.T, path string) *node.BoltJournal {
	t.Helper()
	j, err := node.OpenJournal(path)
	if err != nil {
		t.Fatalf("OpenJournal: %v", err)
	}
	return j
}

func closeJournal(t *testing.T, j node.Journal) {
	t.Helper()
	if err := j.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
}

// history is a list of transactions, with what must be there after each.
func history() (transactions [][]core.Record, want []survivors) {
	a, b, c := event(1, "a"), event(1, "b \x00\x01\u2028 \"<>&"), event(2, "c")
	first, second := a, b
	if b.ID < a.ID {
		first, second = b, a
	}
	held := func(e *nostr.Event, arrived, deadline instant.Instant) core.HeldEvent {
		return core.HeldEvent{Event: e, Arrived: arrived, Deadline: deadline}
	}
	asked := core.Mark{Kind: core.MarkAsked, Host: "[2606:4700::1]:8080", Count: 7, At: 5, Until: 65}
	late := held(c, 20, 220)
	late.Soft = true
	transactions = [][]core.Record{
		{hold(c, 20, 120), hold(a, 10, 110)},
		{store(a), store(b), marked(core.OpMark, mark("e", "x/y\xff", 9)), marked(core.OpMark, mark("d", "x", 8))},
		{soft(hold(c, 20, 220)), store(a), marked(core.OpMark, mark("e", "x/y\xff", 10)), marked(core.OpUnmark, mark("d", "x", 0))},
		{forget(core.OpUnstore, b), forget(core.OpDrop, c), marked(core.OpUnmark, mark("e", "x/y\xff", 10))},
		{forget(core.OpDrop, c), forget(core.OpUnstore, b), hold(b, 5, 105), marked(core.OpMark, asked)},
	}
	want = []survivors{
		{Held: []core.HeldEvent{held(a, 10, 110), held(c, 20, 120)}},
		{
			Stored: []*nostr.Event{first, second}, Held: []core.HeldEvent{held(c, 20, 120)},
			Marks: []core.Mark{mark("d", "x", 8), mark("e", "x/y\xff", 9)},
		},
		{Stored: []*nostr.Event{first, second}, Held: []core.HeldEvent{late}, Marks: []core.Mark{mark("e", "x/y\xff", 10)}},
		{Stored: []*nostr.Event{a}},
		{Stored: []*nostr.Event{a}, Held: []core.HeldEvent{held(b, 5, 105)}, Marks: []core.Mark{asked}},
	}
	return transactions, want
}

func TestJournalKeepsWhatWasWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.db")
	bolt := openJournal(t, path)
	memory := node.NewMemoryJournal()
	transactions, want := history()
	for i, records := range transactions {
		write(t, memory, records...)
		if diff := cmp.Diff(want[i], load(t, memory), sameEvents); diff != "" {
			t.Errorf("memory after transaction %d (-want +got):\n%s", i, diff)
		}
		write(t, bolt, records...)
		closeJournal(t, bolt)
		bolt = openJournal(t, path)
		if diff := cmp.Diff(want[i], load(t, bolt), sameEvents); diff != "" {
			t.Errorf("file after transaction %d and a restart (-want +got):\n%s", i, diff)
		}
	}
	closeJournal(t, bolt)
}

// sameEvents compares events by their text, and no slice with an empty one as equal.
var sameEvents = cmp.Options{
	cmp.Comparer(func(a, b *nostr.Event) bool { return a.String() == b.String() }),
	cmp.Transformer("whole", func(s survivors) survivors {
		return survivors{
			Stored: slices.Clip(append([]*nostr.Event{}, s.Stored...)), Held: append([]core.HeldEvent{}, s.Held...),
			Marks: append([]core.Mark{}, s.Marks...),
		}
	}),
}

// What a crash leaves is the files as they are at that moment: acknowledged transactions must be in a copy of them.
func TestJournalSurvivesCrash(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "events.db")
	j := openJournal(t, path)
	defer closeJournal(t, j)
	transactions, want := history()
	for i, records := range transactions {
		write(t, j, records...)
		copied := filepath.Join(dir, fmt.Sprintf("crash%d.db", i))
		for _, part := range []string{"", ".log0", ".log1"} {
			if err := os.WriteFile(copied+part, read(t, path+part), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		after := openJournal(t, copied)
		if diff := cmp.Diff(want[i], load(t, after), sameEvents); diff != "" {
			t.Errorf("after a crash behind transaction %d (-want +got):\n%s", i, diff)
		}
		closeJournal(t, after)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func TestJournalIsHeldByOneServer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.db")
	j := openJournal(t, path)
	defer closeJournal(t, j)
	if _, err := node.OpenJournal(path); !errors.Is(err, node.ErrJournalLocked) {
		t.Errorf("second OpenJournal: got %v, want ErrJournalLocked", err)
	}
}

func TestJournalOfUnknownVersionIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.db")
	closeJournal(t, openJournal(t, path))
	db, err := bbolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		return tx.Bucket([]byte("meta")).Put([]byte("version"), []byte{0, 0, 0, 0, 0, 0, 0, 99})
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	before := read(t, path)
	if _, err := node.OpenJournal(path); !errors.Is(err, node.ErrJournalVersion) {
		t.Errorf("OpenJournal: got %v, want ErrJournalVersion", err)
	}
	if !bytes.Equal(before, read(t, path)) {
		t.Error("the file was changed")
	}
}

// Damage anywhere must end in ErrJournalCorrupt, in single records that are set aside, or change nothing that is loaded
// (free pages), and never in a crash, a journal that has lost something silently, or a changed file.
func TestDamagedJournalIsRefusedAndKept(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "events.db")
	j := openJournal(t, path)
	var records []core.Record
	for i := range 40 {
		records = append(records, store(event(int64(i), strings.Repeat("x", 300))), hold(event(int64(i), "held"), 1, 2))
	}
	write(t, j, records...)
	want := load(t, j)
	closeJournal(t, j)
	whole := read(t, path)

	damaged := map[string][]byte{
		"empty":         {},
		"one byte":      whole[:1],
		"half a page":   whole[:2000],
		"two pages":     whole[:8192],
		"half":          whole[:len(whole)/2],
		"last page off": whole[:len(whole)-4096],
		"text":          []byte(strings.Repeat("not a journal\n", 1000)),
	}
	// The first two pages are bbolt's two roots: without the younger one it takes the elder, as after a crash.
	for at := 8192; at < len(whole); at += len(whole) / 150 {
		flipped := bytes.Clone(whole)
		for i := at; i < min(at+8, len(flipped)); i++ {
			flipped[i] ^= 0xff
		}
		damaged[fmt.Sprintf("flipped at %d", at)] = flipped
	}
	refused, parted, pages := 0, 0, 0
	for name, content := range damaged {
		file := filepath.Join(t.TempDir(), "damaged.db")
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		got, aside, err := loadFile(file)
		switch {
		case errors.Is(err, node.ErrJournalCorrupt):
			refused++
			if strings.Contains(err.Error(), "a page of it cannot be read (") {
				pages++
			} else if strings.Contains(err.Error(), "runtime error") { // whoever reads it may not know Go
				t.Errorf("%s: got %q, want words for it", name, err)
			}
		case err == nil && len(aside) > 0:
			parted++
			for _, why := range aside {
				if !errors.Is(why, node.ErrJournalCorrupt) {
					t.Errorf("%s: got %v set aside, want ErrJournalCorrupt", name, why)
				}
			}
			if !got.Incomplete || !partOf(want, got, len(aside)) {
				t.Errorf("%s: something else was loaded, with %d records set aside", name, len(aside))
			}
		case err != nil:
			t.Errorf("%s: got %v, want ErrJournalCorrupt", name, err)
		case !cmp.Equal(want, got, sameEvents):
			t.Errorf("%s: something else was loaded", name)
		}
		if !bytes.Equal(content, read(t, file)) {
			t.Errorf("%s: the file was changed", name)
		}
	}
	if pages == 0 {
		t.Error("no damaged file has a page that cannot be read, which the flips are for")
	}
	if refused < 5 || refused+parted < len(damaged)/5 {
		t.Errorf("got %d of %d damaged files refused and %d read in part, want a fifth: half of the file is free pages",
			refused, len(damaged), parted)
	}
}

// partOf reports whether what was read is what was written without as many records as were set aside.
func partOf(want, got survivors, aside int) bool {
	texts := map[string]bool{}
	for _, e := range want.Stored {
		texts["stored "+e.String()] = true
	}
	for _, h := range want.Held {
		texts[fmt.Sprint("held ", h.Event, h.Arrived, h.Deadline, h.Soft)] = true
	}
	for _, e := range got.Stored {
		delete(texts, "stored "+e.String())
	}
	for _, h := range got.Held {
		delete(texts, fmt.Sprint("held ", h.Event, h.Arrived, h.Deadline, h.Soft))
	}
	return len(texts) == aside && len(got.Stored)+len(got.Held)+aside == len(want.Stored)+len(want.Held)
}

func loadFile(path string) (started survivors, aside []error, err error) {
	j, err := node.OpenJournal(path)
	if err != nil {
		return survivors{}, nil, err
	}
	started, aside, err = j.Load()
	return started, aside, errors.Join(err, j.Close())
}

func TestJournalNamesAMissingDirectory(t *testing.T) {
	_, err := node.OpenJournal(filepath.Join(t.TempDir(), "none", "events.db"))
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("OpenJournal: got %v, want ErrNotExist", err)
	}
}
