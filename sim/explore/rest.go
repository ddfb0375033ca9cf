package explore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/invariant"
)

// rest has the judges look at a world in which nothing is under way. It changes them.
func (w *world) rest() {
	there := w.repositories()
	for _, j := range w.judges {
		j.Rest(w.now, there)
	}
}

// violations lists what has been broken so far.
func (w *world) violations() []invariant.Violation {
	list := w.broke
	for _, j := range w.judges {
		if said := j.Verdict(); len(said) > 0 {
			list = append(slices.Clone(list), said...)
		}
	}
	return list
}

// roundsMax bounds how often everybody does everything again.
const roundsMax = 8

// repeat has people do what they have done again, as people do who are refused something, until nothing changes any more.
func (w *world) repeat() {
	was := ""
	for w.round = 1; w.round < roundsMax; w.round++ {
		for actor, a := range w.plot.script.actors {
			for i, d := range a.deeds {
				if d.kind == deedPublish && w.kept(d.event.ID) || !d.timely() {
					continue
				}
				w.do(actor, i)
				w.settle()
				if len(w.violations()) > 0 {
					return
				}
			}
		}
		now := w.served() + w.held()
		if now == was {
			return
		}
		was = now
	}
	w.broke = append(w.broke, invariant.Violation{
		ID: "REST", Code: "no-rest", At: w.now, Server: serverName,
		Detail: fmt.Sprintf("after %d rounds of the same deeds what is served still changes", roundsMax),
	})
}

func (w *world) kept(id string) bool {
	for _, ev := range w.journal.Stored() {
		if ev.ID == id {
			return true
		}
	}
	for _, h := range w.journal.Held() {
		if h.Event.ID == id {
			return true
		}
	}
	return false
}

// served is what a client can see: the events, and the refs of the repositories. Of states the newest counts: whether an
// older one is served depends on whether its objects came before the newer one.
func (w *world) served() string {
	var lines []string
	stored := w.journal.Stored()
	for _, ev := range stored {
		if ev.Kind == repo.KindState && slices.ContainsFunc(stored, func(other *nostr.Event) bool {
			return other.Kind == repo.KindState && repo.Newer(other, ev)
		}) {
			continue
		}
		lines = append(lines, "event "+w.plot.script.name(ev.ID))
	}
	for _, id := range w.git.Repositories() {
		refs, err := w.git.Refs(id)
		if err != nil {
			continue
		}
		owner := w.plot.script.name(string(id.Owner))
		lines = append(lines, fmt.Sprintf("repository of %s: HEAD at %s", owner, refs.Head))
		for _, ref := range refs.Refs {
			lines = append(lines, fmt.Sprintf("repository of %s: %s at %s", owner, w.plot.script.refName(ref.Name), w.plot.script.name(string(ref.OID))))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// held is what waits.
func (w *world) held() string {
	var lines []string
	for _, h := range w.journal.Held() {
		lines = append(lines, "held "+w.plot.script.name(h.Event.ID))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// refName names a ref for people.
func (s *Script) refName(ref string) string {
	if event, is := repo.PullRequestOf(ref); is {
		return "the ref of " + s.name(event)
	}
	return strings.TrimPrefix(ref, "refs/heads/")
}
