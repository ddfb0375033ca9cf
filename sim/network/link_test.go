package network_test

import (
	"testing"
	"time"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/sim/kernel"
	"github.com/graspkit/graspkit/sim/network"
)

func TestPerfectLinkDeliversOnceAndAtOnce(t *testing.T) {
	at, n := network.Link{}.Arrivals(kernel.NewKey(1, "m"), 100)
	if n != 1 || at[0] != 100 {
		t.Errorf("got %d arrivals at %v, want one at 100", n, at)
	}
}

func TestLinkKeepsItsPromises(t *testing.T) {
	link := network.Link{
		Latency: 20 * time.Millisecond, Jitter: 30 * time.Millisecond,
		Loss: 100_000, Duplicate: 50_000,
	}
	const sent = instant.Instant(1000)
	const messages = 20_000
	var count [3]int
	overtaken := false
	last := instant.Instant(0)
	for i := range uint64(messages) {
		at, n := link.Arrivals(kernel.NewKey(1, "m").With(i), sent)
		count[n]++
		for _, a := range at[:n] {
			if d := a.Sub(sent); d < link.Latency || d > link.Latency+link.Jitter {
				t.Fatalf("message %d: got a delay of %v, want between %v and %v", i, d, link.Latency, link.Latency+link.Jitter)
			}
		}
		overtaken = overtaken || n > 0 && at[0] < last
		last = at[0]
	}
	if count[0] < messages*9/100 || count[0] > messages*11/100 {
		t.Errorf("got %d of %d messages lost, want about a tenth", count[0], messages)
	}
	if want := messages * 45 / 1000; count[2] < want*8/10 || count[2] > want*12/10 {
		t.Errorf("got %d of %d messages doubled, want about %d", count[2], messages, want)
	}
	if !overtaken {
		t.Error("no message overtook another, want some with this jitter")
	}
}

func TestHealedLinkLosesNothing(t *testing.T) {
	link := network.Link{Latency: time.Second, Loss: kernel.Million, Duplicate: kernel.Million}
	if _, n := link.Arrivals(kernel.NewKey(1, "m"), 0); n != 0 {
		t.Errorf("broken link: got %d arrivals, want 0", n)
	}
	if at, n := link.Healed().Arrivals(kernel.NewKey(1, "m"), 0); n != 1 || at[0].Sub(0) != time.Second {
		t.Errorf("healed link: got %d arrivals at %v, want one after 1s", n, at)
	}
}
