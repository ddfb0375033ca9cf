package suite

import (
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// takeBack deletes the ref of an event in the owner's repository. Who pushed a ref is known to nobody, so a server may let
// no client delete one.
func (w *world) takeBack(ev *nostr.Event) outcome {
	return w.push("owner", [][]string{{refOf(ev), "(delete)"}}, nil).then(func() outcome {
		if reason, refused := client.Refusal(w.git.pushed.answer); refused {
			return notApplicable("the server lets nobody delete the ref of an event: %s", reason)
		}
		return w.succeeded()
	})
}

// wentAway waits until the ref of an event, or the whole repository of the actor, is not there any more.
func (w *world) wentAway(actor string, ev *nostr.Event) outcome {
	gone := refAt(ev, "")
	bound, _ := w.run.patience(&w.run.releases, 0)
	done, o := w.client.Poll(w.ctx, bound, func() (bool, client.Observation) {
		o := w.client.Advertise(w.ctx, w.path(actor), client.UploadPack, 0)
		switch o := o.(type) {
		case client.Advert:
			return gone(o) == "", o
		case client.HTTPAnswer:
			return nothingThere(o), o
		}
		return false, o
	})
	if !done && !client.Inconclusive(o) {
		return notApplicable("the refs outlive the deletion of the announcement")
	}
	if !done {
		return inconclusive("advertisement", o)
	}
	return outcome{}
}
