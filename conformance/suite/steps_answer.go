package suite

import (
	"bytes"
	"cmp"
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
)

func answerSteps() []step {
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
		{
			text: `the answer is empty with status {number}`,
			role: assertion, sees: pages,
			doc: "the last answer has this status and no body",
			run: func(w *world, a []string, _ [][]string) outcome {
				answer, out := w.answer()
				if out.held() && (answer.Status != int(number(a[0])) || len(answer.Body) > 0) {
					return violated("%v", answer)
				}
				return out
			},
		},
		{
			text: `the answer has the content type (\S+)`,
			role: assertion, sees: pages,
			doc: "the last answer has this content type",
			run: func(w *world, a []string, _ [][]string) outcome {
				answer, out := w.answer()
				if got := answer.Header.Get("Content-Type"); out.held() && got != a[0] {
					return violated("the content type is %q: %v", got, answer)
				}
				return out
			},
		},
		{
			text: `the answer is a page or leads to one`,
			role: assertion, sees: pages,
			doc: "the last answer is a page, or a redirect",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.isPage() },
		},
		{
			text: `no answer holds "([^"]+)"`,
			role: assertion, sees: pages,
			doc: "nothing that the target has sent in this check holds the words",
			run: func(w *world, a []string, _ [][]string) outcome { return w.neverTold(a[0]) },
		},
		{
			text: `the answer has status {number}`,
			role: assertion, sees: pages,
			doc: "the last answer has this status",
			run: func(w *world, a []string, _ [][]string) outcome {
				answer, out := w.answer()
				if out.held() && answer.Status != int(number(a[0])) {
					return violated("%v", answer)
				}
				return out
			},
		},
		{
			text: `the answer is a client error`,
			role: assertion, sees: pages, refuses: true,
			doc: "the last answer has a status from 400 to 499, but not 429",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.clientError() },
		},
		{
			text: `the answer shows no repository`,
			role: assertion, sees: pages, refuses: true,
			doc: "the last answer is no success and holds nothing of a repository or of the machine",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.showsNone() },
		},
		{
			text: `the answer is a smart HTTP advertisement`,
			role: assertion, sees: pages,
			doc: "the last answer is the advertisement of upload-pack, with its content type and service line",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.isSmart()
			},
		},
		{
			text: `the page links to a client that shows this repository`,
			role: assertion, sees: pages,
			doc: "an href of the page names the repository by npub and identifier, or by naddr",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.linksToClient()
			},
		},
		{
			text: `every address on the page that names the owner names this repository`,
			role: assertion, sees: pages,
			doc: "whatever URL of the page has the owner's npub in its path has the repository behind it, percent-encoded",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.addressesAreRight()
			},
		},
		{
			text: `the page holds no foreign markup`,
			role: assertion, sees: pages,
			doc: "none of the markup in the announcement is markup of the page",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.isEscaped() },
		},
	}
}

