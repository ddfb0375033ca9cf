package suite

import (
	"path"
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/features"
)

// Decoys are what a check is not about and what stands beside it all the same, from the first step behind its first push on: the owner has a
// second repository that is served and a third one that waits, somebody unrelated has the same identifier, a stranger
// lists the owner as maintainer, and a neighbor's identifier is nearly the same. A server that takes one for the other
// is found out by whatever check it is asked by. No decoy is judged for being accepted; what was served of them has to
// stay as it was.
type decoys struct {
	set    bool
	served []*nostr.Event // events of the second repository, once it is served
	refs   *client.Advert // the refs of the second repository
	held   []*nostr.Event // events of the third one, if they wait
}

// The bystanders own decoys; no step speaks of them.
const (
	namesake  = "namesake"  // has the same identifier, and nothing to do with anybody
	flatterer = "flatterer" // has the same identifier, and lists the owner
	neighbor  = "neighbor"  // has nearly the same identifier
)

func bystanders() []string { return []string{namesake, flatterer, neighbor} }

// tempting is a state that would permit what checks push without leave.
func tempting() [][]string {
	return [][]string{
		{"refs/heads/main", "unrelated"},
		{"refs/heads/dev", "side"},
		{"refs/heads/evil", "second"},
		{"HEAD", "refs/heads/evil"},
	}
}

// nearly is an identifier that a careless server takes for another one; which of the forms depends on the check.
func nearly(identifier, check string) string {
	forms := []string{identifier + ".git", strings.ToUpper(identifier[:1]) + identifier[1:], identifier + ":", identifier + "-"}
	return forms[len(check)%len(forms)]
}

// surround puts the decoys in place, once. A server that does not take them has none in the rest of the run.
func (w *world) surround() {
	if w.decoys.set || w.isAlone() || w.run.withoutDecoys() {
		return
	}
	w.decoys.set = true
	if w.run.slowRooms() {
		w.run.giveUpDecoys("decoys: not set up, for the server takes its time to make repositories")
		return
	}
	relay, out := w.connect()
	if !out.held() {
		return
	}
	second, third := w.repository("owner", "second"), w.repository("owner", "third")
	alias := w.repository(neighbor, "")
	alias.identifier = nearly(alias.identifier, w.check.ID)
	plan := []struct {
		at    repository
		with  [][]string // the state, if there is one
		lists string     // a maintainer
	}{
		{second, [][]string{{"refs/heads/main", "unrelated"}}, ""},
		{third, tempting(), ""},
		{w.repository(namesake, ""), tempting(), ""},
		{w.repository(flatterer, ""), nil, w.key("owner").Pubkey},
		{alias, tempting(), ""},
	}
	for _, p := range plan {
		events := []*nostr.Event{w.announcementOf(p.at, p.lists)}
		if p.with != nil {
			events = append(events, w.stateOf(p.at, p.with))
		}
		waits := true
		for _, ev := range events {
			ok, is := w.insisting(func() client.Observation { return w.sendInto(relay, ev) }).(client.OKFrame)
			if !is && !w.run.leavesDecoys() {
				return // it may have been busy
			}
			if !is || (!ok.Accepted && p.at == second) {
				w.run.giveUpDecoys("decoys: not set up, for the server does not take them: " + describe(ev))
				return
			}
			if ok.Accepted {
				w.promised(ev)
			}
			waits = waits && ok.Accepted && ok.Prefix == waitingPrefix
		}
		switch p.at {
		case second:
			w.fillSecond(relay, second, events)
		case third:
			if waits {
				w.decoys.held = events
			}
		}
	}
}

// isAlone reports whether nothing may stand beside the check: where instants and requests are counted, it would count too.
func (w *world) isAlone() bool {
	return standsAlone(w.run.registry, w.check)
}

func standsAlone(r *registry, c features.Check) bool {
	return slices.Contains(features.FoldersOfTheReference(), path.Dir(c.File)) || r.needs(c, "reachback")
}

