package negentropy_test

import (
	"encoding/hex"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/graspkit/graspkit/reference/negentropy"
)

// A peer answers a message.
type peer func(message []byte) ([]byte, error)

// learn lets a set ask a peer to the end, and returns the ids that it was told and how many answers it took.
func learn(t *rapid.T, set *negentropy.Set, frame, roundsMax int, answer peer) (map[negentropy.ID]bool, int) {
	got, rounds := map[negentropy.ID]bool{}, 0
	for out := set.Begin(frame); out != nil; rounds++ {
		if rounds > roundsMax {
			t.Fatalf("got no end after %d rounds", rounds)
		}
		if len(out) > frame {
			t.Fatalf("got a message of %d bytes, want at most %d", len(out), frame)
		}
		heard, err := answer(out)
		if err != nil {
			t.Fatalf("message %x: %v", out, err)
		}
		var lacks []negentropy.ID
		if out, lacks, err = set.Continue(heard, frame); err != nil {
			t.Fatalf("answer %x: %v", heard, err)
		}
		for _, id := range lacks {
			if got[id] {
				t.Fatalf("got %x twice", id)
			}
			got[id] = true
		}
	}
	return got, rounds
}

var frames = rapid.SampledFrom([]int{negentropy.FrameMin, 10_000, 60_000, math.MaxInt})

// roundsOf is how many rounds a pair may take: those of the levels, and as many as the frames of both sides ask for.
func roundsOf(p pair, frames ...int) int {
	rounds := 12
	for _, frame := range frames {
		rounds += 8 * 64 * (len(p.client) + len(p.server)) / min(frame, 1<<30)
	}
	return rounds
}

