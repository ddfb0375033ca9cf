package network_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/sim/kernel"
	"github.com/graspkit/graspkit/sim/network"
)

var lossy = network.Link{
	Latency: 20 * time.Millisecond, Jitter: time.Second, Tail: 100_000, TailDelay: time.Minute, Loss: 200_000, Duplicate: 200_000,
}

func content(text string) kernel.Key { return kernel.NewKey(0, "content").WithText(text) }

// One message more has a fate of its own, and leaves those of all others as they were: the same text again is the next
// of its kind, and every other text is where it was.
func TestFatesAreOfTheirMessages(t *testing.T) {
	send := func(texts ...string) map[string]network.Fate {
		n := network.New(7, lossy)
		fates := map[string]network.Fate{}
		for _, text := range texts {
			for _, to := range []string{"a", "b"} {
				key := text + " to " + to
				for fates[key].Key != 0 {
					key += " again"
				}
				fates[key] = n.Way("server", to).Send(instant.Instant(len(text)), content(text), 0)
			}
		}
		return fates
	}
	var texts []string
	for i := range 200 {
		texts = append(texts, fmt.Sprintf("%03d", i), "same")
	}
	plain, more := send(texts...), send(append([]string{"one more", "000"}, texts...)...)
	for key, fate := range plain {
		if diff := cmp.Diff(fate, more[key]); diff != "" {
			t.Errorf("%s: one message more moved it (-without +with):\n%s", key, diff)
		}
	}
	if len(more) != len(plain)+4 || cmp.Equal(plain["000 to a"], plain["000 to b"]) || cmp.Equal(plain["same to a"], plain["same to a again"]) {
		t.Errorf("got %d and %d fates, and equal ones of different messages", len(plain), len(more))
	}
}

func TestCuts(t *testing.T) {
	n := network.New(1, network.Link{Latency: 2})
	n.Cut(network.Cut{From: []string{"a"}, To: []string{"b"}, Since: 10, Until: 20})
	n.Cut(network.Cut{To: []string{"c"}, Since: 10, Until: 20})
	passes := func(from, to string, at instant.Instant) bool { return n.Way(from, to).Send(at, content("x"), 0).N > 0 }
	for _, test := range []struct {
		from, to string
		at       instant.Instant
		want     bool
	}{
		{"a", "b", 7, true},
		{"a", "b", 8, false},
		{"a", "b", 17, false},
		{"a", "b", 19, false},
		{"a", "b", 20, true},
		{"b", "a", 15, true}, // one way only
		{"a", "c", 15, false},
		{"b", "c", 15, false},
		{"c", "a", 15, true},
	} {
		if got := passes(test.from, test.to, test.at); got != test.want {
			t.Errorf("%s to %s at %d: got %t, want %t", test.from, test.to, test.at, got, test.want)
		}
	}
	n.Heal()
	if !passes("a", "b", 15) {
		t.Error("healed: got a cut, want none")
	}
}

// Messages of a narrow way wait for each other; those of the way back do not wait for them.
func TestBandwidth(t *testing.T) {
	n := network.New(1, network.Link{})
	n.Between("a", "b", network.Link{Latency: time.Second, Bandwidth: 1000})
	var got []time.Duration
	for _, size := range []int{500, 1000, 0} {
		got = append(got, n.Way("a", "b").Send(0, content("x"), size).At[0].Sub(0))
	}
	got = append(got, n.Way("b", "a").Send(0, content("x"), 0).At[0].Sub(0))
	want := []time.Duration{1500 * time.Millisecond, 2500 * time.Millisecond, 2500 * time.Millisecond, time.Second}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("arrivals (-want +got):\n%s", diff)
	}
	if !n.Way("a", "b").Counts() || n.Way("a", "c").Counts() {
		t.Error("Counts: want that of the narrow way alone")
	}
}

// A tenth of the messages is later than the jitter allows, and the later the fewer.
func TestTail(t *testing.T) {
	n := network.New(1, network.Link{Tail: 100_000, TailDelay: time.Second})
	late := map[time.Duration]int{}
	for i := range 20_000 {
		late[n.Way("a", "b").Send(0, content(fmt.Sprint(i)), 0).At[0].Sub(0)]++
	}
	if late[0] < 17_500 || late[time.Second] < 800 || late[2*time.Second] > late[time.Second] || late[8*time.Second] == 0 || len(late) != 5 {
		t.Errorf("got %v, want nine tenths at once, and of the others a half after each doubling", late)
	}
}
