package defect

import (
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
)

// submittedDefects are mistakes of a server that takes contributions (GRASP-06).
func submittedDefects() []Defect {
	all := []Defect{
		{Name: "submission-paths-unescaped", Answer: func(q web.Request, r web.Route) web.Route {
			if strings.HasPrefix(q.Path, submissionPath) && strings.Contains(q.Path, "%") {
				return notThere
			}
			return r
		}},
		{Name: "malformed-submission-paths-answered", Answer: func(q web.Request, r web.Route) web.Route {
			if r.Kind == web.KindRespond && r.Response.Status >= http.StatusBadRequest {
				return shownAnywhere(q, r)
			}
			return r
		}},
		hiddenUntilMade("submissions-not-there-before", gitproto.UploadPackService),
		hiddenUntilMade("submissions-not-offered-before", gitproto.ReceivePackService),
		{Name: "submissions-need-an-event", Filter: func() Filter { return atPlaces(needEvent()) }},
		making(Defect{Name: "submission-names-unchecked", Filter: admits("G06-PUSH-02")}),
		making(Defect{Name: "submissions-unmatched", Filter: admits("G06-PUSH-03")}),
		branchesUnseen("submission-branches-unseen"),
		{Name: "submissions-refused", Filter: rejects(func(ev *nostr.Event) bool { return isPull(ev) && submits(ev) })},
		{Name: "submissions-to-elsewhere-taken", Filter: ok(func(i core.Input, m relay.OK) relay.OK {
			if _, ev := published(i); ev != nil && isPull(ev) {
				m.Accepted = true
			}
			return m
		})},
		{Name: "issues-with-a-place-taken", Filter: ok(func(i core.Input, m relay.OK) relay.OK {
			if _, ev := published(i); ev != nil && !isPull(ev) && submits(ev) {
				m.Accepted = true
			}
			return m
		})},
		{Name: "submissions-stay-held", Filter: submissionsStayHeld},
		{
			Name: "wrong-submissions-stay", Backend: func(b gitstore.Backend) gitstore.Backend { return keeper{backend{b}} },
			Filter: updatesAtPlaces(func(i core.Input) bool {
				_, timer := i.(core.TimerFired)
				return !timer
			}),
		},
		{Name: "unmatched-submissions-kept", Filter: updatesAtPlaces(func(i core.Input) bool {
			_, looked := i.(core.ObjectFacts)
			return !looked
		})},
		goneWhenEmptied("emptied-submissions-gone"),
		{Name: "submissions-not-copied", Filter: notCopied},
	}
	return contributing(all)
}

// contributing has mistakes planted where contributions are taken.
func contributing(all []Defect) []Defect {
	for i, d := range all {
		all[i].Config = func(c *core.Config) {
			c.Contributions.On = true
			if d.Config != nil {
				d.Config(c)
			}
		}
	}
	return all
}

// submissionPath is what the paths of places for pull requests begin with.
const submissionPath = "/prs/"

// notThere is the answer where nothing is.
var notThere = web.Route{Kind: web.KindRespond, Response: web.Response{
	Status: http.StatusNotFound, Header: web.Config{}.CORS(), Body: []byte("not found"),
}}

// submits reports whether a clone value of an event has the form of a place.
func submits(ev *nostr.Event) bool {
	return slices.ContainsFunc(ev.Tags, func(t nostr.Tag) bool {
		return t[0] == "clone" && slices.ContainsFunc(t[1:], func(v string) bool { return strings.Contains(v, submissionPath) })
	})
}

// atPlaces has a filter hear of pushes to places alone.
func atPlaces(f Filter) Filter {
	elsewhere := func(i core.Input) bool {
		o, is := i.(core.PushOffered)
		return is && !o.Repo.IsContribution()
	}
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			if elsewhere(i) {
				return i, true
			}
			return f.In(i)
		},
		Out: func(i core.Input, effects []core.Effect) []core.Effect {
			if elsewhere(i) {
				return effects
			}
			return f.Out(i, effects)
		},
	}
}

// updatesAtPlaces makes a filter that has no ref of a place go because of some inputs.
func updatesAtPlaces(because func(core.Input) bool) func() Filter {
	return out(func(i core.Input, e core.Effect) (core.Effect, bool) {
		u, is := e.(core.UpdateRefs)
		if !is || !because(i) || !u.Repo.IsContribution() {
			return e, true
		}
		u.Commands = slices.DeleteFunc(slices.Clone(u.Commands), func(c gitproto.Command) bool { return c.New.IsZero() })
		return u, true
	})
}

// A keeper removes no place.
type keeper struct{ backend }

func (k keeper) Remove(id repo.ID) error {
	if id.IsContribution() {
		return nil
	}
	return k.backend.Remove(id)
}

