package suite

import (
	"net/http"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// brokenOff tells the answers to something that has to succeed that are worth a second try: HTTP 5xx, and a connection that
// ends. One of them may have any cause.
func brokenOff(o client.Observation) bool {
	switch o := o.(type) {
	case client.HTTPAnswer:
		return o.Status >= http.StatusInternalServerError
	case client.TransportError:
		return o.Phase != "dial" && o.Phase != "sleep"
	}
	return false
}

// pushedAgain looks after a push that has to succeed and was answered by no report. Refs that moved exactly as asked show
// that it was done, and that nothing got lost on its way: then the answer is wrong. Otherwise it is tried once more, on a new
// connection; twice broken is a violation if another push is answered meanwhile. It holds if there is an answer to judge.
func (w *world) pushedAgain() outcome {
	first := w.git.pushed
	if !brokenOff(first.answer) {
		return outcome{}
	}
	if w.movedAsAsked(first.before) {
		return violated("the push was done, and answered by %v", first.answer)
	}
	if out := w.push(first.actor, first.rows, first.spoil); !out.held() {
		return out
	}
	again := w.git.pushed.answer
	w.git.pushed.before = first.before
	switch {
	case !brokenOff(again):
		w.note("the push was tried twice: the first time it was answered by %v", first.answer)
		return outcome{}
	case w.movedAsAsked(first.before):
		return violated("the push was done, and answered by %v", again)
	case w.otherPushAnswered():
		return violated("the push was answered by %v, and again by %v, and no ref moved as asked; another push is answered", first.answer, again)
	}
	return inconclusive("push", again)
}

// movedAsAsked reports whether the refs are now as the last push wants them, and were not before.
func (w *world) movedAsAsked(before client.Observation) bool {
	p := w.git.pushed
	now, is := w.client.Advertise(w.ctx, w.path(p.actor), client.ReceivePack, 0).(client.Advert)
	return is && w.isAsAsked(now) && !w.isAsAsked(before)
}

// isAsAsked reports whether an advertisement shows what the last push asks for.
func (w *world) isAsAsked(o client.Observation) bool {
	advert, is := o.(client.Advert)
	return is && len(w.left(advert, w.git.pushed.rows)) == 0
}

// otherPushAnswered reports whether a push that nothing is the matter with is answered: a small one that has to be accepted,
// to a repository of its own, or one to the lighthouse that has to be refused.
func (w *world) otherPushAnswered() bool {
	if w.isAlone() {
		return false
	}
	if report, is := w.smallPush().(client.PushReport); is && report.Accepted() {
		return true
	}
	if !w.needLighthouse().held() {
		return false
	}
	_, refused := client.Refusal(w.client.Push(w.ctx, w.run.lighthouse.path(), w.unsigned()))
	return refused
}

// unsigned is a push of a branch that no state names.
func (w *world) unsigned() client.PushOpts {
	oid := w.git.history.oid("first")
	return client.PushOpts{
		Commands: []client.Command{{Old: client.ZeroOID, New: oid, Ref: "refs/heads/unsigned"}},
		Pack:     w.git.history.Pack([]string{oid}, nil),
	}
}

// smallPush pushes one commit to a repository that is there for this alone.
func (w *world) smallPush() client.Observation {
	relay, out := w.connect()
	if !out.held() {
		return nil
	}
	r, rows := w.repository("stranger", "beside"), [][]string{{"refs/heads/main", "unrelated"}}
	for _, ev := range []*nostr.Event{w.announcementOf(r, ""), w.stateOf(r, rows)} {
		if o := relay.Publish(w.ctx, ev); o == nil || client.Inconclusive(o) {
			return o
		}
	}
	var advert client.Advert
	if _, o := w.client.Poll(w.ctx, refsWithin, func() (bool, client.Observation) {
		o := w.client.Advertise(w.ctx, w.pathOf(r), client.ReceivePack, 0)
		a, is := o.(client.Advert)
		advert = a
		return is, o
	}); advert.Caps == nil {
		return o
	}
	opts := w.pushOf(advert, rows)
	opts.Caps = client.CapsFor(advert)
	return w.client.Push(w.ctx, w.pathOf(r), opts)
}

// The requirements that a push of git needs the advertisement for.
const (
	restsOnReports   = "G01-PUSH-28"
	restsOnDeletions = "G01-PUSH-07"
)

// offered judges that the advertisement offers what git needs for the commands: without it git sends nothing, or learns nothing. That is
// told of the row which asks for it. A check of anything else sends the push all the same, as somebody would who does not ask first: what
// every user of git meets at once must not hide what comes after it.
func (w *world) offered(advert client.Advert, commands []client.Command) outcome {
	lacking := advert.Lacks(commands)
	if lacking == "" {
		return outcome{}
	}
	row := map[string]string{client.OffersReports: restsOnReports, client.OffersDeletions: restsOnDeletions}[lacking]
	if len(advert.Caps) == 0 {
		row = restsOnPush
	}
	out := violated("the advertisement for pushes does not offer %s, so git cannot work: its capabilities are %q", lacking, advert.Caps).dueTo(row)
	if w.check.Requirements[0] == row {
		out.requirement = row
		return out
	}
	w.run.accuseOf(row, out.reason)
	return outcome{}
}

// doneUntold reports whether a push that a set-up rests on was done, though the answer is none that git could read: whether the
// answer is right is for the checks of pushes to say.
func (w *world) doneUntold() bool {
	p := w.git.pushed
	_, bad := p.answer.(client.BadAnswer)
	if !w.builds || !bad && !brokenOff(p.answer) || !w.movedAsAsked(p.before) {
		return false
	}
	w.note("the push was done, and answered by %v", p.answer)
	return true
}

// fetched gets objects. What breaks off is asked for once more, on a new connection; twice broken is a violation where the
// lighthouse can be fetched meanwhile.
func (w *world) fetched(what, path string, version int, wants []string, opts client.FetchOpts) (*client.Objects, outcome) {
	objects, o := w.client.Fetch(w.ctx, path, version, wants, opts)
	if o == nil || !brokenOff(o) {
		return objects, fetchedAs(what, o)
	}
	objects, again := w.client.Fetch(w.ctx, path, version, wants, opts)
	if again == nil || !brokenOff(again) {
		return objects, fetchedAs(what, again)
	}
	if l := w.run.lighthouse; w.needLighthouse().held() {
		if _, control := w.client.Fetch(w.ctx, l.path(), 0, l.commits[:1], client.FetchOpts{}); control == nil {
			return nil, violated("%s: %v, and again %v; another fetch is answered", what, o, again)
		}
	}
	return nil, inconclusive(what, again)
}

func fetchedAs(what string, o client.Observation) outcome {
	if o == nil {
		return outcome{}
	}
	return unlessInconclusive(what, o)
}
