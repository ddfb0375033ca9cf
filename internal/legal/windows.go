package legal

import (
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/web"
)

// A windowed core of a private service has windows of its own for what authenticates: an authentication, or a token, of within one
// counts as one of now, and any other one as one of long ago. Zero leaves the window as it is.
type windowed struct {
	core.Machine

	proof, token time.Duration
}

func windows(proof, token time.Duration) func(core.Machine) core.Machine {
	return func(m core.Machine) core.Machine { return &windowed{m, proof, token} }
}

// Step implements [core.Machine].
func (w *windowed) Step(now instant.Instant, in core.Input, out *core.Effects) {
	if m, is := in.(core.Message); is && w.proof > 0 {
		if auth, also := m.Msg.(relay.Auth); also {
			auth.Event = within(auth.Event, now, w.proof)
			m.Msg = auth
			in = m
		}
	}
	w.Machine.Step(now, in, out)
}

// Admits implements [core.Machine].
func (w *windowed) Admits(now instant.Instant, t web.Token) policy.Ruling {
	if w.token > 0 {
		t.Event = within(t.Event, now, w.token)
	}
	return w.Machine.Admits(now, t)
}

// within is an event with the date of now, if its own is not too far from that, and else with one of long ago.
func within(ev *nostr.Event, now instant.Instant, window time.Duration) *nostr.Event {
	dated := *ev
	dated.CreatedAt = 0
	if away := instant.FromUnix(int64(ev.CreatedAt)).Sub(instant.FromUnix(now.Unix())); away.Abs() <= window {
		dated.CreatedAt = nostr.Timestamp(now.Unix())
	}
	return &dated
}

// challengesLate keeps the challenge of a connection until something is refused there.
func challengesLate() defect.Filter {
	kept := map[core.ConnID]core.Send{}
	return defect.Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		var all []core.Effect
		for _, e := range effects {
			send, _ := e.(core.Send)
			_, opens := i.(core.ConnOpened)
			if _, challenges := send.Msg.(relay.Challenge); opens && challenges {
				kept[send.Conn] = send
				continue
			}
			all = append(all, e)
			if late, waits := kept[send.Conn]; waits && asksWho(send.Msg) { // behind the refusal, as some do
				all = append(all, late)
				delete(kept, send.Conn)
			}
		}
		return all
	}}
}

// asksWho tells refusals for want of an authentication.
func asksWho(msg relay.ServerMessage) bool {
	text := ""
	switch m := msg.(type) {
	case relay.OK:
		text = m.Text
	case relay.Closed:
		text = m.Text
	case relay.NegError:
		text = m.Text
	}
	return strings.HasPrefix(text, "auth-required:")
}
