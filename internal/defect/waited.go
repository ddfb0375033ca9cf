package defect

import (
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// waitingTime is how long events wait for git data.
const waitingTime = 30 * time.Minute

// waitedDefects are mistakes with how long things wait: what prolongs it, and what has a time of its own.
func waitedDefects() []Defect {
	return []Defect{
		prolonging("states-sent-again-wait-longer", func(p *prolonged, i core.Input) {
			if _, ev := published(i); ev != nil {
				p.renew(func(held *nostr.Event) bool { return held.ID == ev.ID })
			}
		}),
		prolonging("pushes-beside-prolong-waiting", func(p *prolonged, i core.Input) {
			if o, is := i.(core.PushOffered); is {
				p.renew(func(held *nostr.Event) bool { return held.Tags.GetD() == o.Repo.Identifier })
			}
		}),
		prolonging("talk-prolongs-waiting", func(p *prolonged, i core.Input) {
			if _, ev := published(i); ev != nil && ev.Kind != policy.KindState && refersBy(ev, "a") {
				p.renew(func(held *nostr.Event) bool {
					_, _, identifier, _ := coordinate(ev.Tags.Find("a")[1])
					return held.Tags.GetD() == identifier
				})
			}
		}),
		visitsProlong("visits-prolong-waiting"),
		{Name: "stops-prolong-waiting", Core: func(m core.Machine) core.Machine { return &rewound{m} }},
		pullsWait("held-pull-requests-wait-for-good", func(now, came instant.Instant) (gone, back bool) {
			return false, now >= came.Add(waitingTime)
		}),
		pullsWait("held-pull-requests-gone-in-ten-minutes", func(now, came instant.Instant) (gone, back bool) {
			const short = 10 * time.Minute
			return now >= came.Add(short), false
		}),
	}
}

// A prolonged core takes pushes by states that waited too long, because something has renewed their time.
type prolonged struct {
	timed
	states        map[string]*nostr.Event
	came, renewed map[string]instant.Instant
}

// renew begins the time of some states anew that still wait.
func (p *prolonged) renew(which func(*nostr.Event) bool) {
	for id, ev := range p.states {
		if which(ev) && p.now < p.renewed[id].Add(waitingTime) {
			p.renewed[id] = p.now
		}
	}
}

// prolonging has inputs renew the time of states.
func prolonging(name string, hear func(*prolonged, core.Input)) Defect {
	return Defect{Name: name, Core: func(m core.Machine) core.Machine { return newProlonged(m, hear) }}
}

func newProlonged(m core.Machine, hear func(*prolonged, core.Input)) *prolonged {
	p := &prolonged{states: map[string]*nostr.Event{}, came: map[string]instant.Instant{}, renewed: map[string]instant.Instant{}}
	filter := letting(func(i core.Input) { hear(p, i) }, func(o core.PushOffered, _ policy.Ruling) bool {
		for id, ev := range p.states {
			if ev.Tags.GetD() == o.Repo.Identifier && ev.PubKey == string(o.Repo.Owner) && fits(o, ev) && p.now < p.renewed[id].Add(waitingTime) {
				return true
			}
		}
		return false
	})
	refused := filter.Out
	filter.Out = func(i core.Input, effects []core.Effect) []core.Effect {
		for _, e := range effects {
			r, _ := e.(core.Record)
			switch {
			case r.Op == core.OpHold && r.Event.Kind == policy.KindState && p.states[r.ID] == nil:
				p.states[r.ID], p.came[r.ID], p.renewed[r.ID] = r.Event, p.now, p.now
			case r.Op == core.OpStore:
				delete(p.states, r.ID)
			}
		}
		return refused(i, effects)
	}
	p.Machine = &filtered{Machine: m, filter: filter, silent: map[string]int{}}
	return p
}

// visitsProlong has whoever opens the page of a repository give its states another half hour.
func visitsProlong(name string) Defect {
	var mu sync.Mutex
	var asked []repo.ID
	d := prolonging(name, func(p *prolonged, _ core.Input) {
		mu.Lock()
		defer mu.Unlock()
		for _, of := range asked {
			for id, ev := range p.states {
				if ev.Tags.GetD() == of.Identifier {
					p.renewed[id] = p.came[id].Add(waitingTime)
				}
			}
		}
		asked = nil
	})
	d.Front = gate(func(_ http.ResponseWriter, r *http.Request) bool {
		if id, is := repositoryOf(r); is && r.Method == http.MethodGet && strings.HasSuffix(r.URL.EscapedPath(), ".git") {
			mu.Lock()
			defer mu.Unlock()
			asked = append(asked, id)
		}
		return false
	})
	return d
}

// rewound begins the time of all that waits anew when it starts.
type rewound struct{ core.Machine }

// Step implements core.Machine.
func (r *rewound) Step(now instant.Instant, in core.Input, out *core.Effects) {
	if s, is := in.(core.Started); is {
		held := make([]core.HeldEvent, len(s.Held))
		for n, h := range s.Held {
			h.Deadline = now.Add(waitingTime)
			held[n] = h
		}
		s.Held = held
		in = s
	}
	r.Machine.Step(now, in, out)
}

// pullsWait hides pull requests that are released, or shows them once their commits are pushed, by how long ago they came.
func pullsWait(name string, late func(now, came instant.Instant) (gone, back bool)) Defect {
	return Defect{Name: name, Core: func(m core.Machine) core.Machine {
		t, pulls, came := &timed{}, map[string]*nostr.Event{}, map[string]instant.Instant{}
		hidden, offers := map[string]bool{}, map[core.PushID]core.PushOffered{}
		var shown []*nostr.Event
		filter := Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			for _, e := range effects {
				r, _ := e.(core.Record)
				switch {
				case r.Op == core.OpHold && isPull(r.Event) && pulls[r.ID] == nil:
					pulls[r.ID], came[r.ID] = r.Event, t.now
				case r.Op == core.OpStore && pulls[r.ID] != nil:
					hidden[r.ID], _ = late(t.now, came[r.ID])
				}
			}
			switch in := i.(type) {
			case core.PushOffered:
				offers[in.Push] = in
			case core.PushDone:
				for _, c := range offers[in.Push].Commands {
					id, is := repo.PullRequestOf(c.Ref)
					if ev := pulls[id]; is && ev != nil && begins(ev, "c", string(c.New)) && in.Report.Whole() {
						if _, back := late(t.now, came[id]); back {
							shown = append(shown, ev)
						}
					}
				}
			}
			return showing(i, hiding(hidden, effects), shown)
		}}
		t.Machine = &filtered{Machine: m, filter: filter, silent: map[string]int{}}
		return t
	}}
}
