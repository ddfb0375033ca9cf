package node

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/repo"
)

// FuzzJournalEntry checks that entries with a right checksum and any body are read whole or refused as corrupt, and that
// what is read is written again as it was.
func FuzzJournalEntry(f *testing.F) {
	ev := &nostr.Event{Kind: 30617, Tags: nostr.Tags{{"d", "demo"}}, Content: "x\x00\xff"}
	ev.ID = ev.GetID()
	mark := core.Mark{Kind: 1, At: 5, Until: 9, Event: ev.ID, Repo: repo.ID{Owner: "k", Identifier: "a/b"}}
	stored, err := encodeStored(ev)
	if err != nil {
		f.Fatal(err)
	}
	held, err := encodeHeld(core.HeldEvent{Event: ev, Arrived: 5, Deadline: 9, Soft: true})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(ev.ID, stored[checksumBytes:])
	f.Add(ev.ID, held[checksumBytes:])
	f.Add(mark.Name(), encodeMark(mark)[checksumBytes:])
	f.Add("", []byte{})
	f.Fuzz(func(t *testing.T, name string, body []byte) {
		entry := checksum(append(make([]byte, checksumBytes), body...))
		corrupt := func(err error) {
			if !errors.Is(err, ErrJournalCorrupt) {
				t.Errorf("%q: got %v, want ErrJournalCorrupt", body, err)
			}
		}
		if e, err := decodeStored(name, entry); err != nil {
			corrupt(err)
		} else if again, err := encodeStored(e); err != nil {
			t.Errorf("%q: %v", body, err)
		} else if back, err := decodeStored(name, again); err != nil || e.String() != back.String() {
			t.Errorf("%q: got %v, %v after a round trip, want %v", body, back, err, e)
		}
		if h, err := decodeHeld(name, entry); err != nil {
			corrupt(err)
		} else if again, err := encodeHeld(h); err != nil {
			t.Errorf("%q: %v", body, err)
		} else if back, err := decodeHeld(name, again); err != nil || !cmp.Equal(h, back, cmpopts.EquateEmpty()) {
			t.Errorf("%q: got %v, %v after a round trip, want %v", body, back, err, h)
		}
		if m, err := decodeMark(name, entry); err != nil {
			corrupt(err)
		} else if back, err := decodeMark(name, encodeMark(m)); err != nil || m != back {
			t.Errorf("%q: got %v, %v after a round trip, want %v", body, back, err, m)
		}
	})
}

// A mark of any length has a name that fits, and one that was written under all of its names is read as well.
func TestMarksOfAnyLengthAreRead(t *testing.T) {
	for _, size := range []int{1, core.MarkNameMax, 40_000} {
		m := core.Mark{Kind: core.MarkDeletedAddress, Event: "30078", Repo: repo.ID{Owner: "k", Identifier: strings.Repeat("x/", size)}}
		if n := len(m.Name()); n > core.MarkNameMax {
			t.Errorf("got a name of %d bytes, want at most %d", n, core.MarkNameMax)
		}
		for _, name := range []string{m.Name(), m.LongName()} {
			if got, err := decodeMark(name, encodeMark(m)); err != nil || got != m {
				t.Errorf("size %d: got %v, %v", size, got, err)
			}
		}
	}
	if a, b := (core.Mark{Host: strings.Repeat("a", 40_000)}), (core.Mark{Host: strings.Repeat("b", 40_000)}); a.Name() == b.Name() {
		t.Error("two marks have one name")
	}
}