// answer is the answer to the last visit, whatever its status.
func (w *world) answer() (client.HTTPAnswer, outcome) {
	answer, is := w.page.(client.HTTPAnswer)
	if !is || answer.Status >= http.StatusInternalServerError {
		return answer, unlessInconclusive("request", w.page)
	}
	return answer, outcome{}
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

func (w *world) clientError() outcome {
	answer, is := w.page.(client.HTTPAnswer)
	switch {
	case is && answer.Status >= http.StatusBadRequest && answer.Status < http.StatusInternalServerError && answer.Status != http.StatusTooManyRequests:
		return outcome{}
	case refusedBadly(w.page):
		return w.refusedBadly("a malformed request", w.page)
	}
	return unlessInconclusive("a malformed request", w.page)
}

// showsNone judges that an answer holds nothing of a repository, or of the machine.
func (w *world) showsNone() outcome {
	answer, is := w.page.(client.HTTPAnswer)
	if !is {
		if refusedBadly(w.page) {
			return w.refusedBadly("a path that leads out", w.page)
		}
		return unlessInconclusive("a path that leads out", w.page)
	}
	for _, trace := range []string{w.run.lighthouse.commits[2], "refs/heads/main", "# service=git", "root:x:0:0"} {
		if bytes.Contains(answer.Body, []byte(trace)) {
			return violated("a path that leads out shows %q: %v", trace, answer)
		}
	}
	if answer.Status >= http.StatusInternalServerError {
		return w.refusedBadly("a path that leads out", answer)
	}
	if answer.Status == http.StatusTooManyRequests || answer.Status < http.StatusMultipleChoices {
		return unlessInconclusive("a path that leads out", answer)
	}
	return outcome{}
}

func (w *world) isSmart() outcome {
	answer, out := w.answer()
	if !out.held() {
		return out
	}
	const contentType = "application/x-git-upload-pack-advertisement"
	if answer.Status != http.StatusOK || answer.Header.Get("Content-Type") != contentType {
		return unlessInconclusive("no smart HTTP advertisement", answer)
	}
	if !bytes.HasPrefix(answer.Body, []byte("001e# service=git-upload-pack\n0000")) {
		return violated("the advertisement begins with %.60q", answer.Body)
	}
	return outcome{}
}

// isPage judges that a browser gets something to show or somewhere to go.
func (w *world) isPage() outcome {
	answer, is := w.page.(client.HTTPAnswer)
	page := is && answer.Status == http.StatusOK && len(answer.Body) > 0
	away := is && answer.Status >= 300 && answer.Status < 400 && answer.Header.Get("Location") != ""
	if !page && !away {
		return unlessInconclusive("the root", w.page)
	}
	return outcome{}
}

// neverTold judges that words were in nothing that the target has sent to the check so far.
func (w *world) neverTold(words string) outcome {
	if client.Inconclusive(w.page) {
		return inconclusive("request", w.page)
	}
	for _, e := range w.client.Recorder().Entries() {
		if e.Dir == client.Received && bytes.Contains(e.Bytes, []byte(words)) {
			return violated("%s tells %q: %s %.200q", e.Channel, words, e.Head, e.Bytes)
		}
	}
	return outcome{}
}

// linksToClient looks for a link that names the repository: its owner's npub and identifier, or an
// address in bech32.
func (w *world) linksToClient() outcome {
	answer, out := w.answer()
	if !out.held() {
		return out
	}
	if answer.Status != http.StatusOK || !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/html") {
		return unlessInconclusive("no page", answer)
	}
	for _, link := range links(string(answer.Body)) {
		if !strings.HasPrefix(link, "http") && !strings.HasPrefix(link, "nostr:") {
			continue
		}
		plain, err := url.PathUnescape(link)
		if err != nil {
			plain = link
		}
		if strings.Contains(plain, "naddr1") {
			return outcome{}
		}
		own := strings.HasSuffix(plain, w.path("owner"))
		if !own && strings.Contains(plain, w.key("owner").Npub) && strings.Contains(plain, w.identifier) {
			return outcome{}
		}
	}
	return violated("no link of the page names this repository to a client")
}

// links are the targets of all links of a page, unescaped.
func links(page string) []string {
	var out []string
	for _, m := range compiled(`href\s*=\s*(?:"([^"]*)"|'([^']*)')`).FindAllStringSubmatch(page, -1) {
		out = append(out, html.UnescapeString(m[1]+m[2]))
	}
	return out
}

func (w *world) isEscaped() outcome {
	answer, out := w.answer()
	if !out.held() {
		return out
	}
	if answer.Status != http.StatusOK {
		return unlessInconclusive("no page", answer)
	}
	for _, markup := range []string{"<script>alert(1)", "<script>x()", "<img src=x"} {
		if bytes.Contains(bytes.ToLower(answer.Body), []byte(markup)) {
			return violated("the page holds %q", markup)
		}
	}
	return outcome{}
}
