package repo

import (
	"net/url"
	"strings"
)

// IsRepositoryURL reports whether a text is the URL of a repository of this service, or of a place for contributions, compared part by
// part: what CloneURL makes, with http or https and in any percent-encoding of the identifier, without a slash, a query or anything else
// behind it.
func (s Service) IsRepositoryURL(text string, id ID) bool {
	place, ok := parsePlace(text)
	if !ok || (place.scheme != "http" && place.scheme != "https") || place.host != s.Host {
		return false
	}
	identifier, under := id.Identifier, s.Base+"/"
	if name, is := id.ContributionTo(); is {
		identifier, under = name, under+contributionPrefix
	}
	rest, ok := strings.CutPrefix(place.path, under)
	if !ok {
		return false
	}
	npub, name, ok := strings.Cut(rest, "/")
	if !ok || strings.Contains(name, "/") {
		return false
	}
	key, err := ParseNpub(npub)
	if err != nil || key != id.Owner {
		return false
	}
	name, err = url.PathUnescape(name)
	named, found := strings.CutSuffix(name, ".git")
	return err == nil && found && named == identifier
}
