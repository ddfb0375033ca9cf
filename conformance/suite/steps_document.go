package suite

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
)

// documentSteps judge the relay information document and who may read answers in a browser.
func documentSteps() []step {
	return []step{
		{
			text: `the answer is a relay information document`,
			role: assertion, sees: pages,
			doc: "the last answer is a JSON object with status 200",
			run: func(w *world, _ []string, _ [][]string) outcome {
				_, out := w.document()
				return out
			},
		},
		{
			text: `the answer, unpacked, is a relay information document`,
			role: assertion, sees: pages,
			doc: "the last answer has status 200, is what its Content-Encoding says, and a JSON object",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.unpacked("relay information document", w.page, func(body []byte) bool {
					return json.Valid(body) && bytes.HasPrefix(bytes.TrimSpace(body), []byte("{"))
				})
			},
		},
		{
			text: `supported_grasps holds GRASP-01 and only names of that form`,
			role: assertion, sees: pages,
			doc: "supported_grasps is a list of names GRASP-NN with GRASP-01 among them",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.listsGrasps()
			},
		},
		{
			text: `repo_acceptance_criteria is text that is not empty`,
			role: assertion, sees: pages,
			doc: "the member of the document is there and says something",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.hasText("repo_acceptance_criteria", true)
			},
		},
		{
			text: `curation is absent or text that is not empty`,
			role: assertion, sees: pages,
			doc: "the member of the document, if there, says something",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.hasText("curation", false)
			},
		},
		{
			text: `what the document says of curation is recorded`,
			role: record, sees: pages,
			doc: "notes what the document says of curation",
			run: func(w *world, _ []string, _ [][]string) outcome {
				document, out := w.document()
				if out.held() {
					w.note("curation: %v", document["curation"])
				}
				return out
			},
		},
		{
			text: `the answer allows every origin`,
			role: assertion, sees: pages,
			doc: "Access-Control-Allow-Origin is there once and is *",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.allowsOrigin() },
		},
		{
			text: `the answer allows the methods GET and POST`,
			role: assertion, sees: pages,
			doc: "Access-Control-Allow-Methods names GET and POST",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.allows("G01-CORS-02", "Access-Control-Allow-Methods", func(s string) string { return s }, "GET", "POST")
			},
		},
		{
			text: `supported_nips holds integers, among them 1, 11 and 34`,
			role: assertion, sees: pages,
			doc: "supported_nips is a list of integers with 1, 11 and 34 among them",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.listsNIPs()
			},
		},
		{
			text: `the GRASPs that it lists are those that are offered`,
			role: assertion, sees: pages,
			doc: "no GRASP is listed whose endpoints are not there",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.offersListed()
			},
		},
		{
			text: `the limit (max_\w+) that the document states holds`,
			role: assertion, sees: answers, cost: cost{events: 2},
			doc: "what keeps the stated limit is answered; what exceeds it is refused",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.limitHolds(a[0])
			},
		},
		{
			text: `whether the answer allows the request header (\S+) is recorded`,
			role: record, sees: pages,
			doc: "notes whether Access-Control-Allow-Headers names the header",
			run: func(w *world, a []string, _ [][]string) outcome {
				answer, out := w.corsAnswer()
				w.note("Access-Control-Allow-Headers is %q", answer.Header.Values("Access-Control-Allow-Headers"))
				if allowed := w.allows("", "Access-Control-Allow-Headers", strings.ToLower, a[0]); out.held() && !allowed.held() {
					w.note("%s is not allowed", a[0])
				}
				return out
			},
		},
		{
			text: `the answer allows the request header Content-Type`,
			role: assertion, sees: pages,
			doc: "Access-Control-Allow-Headers names Content-Type, in any case",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.allows("G01-CORS-03", "Access-Control-Allow-Headers", strings.ToLower, "content-type")
			},
		},
	}
}

// document reads the relay information document.
func (w *world) document() (map[string]any, outcome) {
	answer, out := w.answer()
	if !out.held() {
		return nil, out
	}
	var document map[string]any
	if answer.Status != http.StatusOK || json.Unmarshal(answer.Body, &document) != nil || document == nil {
		return nil, unlessInconclusive("no relay information document", answer)
	}
	return document, outcome{}
}

func (w *world) listsGrasps() outcome {
	document, out := w.document()
	if !out.held() {
		return out
	}
	list, is := document["supported_grasps"].([]any)
	if !is {
		return violated("supported_grasps is %v", document["supported_grasps"])
	}
	for _, item := range list {
		name, is := item.(string)
		if !is || !graspName.MatchString(name) {
			return violated("supported_grasps holds %v", item)
		}
	}
	if !slices.Contains(list, any("GRASP-01")) {
		return violated("supported_grasps is %v", list)
	}
	return outcome{}
}

// hasText judges that a member is text that is not empty, or absent where it need not be there.
func (w *world) hasText(member string, needed bool) outcome {
	document, out := w.document()
	if !out.held() {
		return out
	}
	value, there := document[member]
	if !there && !needed {
		return outcome{}
	}
	text, is := value.(string)
	if !is || strings.TrimSpace(text) == "" {
		return violated("%s is %#v", member, value)
	}
	return outcome{}
}

// corsAnswer is an answer of any status: errors carry CORS headers too.
func (w *world) corsAnswer() (client.HTTPAnswer, outcome) {
	answer, is := w.page.(client.HTTPAnswer)
	if !is {
		return answer, unlessInconclusive("request", w.page)
	}
	if answer.Status == http.StatusTooManyRequests {
		return answer, inconclusive("request", w.page)
	}
	return answer, outcome{}
}

// violatedOf is a violation of one of the check's requirements; of the primary one, if the check does not
// carry that.
func (w *world) violatedOf(requirement, format string, args ...any) outcome {
	if slices.Contains(w.check.Requirements, requirement) {
		return violatedAs(requirement, format, args...)
	}
	return violated(format, args...)
}

func (w *world) allowsOrigin() outcome {
	answer, out := w.corsAnswer()
	if !out.held() {
		return out
	}
	if got := answer.Header.Values("Access-Control-Allow-Origin"); len(got) != 1 || got[0] != "*" {
		return w.violatedOf("G01-CORS-01", "Access-Control-Allow-Origin is %q for %s on %v", got, cmp.Or(w.origin, "no origin"), answer)
	}
	return outcome{}
}

// allows judges that a list header has the values, after fold was applied to what it holds.
func (w *world) allows(requirement, header string, fold func(string) string, want ...string) outcome {
	answer, out := w.corsAnswer()
	if !out.held() {
		return out
	}
	var got []string
	for _, line := range answer.Header.Values(header) {
		for _, item := range strings.Split(line, ",") {
			got = append(got, fold(strings.TrimSpace(item)))
		}
	}
	for _, value := range want {
		if !slices.Contains(got, value) {
			return w.violatedOf(requirement, "%s is %q on %v", header, answer.Header.Values(header), answer)
		}
	}
	return outcome{}
}
