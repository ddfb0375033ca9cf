package relayhost_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"testing"

	"github.com/nbd-wtf/go-nostr"
	"github.com/nbd-wtf/go-nostr/nip77/negentropy"
	"github.com/nbd-wtf/go-nostr/nip77/negentropy/storage/vector"
	"pgregory.net/rapid"

	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/sim/relayhost"
)

// With another implementation as its asker, a relay tells what that lacks and has, whatever the two have.
func TestReconcilesWithAnotherImplementation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h, err := relayhost.New(relayhost.Config{Name: "relay1.example"}, start)
		if err != nil {
			t.Fatal(err)
		}
		h.Open(start, 1, nil)
		v := vector.New()
		var lacks, has []string
		var given []*nostr.Event
		seconds := rapid.SampledFrom([]int{1, 3, 100_000}).Draw(t, "seconds")
		share := rapid.SampledFrom([]byte{2, 20, 128}).Draw(t, "share") // of 256 that only one side has
		seed := rapid.Uint64().Draw(t, "seed")
		for n := range rapid.SampledFrom([]int{0, 1, 30, 400, 4000}).Draw(t, "events") {
			id := sha256.Sum256(fmt.Append(nil, seed, n))
			ev := &nostr.Event{ID: hex.EncodeToString(id[:]), Kind: 1, CreatedAt: nostr.Timestamp(n * 7919 % seconds)}
			where := "both"
			switch {
			case id[0] < share/2:
				where = "relay"
			case id[0] < share:
				where = "asker"
			}
			if where != "asker" {
				given = append(given, ev)
			}
			if where != "relay" {
				v.Insert(ev.CreatedAt, ev.ID)
			}
			switch where {
			case "relay":
				lacks = append(lacks, ev.ID)
			case "asker":
				has = append(has, ev.ID)
			}
		}
		h.Put(start, nil, append(given, note(200, 7, 5))...) // the last is not what the filter asks for
		v.Seal()
		gotLacks, gotHas := reconcile(t, h, negentropy.New(v, 0))
		slices.Sort(lacks)
		slices.Sort(has)
		if !slices.Equal(gotLacks, lacks) || !slices.Equal(gotHas, has) {
			t.Fatalf("got %d lacked and %d more, want %d and %d", len(gotLacks), len(gotHas), len(lacks), len(has))
		}
	})
}

func reconcile(t *rapid.T, h *relayhost.Host, c *negentropy.Negentropy) (lacks, has []string) {
	done := make(chan struct{}, 2)
	collect := func(from chan string, into *[]string) {
		for id := range from {
			*into = append(*into, id)
		}
		slices.Sort(*into)
		*into = slices.Compact(*into)
		done <- struct{}{}
	}
	go collect(c.HaveNots, &lacks)
	go collect(c.Haves, &has)
	var said []relayhost.Said
	send := func(text string, first bool) {
		raw, err := hex.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		if first {
			said = h.Message(start, 1, relay.NegOpen{Sub: "n", Filter: relay.Filter{Kinds: []int{1}}, Message: raw}, nil)
		} else {
			said = h.Message(start, 1, relay.NegMessage{Sub: "n", Message: raw}, nil)
		}
	}
	send(c.Start(), true)
	for rounds := 0; ; rounds++ {
		answer, is := said[0].Msg.(relay.NegAnswer)
		if len(said) != 1 || !is || rounds > 1000 {
			t.Fatalf("round %d: got %+v", rounds, said)
		}
		if len(answer.Message) > 100_000 {
			t.Fatalf("got an answer of %d bytes", len(answer.Message))
		}
		next, err := c.Reconcile(hex.EncodeToString(answer.Message))
		if err != nil {
			t.Fatal(err)
		}
		if next == "" {
			break
		}
		send(next, false)
	}
	<-done
	<-done
	return lacks, has
}

func TestWaysWithNegentropy(t *testing.T) {
	for way, want := range map[relayhost.Negentropy][]string{
		relayhost.Reconciles: {"1 neg-msg"},
		relayhost.Unknown:    {"1 notice ERROR: bad msg: unknown envelope NEG-OPEN"},
		relayhost.Declines:   {"1 neg-err blocked: this relay reconciles nothing"},
		relayhost.Ignores:    nil,
	} {
		k := begin(t, relayhost.Config{Negentropy: way})
		k.open(1, relayhost.Taken)
		k.ask(1, relay.NegOpen{Sub: "n", Message: []byte{0x61, 0, 0, 2, 0}}, want...)
	}
}

func TestNegentropyThatIsNone(t *testing.T) {
	k := begin(t, relayhost.Config{PerMinute: 100})
	k.put(note(1, 1, 100))
	k.open(1, relayhost.Taken)
	for _, message := range []string{
		"", "61ff", "6100", "610000", "61000003", "61000001", "610000020100", "6100212020", "61ffffffffffffffffffff00",
		"610000028fffffffffffffffffff00",
	} {
		raw, err := hex.DecodeString(message)
		if err != nil {
			t.Fatal(err)
		}
		k.ask(1, relay.NegOpen{Sub: "n", Message: raw}, "1 neg-err invalid: this is no message of negentropy")
		k.ask(1, relay.NegMessage{Sub: "n", Message: []byte{0x61}}, "1 neg-err closed: there is no such reconciliation")
	}
	k.ask(1, relay.NegOpen{Sub: "n", Message: []byte{0x62}}, "1 neg-msg")
	k.ask(1, relay.NegClose{Sub: "n"})
	k.ask(1, relay.NegMessage{Sub: "n", Message: []byte{0x61}}, "1 neg-err closed: there is no such reconciliation")
}
