package suite

import (
	"bytes"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"golang.org/x/net/html"

	"github.com/graspkit/graspkit/conformance/client"
)

func answerSteps() []step {
	return []step{
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
			text: `the answer, if it is a success, has the content type (\S+)`,
			role: assertion, sees: pages,
			doc: "the last answer, if its status is 200, has this content type, whatever its parameters",
			run: func(w *world, a []string, _ [][]string) outcome {
				answer, out := w.answer()
				kind, _, _ := strings.Cut(answer.Header.Get("Content-Type"), ";")
				if out.held() && answer.Status == http.StatusOK && strings.TrimSpace(kind) != a[0] {
					return violated("the content type is %q: %v", kind, answer)
				}
				return out
			},
		},
		{
			text: `the answer is for this moment alone`,
			role: assertion, sees: pages,
			doc: "the last answer does not say that it may be kept: no max-age or s-maxage but 0, unless it has to be asked for again each time",
			run: func(w *world, _ []string, _ [][]string) outcome {
				answer, out := w.answer()
				if kept := mayBeKept(answer.Header); out.held() && answer.Status == http.StatusOK && kept != "" {
					return violated("who gets the answer may keep it: %s: %v", kept, answer)
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
				switch {
				case !out.held() || answer.Status == int(number(a[0])):
					return out
				case answer.Status == http.StatusUnauthorized && w.run.facts.grasps[graspPrivate]:
					return notApplicable("a private service tells nobody what is not there")
				}
				return violated("%v", answer)
			},
		},
		{
			text: `the answer is a page or that nothing is there`,
			role: assertion, sees: pages,
			doc: "the last answer has the status 200, 404 or 410: what waits may have a page and may have none",
			run: func(w *world, _ []string, _ [][]string) outcome {
				if answer, out := w.answer(); !out.held() || answer.Status == http.StatusOK || nothingThere(answer) {
					return out
				}
				return violated("%v", w.page)
			},
		},
		{
			text: `the answer is a client error`,
			role: assertion, sees: pages, refuses: true,
			doc: "the last answer has a status from 400 to 499, but not 429, or is that of the normalised path",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.clientError() },
		},
		{
			text: `the answer shows no repository`,
			role: assertion, sees: pages, refuses: true,
			doc: "the last answer is no success and holds nothing of a repository or of the machine, or is that of the normalised path",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.showsNone() },
		},
		{
			text: `the answer holds nothing that a program was told`,
			role: assertion, sees: pages, refuses: true,
			doc: "the last answer holds none of the arguments that a server gives to the programs of git: a program which prints its arguments was not started",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.startedNone() },
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
			doc: "an href of the page names the repository by npub and identifier, or by naddr; of a page with a script that may make one, this is recorded only",
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

// isClientError reports whether a request was refused, and not for its pace.
func isClientError(answer client.HTTPAnswer) bool {
	return answer.Status >= http.StatusBadRequest && answer.Status < http.StatusInternalServerError && answer.Status != http.StatusTooManyRequests
}

func (w *world) clientError() outcome {
	answer, is := w.page.(client.HTTPAnswer)
	switch {
	case is && isClientError(answer):
		return outcome{}
	case is && (w.asNormalised(answer) || w.ledHome(answer)):
		return outcome{}
	case refusedBadly(w.page):
		return w.refusedBadly("a malformed request", w.page)
	}
	return unlessInconclusive("a malformed request", w.page)
}

// toldToGit are arguments that the programs behind git's own services are started with.
var toldToGit = []string{"--stateless-rpc", "--advertise-refs", "--http-backend-info-refs"}

// startedNone judges that a program which prints what it is told was not started.
func (w *world) startedNone() outcome {
	answer, is := w.page.(client.HTTPAnswer)
	if !is {
		return unlessInconclusive("a request for a service that is none", w.page)
	}
	for _, word := range toldToGit {
		if bytes.Contains(answer.Body, []byte(word)) {
			return violated("a program was started that the query names: %v", answer)
		}
	}
	return outcome{}
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
	if answer.Status < http.StatusMultipleChoices && w.asNormalised(answer) {
		return outcome{}
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

// lifetimes are the directives that let an answer be used again without a question.
var lifetimes = regexp.MustCompile(`(?i)(?:^|[\s,])(?:s-maxage|max-age)\s*=\s*"?0*[1-9]`)

// mayBeKept is what a header says of how long an answer is good (RFC 9111), if it says that it is.
func mayBeKept(h http.Header) string {
	directives := strings.ToLower(strings.Join(h.Values("Cache-Control"), ", "))
	if strings.Contains(directives, "no-cache") || strings.Contains(directives, "no-store") || !lifetimes.MatchString(directives) {
		return ""
	}
	return "Cache-Control: " + directives
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
	page := string(answer.Body)
	for _, link := range links(page) {
		if !elsewhere.MatchString(link) {
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
	if withoutScripts(page) != page {
		return outcome{verdict: Observed, reason: "the page has a script, and what that links to is seen by a browser only"}
	}
	return violated("no link of the page names this repository to a client")
}

// elsewhere begins a link that names its host, or needs none.
var elsewhere = regexp.MustCompile(`^\s*(?i:https?:|nostr:|//)`)

// links are the targets of all links of a page, unescaped.
func links(page string) (all []string) {
	for tokens := html.NewTokenizer(strings.NewReader(page)); ; {
		switch tokens.Next() {
		case html.ErrorToken:
			return all
		case html.StartTagToken, html.SelfClosingTagToken:
			for _, a := range tokens.Token().Attr {
				if a.Key == "href" {
					all = append(all, a.Val)
				}
			}
		default:
		}
	}
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
	if tag, is := handled(answer.Body); is {
		return violated("the page holds a tag with a handler of the announcement's: %q", tag)
	}
	return outcome{}
}

// handled finds a tag that has the handler of a malicious identifier among its attributes.
func handled(page []byte) (tag string, is bool) {
	for tokens := html.NewTokenizer(bytes.NewReader(page)); ; {
		switch tokens.Next() {
		case html.ErrorToken:
			return "", false
		case html.StartTagToken, html.SelfClosingTagToken:
			raw := string(tokens.Raw())
			for _, a := range tokens.Token().Attr {
				if a.Key == "onmouseover" {
					return raw, true
				}
			}
		default:
		}
	}
}
