package repo

import (
	"errors"
	"net/url"
	"strconv"
	"strings"
)

// ErrService is returned when a text is not the URL of a GRASP service.
var ErrService = errors.New("repo: not a service URL: want ws, wss, http or https, a host, and at most a base path")

// A Service is where a GRASP server is reached: one host for events and for git, whatever the scheme.
type Service struct {
	Host string // lower-case host[:port]; the default port of the scheme is left out
	Base string // "" or "/base", as it is escaped in URLs, without a trailing slash
}

// ParseService reads the URL of a service with any of the schemes ws, wss, http and https.
func ParseService(text string) (Service, error) {
	place, ok := parsePlace(text)
	if !ok {
		return Service{}, ErrService
	}
	base := strings.TrimSuffix(place.path, "/")
	if strings.HasSuffix(base, "/") || !isHost(place.host) {
		return Service{}, ErrService
	}
	return Service{Host: place.host, Base: base}, nil
}

// isHost reports whether a host[:port] can be one: no empty label, nothing that stands for other hosts, and a port that there is.
// Announcements are compared with what is one; what they say themselves is not judged by it.
func isHost(text string) bool {
	name, port := text, ""
	if i := strings.LastIndexByte(text, ':'); i >= 0 && !strings.HasSuffix(text, "]") {
		name, port = text[:i], text[i+1:]
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return false
		}
	}
	return !strings.ContainsAny(name, "* ") && !strings.Contains("."+strings.TrimSuffix(name, "."), "..")
}

// CloneURL returns the URL of a repository, with the scheme http or https (G01-GIT-01).
func (s Service) CloneURL(id ID, scheme string) string {
	return scheme + "://" + s.Host + s.Base + id.Path()
}

// RelayURL returns the URL of the relay, with the scheme ws or wss.
func (s Service) RelayURL(scheme string) string { return scheme + "://" + s.Host + s.Base }

// ListedIn reports whether an announcement lists the service in its clone and in its relays values (G01-ANN-05 to
// G01-ANN-08). URLs are compared part by part, never as text: scheme family, host and port, base path, and for clone
// values the npub of the author and one more component that ends in .git. Userinfo, query and fragment disqualify.
func (s Service) ListedIn(a Announcement) (clone, relays bool) {
	for _, text := range a.Clone {
		clone = clone || s.isCloneURL(text, a.ID.Owner)
	}
	for _, text := range a.Relays {
		relays = relays || s.IsRelayURL(text)
	}
	return clone, relays
}

// IsRelayURL reports whether a text is the URL of the relay of this service, compared part by part.
func (s Service) IsRelayURL(text string) bool {
	place, ok := parsePlace(text)
	return ok && (place.scheme == "ws" || place.scheme == "wss") && place.host == s.Host &&
		(place.path == s.Base || place.path == s.Base+"/")
}

func (s Service) isCloneURL(text string, owner PubKey) bool {
	place, ok := parsePlace(text)
	if !ok || (place.scheme != "http" && place.scheme != "https") || place.host != s.Host {
		return false
	}
	rest, ok := strings.CutPrefix(place.path, s.Base+"/")
	if !ok {
		return false
	}
	npub, name, ok := strings.Cut(strings.TrimSuffix(rest, "/"), "/")
	if !ok || strings.Contains(name, "/") || len(name) <= len(".git") || !strings.HasSuffix(name, ".git") {
		return false
	}
	key, err := ParseNpub(npub)
	return err == nil && key == owner
}

// place is a URL in the parts that are compared.
type place struct {
	scheme string // lower-case
	host   string // lower-case host[:port] without a default port
	path   string // escaped, "" or starting with a slash
}

// parsePlace takes a URL apart, and refuses what has parts that a service URL never has.
func parsePlace(text string) (place, bool) {
	u, err := url.Parse(text)
	if err != nil || u.User != nil || u.Opaque != "" || u.Hostname() == "" || strings.ContainsAny(text, "?#") {
		return place{}, false
	}
	if strings.Contains(u.Hostname(), ":") && u.Host[0] != '[' {
		return place{}, false // an address of IPv6 without brackets: what of it is the port is anybody's guess
	}
	port := ""
	switch u.Scheme {
	case "http", "ws":
		port = ":80"
	case "https", "wss":
		port = ":443"
	default:
		return place{}, false
	}
	host := strings.TrimSuffix(lowerASCII(u.Host), port)
	host = strings.TrimSuffix(host, ":")
	return place{scheme: u.Scheme, host: host, path: u.EscapedPath()}, true
}

// lowerASCII lowers A to Z only: with Unicode folding, two different hosts could become one.
func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}
