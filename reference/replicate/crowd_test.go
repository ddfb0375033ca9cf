package replicate_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/replicate"
	"github.com/graspkit/graspkit/reference/repo"
)

// A crowd is as many relays as are connected to, which announcements of anybody have named, and that do all the same.
type crowd struct {
	*world

	names []string
	n     uint64
}

const crowded = 39

// newCrowd makes a crowd, and a relay that is well and has what the server lacks.
func newCrowd(t *testing.T, cfg replicate.Config) (c *crowd, good *fake) {
	c = &crowd{world: newWorld(t, cfg)}
	for i := range crowded {
		c.names = append(c.names, fmt.Sprintf("wss://bad%d.example", i))
		c.relay(c.names[i])
	}
	good = c.relay("wss://good.example", event("issue", 1621, 5, about("x")), event("patch", 1617, 6, about("x")))
	for i := range 400 {
		good.events = append(good.events, event(fmt.Sprint("one of a second ", i), 1621, 7, about("x")))
	}
	c.refuses = func(ev *nostr.Event) (bool, bool) { return strings.HasPrefix(ev.Content, "bad"), false }
	return c, good
}

// come has an announcement of the good relay served, and so many others that all of the crowd are named.
func (c *crowd) come() {
	c.m.Start(c.now)
	for i := 0; i < crowded; i += replicate.PerRepoMax {
		name := fmt.Sprint("crowd ", i)
		a := announcement(name, name, c.names[i:min(crowded, i+replicate.PerRepoMax)]...)
		a.PubKey = fmt.Sprintf("%064x", i+1)
		c.store(a)
	}
	c.store(announcement("a", "x", "wss://good.example"))
}

// id is one that nobody has seen.
func (c *crowd) id() string {
	c.n++
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(nil, c.n))
	return hex.EncodeToString(sum[:])
}

// takes measures how much memory the machine takes at most beyond what it took first, looking every so often.
func (c *crowd) takes(until time.Duration, each func()) (most uint64) {
	before := heap()
	for c.now < start.Add(until) {
		c.until(c.now.Sub(start) + 10*time.Second)
		each()
		c.told, c.taken = nil, nil
		for _, f := range c.relays {
			f.said, f.saidAt = nil, nil
		}
		if now := heap(); now > before {
			most = max(most, now-before)
		}
	}
	runtime.KeepAlive(c)
	return most
}

// What all relays together have the machine remember of their answers is bounded, and who is well gets its turn all the same: pages of one
// second without end, and names of events without end.
func TestCrowdsTakeBoundedMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("millions of events")
	}
	cfg := replicate.Config{AnswersMax: 20_000, OpenMax: crowded + 1}
	t.Run("one second without end", func(t *testing.T) {
		c, good := newCrowd(t, cfg)
		asked := map[*fake]map[string]relay.Filter{}
		for _, name := range c.names {
			f := c.relays[name]
			asked[f] = map[string]relay.Filter{}
			f.answering = func(msg relay.ClientMessage) []relay.ServerMessage {
				switch m := msg.(type) {
				case relay.Req:
					if l := m.Filters[0].Limit; l == nil || *l > 1 {
						asked[f][m.Sub] = m.Filters[0]
						return []relay.ServerMessage{}
					}
				case relay.Close:
					delete(asked[f], m.Sub)
				case relay.NegOpen:
					return []relay.ServerMessage{relay.NegError{Sub: m.Sub, Text: "error: no"}}
				}
				return nil
			}
		}
		c.come()
		used := c.takes(5*time.Minute, func() {
			for _, name := range c.names {
				f := c.relays[name]
				for _, sub := range sortedKeys(asked[f]) {
					for range 200 {
						filter, open := asked[f][sub]
						if !open || f.peer == 0 {
							break
						}
						ev := fitting(filter, 0)
						ev.ID, ev.CreatedAt, ev.Content = c.id(), 1000, "bad"
						c.m.Said(c.now, f.peer, relay.EventFor{Sub: sub, Event: ev}, true)
						c.settle()
					}
				}
			}
		})
		t.Logf("%d MiB at most, %d events", used>>20, c.n)
		if used > 40<<20 {
			t.Errorf("memory: got %d MiB, want at most 40", used>>20)
		}
		c.complete(good.events)
	})
	t.Run("names without end", func(t *testing.T) {
		c, good := newCrowd(t, cfg)
		for _, name := range c.names {
			f := c.relays[name]
			f.answering = func(msg relay.ClientMessage) []relay.ServerMessage {
				switch m := msg.(type) {
				case relay.NegOpen: // 2,000 ids from the beginning to the end
					list := []byte{0x61, 0, 0, 2, 0x8f, 0x50}
					for range 2000 {
						c.n++
						sum := sha256.Sum256(binary.BigEndian.AppendUint64(nil, c.n))
						list = append(list, sum[:]...)
					}
					return []relay.ServerMessage{relay.NegAnswer{Sub: m.Sub, Message: list}}
				case relay.Req:
					if m.Filters[0].IDs != nil { // that it does not answer
						return []relay.ServerMessage{}
					}
				}
				return nil
			}
		}
		c.come()
		used := c.takes(5*time.Minute, func() {})
		t.Logf("%d MiB at most, %d ids", used>>20, c.n)
		if used > 40<<20 {
			t.Errorf("memory: got %d MiB, want at most 10", used>>20)
		}
		c.complete(good.events)
	})
	t.Run("refused by thousands, and let in at once", func(t *testing.T) {
		c, good := newCrowd(t, cfg)
		bad := c.relays[c.names[0]]
		c.refuses = func(ev *nostr.Event) (bool, bool) { return ev.Content == "bad", true }
		for range 5_000 {
			ev := announcement("", "x")
			ev.ID, ev.PubKey, ev.Content, ev.Tags = c.id(), c.id(), "bad", append(ev.Tags, nostr.Tag{"x", strings.Repeat("x", 1000)})
			bad.events = append(bad.events, ev)
		}
		c.come()
		c.until(10 * time.Minute)
		for _, name := range c.names {
			f := c.relays[name]
			f.answering = func(msg relay.ClientMessage) []relay.ServerMessage {
				if m, is := msg.(relay.Req); is && m.Filters[0].IDs != nil && m.Filters[0].IDs[0] != strings.Repeat("0", 64) {
					return []relay.ServerMessage{}
				}
				return nil
			}
		}
		newer := announcement("newer", "x", "wss://good.example", c.names[0])
		c.m.Announced(c.now, repo.ID{Owner: owner, Identifier: "x"}, newer, true)
		c.m.Comes(c.now, newer, true)
		used := c.takes(25*time.Minute, func() {})
		t.Logf("%d MiB at most", used>>20)
		if used > 10<<20 {
			t.Errorf("memory: got %d MiB, want at most 10", used>>20)
		}
		c.complete(good.events)
	})
}
