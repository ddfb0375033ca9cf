package suite

import (
	"net/http"
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
)

// listedSteps speak of what is offered where a GRASP is listed.
func listedSteps() []step {
	const endpoint = `(the (?:fetch|push) (?:advertisement|endpoint))`
	return []step{
		{
			text: `below /prs/ a visitor asks for ` + endpoint + ` of (the lighthouse|an unknown repository)`,
			role: act, sees: pages,
			doc: "asks for an endpoint below /prs/, of a repository that is there or of one that nobody announced",
			run: func(w *world, a []string, _ [][]string) outcome {
				if a[1] == "an unknown repository" {
					return w.visitEndpoint(a[0], "/prs"+w.unknownPath())
				}
				return w.needLighthouse().then(func() outcome {
					return w.visitEndpoint(a[0], "/prs"+w.run.lighthouse.path())
				})
			},
		},
		{
			text: endpoint + ` is there exactly if GRASP-06 is listed`,
			role: assertion, sees: pages,
			doc: "the last answer is that of an endpoint if the document lists GRASP-06, and 404 if not",
			run: func(w *world, a []string, _ [][]string) outcome { return w.thereIfListed(a[0]) },
		},
		{
			text: `GRASP-02 is listed if GRASP-05 is`,
			role: assertion, sees: pages,
			doc: "the document does not list an archive that does not sync",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.listsWhatArchivesNeed() },
		},
		{
			text: `the git host{name} is asked within an hour`,
			role: assertion, sees: hostsAsked, within: fetchedWithin, needs: []string{"reachback"},
			doc: "a fetch begins at the host",
			run: func(w *world, a []string, _ [][]string) outcome { return w.askedInAnHour(a[0]) },
		},
	}
}

// thereIfListed judges the answer to a visitor below /prs/. Where GRASP-06 is not listed the advertisements are 404, and
// what a client would post is at least the client's error: a front that knows methods before paths says so with another
// status. Where it is listed only the fetch advertisement is judged here.
func (w *world) thereIfListed(endpoint string) outcome {
	answer, out := w.answer()
	listed := w.run.facts.grasps[graspContributors]
	switch {
	case !out.held():
		return out
	case listed && endpoint == "the fetch advertisement":
		return w.isSmart()
	case listed:
		return notApplicable("GRASP-06 is listed, and what it says of %s is judged elsewhere", endpoint)
	case answer.Status == http.StatusNotFound:
		return outcome{}
	case answer.Status == http.StatusUnauthorized && w.run.facts.grasps[graspPrivate]:
		return notApplicable("a private service tells nobody what is not there")
	case isPosted(endpoint) && answer.Status >= http.StatusBadRequest:
		w.note("%s below /prs/ answers %v", endpoint, answer)
		return outcome{}
	}
	return violated("GRASP-06 is not listed, and %s below /prs/ answers %v, want 404", endpoint, answer)
}

func isPosted(endpoint string) bool { return strings.HasSuffix(endpoint, "endpoint") }

// Numbers of GRASPs.
const (
	graspSync         = 2
	graspArchive      = 5
	graspContributors = 6
	graspPrivate      = 8
)

// listsWhatArchivesNeed judges that a document that lists archives lists sync.
func (w *world) listsWhatArchivesNeed() outcome {
	if _, out := w.document(); !out.held() {
		return out
	}
	if w.run.facts.grasps[graspArchive] && !w.run.facts.grasps[graspSync] {
		return violated("GRASP-05 is listed, and GRASP-02, which it rests on, is not")
	}
	return outcome{}
}

// askedInAnHour waits for the first fetch at a git host.
func (w *world) askedInAnHour(name string) outcome {
	asked, o := w.client.Poll(w.ctx, fetchedWithin, func() (bool, client.Observation) {
		w.close() // no connection has to live through the wait
		return len(w.starts(name)) > 0, nil
	})
	switch {
	case asked:
		return outcome{}
	case o != nil:
		return passed(o)
	}
	return violated("GRASP-02 is listed, and the git host is not asked within %v", fetchedWithin)
}
