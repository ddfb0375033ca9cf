package explore_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/sim/explore"
)

// A mistake is one that a server makes that syncs. It is a number, for worlds are copied and compared with what is in them.
type mistake uint8

const (
	pastOnce mistake = iota // nothing of the past is asked for on a second connection
	noLive
	noStates
	onePage
	noDeletions
	sinceAlone // behind an end of the connection only what came since is asked for
)

// mistaken is a server that does not say some of what it would say to relays, or does not hear some of what they say.
type mistaken struct {
	core.Machine
	Makes  mistake
	opened int
}

func (x *mistaken) Step(now instant.Instant, in core.Input, out *core.Effects) {
	switch said := in.(type) {
	case core.PeerOpened:
		x.opened++
	case core.PeerSaid:
		if event, is := said.Msg.(relay.EventFor); is && x.Makes == noDeletions && event.Event.Kind == 5 {
			in = core.TimerFired{}
		}
	}
	begin := len(out.List)
	x.Machine.Step(now, in, out)
	out.List = append(out.List[:begin], slices.DeleteFunc(slices.Clone(out.List[begin:]), func(e core.Effect) bool {
		said, is := e.(core.SendPeer)
		return is && x.omits(said.Msg)
	})...)
}

func (x *mistaken) omits(msg relay.ClientMessage) bool {
	req, is := msg.(relay.Req)
	switch x.Makes {
	case pastOnce:
		return x.opened > 1 && past(msg)
	case noLive:
		return is && !past(msg)
	case noStates:
		if open, is := msg.(relay.NegOpen); is {
			return slices.Contains(open.Filter.Kinds, 30618)
		}
		return slices.ContainsFunc(req.Filters, func(f relay.Filter) bool { return slices.Contains(f.Kinds, 30618) })
	case sinceAlone:
		return is && x.opened > 1 && past(msg) && req.Filters[0].Since == nil
	case onePage:
		return is && req.Filters[0].Until != nil
	default:
		return false
	}
}

// misremembering takes what was refused before an end for that of another repository.
type misremembering struct{ core.Machine }

func (x *misremembering) Step(now instant.Instant, in core.Input, out *core.Effects) {
	if started, is := in.(core.Started); is {
		started.Marks = slices.Clone(started.Marks)
		for i := range started.Marks {
			if started.Marks[i].Kind == core.MarkRefusedAnnouncement {
				started.Marks[i].Repo.Identifier = "other"
			}
		}
		in = started
	}
	begin := len(out.List)
	x.Machine.Step(now, in, out)
	for i, e := range out.List[begin:] {
		if r, is := e.(core.Record); is && r.Op == core.OpUnmark && r.Mark.Kind == core.MarkRefusedAnnouncement {
			r.Mark.Repo.Identifier = "demo" // what the journal has
			out.List[begin+i] = r
		}
	}
}

func past(msg relay.ClientMessage) bool {
	switch msg := msg.(type) {
	case relay.NegOpen:
		return true
	case relay.Req:
		return msg.Filters[0].Limit == nil || *msg.Filters[0].Limit != 0
	}
	return false
}

// Each family of a server that syncs finds the mistake that it is for.
func TestMistakesOfSyncingAreFound(t *testing.T) {
	makes := func(x mistake) func(core.Machine) core.Machine {
		return func(m core.Machine) core.Machine { return &mistaken{Machine: m, Makes: x} }
	}
	for _, c := range []struct {
		mistake, family string
		wrap            func(core.Machine) core.Machine
	}{
		{"nothing of the past is asked for on a second connection", "sync", makes(pastOnce)},
		{"nothing that comes from then on is asked for", "sync", makes(noLive)},
		{"states are not asked for", "sync-first", makes(noStates)},
		{"what was refused before an end is taken for that of another repository", "sync-refused", func(m core.Machine) core.Machine {
			return &misremembering{m}
		}},
		{"there is one page", "sync-pages", makes(onePage)},
		{"behind an end of the connection only what came since is asked for", "sync-pages", makes(sinceAlone)},
		{"deletions are not heard", "sync-deletion", makes(noDeletions)},
	} {
		t.Run(c.mistake, func(t *testing.T) {
			t.Parallel()
			f := family(t, c.family)
			f.Wrap = c.wrap
			r := explore.Explore(f, explore.Options{})
			if r.Failure == nil {
				t.Fatalf("got nothing in %d states, want INV-07 lacks", r.States)
			}
			if got := r.Failure.Violations[0].String(); got != "INV-07 lacks" {
				t.Errorf("got %s after %d moves, want INV-07 lacks:\n%s", got, len(r.Failure.Moves), strings.Join(r.Failure.Lines, "\n"))
			}
		})
	}
}
