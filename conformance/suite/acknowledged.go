package suite

import (
	"slices"

	"github.com/graspkit/graspkit/conformance/client"
)

// fetchAcknowledged tells a commit of the lighthouse so many times, each of which is acknowledged by a line, as git does while it reads:
// the answer fills what lies between it and the server before the request has ended.
func (w *world) fetchAcknowledged(times, version int) outcome {
	l := w.run.lighthouse
	advert, out := w.listLighthouse(version)
	if !out.held() {
		return out
	}
	if _, offered := advert.Cap("multi_ack_detailed"); !offered {
		return notApplicable("multi_ack_detailed is not offered: the capabilities are %v", advert.Caps)
	}
	fetch := func(haves []string) (*client.Objects, client.Observation) {
		return w.client.Fetch(w.ctx, l.path(), version, l.commits[2:], client.FetchOpts{Haves: haves, Acks: true})
	}
	start := w.run.target.Now()
	if _, o := fetch(append(ownCommits(w.check.ID, times), l.commits[0])); o != nil {
		return fetchedAs("a fetch that tells commits of its own", o)
	}
	took := w.run.target.Now().Sub(start)
	both := slices.Repeat(l.commits[:1], times)
	return w.answeredStill("a fetch that tells what both have", l.path(), took, func() (*client.Objects, client.Observation) {
		return fetch(both)
	}, func(objects *client.Objects) outcome {
		if err := objects.Connected(l.commits[2], l.known[l.commits[0]]...); err != nil {
			return violated("the pack is incomplete: %v", err)
		}
		return outcome{}
	})
}
