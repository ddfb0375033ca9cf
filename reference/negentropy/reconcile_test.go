package negentropy_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nbd-wtf/go-nostr"
	oracle "github.com/nbd-wtf/go-nostr/nip77/negentropy"
	"github.com/nbd-wtf/go-nostr/nip77/negentropy/storage/vector"
	"pgregory.net/rapid"

	"github.com/graspkit/graspkit/reference/negentropy"
)

// item makes the nth item of a fixed endless list. Its id is a hash: sums of ids that follow a rule would collide.
func item(n int, at uint64) negentropy.Item {
	return negentropy.Item{Time: at, ID: sha256.Sum256(binary.BigEndian.AppendUint64(nil, uint64(n)))}
}

// A pair is what two sides have.
type pair struct{ client, server []negentropy.Item }

func drawPair(t *rapid.T) pair {
	var p pair
	most := rapid.SampledFrom([]int{3, 40, 600, 3000}).Draw(t, "most")
	total := rapid.IntRange(0, most).Draw(t, "total")
	times := rapid.SampledFrom([]uint64{1, 7, 1_000_000}).Draw(t, "times")
	shared := rapid.IntRange(0, 100).Draw(t, "shared")
	seed := rapid.Uint64().Draw(t, "seed")
	for n := range total {
		seed = seed*6364136223846793005 + 1442695040888963407
		i := item(n, seed>>33%times)
		switch draw := int(seed >> 40 % 100); {
		case draw < shared:
			p.client, p.server = append(p.client, i), append(p.server, i)
		case draw%2 == 0:
			p.client = append(p.client, i)
		default:
			p.server = append(p.server, i)
		}
	}
	return p
}

func missing(from, in []negentropy.Item) map[negentropy.ID]bool {
	there := map[negentropy.ID]bool{}
	for _, i := range in {
		there[i.ID] = true
	}
	out := map[negentropy.ID]bool{}
	for _, i := range from {
		if !there[i.ID] {
			out[i.ID] = true
		}
	}
	return out
}

// A range in which nothing is takes room as well, which the last one before the limit may not have: what is skipped behind it is told, too.
func TestEmptyRangesStayWithinTheLimit(t *testing.T) {
	set := negentropy.NewSet(nil)
	m := message{out: []byte{negentropy.Version}}
	for n := range 200 {
		m.varint(2) // one second behind the one before
		m.out = append(append(m.out, 32), bytes.Repeat([]byte{byte(n)}, 32)...)
		if n%2 > 0 {
			m.varint(0) // skipped
			continue
		}
		m.varint(2) // a list
		m.varint(0) // of nothing
	}
	for frame := negentropy.FrameMin; frame < negentropy.FrameMin+64; frame++ {
		answer, err := set.Reconcile(m.out, frame)
		if err != nil {
			t.Fatal(err)
		}
		if len(answer) > frame {
			t.Errorf("got a frame of %d bytes, want at most %d", len(answer), frame)
		}
	}
}

// Whatever two sides have, the client learns exactly who lacks what, in few rounds of frames within the limit.
func TestBothSidesEndExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPair(t)
		frame := rapid.SampledFrom([]int{negentropy.FrameMin, 10_000, 60_000, math.MaxInt}).Draw(t, "frame")
		set := negentropy.NewSet(slices.Clone(p.server))
		c := newInitiator(p.client)
		// Each frame but those of the first levels brings as many ids or fingerprints as fit into it.
		rounds, roundsMax := 0, 12+8*32*(len(p.client)+len(p.server))/min(frame, 1<<30)
		for out := c.start(); out != nil; rounds++ {
			if rounds > roundsMax {
				t.Fatalf("got no end after %d rounds", rounds)
			}
			answer, err := set.Reconcile(out, frame)
			if err != nil {
				t.Fatal(err)
			}
			if len(answer) > frame {
				t.Fatalf("got a frame of %d bytes, want at most %d", len(answer), frame)
			}
			if out, err = c.next(answer); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(missing(p.client, p.server), c.have); diff != "" {
			t.Errorf("have (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(missing(p.server, p.client), c.need); diff != "" {
			t.Errorf("need (-want +got):\n%s", diff)
		}
	})
}

func oracleOf(items []negentropy.Item, frame int) *oracle.Negentropy {
	v := vector.New()
	for _, i := range items {
		v.Insert(nostr.Timestamp(i.Time), hex.EncodeToString(i.ID[:]))
	}
	v.Seal()
	return oracle.New(v, frame)
}

// As the client of our set another implementation learns the same, and as a server it gives the same answers, byte by
// byte, as long as none is cut.
func TestAgreesWithAnotherImplementation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPair(t)
		frame := rapid.SampledFrom([]int{negentropy.FrameMin, 60_000, 1 << 30}).Draw(t, "frame")
		set, peer := negentropy.NewSet(slices.Clone(p.server)), oracleOf(p.server, 0)
		c := oracleOf(p.client, 0)
		have, need := map[string]bool{}, map[string]bool{}
		done := make(chan struct{})
		go func() {
			defer close(done)
			for id := range c.HaveNots {
				need[id] = true
			}
		}()
		haves := make(chan struct{})
		go func() {
			defer close(haves)
			for id := range c.Haves {
				have[id] = true
			}
		}()
		cut := false
		for out := c.Start(); out != ""; {
			raw, err := hex.DecodeString(out)
			if err != nil {
				t.Fatal(err)
			}
			answer, err := set.Reconcile(raw, frame)
			if err != nil {
				t.Fatalf("message %s: %v", out, err)
			}
			cut = cut || len(answer) > frame/2
			if !cut && frame == 1<<30 {
				want, err := peer.Reconcile(out)
				if err != nil {
					t.Fatal(err)
				}
				if got := hex.EncodeToString(answer); got != want {
					t.Fatalf("answer to %s:\ngot  %s\nwant %s", out, got, want)
				}
			}
			if out, err = c.Reconcile(hex.EncodeToString(answer)); err != nil {
				t.Fatal(err)
			}
		}
		<-done
		<-haves
		for what, ids := range map[string][2]any{
			"have": {missing(p.client, p.server), have}, "need": {missing(p.server, p.client), need},
		} {
			want := map[string]bool{}
			for id := range ids[0].(map[negentropy.ID]bool) {
				want[hex.EncodeToString(id[:])] = true
			}
			if got := ids[1].(map[string]bool); !maps.Equal(got, want) {
				t.Errorf("%s: got %d ids, want %d", what, len(got), len(want))
			}
		}
	})
}

