package suite

import (
	"net/http"
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
)

// shownSteps speak of what a private service shows beside its relay and its git endpoints (GRASP-08).
func shownSteps() []step {
	return []step{
		{
			text: `a visitor asks for the page of the owner's repository, and of one that is not there`,
			role: act, sees: pages,
			doc: "asks as a browser for both, and for the second one twice",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.visitPages() },
		},
		{
			text: `a visitor with no token asks for all of the owner's place for pull requests`,
			role: act, sees: pages,
			doc: "asks for both advertisements and both endpoints of the place for the owner's repository, and for one that is not there",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.visitPlaces() },
		},
		{
			text: `the root names nothing of the owner's repository`,
			role: assertion, sees: pages, refuses: true,
			doc: "the last answer does not have its identifier, which nobody else has",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.rootNamesNothing() },
		},
		{
			text: `a visitor asks for the head of the advertisement of the owner's repository, and of one that is not there`,
			role: act, sees: pages,
			doc: "sends HEAD for what advertises the refs of both",
			run: func(w *world, _ []string, _ [][]string) outcome {
				w.compare(func(r repository) map[string]client.Observation {
					return map[string]client.Observation{thePage: w.client.Do(w.ctx, http.MethodHead, w.pathOf(r)+advertOf(client.UploadPack), nil, nil)}
				})
				return outcome{}
			},
		},
		{
			text: `both pages are alike`,
			role: assertion, sees: pages, refuses: true,
			doc: "they have the same status, headers and text, but for the identifier, and what differs whenever the same is asked",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.pagesAlike() },
		},
		{
			text: `the relay and git turn everybody away exactly if GRASP-08 is listed`,
			role: assertion, sees: pages,
			doc: "the last answer is 401 and a query without an authentication is refused for that, or neither is so; a public service that lists nothing is not judged",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.privateIfListed() },
		},
	}
}

// thePage is the one of a repository, beside its endpoints.
const thePage = "the page"

// visitPages asks for the pages of what is there and of what is not.
func (w *world) visitPages() outcome {
	w.compare(func(r repository) map[string]client.Observation {
		return map[string]client.Observation{thePage: w.client.Do(w.ctx, http.MethodGet, w.pathOf(r), browserHeader(), nil)}
	})
	return outcome{}
}

// visitPlaces asks for the places for what is there and for what is not.
func (w *world) visitPlaces() outcome {
	w.compare(func(r repository) map[string]client.Observation { return w.asksEverywhere("", placesPath+w.pathOf(r)) })
	return outcome{}
}

// rootNamesNothing judges the last page.
func (w *world) rootNamesNothing() outcome {
	answer, out := w.answer()
	if !out.held() {
		return out
	}
	if strings.Contains(string(answer.Body), w.identifier) {
		return violated("the root tells who is no member of %s", w.identifier)
	}
	return outcome{}
}

// pagesAlike judges that nothing tells the page of a repository from that of none.
func (w *world) pagesAlike() outcome {
	c := &w.private.token.compared
	there, is := c.first.there[thePage].(client.HTTPAnswer)
	missing, also := c.first.missing[thePage].(client.HTTPAnswer)
	switch {
	case !is:
		return unlessInconclusive("the page of a repository", c.first.there[thePage])
	case !also:
		return unlessInconclusive("the page of a repository that is not there", c.first.missing[thePage])
	case tooFast(there), tooFast(missing):
		return inconclusive("the page of a repository", there)
	case there.Status != missing.Status:
		return violated("the page of a repository answers %v, and %v where there is none", there, missing)
	}
	if name := c.tellingHeader(thePage, "Content-Length"); name != "" {
		return violated("the page of a repository has %s %q, and %q where there is none", name, there.Header.Values(name), missing.Header.Values(name))
	}
	text := strings.ReplaceAll(string(missing.Body), w.repository("owner", "missing").identifier, w.identifier)
	if string(there.Body) != text && c.keeps(thePage, func(a client.HTTPAnswer) string { return string(a.Body) }) {
		return violated("the page of a repository says %.80q, and %.80q where there is none", there.Body, missing.Body)
	}
	return outcome{}
}

// privateIfListed judges whether the document says what the service does to everybody.
func (w *world) privateIfListed() outcome {
	git, out := w.answer()
	if !out.held() {
		return out
	}
	listed, git401 := w.run.facts.grasps[graspPrivate], git.Status == http.StatusUnauthorized
	if !listed && !git401 {
		return notApplicable("GRASP-08 is not listed, and git answers who has no token")
	}
	relay, o := w.client.Relay(w.ctx)
	if o != nil {
		return unlessInconclusive("connect", o)
	}
	defer relay.Close()
	_, o = relay.Query(w.ctx, client.Filter{Limit: new(int)})
	closed, is := o.(client.ClosedFrame)
	asksWho := is && closed.Prefix == "auth-required"
	switch {
	case o != nil && !is:
		return unlessInconclusive("a query without an authentication", o)
	case asksWho && git401 && !listed:
		return violated("the relay and git turn everybody away who has not authenticated, and GRASP-08 is not listed")
	case !listed:
		return notApplicable("GRASP-08 is not listed, and the service is not for members alone")
	case !asksWho:
		return violated("GRASP-08 is listed, and a query without an authentication is answered: %v", orEOSE(o))
	case !git401:
		return violated("GRASP-08 is listed, and git answers %v to who has no token", git)
	}
	return outcome{}
}

// orEOSE names the answer to a query that nothing is wrong with.
func orEOSE(o client.Observation) string {
	if o == nil {
		return "EOSE"
	}
	return o.String()
}
