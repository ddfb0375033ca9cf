package suite

import (
	"slices"
	"strconv"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// Whether events wait for git data is found out for each kind apart: a server that serves some of them at once misses what
// asks for that, once, and no check of anything else is about it.

// mayShow reports whether an event that was accepted may be served before there is git data for it, since its kind is not
// held here. The rows that ask for holding judge it all the same.
func (w *world) mayShow(ev *nostr.Event) bool {
	ok, taken := w.sent.taken[ev.ID]
	if !taken || ok.Prefix == waitingPrefix || slices.ContainsFunc(w.check.Requirements, asksForHolding) {
		return false
	}
	switch ev.Kind {
	case client.KindAnnouncement, client.KindState:
		return w.run.lighthouse.holding(w.ctx, ev.Kind) == holdingNo
	case client.KindPullRequest, client.KindUpdate:
		return true // it said so in no way that it would wait
	}
	return false
}

// asksForHolding tells the rows by which events wait.
func asksForHolding(id string) bool {
	return slices.Contains([]string{"G01-PURG-01", "G01-PURG-02", "G01-PURG-03"}, id)
}

// heldTag names, in a check's tag, the kinds without whose waiting there is nothing to judge.
const heldTag = "needs:held="

// holdsAll judges the condition of a check that is about events that wait.
func (r *run) holdsAll(w *world) outcome {
	value, given := w.check.Value(heldTag)
	if !given {
		return outcome{}
	}
	for _, word := range strings.Split(value, ",") {
		kind, _ := strconv.Atoi(word)
		if r.lighthouse.holding(w.ctx, kind) == holdingNo {
			return notApplicable("the server does not hold events of kind %d", kind)
		}
	}
	return outcome{}
}
