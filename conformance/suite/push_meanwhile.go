package suite

import (
	"maps"
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// A server that has the objects of a state may move the refs by itself, at any time (G01-PURG-09): between what it advertises
// and a push that is made by that as well. What the push met is then no judgement of it, and it is tried again.

// overtakenMax is how often a server may be quicker than a push.
const overtakenMax = 3

// sentBefore reports whether the tips of rows were sent by an earlier push, to whichever repository.
func (w *world) sentBefore(rows [][]string) bool {
	return !slices.ContainsFunc(rows, func(row []string) bool {
		return row[1] != deletion && !w.git.history.sent[w.git.history.oid(row[1])]
	})
}

// overtaken looks after a push that has to succeed and was refused: if the server has moved the refs by itself between what it
// advertised and the push, only what is left has to succeed.
func (w *world) overtaken() outcome {
	for range overtakenMax {
		p := w.git.pushed
		report, is := p.answer.(client.PushReport)
		before, had := p.before.(client.Advert)
		after, has := p.after.(client.Advert)
		if !is || report.Accepted() || !had || !has || p.spoil != nil || !slices.ContainsFunc(p.rows, func(row []string) bool {
			one, _ := before.Ref(row[0])
			other, _ := after.Ref(row[0])
			return one != other && (p.known || w.signed(client.Ref{Name: row[0], OID: other}))
		}) {
			return outcome{}
		}
		w.note("the server moved refs by itself while they were pushed: %v", report)
		left := w.left(after, p.rows)
		if len(left) == 0 {
			w.git.pushed.answer = doneAlready(p.rows)
			return outcome{}
		}
		if out := w.push(p.actor, left, nil); !out.held() {
			return out
		}
	}
	return outcome{}
}

// letMove waits, before an act that has to change nothing, until the server has moved the refs that it may move by itself. One
// that never does is not waited for long.
func (w *world) letMove() {
	due, known := w.due()
	if !known {
		return
	}
	moved := func() (bool, client.Observation) {
		o := w.client.Advertise(w.ctx, w.path("owner"), client.UploadPack, 0)
		advert, is := o.(client.Advert)
		return !is || maps.Equal(declarable(advert), due), o
	}
	if at, _ := moved(); at {
		return
	}
	bound, _ := w.run.patience(&w.run.moves, refsWithin)
	start := w.run.target.Now()
	if done, _ := w.client.Poll(w.ctx, bound, moved); done {
		w.run.came(&w.run.moves, w.run.target.Now().Sub(start))
		return
	}
	w.run.ranOut(&w.run.moves, 0)
}

// due are the branches and tags that the server may make and take away by itself, with their objects: those of the latest
// state that it has taken, the lower id first of two of one time, if that is the owner's and all objects were sent before.
// What a later state of somebody else is worth is for the check to say.
func (w *world) due() (refs map[string]string, known bool) {
	of, latest := w.repository("owner", ""), (*nostr.Event)(nil)
	for _, ev := range w.sent.states {
		if ev.Tags.GetD() == of.identifier && (latest == nil || ev.CreatedAt > latest.CreatedAt ||
			ev.CreatedAt == latest.CreatedAt && ev.ID < latest.ID) {
			latest = ev
		}
	}
	if latest == nil || latest.PubKey != of.owner.Pubkey {
		return nil, false
	}
	refs = make(map[string]string)
	for _, tag := range latest.Tags {
		switch {
		case len(tag) < 2 || !strings.HasPrefix(tag[0], "refs/"):
		case !w.git.history.sent[tag[1]]:
			return nil, false
		default:
			refs[tag[0]] = tag[1]
		}
	}
	return refs, true
}

// declarable are the refs of an advertisement that a state may name, with their objects.
func declarable(advert client.Advert) map[string]string {
	refs := make(map[string]string)
	for _, ref := range advert.Refs {
		if strings.HasPrefix(ref.Name, "refs/heads/") || strings.HasPrefix(ref.Name, "refs/tags/") {
			refs[ref.Name] = ref.OID
		}
	}
	return refs
}
