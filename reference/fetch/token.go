package fetch

import (
	"net/http"
	"net/url"
	"strings"
)

// authorized has a request carry the token of the service for a repository, if this host has asked for one in this fetch (G08-05,
// G08-10). A token is made anew for each request, for it counts for a minute only.
func (fl *flight) authorized(req *http.Request, base *url.URL) error {
	if !fl.private {
		return nil
	}
	header, err := fl.fetcher.options.Authorize(base.String(), fl.fetcher.options.Clock.Now())
	if err != nil {
		return failed(Forbidden, "token for the host: %w", err)
	}
	req.Header.Set("Authorization", header)
	return nil
}

// asksForToken reports whether a host answers that it wants a token of nostr, which it is shown once.
func (fl *flight) asksForToken(resp *http.Response) bool {
	if fl.private || fl.fetcher.options.Authorize == nil || resp.StatusCode != http.StatusUnauthorized {
		return false
	}
	scheme, _, _ := strings.Cut(resp.Header.Get("WWW-Authenticate"), " ")
	fl.private = strings.EqualFold(scheme, "Nostr")
	return fl.private
}
