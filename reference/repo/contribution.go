package repo

import (
	"net/url"
	"slices"
	"strings"
)

// contributionPrefix stands before the identifier of an ID that names a place for contributions: it has a slash, so no announced
// repository has such an identifier, and what goes by the identifier never takes one for the other.
const contributionPrefix = "prs/"

// Contribution is the ID of the place where a signer of pull requests keeps the commits of those for repositories of an
// identifier, whoever owns them (GRASP-06): /prs/<npub>/<identifier>.git. It holds refs below PullRequestPrefix and nothing else.
func Contribution(signer PubKey, identifier string) ID {
	return ID{Owner: signer, Identifier: contributionPrefix + identifier}
}

// ContributionTo returns the identifier that a place for contributions is about, and whether the ID is that of one.
func (id ID) ContributionTo() (identifier string, is bool) {
	return strings.CutPrefix(id.Identifier, contributionPrefix)
}

// IsContribution reports whether the ID is that of a place for contributions.
func (id ID) IsContribution() bool { return strings.HasPrefix(id.Identifier, contributionPrefix) }

// Contributions lists the places for contributions of this service that a pull request names in its clone values, each once and
// in order. A place is named by its URL with http or https, the host and the port of the service, its base path, /prs/, the npub
// of the signer and an identifier of those of the a tags, encoded, with .git; slashes may follow, and userinfo, query and
// fragment disqualify (G06-EV-02).
func (s Service) Contributions(pr PullRequest) []ID {
	var list []ID
	signer, err := ParsePubKey(pr.Event.PubKey)
	if err != nil || len(pr.Repos) == 0 {
		return nil
	}
	for _, tag := range pr.Event.Tags {
		if len(tag) < 2 || tag[0] != "clone" {
			continue
		}
		for _, text := range tag[1:] {
			identifier, ok := s.contribution(text, signer)
			id := Contribution(signer, identifier)
			named := func(r ID) bool { return r.Identifier == identifier }
			if ok && slices.ContainsFunc(pr.Repos, named) && !slices.Contains(list, id) {
				list = append(list, id)
			}
		}
	}
	return list
}

// contribution reads the URL of a place of a signer at this service.
func (s Service) contribution(text string, signer PubKey) (identifier string, ok bool) {
	place, ok := parsePlace(text)
	if !ok || place.scheme != "http" && place.scheme != "https" || place.host != s.Host {
		return "", false
	}
	rest, ok := strings.CutPrefix(place.path, s.Base+"/"+contributionPrefix)
	npub, name, two := strings.Cut(strings.TrimRight(rest, "/"), "/")
	if !ok || !two || strings.Contains(name, "/") {
		return "", false
	}
	if key, err := ParseNpub(npub); err != nil || key != signer {
		return "", false
	}
	name, err := url.PathUnescape(name)
	if err != nil {
		return "", false
	}
	return strings.CutSuffix(name, ".git")
}
