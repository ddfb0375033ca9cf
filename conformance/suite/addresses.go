package suite

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
)

// addressOnPage finds what a browser, or somebody who copies a line, takes for a URL.
var addressOnPage = regexp.MustCompile(`https?://[^\s"'<>]+`)

// addressesAreRight judges the URLs of a page in which the owner's npub is a part of the path: the next part is the
// repository, with or without the suffix of git. Other URLs are none of our business.
func (w *world) addressesAreRight() outcome {
	answer, is := w.page.(client.HTTPAnswer)
	if !is {
		return unlessInconclusive("the page", w.page)
	}
	if answer.Status != http.StatusOK {
		return violated("the page: HTTP %d", answer.Status)
	}
	npub := w.key("owner").Npub
	for _, text := range addressOnPage.FindAllString(html.UnescapeString(string(answer.Body)), -1) {
		_, rest, named := strings.Cut(text, "/"+npub+"/")
		if !named {
			continue
		}
		part, _, _ := strings.Cut(rest, "/")
		part, _, _ = strings.Cut(part, "?")
		got, err := url.PathUnescape(strings.TrimSuffix(part, ".git"))
		if err != nil || got != w.identifier {
			return violated("the page has the address %s, which does not name the repository %q", text, w.identifier)
		}
	}
	return outcome{}
}