func TestOtherVersionsAreAnsweredWithOurs(t *testing.T) {
	set := negentropy.NewSet(nil)
	for _, first := range []byte{0x00, 0x60, 0x62, 0x6f, 0xff} {
		got, err := set.Reconcile([]byte{first, 1, 2, 3}, negentropy.FrameMin)
		if err != nil || !slices.Equal(got, []byte{0x61}) {
			t.Errorf("version %x: got %x, %v, want 61", first, got, err)
		}
	}
}

func TestMalformedMessages(t *testing.T) {
	set := negentropy.NewSet([]negentropy.Item{item(1, 10), item(2, 20)})
	for _, c := range []struct{ name, message, want string }{
		{"nothing", "", "something is cut short at byte 0 of the negentropy message"},
		{"half a bound", "6100", "something is cut short at byte 2 of the negentropy message"},
		{"no mode", "610000", "something is cut short at byte 3 of the negentropy message"},
		{"unknown mode", "61000003", "a mode is unknown at byte 4 of the negentropy message"},
		{"half a fingerprint", "61000001aabb", "something is cut short at byte 4 of the negentropy message"},
		{"no count", "61000002", "something is cut short at byte 4 of the negentropy message"},
		{"many ids and none there", "61000002ffffffff7f", "a list is cut short at byte 9 of the negentropy message"},
		{"one id and a part", "6100000201aabb", "a list is cut short at byte 5 of the negentropy message"},
		{"endless number", "61ffffffffffffffffffffff7f", "a number is too large at byte 11 of the negentropy message"},
		{"long form of a number", "61800100", "a number has a leading zero at byte 2 of the negentropy message"},
		{"long id prefix", "610121", "an id is too long at byte 3 of the negentropy message"},
		{"huge id prefix", "6101ffffffff7f", "an id is too long at byte 7 of the negentropy message"},
		{"infinity with an id", "610001aa00", "an id is too long at byte 3 of the negentropy message"},
		{"behind infinity", "610000000100" + "00", "a time is too large at byte 5 of the negentropy message"},
		{"backwards", "610102bbbb000101aa00", "ranges overlap at byte 9 of the negentropy message"},
		{"the last time", "6181ffffffffffffffff7f0000", ""},
		{"a time behind the last", "6181ffffffffffffffff7f0000020000", "a time is too large at byte 14 of the negentropy message"},
	} {
		message, err := hex.DecodeString(c.message)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		_, err = set.Reconcile(message, negentropy.FrameMin)
		var malformed *negentropy.MalformedError
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: got %v, want an answer", c.name, err)
		case c.want != "" && (!errors.As(err, &malformed) || err.Error() != c.want):
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}

// A list that covers the whole set is answered in frames, each of which says where the next one begins.
func TestLongListsAreCut(t *testing.T) {
	var items []negentropy.Item
	for n := range 5000 {
		items = append(items, item(n, uint64(n/100)))
	}
	set, c := negentropy.NewSet(items), newInitiator(nil)
	rounds := 0
	for out := c.start(); out != nil; rounds++ {
		answer, err := set.Reconcile(out, 60_000)
		if err != nil || len(answer) > 60_000 {
			t.Fatalf("got %d bytes, %v", len(answer), err)
		}
		if out, err = c.next(answer); err != nil {
			t.Fatal(err)
		}
	}
	if len(c.need) != 5000 || rounds != 3 {
		t.Errorf("got %d ids in %d rounds, want 5000 in 3", len(c.need), rounds)
	}
}

func FuzzReconcile(f *testing.F) {
	var items []negentropy.Item
	for n := range 300 {
		items = append(items, item(n, uint64(n/3)))
	}
	f.Add(newInitiator(nil).start())
	f.Add(newInitiator(items[:150]).start())
	f.Add(newInitiator(items[100:104]).start())
	f.Add([]byte{0x62})
	f.Add([]byte{0x61, 0, 0, 2, 0xff, 0xff, 0xff, 0xff, 0x7f})
	set := negentropy.NewSet(slices.Clone(items))
	f.Fuzz(func(t *testing.T, message []byte) {
		answer, err := set.Reconcile(message, negentropy.FrameMin)
		if err != nil {
			var malformed *negentropy.MalformedError
			if !errors.As(err, &malformed) || malformed.Offset > len(message) || answer != nil {
				t.Fatalf("got %x, %v", answer, err)
			}
			return
		}
		if len(answer) == 0 || len(answer) > negentropy.FrameMin || answer[0] != negentropy.Version {
			t.Fatalf("got %d bytes: %x", len(answer), answer)
		}
		if message[0] == negentropy.Version {
			if _, err := newInitiator(items).next(answer); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func BenchmarkReconcile(b *testing.B) {
	var items []negentropy.Item
	for n := range 50_000 {
		items = append(items, item(n, uint64(n)))
	}
	set, message := negentropy.NewSet(items), newInitiator(items[:40_000]).start()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := set.Reconcile(message, 60_000); err != nil {
			b.Fatal(err)
		}
	}
}
