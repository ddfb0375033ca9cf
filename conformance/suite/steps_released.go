package suite

import (
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// releasedSteps speak of what a push has released that was refused in part.
func releasedSteps() []step {
	return []step{
		{
			text: `the ((?:pull request|update)(?: "[a-z]+")?) is not served, unless that push brought its ref`,
			role: assertion, sees: servedEvents, absent: true,
			doc: "behind a barrier, nothing brings the event, or its ref is reported as done or advertised at its commit",
			run: func(w *world, a []string, _ [][]string) outcome { return w.releasedByRef(w.event(a[0])) },
		},
	}
}

// releasedByRef judges that an event is not served whose ref is not there, behind a push that brought it and was refused. A server may judge
// each ref of a push for itself, and make the ref of what it has kept.
func (w *world) releasedByRef(ev *nostr.Event) outcome {
	there := refAt(ev, namedCommit(ev))
	report, _ := w.git.pushed.answer.(client.PushReport)
	if line, told := report.Ref(refOf(ev)); told && line.OK {
		return outcome{}
	}
	out := w.notServed(ev, true)
	if !out.verdict.Violated() {
		return out
	}
	o := w.advertise(w.path("owner"), client.UploadPack)
	switch advert, is := o.(client.Advert); {
	case !is:
		return unlessInconclusive("advertisement", o)
	case there(advert) == "":
		return outcome{}
	}
	return violated("%s, and its ref is not there", out.reason)
}