// Whatever two sides have, and however little fits into a frame of either, the one that asks learns exactly what it lacks.
func TestAskerLearnsWhatItLacks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPair(t)
		ours, theirs := frames.Draw(t, "our frame"), frames.Draw(t, "their frame")
		server := negentropy.NewSet(slices.Clone(p.server))
		got, _ := learn(t, negentropy.NewSet(slices.Clone(p.client)), ours, roundsOf(p, ours, theirs), func(m []byte) ([]byte, error) {
			return server.Reconcile(m, theirs)
		})
		if diff := cmp.Diff(missing(p.server, p.client), got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// It learns the same from another implementation.
func TestAskerLearnsFromAnotherImplementation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPair(t)
		ours, theirs := frames.Draw(t, "our frame"), rapid.SampledFrom([]int{4096, 60_000, 1 << 30}).Draw(t, "their frame")
		server := oracleOf(p.server, theirs)
		got, _ := learn(t, negentropy.NewSet(slices.Clone(p.client)), ours, roundsOf(p, ours, theirs), func(m []byte) ([]byte, error) {
			answer, err := server.Reconcile(hex.EncodeToString(m))
			if err != nil {
				return nil, err
			}
			return hex.DecodeString(answer)
		})
		if diff := cmp.Diff(missing(p.server, p.client), got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// Who has nothing learns all in as many answers as it takes to tell it, and who has all is told so by the first.
func TestAskerTakesFewRounds(t *testing.T) {
	var items []negentropy.Item
	for n := range 5000 {
		items = append(items, item(n, uint64(n/100)))
	}
	server := negentropy.NewSet(slices.Clone(items))
	for _, c := range []struct {
		name          string
		has           []negentropy.Item
		lacks, rounds int
	}{
		{"nothing", nil, 5000, 3},
		{"all", slices.Clone(items), 0, 1},
		{"all but one", slices.Delete(slices.Clone(items), 2500, 2501), 1, 2},
		{"every second", everySecond(items), 2500, 4},
	} {
		set, rounds, lacks := negentropy.NewSet(c.has), 0, 0
		for out := set.Begin(60_000); out != nil; rounds++ {
			answer, err := server.Reconcile(out, 60_000)
			if err != nil {
				t.Fatal(err)
			}
			var ids []negentropy.ID
			if out, ids, err = set.Continue(answer, 60_000); err != nil {
				t.Fatal(err)
			}
			lacks += len(ids)
		}
		if lacks != c.lacks || rounds != c.rounds {
			t.Errorf("who has %s: got %d ids in %d rounds, want %d in %d", c.name, lacks, rounds, c.lacks, c.rounds)
		}
	}
}

func everySecond(items []negentropy.Item) (out []negentropy.Item) {
	for i := 0; i < len(items); i += 2 {
		out = append(out, items[i])
	}
	return out
}

func TestMalformedAnswers(t *testing.T) {
	for _, c := range []struct{ name, answer, want string }{
		{"nothing", "", "something is cut short at byte 0 of the negentropy message"},
		{"another version", "62", "another version of the protocol is spoken at byte 1 of the negentropy message"},
		{"half a bound", "6100", "something is cut short at byte 2 of the negentropy message"},
		{"unknown mode", "61000003", "a mode is unknown at byte 4 of the negentropy message"},
		{"half a fingerprint", "61000001aabb", "something is cut short at byte 4 of the negentropy message"},
		{"many ids and none there", "61000002ffffffff7f", "a list is cut short at byte 9 of the negentropy message"},
		{"backwards", "610102bbbb000101aa00", "ranges overlap at byte 9 of the negentropy message"},
		{
			"ids are told by a fingerprint", "61050001" + "00112233445566778899aabbccddeeff",
			"ids were asked for, and a fingerprint is told at byte 20 of the negentropy message",
		},
		{
			"nothing but that all differs", "61000001" + "00112233445566778899aabbccddeeff",
			"nothing that was asked is answered at byte 20 of the negentropy message",
		},
		{"silence", "61", ""},
		{"no ids", "6100000200", ""},
	} {
		answer, err := hex.DecodeString(c.answer)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		set := negentropy.NewSet([]negentropy.Item{item(1, 10), item(2, 20)})
		set.Begin(negentropy.FrameMin)
		next, lacks, err := set.Continue(answer, negentropy.FrameMin)
		var malformed *negentropy.MalformedError
		switch {
		case next != nil || lacks != nil:
			t.Errorf("%s: got the message %x and the ids %x, want none", c.name, next, lacks)
		case c.want == "" && err != nil:
			t.Errorf("%s: got %v, want the end", c.name, err)
		case c.want != "" && (!errors.As(err, &malformed) || err.Error() != c.want):
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}

func FuzzContinue(f *testing.F) {
	var items []negentropy.Item
	for n := range 300 {
		items = append(items, item(n, uint64(n/3)))
	}
	server := negentropy.NewSet(slices.Clone(items))
	for _, has := range [][]negentropy.Item{items[:290], items[:30], nil} {
		answer, err := server.Reconcile(negentropy.NewSet(slices.Clone(has)).Begin(negentropy.FrameMin), negentropy.FrameMin)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint16(len(has)), answer, answer)
	}
	f.Add(uint16(300), []byte{0x61, 0, 0, 2, 0xff, 0xff, 0xff, 0xff, 0x7f}, []byte{0x62})
	f.Fuzz(func(t *testing.T, has uint16, first, second []byte) {
		set := negentropy.NewSet(slices.Clone(items[:min(int(has), len(items))]))
		set.Begin(negentropy.FrameMin)
		for _, answer := range [][]byte{first, second} {
			next, lacks, err := set.Continue(answer, negentropy.FrameMin)
			var malformed *negentropy.MalformedError
			switch {
			case err != nil:
				if !errors.As(err, &malformed) || malformed.Offset > len(answer) || next != nil || lacks != nil {
					t.Fatalf("got %x, %x, %v", next, lacks, err)
				}
				return
			case len(next) > negentropy.FrameMin || len(lacks) > len(answer)/len(negentropy.ID{}):
				t.Fatalf("got %d bytes and %d ids", len(next), len(lacks))
			case next == nil:
				return
			}
			if _, err := server.Reconcile(next, negentropy.FrameMin); err != nil {
				t.Fatalf("message %x: %v", next, err)
			}
		}
	})
}

func BenchmarkAsk(b *testing.B) {
	var items []negentropy.Item
	for n := range 50_000 {
		items = append(items, item(n, uint64(n)))
	}
	server, set := negentropy.NewSet(slices.Clone(items)), negentropy.NewSet(items[:40_000])
	b.ReportAllocs()
	for b.Loop() {
		for out := set.Begin(60_000); out != nil; {
			answer, err := server.Reconcile(out, 60_000)
			if err != nil {
				b.Fatal(err)
			}
			if out, _, err = set.Continue(answer, 60_000); err != nil {
				b.Fatal(err)
			}
		}
	}
}
