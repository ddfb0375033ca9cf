package suite

import (
	"bytes"
	"net/http"
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/spec"
)

// sendAgain publishes an event a second time. What was published in between has to have been accepted.
func (w *world) sendAgain(ev *nostr.Event) outcome {
	if w.sent.last != ev {
		if out := w.accepted().asSetup(); !out.held() {
			return out
		}
	}
	return w.publish(ev)
}

// notAt judges that no repository answers at a path.
func (w *world) notAt(path string) outcome {
	for _, service := range []string{client.UploadPack, client.ReceivePack} {
		o := w.client.Advertise(w.ctx, path, service, 0)
		if answer, is := o.(client.HTTPAnswer); is && answer.Status >= 400 && answer.Status < http.StatusInternalServerError {
			continue
		}
		return unlessInconclusive("a path that names no repository", o)
	}
	return outcome{}
}

// answersAsWritten judges that a repository is where its path leads without an escape.
func (w *world) answersAsWritten(actor string) outcome {
	r := w.repositoryOf(actor)
	path := strings.TrimSuffix(w.client.RepoPath(r.owner.Pubkey, ""), ".git") + r.identifier + ".git"
	for _, service := range []string{client.UploadPack, client.ReceivePack} {
		// Who answers by this path may hear of the repository a moment later than who did by the other one.
		done, o := w.client.Poll(w.ctx, spec.RepositoryWithin, func() (bool, client.Observation) {
			o := w.advertiseWritten(path, service)
			_, is := o.(client.Advert)
			return is, o
		})
		if !done {
			return unlessInconclusive("the path "+path, o)
		}
	}
	return outcome{}
}

// servedVerbatim waits for an event and judges that all of it is the author's: a relay that changes
// anything breaks the id or the signature, which the client checks.
func (w *world) servedVerbatim(ev *nostr.Event) outcome {
	relay, out := w.connect()
	if !out.held() {
		return out
	}
	var bad client.Observation
	bound, whole := w.run.patience(&w.run.releases, 0)
	found, o := w.client.Poll(w.ctx, bound, func() (bool, client.Observation) {
		events, o := relay.Query(w.ctx, client.Filter{IDs: []string{ev.ID}})
		if changed, is := o.(client.BadEvent); is {
			bad = changed
			return true, nil
		}
		return slices.ContainsFunc(events, func(got *nostr.Event) bool {
			return bytes.Equal(client.EventJSON(got), client.EventJSON(ev))
		}), o
	})
	switch {
	case bad != nil:
		return violated("%s is not served as it was signed: %v", describe(ev), bad)
	case found:
		return outcome{}
	case o != nil:
		return unable("query for "+describe(ev), o)
	}
	return inVain(whole, "%s is not served as it was signed", describe(ev))
}

// recordServed notes, behind a barrier, whether a query finds an event.
func (w *world) recordServed(ev *nostr.Event) outcome {
	fresh, out := w.barrier()
	if !out.held() {
		return out
	}
	defer fresh.Close()
	events, o := fresh.Query(w.ctx, client.Filter{IDs: []string{ev.ID}})
	if o != nil {
		return unlessInconclusive("query", o)
	}
	w.note("%s is served: %t", describe(ev), holds(events, ev))
	return outcome{}
}
