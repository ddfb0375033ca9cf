// Package network says what happens to a message between two nodes: when it arrives, whether it is lost and whether it
// arrives twice. The fate of a message follows from who sends what to whom, and how many equal ones went there before: so
// one message more or less moves no other. The package holds no messages and no connections; the world schedules what it
// answers.
package network

import (
	"time"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/sim/kernel"
)

// A Network is the ways between all nodes of a world.
type Network struct {
	key    kernel.Key
	usual  Link
	ways   map[[2]string]*Way
	cuts   []Cut
	healed bool
}

// New returns a network in which every way is as usual.
func New(seed uint64, usual Link) *Network {
	return &Network{key: kernel.NewKey(seed, "network"), usual: usual, ways: map[[2]string]*Way{}}
}

// Between makes the ways between two nodes, in both directions, those of a link of their own.
func (n *Network) Between(a, b string, l Link) {
	n.Way(a, b).link = l
	n.Way(b, a).link = l
}

// A Cut is a partition: nothing that is sent or would arrive in its time comes from one of From to one of To. A list that is
// nil stands for everybody.
type Cut struct {
	From, To     []string
	Since, Until instant.Instant // Until is the first instant at which messages pass again
}

// Cut adds a partition.
func (n *Network) Cut(c Cut) { n.cuts = append(n.cuts, c) }

// Heal ends all partitions, losses and duplications for good, as the quiet phase of a run does.
func (n *Network) Heal() { n.healed, n.cuts = true, nil }

// covers reports whether the cut is between two nodes.
func (c Cut) covers(from, to string) bool { return named(c.From, from) && named(c.To, to) }

func named(list []string, name string) bool {
	for _, n := range list {
		if n == name {
			return true
		}
	}
	return list == nil
}

// A Way is the direction from one node to another.
type Way struct {
	From, To string

	net  *Network
	link Link
	key  kernel.Key
	sent map[kernel.Key]uint64 // how often the same was sent before
	free instant.Instant       // when the last byte is on the way that was to be sent, if bytes take time
}

// Way returns the way between two nodes, the same for the same names.
func (n *Network) Way(from, to string) *Way {
	w := n.ways[[2]string{from, to}]
	if w == nil {
		w = &Way{
			From: from, To: to, net: n, link: n.usual, key: n.key.WithText(from).WithText(to), sent: map[kernel.Key]uint64{},
		}
		n.ways[[2]string{from, to}] = w
	}
	return w
}

// A Fate is what becomes of one message.
type Fate struct {
	At  [2]instant.Instant // when it arrives; the first N count
	N   int                // how often it arrives: 0, 1 or 2
	Key kernel.Key         // of this message, for whatever else is drawn about it
}

// Counts reports whether the size of messages matters on the way.
func (w *Way) Counts() bool { return w.link.Bandwidth > 0 }

// Send sends a message of so many bytes. The content is a key for what the message says: messages of one content are the
// same, but for how many of them there were before.
func (w *Way) Send(now instant.Instant, content kernel.Key, size int) Fate {
	before := w.sent[content]
	w.sent[content] = before + 1
	link := w.link
	if w.net.healed {
		link = link.Healed()
	}
	f := Fate{Key: w.key.With(uint64(content)).With(before)}
	leaves := now
	if link.Bandwidth > 0 {
		leaves = max(now, w.free).Add(time.Duration(int64(size) * int64(time.Second) / link.Bandwidth))
		w.free = leaves
	}
	f.At, f.N = link.Arrivals(f.Key, leaves)
	kept := 0
	for _, at := range f.At[:f.N] {
		if !w.Cut(now) && !w.Cut(at) {
			f.At[kept] = at
			kept++
		}
	}
	f.N = kept
	return f
}

// Cut reports whether nothing passes at an instant.
func (w *Way) Cut(at instant.Instant) bool {
	for _, c := range w.net.cuts {
		if c.Since <= at && at < c.Until && c.covers(w.From, w.To) {
			return true
		}
	}
	return false
}
