package peer_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/peer"
	"github.com/graspkit/graspkit/reference/relay"
)

// What is sent arrives in its order, what is said is heard in its order, and a relay may say farewell.
func TestConversation(t *testing.T) {
	ev := &nostr.Event{CreatedAt: 5, Kind: 1, Tags: nostr.Tags{}, Content: "x"}
	if err := ev.Sign(strings.Repeat("07", 32)); err != nil {
		t.Fatal(err)
	}
	changed := *ev
	changed.Content = "y"
	url := relayOf(t, func(ctx context.Context, socket *websocket.Conn) {
		for _, want := range []string{`["REQ","a",{}]`, `["CLOSE","a"]`} {
			if _, got, err := socket.Read(ctx); err != nil || string(got) != want {
				t.Errorf("got %s, %v, want %s", got, err, want)
			}
		}
		for _, m := range []relay.ServerMessage{relay.EventFor{Sub: "a", Event: ev}, relay.EventFor{Sub: "a", Event: &changed}, relay.EOSE{Sub: "a"}} {
			if err := socket.Write(ctx, websocket.MessageText, relay.Encode(m)); err != nil {
				t.Error(err)
			}
		}
		for kind, text := range map[websocket.MessageType]string{websocket.MessageText: "x", websocket.MessageBinary: `["EOSE","a"]`} {
			if err := socket.Write(ctx, kind, []byte(text)); err != nil {
				t.Error(err)
			}
		}
		_ = socket.Close(websocket.StatusGoingAway, "bye")
	})
	p := newPeers(t, peer.Options{})
	c := dial(t, p, 7, url).opens()
	p.Send(core.SendPeer{Peer: 7, Msg: relay.Req{Sub: "a", Filters: []relay.Filter{{}}}})
	p.Send(core.SendPeer{Peer: 7, Msg: relay.Close{Sub: "a"}})
	p.Send(core.SendPeer{Peer: 8, Msg: relay.Close{Sub: "a"}})
	for _, want := range []core.Input{
		core.PeerSaid{Peer: 7, Msg: relay.EventFor{Sub: "a", Event: ev}, Good: true},
		core.PeerSaid{Peer: 7, Msg: relay.EventFor{Sub: "a", Event: &changed}},
		core.PeerSaid{Peer: 7, Msg: relay.EOSE{Sub: "a"}},
	} {
		if diff := cmp.Diff(want, c.next()); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
	for range 2 {
		if in, is := c.next().(core.PeerSaid); !is {
			t.Errorf("got %#v, want something unreadable", in)
		} else if _, is := in.Msg.(relay.Unreadable); !is {
			t.Errorf("got %#v, want something unreadable", in)
		}
	}
	if got := c.ends(); got != core.PeerEnded {
		t.Errorf("got %q, want the end in order", got)
	}
	p.Close()
	if n := p.Open(); n != 0 {
		t.Errorf("got %d connections open", n)
	}
}

// Frames of all sizes arrive, as many at a time as there are connections.
func TestLargeFrames(t *testing.T) {
	const relays, frames = 12, 5
	url := relayOf(t, func(ctx context.Context, socket *websocket.Conn) {
		for n := range frames {
			text := `["NOTICE","` + strings.Repeat("x", n*100_000) + `"]`
			if err := socket.Write(ctx, websocket.MessageText, []byte(text)); err != nil {
				t.Error(err)
			}
		}
		_ = socket.Close(websocket.StatusNormalClosure, "")
	})
	p := newPeers(t, peer.Options{Limits: peer.Limits{Larger: 2}})
	var all sync.WaitGroup
	for id := range relays {
		c := dial(t, p, core.PeerID(id), url)
		all.Go(func() {
			c.opens()
			for n := range frames {
				in, _ := c.next().(core.PeerSaid)
				notice, _ := in.Msg.(relay.Notice)
				if want := min(n*100_000, relay.ServerTextMax); len(notice.Text) != want {
					t.Errorf("got %.100v, want a notice of %d", in, want)
				}
			}
			if got := c.ends(); got != core.PeerEnded {
				t.Errorf("got %q, want the end in order", got)
			}
		})
	}
	all.Wait()
}

// Who hangs up says farewell, and hears of no failure; so it is for who hangs up on an attempt.
func TestHangUp(t *testing.T) {
	left := make(chan error, 1)
	url := relayOf(t, func(ctx context.Context, socket *websocket.Conn) {
		_, _, err := socket.Read(ctx)
		left <- err
	})
	p := newPeers(t, peer.Options{Timeouts: peer.Timeouts{End: time.Hour}})
	c := dial(t, p, 1, url).opens()
	p.HangUp(core.HangUp{Peer: 1})
	p.HangUp(core.HangUp{Peer: 1})
	p.HangUp(core.HangUp{Peer: 2})
	p.Send(core.SendPeer{Peer: 1, Msg: relay.Close{Sub: "a"}})
	if got := c.ends(); got != core.PeerEnded {
		t.Errorf("got %q, want the end in order", got)
	}
	if err := <-left; websocket.CloseStatus(err) != websocket.StatusNormalClosure {
		t.Errorf("the relay: got %v, want a farewell", err)
	}
	dialed := make(chan struct{})
	c = dial(t, p, 2, listenOnce(t, dialed))
	<-dialed
	p.HangUp(core.HangUp{Peer: 2})
	if got := c.ends(); got != core.PeerEnded {
		t.Errorf("an attempt: got %q, want the end in order", got)
	}
}

// Nothing more is read from a relay than is heard, and its connection stays: nobody takes its silence for absence.
func TestBackpressure(t *testing.T) {
	const most = 20_000
	stopped := make(chan int)
	url := relayOf(t, func(ctx context.Context, socket *websocket.Conn) {
		ctx = socket.CloseRead(ctx) // so that pings are answered
		text := []byte(`["NOTICE","` + strings.Repeat("x", 10_000) + `"]`)
		for n := range most {
			writing, cancel := context.WithTimeout(ctx, time.Second)
			err := socket.Write(writing, websocket.MessageText, text)
			cancel()
			if err != nil {
				stopped <- n
				return
			}
		}
		stopped <- most
	})
	p := newPeers(t, peer.Options{Timeouts: peer.Timeouts{Quiet: 10 * time.Millisecond, Ping: 250 * time.Millisecond}})
	c := dial(t, p, 1, url).opens()
	written := <-stopped
	if written == most {
		t.Fatal("the relay could say all, and nobody heard it")
	}
	heard := 0
	for {
		switch in := c.next().(type) {
		case core.PeerSaid:
			heard++
			continue
		case core.PeerClosed:
			if in.Failure != core.PeerUnreachable {
				t.Errorf("got %q, want a connection that broke", in.Failure)
			}
		}
		break
	}
	if heard < written/2 {
		t.Errorf("heard %d of %d notices", heard, written)
	}
}

// There are so many connections at a time and no more, and a number is used by one.
func TestOpenMax(t *testing.T) {
	url := relayOf(t, func(ctx context.Context, socket *websocket.Conn) { _, _, _ = socket.Read(ctx) })
	p := newPeers(t, peer.Options{Limits: peer.Limits{Open: 2}})
	one := dial(t, p, 1, url).opens()
	if got := dial(t, p, 1, url).ends(); got != core.PeerUnreachable {
		t.Errorf("the same number again: got %q, want a refusal", got)
	}
	dial(t, p, 2, url).opens()
	if got := dial(t, p, 3, url).ends(); got != core.PeerUnreachable {
		t.Errorf("one too many: got %q, want a refusal", got)
	}
	p.HangUp(core.HangUp{Peer: 1})
	one.ends()
	dial(t, p, 3, url).opens()
	p.Close()
	if got := dial(t, p, 4, url).ends(); got != core.PeerUnreachable {
		t.Errorf("after the end: got %q, want a refusal", got)
	}
}

// A relay that reads nothing has so much waiting for it and no more.
func TestSlowReader(t *testing.T) {
	url := relayOf(t, func(ctx context.Context, _ *websocket.Conn) { <-ctx.Done() })
	p := newPeers(t, peer.Options{Limits: peer.Limits{Queue: 20}})
	c := dial(t, p, 1, url).opens()
	long := relay.Req{Sub: "a", Filters: []relay.Filter{{IDs: []string{strings.Repeat("x", 1<<20)}}}}
	for range 40 { // what the system takes is less
		p.Send(core.SendPeer{Peer: 1, Msg: long})
	}
	if got := c.ends(); got != core.PeerTimedOut {
		t.Errorf("got %q, want a relay that is too slow", got)
	}
}

// An error of who hears ends the connection.
func TestDeafEar(t *testing.T) {
	url := relayOf(t, func(ctx context.Context, socket *websocket.Conn) {
		_ = socket.Write(ctx, websocket.MessageText, []byte(`["NOTICE","x"]`))
		_, _, _ = socket.Read(ctx)
	})
	p := newPeers(t, peer.Options{})
	for id, deaf := range []func(core.Input) bool{
		func(in core.Input) bool { _, is := in.(core.PeerOpened); return is },
		func(in core.Input) bool { _, is := in.(core.PeerSaid); return is },
	} {
		ended := make(chan struct{})
		p.Dial(core.DialPeer{Peer: core.PeerID(id), URL: url}, func(_ context.Context, in core.Input) error {
			if _, is := in.(core.PeerClosed); is {
				close(ended)
			}
			if deaf(in) {
				return fmt.Errorf("deaf to %T", in)
			}
			return nil
		})
		<-ended
	}
}
