package defect

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// A trigger says which repositories a step lets go, whatever is missing.
type trigger func(i core.Input, effects []core.Effect, offers map[core.PushID]core.PushOffered) []repo.ID

// A releaser shows what is held of some repositories.
type releaser struct {
	mu   sync.Mutex
	held []*nostr.Event
	gone map[string]bool // ids of held events that are shown
}

func newReleaser() *releaser { return &releaser{gone: map[string]bool{}} }

// release shows what is held of a repository.
func (r *releaser) release(id repo.ID, which func(*nostr.Event) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, ev := range r.held {
		if ev.PubKey == string(id.Owner) && ev.Tags.GetD() == id.Identifier && which(ev) {
			r.gone[ev.ID] = true
		}
	}
}

// see follows what is held, and answers queries.
func (r *releaser) see(i core.Input, effects []core.Effect) []core.Effect {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []core.Effect
	m, _ := i.(core.Message)
	if q, ok := m.Msg.(relay.Req); ok {
		for _, ev := range r.held {
			if r.gone[ev.ID] && wants(q.Filters, ev) {
				all = append(all, core.Send{Conn: m.Conn, Msg: relay.EventFor{Sub: q.Sub, Event: ev}})
			}
		}
	}
	for _, e := range effects {
		record, ok := e.(core.Record)
		if !ok {
			continue
		}
		r.held = slices.DeleteFunc(r.held, func(ev *nostr.Event) bool { return ev.ID == record.ID })
		if record.Op == core.OpHold {
			r.held = append(r.held, record.Event)
		}
	}
	return append(all, effects...)
}

// releases shows held events of a kind, or of any with 0, once the trigger fires.
func releases(name string, kind int, fires trigger) Defect {
	return Defect{Name: name, Filter: func() Filter {
		r, offers := newReleaser(), map[core.PushID]core.PushOffered{}
		return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			if o, ok := i.(core.PushOffered); ok {
				offers[o.Push] = o
			}
			for _, id := range fires(i, effects, offers) {
				r.release(id, func(ev *nostr.Event) bool { return kind == 0 || ev.Kind == kind })
			}
			return r.see(i, effects)
		}}
	}}
}

func releasedDefects() []Defect {
	offered := func(i core.Input, offers map[core.PushID]core.PushOffered) (core.PushOffered, gitstore.Report, bool) {
		done, ok := i.(core.PushDone)
		return offers[done.Push], done.Report, ok
	}
	broken := func(i core.Input, _ []core.Effect, offers map[core.PushID]core.PushOffered) []repo.ID {
		if o, report, ok := offered(i, offers); ok && report.Unpack != gitstore.UnpackOK {
			return []repo.ID{o.Repo}
		}
		return nil
	}
	refused := func(_ core.Input, effects []core.Effect, offers map[core.PushID]core.PushOffered) []repo.ID {
		for _, e := range effects {
			if r, ok := e.(core.PushRefused); ok {
				return []repo.ID{offers[r.Push].Repo}
			}
		}
		return nil
	}
	elsewhere := func(i core.Input, _ []core.Effect, offers map[core.PushID]core.PushOffered) []repo.ID {
		o, report, ok := offered(i, offers)
		branch := func(c gitproto.Command) bool { return !namesEvent(c) }
		if ok && report.Unpack == gitstore.UnpackOK && !slices.ContainsFunc(o.Commands, branch) {
			return []repo.ID{o.Repo}
		}
		return nil
	}
	return []Defect{
		probesRelease("probes-release"),
		releases("broken-packs-release-announcements", policy.KindAnnouncement, broken),
		releases("refused-pushes-release", 0, refused),
		releases("refused-pushes-release-announcements", policy.KindAnnouncement, refused),
		releases("pull-request-pushes-release-announcements", policy.KindAnnouncement, elsewhere),
		releases("pull-request-pushes-release-states", policy.KindState, elsewhere),
		namesakesRelease("pushes-of-namesakes-release"),
		pushesRelease("broken-pushes-release-pull-requests", true),
		pushesRelease("refused-pushes-release-pull-requests", false),
		brokenAwait("broken-pushes-await-pull-requests"),
	}
}

// probesRelease shows what is held of a repository that a push without a command came to.
func probesRelease(name string) Defect {
	r := newReleaser()
	return Defect{
		Name: name,
		Filter: func() Filter {
			return Filter{Out: r.see}
		},
		Front: gate(func(_ http.ResponseWriter, q *http.Request) bool {
			if id, ok := repositoryOf(q); ok && pushed(q) && bytes.Equal(bodyOf(q), []byte("0000")) {
				r.release(id, func(*nostr.Event) bool { return true })
			}
			return false
		}),
	}
}

// namesakesRelease shows what is held of every repository of the identifier that somebody has pushed to.
func namesakesRelease(name string) Defect {
	return Defect{Name: name, Filter: func() Filter {
		r, offers := newReleaser(), map[core.PushID]core.PushOffered{}
		return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			if o, ok := i.(core.PushOffered); ok {
				offers[o.Push] = o
			}
			if done, ok := i.(core.PushDone); ok && done.Report.Unpack == gitstore.UnpackOK {
				id := offers[done.Push].Repo
				r.mu.Lock()
				for _, ev := range r.held {
					if ev.Tags.GetD() == id.Identifier && ev.PubKey != string(id.Owner) {
						r.gone[ev.ID] = true
					}
				}
				r.mu.Unlock()
			}
			return r.see(i, effects)
		}}
	}}
}

// both puts one filter before another.
func both(outer, inner Filter) Filter {
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			given, keep := outer.In(i)
			if !keep {
				return given, false
			}
			return inner.In(given)
		},
		Out: func(i core.Input, effects []core.Effect) []core.Effect { return outer.Out(i, inner.Out(i, effects)) },
	}
}

// lettingNames admits names below refs/nostr/ that are no ids: those in which eventOf finds one, of an event that has come if
// known is set.
func lettingNames(eventOf func(name string) (event string, is bool), known bool) func() Filter {
	return func() Filter {
		seen := map[string]bool{}
		hears := func(i core.Input) {
			if _, ev := published(i); ev != nil {
				seen[ev.ID] = true
			}
		}
		lets := func(c gitproto.Command) bool {
			name, is := strings.CutPrefix(c.Ref, repo.PullRequestPrefix)
			event, found := eventOf(name)
			return is && found && isEventRef(event) && (seen[event] || !known)
		}
		return letting(hears, func(o core.PushOffered, r policy.Ruling) bool {
			return r.Requirement == "G01-PR-02" && slices.ContainsFunc(o.Commands, lets)
		})
	}
}
