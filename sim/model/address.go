package model

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/nbd-wtf/go-nostr/nip19"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// place cuts a URL into scheme, host and path; a port that is the usual one, or none, does not count (G01-ANN-05 to G01-ANN-07).
func place(url string) (scheme, host, path string) {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok || strings.ContainsAny(url, "?#") || strings.ContainsFunc(url, unicode.IsControl) || !escapes(rest) {
		return "", "", ""
	}
	host, path, slash := strings.Cut(rest, "/")
	if slash {
		path = "/" + path
	}
	scheme, host = strings.ToLower(scheme), lower(host)
	name, port, _ := strings.Cut(host, ":")
	if address, behind, is := strings.Cut(host, "]"); is {
		name, port = address, strings.TrimPrefix(behind, ":")
	}
	if name == "" || strings.Trim(port, "0123456789") != "" {
		return "", "", ""
	}
	switch scheme {
	case "http", "ws":
		host = strings.TrimSuffix(host, ":80")
	case "https", "wss":
		host = strings.TrimSuffix(host, ":443")
	}
	return scheme, strings.TrimSuffix(host, ":"), path
}

// lower makes small letters of A to Z, and of nothing else: two hosts would become one.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// escapes reports whether every % stands before two hexadecimal digits.
func escapes(s string) bool {
	for _, part := range strings.Split(s, "%")[1:] {
		if len(part) < 2 || !isHex(strings.ToLower(part[:2]), 2) {
			return false
		}
	}
	return true
}

func (m *Model) isRelay(url string) bool {
	scheme, host, path := place(url)
	return (scheme == "ws" || scheme == "wss") && host == m.cfg.Host && (path == m.cfg.Base || path == m.cfg.Base+"/")
}

// isClone reports whether a URL is one of a repository of somebody here: the path is the npub and one name that ends in .git
// (G01-ANN-06).
func (m *Model) isClone(url, author string) bool {
	return isCloneAt(url, author, m.cfg.Host+m.cfg.Base)
}

// isCloneAt is isClone for any service: its host, with the path below which it is.
func isCloneAt(url, author, service string) bool {
	scheme, host, path := place(url)
	npub, err := nip19.EncodePublicKey(author)
	name, under := strings.CutPrefix(host+path, service+"/"+npub+"/")
	name = strings.TrimSuffix(name, "/")
	return err == nil && (scheme == "http" || scheme == "https") && under &&
		!strings.Contains(name, "/") && len(name) > len(".git") && strings.HasSuffix(name, ".git")
}

// Shown judges the addresses under which the server shows a repository and its relay to whoever looks (G01-GIT-01): the npub of
// the owner and the identifier, in which all but letters, digits and -._~ is percent-encoded.
func (m *Model) Shown(now instant.Instant, id repo.ID, clone, relay string) {
	if len(m.Differences) > 0 {
		return
	}
	m.now, m.step = now, step{}
	m.checks++
	npub, err := nip19.EncodePublicKey(string(id.Owner))
	if err != nil {
		return // nobody looks at what is no key
	}
	var name strings.Builder
	identifier, place := strings.CutPrefix(id.Identifier, prefixOfPlaces)
	if place {
		npub = prefixOfPlaces + npub
	}
	for _, c := range []byte(identifier) {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0 {
			name.WriteByte(c)
		} else {
			fmt.Fprintf(&name, "%%%02X", c)
		}
	}
	if want := "http://" + m.cfg.Host + m.cfg.Base + "/" + npub + "/" + name.String() + ".git"; clone != want {
		m.differ("G01-GIT-01", "address", "repository %q is shown at %s, want %s", id.Identifier, clone, want)
	}
	if want := "ws://" + m.cfg.Host + m.cfg.Base; relay != want {
		m.differ("G01-GIT-01", "address", "the relay is shown at %s, want %s", relay, want)
	}
}
