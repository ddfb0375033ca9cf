package network_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/sim/network"
)

// On a way that loses, doubles and overtakes, everything arrives in the order in which it was sent.
func TestStreamIsOrderedAndWhole(t *testing.T) {
	s := network.NewStream(network.New(3, lossy).Way("a", "b"))
	last, late := instant.Instant(0), 0
	for i := range 2000 {
		sent := instant.Instant(i) * instant.Instant(100*time.Millisecond)
		at, arrives := s.Send(sent, content(fmt.Sprint(i)), 0)
		if !arrives {
			t.Fatalf("message %d does not arrive", i)
		}
		if at <= last || at < sent.Add(lossy.Latency) {
			t.Fatalf("message %d, sent at %d: got arrival at %d behind one at %d", i, sent, at, last)
		}
		if at.Sub(sent) > lossy.Latency+lossy.Jitter {
			late++
		}
		last = at
	}
	if late < 200 {
		t.Errorf("got %d of 2000 messages late, want those that were lost among them", late)
	}
}

// A cut that is short makes messages late; one that is longer than patience breaks the stream, and nothing follows.
func TestStreamInACut(t *testing.T) {
	at := func(d time.Duration) instant.Instant { return instant.Instant(d) }
	n := network.New(1, network.Link{Latency: 10 * time.Millisecond})
	n.Cut(network.Cut{From: []string{"a"}, To: []string{"b"}, Since: at(time.Minute), Until: at(90 * time.Second)})
	n.Cut(network.Cut{From: []string{"a"}, To: []string{"b"}, Since: at(time.Hour), Until: at(time.Hour + 5*time.Minute)})
	s := network.NewStream(n.Way("a", "b"))
	if got, arrives := s.Send(at(time.Minute), content("short"), 0); !arrives || got < at(90*time.Second) || got > at(100*time.Second) {
		t.Errorf("in a cut of 30 s: got %v, %t, want an arrival soon behind it", got, arrives)
	}
	if got, arrives := s.Send(at(time.Hour), content("long"), 0); arrives || got != at(time.Hour+network.StreamPatience) || !s.Broken() {
		t.Errorf("in a cut of 5 min: got %v, %t, want a broken stream a minute later", got, arrives)
	}
	if _, arrives := s.Send(at(2*time.Hour), content("later"), 0); arrives {
		t.Error("a broken stream: got an arrival")
	}
	if _, arrives := network.NewStream(n.Way("b", "a")).Send(at(time.Hour), content("back"), 0); !arrives {
		t.Error("the way back is not cut: got no arrival")
	}
}
