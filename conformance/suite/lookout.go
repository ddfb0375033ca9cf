package suite

import (
	"maps"
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// A sighting is what anybody can see of a check's matter at one time: the refs of the owner's repository and of the one
// that is pushed to, and the events of all actors. One is taken before an act that has to change nothing, and one behind a
// barrier after it.
type sighting struct {
	taken  bool
	refs   map[string]string // by path: what an advertisement tells, or that there is none
	heads  map[string]string // by path: the branch that HEAD names, "" for none
	served map[string]string // by id: what event it is
	states []*nostr.Event    // those of what is served
}

// watched are the repositories that a sighting is of.
func (w *world) watched() []string {
	paths := []string{w.path("owner")}
	if actor := w.git.pushed.actor; actor != "" && actor != "owner" {
		paths = append(paths, w.path(actor))
	}
	return paths
}

// sight looks at everything, and returns false where it cannot.
func (w *world) sight(relay *client.Relay) (sighting, bool) {
	s := sighting{taken: true, refs: make(map[string]string), heads: make(map[string]string)}
	var seen bool
	if s.served, s.states, seen = w.sightEvents(relay); !seen {
		return sighting{}, false
	}
	for _, path := range w.watched() {
		switch o := w.advertise(path, client.UploadPack).(type) {
		case client.Advert:
			s.refs[path] = "refs:\n" + withoutHead(o).Fingerprint()
			s.heads[path] = o.Symrefs["HEAD"]
		case client.HTTPAnswer:
			s.refs[path] = "none"
		}
	}
	return s, true
}

// sightEvents looks at the events alone, and returns false where it cannot.
func (w *world) sightEvents(relay *client.Relay) (served map[string]string, states []*nostr.Event, seen bool) {
	events, o := relay.Query(w.ctx, client.Filter{Authors: w.allAuthors()})
	if o != nil {
		return nil, nil, false
	}
	served = make(map[string]string)
	for _, ev := range events {
		if !w.own(ev.ID) {
			continue
		}
		served[ev.ID] = describe(ev)
		if ev.Kind == client.KindState {
			states = append(states, ev)
		}
	}
	return served, states, true
}

// lookAtEvents takes the events of the sighting anew, within an act of which only what follows has to change nothing. No repository
// is asked for: who asks is told what holds then.
func (w *world) lookAtEvents() {
	if !w.before.taken {
		return
	}
	relay, out := w.connect()
	if out.held() {
		if served, states, seen := w.sightEvents(relay); seen {
			w.before.served, w.before.states = served, states
			return
		}
	}
	w.before = sighting{}
}

// lookBefore takes a sighting before an act, if a step will judge that the act has changed nothing.
func (w *world) lookBefore() {
	w.before = sighting{}
	relay, out := w.connect()
	if !out.held() {
		return
	}
	w.letMove()
	w.before, _ = w.sight(relay)
}

// lookAfter judges, behind a barrier, that what was refused, or asked for nothing, has changed nothing: no ref moved,
// nothing that was served is gone, and what was refused is not served. Nothing is judged that could not be seen before.
func (w *world) lookAfter() outcome {
	if !w.before.taken {
		return outcome{}
	}
	fresh, out := w.barrier()
	if !out.held() { // what is there at once is judged all the same; that the barrier fails is found out by its own checks
		var o client.Observation
		if fresh, o = w.client.Relay(w.ctx); o != nil {
			return outcome{}
		}
	}
	defer fresh.Close()
	after, seen := w.sight(fresh)
	if !seen {
		return outcome{}
	}
	before := w.before
	w.before = sighting{}
	for _, path := range slices.Sorted(maps.Keys(before.refs)) {
		if now, is := after.refs[path]; is && now != before.refs[path] && !w.collected(before.refs[path], now) {
			return violated("it was refused, and yet the refs of %s changed: from %s to %s", path, before.refs[path], now)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(before.heads)) { // one that named nothing may still follow what came before
		if now, is := after.heads[path]; is && before.heads[path] != "" && now != before.heads[path] {
			return violated("it was refused, and yet HEAD of %s moved from %s to %s", path, before.heads[path], now)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(before.served)) {
		if _, is := after.served[id]; !is && !overtaken(id, before.states, after.states) && !before.gaveWay(id, after.states) && !w.servedStill(fresh, id) {
			return violated("it was refused, and yet %s is not served any more", before.served[id])
		}
	}
	refused := w.sent.last
	for _, id := range slices.Sorted(maps.Keys(after.served)) {
		if _, was := before.served[id]; was {
			continue
		}
		// What was on its way before may still come, unless nothing could be.
		if (refused != nil && id == refused.ID && w.refusedEvent()) || !w.git.arrived {
			return violated("it was refused, and yet %s is served", after.served[id])
		}
	}
	return outcome{}
}

// gaveWay reports whether a state made room for the one that comes before it, and that had its refs already: it was on its way, as the
// release of events may come some seconds behind the push that brought their data.
func (s sighting) gaveWay(id string, after []*nostr.Event) bool {
	at := slices.IndexFunc(s.states, func(ev *nostr.Event) bool { return ev.ID == id })
	return at >= 0 && slices.ContainsFunc(after, func(ev *nostr.Event) bool {
		was := s.states[at]
		first := ev.CreatedAt > was.CreatedAt || ev.CreatedAt == was.CreatedAt && ev.ID < was.ID
		return first && sameAddress(ev, was) && s.has(ev)
	})
}

// sameAddress reports whether two states are of one author and one repository.
func sameAddress(a, b *nostr.Event) bool {
	return a.PubKey == b.PubKey && a.Tags.GetD() == b.Tags.GetD()
}

// has reports whether a repository was seen with all refs of a state, or for one without any with no branch and no tag.
func (s sighting) has(state *nostr.Event) bool {
	for _, text := range s.refs {
		lines, missing, named := strings.Split(text, "\n"), false, false
		for _, tag := range state.Tags {
			if len(tag) > 1 && strings.HasPrefix(tag[0], "refs/") {
				named = true
				missing = missing || !slices.Contains(lines, tag[1]+" "+tag[0])
			}
		}
		bare := lines[0] == "refs:" && !strings.Contains(text, " refs/heads/") && !strings.Contains(text, " refs/tags/")
		if named && !missing || !named && bare {
			return true
		}
	}
	return false
}

// overtaken reports whether a state made room for a newer one of its author that names a ref which no repository can have. What becomes of
// such a state says nobody (AMB-12): who has its objects, be it by the push whose ref was refused, may serve it.
func overtaken(id string, before, after []*nostr.Event) bool {
	was := slices.IndexFunc(before, func(ev *nostr.Event) bool { return ev.ID == id })
	return was >= 0 && slices.ContainsFunc(after, func(ev *nostr.Event) bool {
		return sameAddress(ev, before[was]) && ev.CreatedAt > before[was].CreatedAt &&
			slices.ContainsFunc(ev.Tags, func(tag nostr.Tag) bool {
				return len(tag) > 1 && strings.HasPrefix(tag[0], "refs/") && !takable(tag[0])
			})
	})
}

// takable reports whether git check-ref-format takes a name.
func takable(name string) bool {
	if len(name) > longestRef || strings.HasSuffix(name, ".") || strings.Contains(name, "..") || strings.Contains(name, "@{") ||
		strings.ContainsAny(name, " ~^:?*[\\\x7f") || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' }) {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || strings.HasPrefix(part, ".") || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	return true
}

// longestRef is how long the name of a ref may be that a file system takes as a file.
const longestRef = 1000

// servedStill asks for an event by its id: an answer about all that somebody has written may be a part of it.
func (w *world) servedStill(relay *client.Relay, id string) bool {
	events, o := relay.Query(w.ctx, client.Filter{IDs: []string{id}})
	return o != nil || len(events) > 0
}

// refusedEvent reports whether the answer to the event that was published last was a refusal.
func (w *world) refusedEvent() bool {
	_, refused := client.Refusal(w.sent.answer)
	return refused
}

// insists reports whether the step at this place has to succeed: the check rests on it, or it is the act that is judged by
// its success.
func (r *registry) insists(steps []bound, at int) bool {
	switch steps[at].step.role {
	case setUp, twin, control:
		return true
	case act:
		if steps[at].step.answered {
			return false
		}
		for _, b := range steps[at+1:] {
			if b.step.role == assertion || b.step.role == record {
				return b.step.role == assertion && !b.step.refuses && !b.step.unmoved && !b.step.absent
			}
		}
	case assertion, record:
	}
	return false
}

// looksAhead reports whether the next step that judges the act at this place has to find nothing changed.
func (r *registry) looksAhead(steps []bound, at int) bool {
	if steps[at].step.role != act || (steps[at].step.sees != answers && steps[at].step.sees != reports) {
		return false
	}
	for _, b := range steps[at+1:] {
		if b.step.role == assertion || b.step.role == record {
			return b.step.unmoved
		}
	}
	return false
}

// moved reports whether refs changed, or HEAD: one that named nothing may still follow what came before (G01-HEAD-01 has a bound of seconds).
func moved(before, after client.Advert) bool {
	was, is := before.Symrefs["HEAD"], after.Symrefs["HEAD"]
	return withoutHead(before).Fingerprint() != withoutHead(after).Fingerprint() || was != "" && was != is
}

// withoutHead is an advertisement of the refs alone.
func withoutHead(advert client.Advert) client.Advert {
	return client.Advert{Refs: slices.DeleteFunc(slices.Clone(advert.Refs), func(r client.Ref) bool { return r.Name == "HEAD" })}
}