// withoutDecoys reports whether the server was seen not to take them.
func (r *run) withoutDecoys() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.noDecoys
}

// decoysLeft is how many decoys may stay without an answer before the server counts as one that does not take them.
const decoysLeft = 3

// leavesDecoys reports whether one more decoy without an answer is one too many.
func (r *run) leavesDecoys() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.decoysLeft++
	return r.decoysLeft >= decoysLeft
}

func (r *run) giveUpDecoys(fact string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.noDecoys {
		r.noDecoys = true
		r.measured = append(r.measured, fact)
	}
}

// fillSecond pushes what the second repository waits for, and remembers what is to be seen of it.
func (w *world) fillSecond(relay *client.Relay, second repository, events []*nostr.Event) {
	oid := w.git.history.oid("unrelated")
	pushed := w.insisting(func() client.Observation {
		return w.pushInto(w.pathOf(second), client.PushOpts{
			Commands: []client.Command{{Old: client.ZeroOID, New: oid, Ref: "refs/heads/main"}},
			Pack:     w.git.history.Pack([]string{oid}, nil),
		})
	})
	if report, is := pushed.(client.PushReport); !is || !report.Accepted() {
		return
	}
	for _, ev := range events {
		if !w.run.servedWithin(w.ctx, w.client, relay, ev, 0).held() {
			return
		}
	}
	if advert, is := w.client.Advertise(w.ctx, w.pathOf(second), client.UploadPack, 0).(client.Advert); is {
		w.decoys.served, w.decoys.refs = events, &advert
	}
}

// announcementOf is an announcement of a decoy.
func (w *world) announcementOf(r repository, maintainer string) *nostr.Event {
	opts := client.AnnounceOpts{
		Identifier: r.identifier, Description: w.run.purpose(), Clone: []string{w.client.CloneURL(r.owner.Pubkey, r.identifier)},
		Relays: []string{w.client.RelayURL()}, CreatedAt: w.tick(), Extra: w.markers(),
	}
	if maintainer != "" {
		opts.Maintainers = []string{maintainer}
	}
	return client.Announce(r.owner, opts)
}

// stateOf is a state of a decoy.
func (w *world) stateOf(r repository, table [][]string) *nostr.Event {
	tags := [][]string{{"d", r.identifier}}
	for _, row := range table {
		if row[0] == "HEAD" {
			tags = append(tags, []string{"HEAD", "ref: " + row[1]})
			continue
		}
		tags = append(tags, []string{row[0], w.git.history.oid(row[1])})
	}
	return client.Build(r.owner, client.KindState, append(tags, w.markers()...), "", w.tick())
}

// unharmed judges that the decoys are as they were.
func (w *world) unharmed() outcome {
	if w.decoys.served == nil && w.decoys.held == nil {
		return outcome{}
	}
	relay, out := w.connect()
	if !out.held() {
		return outcome{} // that nothing is answered any more is found out elsewhere
	}
	events, o := w.servedOf(relay, append(w.decoys.served[:len(w.decoys.served):len(w.decoys.served)], w.decoys.held...)...)
	if o != nil {
		return outcome{}
	}
	for _, ev := range w.decoys.served {
		if !holds(events, ev) {
			if w.run.losesOthers(w.ctx) {
				return outcome{}
			}
			return violated("%s of another repository of the owner is not served any more", describe(ev))
		}
	}
	for _, ev := range w.decoys.held {
		if holds(events, ev) {
			return violated("%s of another repository of the owner is served without its git data", describe(ev))
		}
	}
	if w.decoys.refs == nil {
		return outcome{}
	}
	o = w.client.Advertise(w.ctx, w.pathOf(w.repository("owner", "second")), client.UploadPack, 0)
	if advert, is := o.(client.Advert); is && moved(*w.decoys.refs, advert) {
		return violated("the refs of another repository of the owner changed to %v", advert)
	}
	return outcome{}
}
