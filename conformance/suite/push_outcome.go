package suite

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/graspkit/graspkit/conformance/client"
)

// changedNothing judges that a push left every ref as it was and got an answer, of whatever form: clients
// that ask for no report get none.
func (w *world) changedNothing() outcome {
	if out := w.unchanged(); !out.held() {
		return out
	}
	if bad, is := w.git.pushed.answer.(client.BadAnswer); is && bad.HTTP.Status == http.StatusOK {
		return outcome{}
	}
	if refusedBadly(w.git.pushed.answer) {
		return w.refusedBadly("a push that has to change nothing", w.git.pushed.answer)
	}
	if client.Inconclusive(w.git.pushed.answer) {
		return inconclusive("push", w.git.pushed.answer)
	}
	return outcome{}
}

// movedAsSigned judges that every branch and tag is where it was before the push or where the state published last, or the
// one before, wants it, that none is gone that both name, and that no ref of an event was touched that was there.
func (w *world) movedAsSigned() outcome {
	before, _ := w.git.pushed.before.(client.Advert)
	after, is := w.git.pushed.after.(client.Advert)
	if !is {
		return unlessInconclusive("advertisement after the push", w.git.pushed.after)
	}
	for _, ref := range after.Refs {
		if strings.HasPrefix(ref.Name, eventRefs) || ref.Name == "HEAD" {
			continue
		}
		was, _ := before.Ref(ref.Name)
		if ref.OID != was && !w.signed(ref) {
			return violated("%s is at %s, which no state says; the answer was %v", ref.Name, ref.OID, w.git.pushed.answer)
		}
	}
	for _, ref := range before.Refs {
		now, there := after.Ref(ref.Name)
		switch {
		case ref.Name == "HEAD":
		case !there && !w.signedAway(ref.Name):
			return violated("%s is gone, which no state says; the answer was %v", ref.Name, w.git.pushed.answer)
		case there && now != ref.OID && strings.HasPrefix(ref.Name, eventRefs):
			return violated("%s moved to %s; the answer was %v", ref.Name, now, w.git.pushed.answer)
		}
	}
	if refusedBadly(w.git.pushed.answer) && !w.wordless(w.git.pushed.answer) {
		return w.refusedBadly("a push", w.git.pushed.answer)
	}
	return outcome{}
}

// signedAway reports whether one of the last two states wants a ref not to be there. No state says anything of the refs of
// events.
func (w *world) signedAway(name string) bool {
	if strings.HasPrefix(name, eventRefs) {
		return false
	}
	last := w.git.states[max(0, len(w.git.states)-2):]
	return slices.ContainsFunc(last, func(table [][]string) bool {
		return !slices.ContainsFunc(table, func(row []string) bool { return row[0] == name })
	})
}

// signed reports whether one of the check's states puts the ref there.
func (w *world) signed(ref client.Ref) bool {
	for _, table := range w.git.states {
		for _, row := range table {
			if row[0] == ref.Name && w.git.history.known(row[1]) && w.git.history.oid(row[1]) == ref.OID {
				return true
			}
		}
	}
	return false
}

// recordPush notes what became of a push that may be taken or not. A push that is answered by nothing
// proper is a violation all the same.
func (w *world) recordPush() outcome {
	report, is := w.git.pushed.answer.(client.PushReport)
	if is && report.Accepted() {
		w.note("the push is accepted")
		return outcome{}
	}
	if reason, refused := client.Refusal(w.git.pushed.answer); refused {
		w.note("the push is refused: %s", reason)
		return outcome{}
	}
	return unlessInconclusive("push", w.git.pushed.answer)
}

func (w *world) acceptedOnce() outcome {
	one, _ := w.git.pushed.earlier.(client.PushReport)
	other, _ := w.git.pushed.answer.(client.PushReport)
	if one.Accepted() && other.Accepted() {
		return violated("both pushes were accepted: %v, %v", one, other)
	}
	return outcome{}
}

// unfetchable judges that an object is not given out by its id. A dropped connection gives nothing out either, if
// another object can be fetched the same way.
func (w *world) unfetchable(oid string) outcome {
	_, o := w.client.Fetch(w.ctx, w.path("owner"), 0, []string{oid}, client.FetchOpts{})
	if o == nil {
		return violated("%s can be fetched", oid)
	}
	if !client.Inconclusive(o) {
		return outcome{}
	}
	advert, is := w.git.pushed.after.(client.Advert)
	if !is || len(advert.Refs) == 0 {
		return inconclusive("fetch", o)
	}
	_, control := w.client.Fetch(w.ctx, w.path("owner"), 0, []string{advert.Refs[0].OID}, client.FetchOpts{})
	if control != nil {
		return inconclusive("fetch", o)
	}
	w.note("a fetch of what is not there is answered by %v", o)
	return outcome{}
}

// pushAtOnce sends the same push several times side by side.
func (w *world) pushAtOnce(n int, rows [][]string) outcome {
	path := w.path("owner")
	p := push{actor: "owner", rows: rows, before: w.advertise(path, client.ReceivePack)}
	old, is := p.before.(client.Advert)
	if !is {
		return unable("advertisement before the push", p.before)
	}
	opts := w.pushOf(old, rows)
	answers := make([]client.Observation, n)
	var group sync.WaitGroup
	for i := range answers {
		group.Go(func() {
			own := opts
			own.Pack = bytes.Clone(opts.Pack)
			answers[i] = w.client.Push(w.ctx, path, own)
		})
	}
	group.Wait()
	p.answer, p.together, p.beside = answers[0], answers, fmt.Sprintf("%d pushes like it", n-1)
	for _, answer := range answers {
		if report, is := answer.(client.PushReport); is && report.Accepted() {
			p.answer = answer
		}
	}
	p.after = w.client.Advertise(w.ctx, path, client.ReceivePack, 0)
	w.git.pushed = p
	return outcome{}
}

// answeredTogether judges that, of pushes at once one of which was accepted, none was answered by a failure.
func (w *world) answeredTogether() outcome {
	for _, answer := range w.git.pushed.together {
		if refusedBadly(answer) && !tooFast(answer) {
			return violated("of %d equal pushes at once one was accepted, and another was answered by %v", len(w.git.pushed.together), answer)
		}
	}
	return outcome{}
}

// pushDuring pushes what the second column says while a state of what the third one says is published. In
// a simulated world, where both would come in one order or the other by chance, the state comes first.
func (w *world) pushDuring(table [][]string) outcome {
	var rows, next [][]string
	for _, row := range table {
		rows = append(rows, []string{row[0], row[1]})
		next = append(next, []string{row[0], row[2]})
	}
	ev := w.buildState("owner", w.tick(), next)
	path := w.path("owner")
	before := w.advertise(path, client.ReceivePack)
	old, is := before.(client.Advert)
	if !is {
		return unable("advertisement before the push", before)
	}
	opts := w.pushOf(old, rows)
	if _, out := w.connect(); !out.held() {
		return out
	}
	w.git.state, w.git.states = next, append(w.git.states, next)
	w.remember("state", "", ev)
	p := push{actor: "owner", rows: rows, before: before}
	send := func() { p.answer = w.client.Push(w.ctx, path, opts) }
	var group sync.WaitGroup
	simulated := worldOf(w.run.target) == "sim"
	if !simulated {
		group.Go(send)
	}
	out := w.publish(ev)
	group.Wait()
	if simulated {
		send()
	}
	p.after = w.client.Advertise(w.ctx, path, client.ReceivePack, 0)
	w.git.pushed = p
	return out.then(w.accepted)
}
