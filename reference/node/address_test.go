package node_test

import (
	"errors"
	"testing"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/node"
	"github.com/graspkit/graspkit/reference/relay"
)

// answering is a machine that takes every event and sends what is decided before it.
func answering() *machine {
	m := &machine{}
	m.step = func(_ instant.Instant, in core.Input, out *core.Effects) {
		message, ok := in.(core.Message)
		if !ok {
			return
		}
		switch msg := message.Msg.(type) {
		case relay.Event:
			out.List = append(out.List, core.Send{Conn: message.Conn, Msg: relay.OK{ID: msg.Event.ID, Accepted: true}})
		case relay.Malformed:
			out.List = append(out.List, core.Send{Conn: message.Conn, Msg: msg.Reply})
		}
	}
	return m
}

// A connection that sends too fast is told so, event by event, until its pace allows the next; neighbors have the pace of
// their address in common, and others do not feel it.
func TestEventsHaveAPace(t *testing.T) {
	now := clock.NewMock()
	n := begin(t, node.Config{Machine: answering(), Clock: now, Shares: node.Shares{
		Events: relay.PerMinute(60, 2), Address: relay.PerMinute(60, 3),
	}})
	from := func(address string) *node.Conn {
		c, err := n.ConnectFrom(t.Context(), address, "")
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	first, second, other, unknown := from("a"), from("a"), from("b"), connect(t, n)
	ev := event(1, "paced")
	frame := `["EVENT",` + ev.String() + `]`
	taken, refused := `["OK","`+ev.ID+`",true,""]`, `["OK","`+ev.ID+`",false,"rate-limited: slow down"]`
	for i, step := range []struct {
		c    *node.Conn
		want string
	}{
		{first, taken}, {first, taken}, {first, refused}, // its own pace
		{second, taken}, {second, refused}, // that of the address
		{other, taken}, {unknown, taken}, {unknown, taken}, {unknown, refused},
	} {
		receive(t, step.c, frame)
		if got := next(t, step.c); got != step.want {
			t.Errorf("event %d: got %s, want %s", i, got, step.want)
		}
	}
	now.Add(time.Second)
	second.Close() // and come again: the address has had its events all the same
	again := from("a")
	for i, want := range []string{taken, refused} {
		receive(t, again, frame)
		if got := next(t, again); got != want {
			t.Errorf("event %d a second later: got %s, want %s", i, got, want)
		}
	}
	if got := counted(n, "event_too_fast"); got != 4 {
		t.Errorf("counted %d events that came too fast, want 4", got)
	}
	for _, c := range []*node.Conn{first, other, unknown, again} {
		c.Close()
	}
}

// One address has no more than its share of the connections, and a connection that ends gives its place back.
func TestAddressesHaveAShare(t *testing.T) {
	n := begin(t, node.Config{Machine: &machine{}, ConnectionsMax: 4, Shares: node.Shares{Connections: 2}})
	var open []*node.Conn
	for i, step := range []struct {
		address string
		want    error
	}{{"a", nil}, {"a", nil}, {"a", node.ErrCrowdedAddress}, {"b", nil}, {"", nil}, {"b", node.ErrTooManyConnections}} {
		c, err := n.ConnectFrom(t.Context(), step.address, "")
		if !errors.Is(err, step.want) {
			t.Errorf("connection %d from %q: got %v, want %v", i, step.address, err, step.want)
		}
		if c != nil {
			open = append(open, c)
		}
	}
	for _, c := range open {
		c.Close()
	}
	for range 2 { // the one that the node had no place for has left no trace
		c, err := n.ConnectFrom(t.Context(), "b", "")
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	if _, err := n.ConnectFrom(t.Context(), "b", ""); !errors.Is(err, node.ErrCrowdedAddress) {
		t.Errorf("third connection: got %v, want ErrCrowdedAddress", err)
	}
}