// submissionsStayHeld says of pull requests that name a place that they wait, and forgets them.
func submissionsStayHeld() Filter {
	waits := func(ev *nostr.Event) bool { return isPull(ev) && submits(ev) }
	filter := rejecting(waits, nil)
	return Filter{In: filter.In, Out: func(i core.Input, effects []core.Effect) []core.Effect {
		effects = filter.Out(i, effects)
		if conn, ev := published(i); ev != nil && waits(ev) {
			return []core.Effect{core.Send{Conn: conn, Msg: relay.OK{ID: ev.ID, Accepted: true, Text: "purgatory: waits for its commit"}}}
		}
		return effects
	}}
}

// A placeList knows which places were made, and which were removed.
type placeList struct {
	mu         sync.Mutex
	made, gone map[repo.ID]bool // guarded by mu
}

func newPlaceList() *placeList { return &placeList{made: map[repo.ID]bool{}, gone: map[repo.ID]bool{}} }

// filter sees places come and go.
func (p *placeList) filter() Filter {
	return Filter{Out: func(_ core.Input, effects []core.Effect) []core.Effect {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, e := range effects {
			switch e := e.(type) {
			case core.CreateRepository:
				p.made[e.Repo] = true
				delete(p.gone, e.Repo)
			case core.RemoveRepository:
				p.gone[e.Repo] = true
				delete(p.made, e.Repo)
			}
		}
		return effects
	}}
}

// has reports what the list has of an advertisement that is asked for.
func (p *placeList) has(r web.Route) (made, gone bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.made[r.Repo], p.gone[r.Repo]
}

// all lists what was made and is there, in order.
func (p *placeList) all() []repo.ID {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.SortedFunc(maps.Keys(p.made), repo.ID.Compare)
}

// hiddenUntilMade advertises a service of a place once something was pushed there.
func hiddenUntilMade(name string, service gitproto.Service) Defect {
	places := newPlaceList()
	return Defect{Name: name, Filter: places.filter, Answer: func(_ web.Request, r web.Route) web.Route {
		if made, _ := places.has(r); r.Kind == web.KindAdvertise && r.Repo.IsContribution() && r.Service == service && !made {
			return notThere
		}
		return r
	}}
}

// goneWhenEmptied shows a place no more whose last ref has gone.
func goneWhenEmptied(name string) Defect {
	places := newPlaceList()
	return Defect{Name: name, Filter: places.filter, Answer: func(_ web.Request, r web.Route) web.Route {
		if _, gone := places.has(r); r.Kind == web.KindAdvertise && r.Repo.IsContribution() && gone {
			return notThere
		}
		return r
	}}
}

// A maker makes places for pushes that nobody made one for.
type maker struct{ backend }

func (m maker) Receive(c gitstore.Cancel, id repo.ID, push gitstore.Push, pack io.Reader) (gitstore.Report, error) {
	if id.IsContribution() {
		if err := m.Create(id); err != nil {
			return gitstore.Report{}, err
		}
	}
	return m.backend.Receive(c, id, push, pack)
}

func making(d Defect) Defect {
	d.Backend = func(b gitstore.Backend) gitstore.Backend { return maker{backend{b}} }
	return d
}

// branchesUnseen makes the branches of pushes to places, however they are written, before the push is judged.
func branchesUnseen(name string) Defect {
	s := &store{}
	return Defect{Name: name, Backend: s.set, Front: gate(func(_ http.ResponseWriter, r *http.Request) bool {
		rest, below := strings.CutPrefix(r.URL.EscapedPath(), "/prs")
		route, ok := advertises(strings.Replace(rest, "/git-receive-pack", "/info/refs", 1), "")
		if !below || !ok || !pushed(r) {
			return false
		}
		id := repo.Contribution(route.Repo.Owner, route.Repo.Identifier)
		list, pack := packets(bodyOf(r))
		var commands []gitproto.Command
		for _, p := range list {
			for line := range strings.Lines(p.text) { // of a certificate, too
				c, is := packet{text: line}.command()
				same := func(other gitproto.Command) bool { return other.Ref == c.Ref }
				if is && namesBranch(c) && !slices.ContainsFunc(commands, same) {
					commands = append(commands, c)
				}
			}
		}
		if len(commands) > 0 && s.Create(id) == nil {
			s.moves(r, id, commands, pack)
		}
		return false
	})}
}

// notCopied does not make the refs in repositories whose commits were copied from places.
func notCopied() Filter {
	copied := map[repo.OID]bool{}
	return out(func(_ core.Input, e core.Effect) (core.Effect, bool) {
		switch e := e.(type) {
		case core.CopyObjects:
			for _, oid := range e.OIDs {
				copied[oid] = copied[oid] || e.From.IsContribution()
			}
		case core.UpdateRefs:
			if !e.Repo.IsContribution() {
				e.Commands = slices.DeleteFunc(slices.Clone(e.Commands), func(c gitproto.Command) bool { return namesEvent(c) && copied[c.New] })
				return e, true
			}
		}
		return e, true
	})()
}
