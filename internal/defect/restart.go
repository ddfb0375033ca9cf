package defect

import (
	"slices"
	"strings"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// restartDefects are mistakes of what a server keeps, and of what it makes of that when it starts.
func restartDefects() []Defect {
	return []Defect{
		{Name: "acknowledged-before-durable", Filter: unsynced},
		{Name: "saved-state-removed-early", Filter: removedEarly},
		{
			Name:   "purgatory-lost-at-stop",
			Filter: survivors(func(in core.Started) core.Started { in.Held = nil; return in }),
		},
		{
			Name: "soft-announcements-lost-at-stop",
			Filter: survivors(func(in core.Started) core.Started {
				in.Held = slices.DeleteFunc(slices.Clone(in.Held), func(h core.HeldEvent) bool { return h.Soft })
				return in
			}),
		},
		{Name: "pull-refs-removed-at-start", Backend: func(b gitstore.Backend) gitstore.Backend { return &tidy{b} }},
		{
			Name: "starts-extend-lives",
			Filter: survivors(func(in core.Started) core.Started {
				in.Held = slices.Clone(in.Held)
				for i := range in.Held {
					in.Held[i].Deadline = in.Held[i].Deadline.Add(10 * time.Minute)
				}
				return in
			}),
		},
		{
			Name: "starts-forget-clocks-of-refs",
			Filter: survivors(func(in core.Started) core.Started {
				in.Marks = slices.DeleteFunc(slices.Clone(in.Marks), func(m core.Mark) bool { return m.Kind == core.MarkPlaceholder })
				return in
			}),
		},
		{Name: "release-not-resumed", Filter: unresumed},
	}
}

// survivors makes a filter that changes what a server is told of its last life.
func survivors(change func(core.Started) core.Started) func() Filter {
	return func() Filter {
		return Filter{In: func(i core.Input) (core.Input, bool) {
			if started, is := i.(core.Started); is {
				return change(started), true
			}
			return i, true
		}}
	}
}

// unsynced keeps what the journal should have until the server ends in order.
func unsynced() Filter {
	var late []core.Effect
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		var now []core.Effect
		for _, e := range effects {
			if _, record := e.(core.Record); record {
				late = append(late, e)
			} else {
				now = append(now, e)
			}
		}
		if _, end := i.(core.Shutdown); end {
			now, late = append(late, now...), nil
		}
		return now
	}}
}

// removedEarly takes what is held out of the journal as soon as it is loaded, and saves it at an orderly end.
func removedEarly() Filter {
	held := map[string]core.Record{}
	var order []string
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		if started, is := i.(core.Started); is {
			for _, h := range started.Held {
				held[h.Event.ID] = core.Record{
					Op: core.OpHold, ID: h.Event.ID, Event: h.Event, Arrived: h.Arrived, Deadline: h.Deadline, Soft: h.Soft,
				}
				order = append(order, h.Event.ID)
				effects = append(effects, core.Record{Op: core.OpDrop, ID: h.Event.ID})
			}
		}
		for _, e := range effects {
			if r, is := e.(core.Record); is && held[r.ID].Event != nil && (r.Op == core.OpStore || r.Op == core.OpHold) {
				delete(held, r.ID) // the journal has it again
			}
		}
		if _, end := i.(core.Shutdown); end {
			for _, id := range order {
				if r, left := held[id]; left {
					effects = append(effects, r)
				}
			}
		}
		return effects
	}}
}

// unresumed finds nothing in any repository until the first client has come.
func unresumed() Filter {
	asked := map[core.RequestID][]repo.OID{}
	open := false
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			switch in := i.(type) {
			case core.ConnOpened, core.PushOffered:
				open = true
			case core.ObjectFacts:
				if oids := asked[in.Request]; oids != nil {
					in.Missing = oids
					return in, true
				}
			}
			return i, true
		},
		Out: func(_ core.Input, effects []core.Effect) []core.Effect {
			for _, e := range effects {
				if ask, is := e.(core.AskObjects); is && !open {
					asked[ask.Request] = ask.OIDs
				}
			}
			return effects
		},
	}
}

// tidy is a store that removes the refs of pull requests when it is listed, which a server does when it starts.
type tidy struct{ gitstore.Backend }

// Repositories implements gitstore.Backend.
func (b *tidy) Repositories() ([]repo.ID, error) {
	ids, err := b.Backend.Repositories()
	for _, id := range ids {
		refs, refsErr := b.Refs(id)
		var commands []gitproto.Command
		for _, ref := range refs.Refs {
			if strings.HasPrefix(ref.Name, repo.PullRequestPrefix) {
				commands = append(commands, gitproto.Command{Old: ref.OID, New: repo.ZeroOID, Ref: ref.Name})
			}
		}
		if refsErr == nil && len(commands) > 0 {
			err = b.Update(id, commands, "")
		}
	}
	return ids, err
}
