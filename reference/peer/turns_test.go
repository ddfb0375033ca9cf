package peer_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/coder/websocket"
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/peer"
	"github.com/graspkit/graspkit/reference/relay"
)

// What all relays together say is heard at a pace, however little each of them says, and whoever asks first has the first turn.
func TestAllTogetherHaveAPace(t *testing.T) {
	ev := nostr.Event{Kind: 1, Tags: nostr.Tags{}}
	if err := ev.Sign(strings.Repeat("01", 32)); err != nil {
		t.Fatal(err)
	}
	pace := relay.Pace{Burst: 3, Every: time.Minute}
	for _, test := range []struct {
		name, text string
		all        peer.All
	}{
		{"events", `["EVENT","l1",` + ev.String() + `]`, peer.All{Events: pace}},
		{"others", `["NOTICE","x"]`, peer.All{Others: pace}},
		{"bytes", `["NOTICE","` + strings.Repeat("x", 64<<10) + `"]`, peer.All{Pieces: pace}},
	} {
		t.Run(test.name, func(t *testing.T) {
			says := func(times int) string {
				return relayOf(t, func(ctx context.Context, socket *websocket.Conn) {
					for range times {
						_ = socket.Write(ctx, websocket.MessageText, []byte(test.text))
					}
					_, _, _ = socket.Read(ctx)
				})
			}
			c := waited{clock.NewMock(), make(chan time.Duration, 1)}
			p := newPeers(t, peer.Options{Clock: c, Limits: peer.Limits{All: test.all}})
			waits := func(d time.Duration) {
				t.Helper()
				if got := <-c.timers; got != d {
					t.Errorf("waits for %v, want %v", got, d)
				}
			}
			one := dial(t, p, 1, says(2)).opens()
			one.next()
			one.next()
			two := dial(t, p, 2, says(2)).opens()
			two.next()
			waits(time.Minute)
			three := dial(t, p, 3, says(1)).opens()
			waits(2 * time.Minute)
			for i, next := range []*connection{two, three} {
				select {
				case in := <-next.heard:
					t.Fatalf("turn %d: got %#v before its time", i, in)
				default:
				}
				c.Add(time.Minute)
				if _, is := next.next().(core.PeerSaid); !is {
					t.Errorf("turn %d: nothing was said", i)
				}
			}
		})
	}
}

// Larger frames count until they have been heard: nobody who waits for the turn of one has another one come meanwhile.
func TestLargeFramesCountUntilHeard(t *testing.T) {
	large := func() string {
		return relayOf(t, func(ctx context.Context, socket *websocket.Conn) {
			_ = socket.Write(ctx, websocket.MessageText, []byte(`["NOTICE","`+strings.Repeat("x", 100<<10)+`"]`))
			_, _, _ = socket.Read(ctx)
		})
	}
	c := waited{clock.NewMock(), make(chan time.Duration, 1)}
	all := peer.All{Pieces: relay.Pace{Burst: 1, Every: time.Minute}}
	p := newPeers(t, peer.Options{Clock: c, Limits: peer.Limits{Larger: 1, All: all}})
	one := dial(t, p, 1, large()).opens()
	one.next()
	two := dial(t, p, 2, large()).opens()
	if d := <-c.timers; d != time.Minute {
		t.Errorf("waits for %v, want %v", d, time.Minute)
	}
	three := dial(t, p, 3, large()).opens()
	select {
	case d := <-c.timers:
		t.Fatalf("a second large frame is here while the first waits, and waits for %v", d)
	case <-time.After(200 * time.Millisecond):
	}
	c.Add(time.Minute)
	two.next()
	if d := <-c.timers; d != time.Minute {
		t.Errorf("waits for %v, want %v", d, time.Minute)
	}
	c.Add(time.Minute)
	three.next()
}
