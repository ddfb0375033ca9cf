package suite

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
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
	for _, text := range addressOnPage.FindAllString(html.UnescapeString(withoutScripts(string(answer.Body))), -1) {
		_, rest, _ := strings.Cut(text, "/"+npub+"/")
		rest, _, _ = strings.Cut(rest, "?")
		if rest == "" {
			continue // of somebody else, or of the owner alone
		}
		names := func(part string) bool { // a relay may stand before it
			got, err := url.PathUnescape(strings.TrimSuffix(part, ".git"))
			return err == nil && got == w.identifier
		}
		if !slices.ContainsFunc(strings.Split(rest, "/"), names) {
			return violated("the page has the address %s, which does not name the repository %q", text, w.identifier)
		}
	}
	return outcome{}
}

// withoutScripts is a page without its scripts, which make addresses of parts.
func withoutScripts(page string) string {
	return compiled(`(?is)<script\b.*?</script>`).ReplaceAllString(page, " ")
}
