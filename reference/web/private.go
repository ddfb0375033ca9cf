package web

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// A Token is the event that came with a request to a private service, and the repository that the request is about, whether it is
// here or not (NIP-98).
type Token struct {
	Event   *nostr.Event
	Genuine bool // its id is its hash and its signature is its author's
	Repo    repo.ID
}

// CriteriaMembers is the answer to which repositories are accepted on a private service.
const CriteriaMembers = "Members of this service only: any repository whose announcement lists it in both its clone and its relays tags."

// httpAuthNIP is the NIP about tokens, which a private service lists besides.
const httpAuthNIP = 98

// admitted reports whether a request to a private service may be looked at: it is for its root, which says what everybody may know, or
// it has the token of a member for the repository that its path names. No repository is looked up for it, and every refusal is the
// same, so that nobody learns from it what is here (G08-06).
func (c Config) admitted(v View, r Request, path string) bool {
	if !c.Private || path == "" || path == "/" {
		return true
	}
	token, whole := tokenOf(r.Header("Authorization"))
	var named bool
	token.Repo, named = c.repositoryOf(path)
	return whole && named && v.Admits(token)
}

// unauthorized is the one answer to whoever is not admitted. It says that the method is GET whatever it was: the token of a member names
// that (G08-05, G08-06).
func (c Config) unauthorized() Response {
	header := append(c.CORS(), Header{"WWW-Authenticate", `Nostr method="GET"`}, Header{"Cache-Control", "no-store"})
	return Response{Status: 401, Header: header}
}

// tokenOf reads an Authorization header: its scheme in any case, and behind it an event in base64.
func tokenOf(header string) (Token, bool) {
	scheme, text, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Nostr") {
		return Token{}, false
	}
	data, err := base64.StdEncoding.DecodeString(strings.TrimLeft(text, " "))
	if err != nil {
		return Token{}, false
	}
	ev, idOK, ok := relay.DecodeEvent(data)
	if !ok {
		return Token{}, false
	}
	return Token{Event: ev, Genuine: idOK && relay.Verify(ev)}, true
}

// repositoryOf reads which repository a path is about, or which place for contributions where there are some, whatever stands behind
// its name, and with or without .git.
func (c Config) repositoryOf(path string) (repo.ID, bool) {
	if rest, below := strings.CutPrefix(path, contributions+"/"); below && c.Contributions {
		id, named := repositoryAt("/" + rest)
		return repo.Contribution(id.Owner, id.Identifier), named
	}
	return repositoryAt(path)
}

func repositoryAt(path string) (repo.ID, bool) {
	parts := strings.SplitN(path, "/", 4)
	if len(parts) < 3 || parts[0] != "" {
		return repo.ID{}, false
	}
	name := parts[2]
	if text, err := url.PathUnescape(name); err == nil && !strings.HasSuffix(text, ".git") {
		name += ".git"
	}
	id, reason := place{npub: parts[1], identifier: name}.id()
	return id, reason == ""
}

// privateNIPs adds to a list what a private service obeys besides.
func (c Config) privateNIPs(list []int) []int {
	if c.Private && !slices.Contains(list, httpAuthNIP) {
		list = append(list, httpAuthNIP)
		slices.Sort(list)
	}
	return list
}
