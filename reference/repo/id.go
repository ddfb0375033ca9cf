package repo

import (
	"strconv"
	"strings"
)

// An ID names one hosted repository: GRASP gives each owner a namespace of identifiers (G01-ANN-19).
type ID struct {
	Owner      PubKey
	Identifier string
}

// IdentifierMax is the longest identifier, in bytes. Percent-encoded it may be three times as long, which is beyond
// what a file system takes as a name: a backend on disk finds another name for it.
const IdentifierMax = 200

// CheckIdentifier returns the reason why an identifier cannot be hosted, or "" (G01-ANN-09, G01-ANN-10).
func CheckIdentifier(s string) string {
	switch {
	case s == "":
		return "it is empty"
	case len(s) > IdentifierMax:
		return "it is longer than 200 bytes"
	case s == "." || s == "..":
		return "it is a directory name"
	case strings.ContainsAny(s, "/\\\x00"):
		return "it contains a slash, a backslash or NUL"
	}
	for i := range len(s) {
		if s[i] < 0x20 || s[i] == 0x7f {
			return "it contains a control character"
		}
	}
	return ""
}

// EncodeIdentifier percent-encodes an identifier for a URL path: all but the unreserved characters of RFC 3986.
func EncodeIdentifier(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
			c == '-' || c == '.' || c == '_' || c == '~' {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(hex[c>>4])
		b.WriteByte(hex[c&15])
	}
	return b.String()
}

// CheckID returns the reason why a repository cannot be kept under an ID, or "".
func CheckID(id ID) string {
	identifier, _ := id.ContributionTo()
	return CheckIdentifier(identifier)
}

// Path returns "/<npub>/<percent-encoded identifier>.git", the repository's place below the service URL (G01-GIT-01). One for
// contributions is below /prs/ (G06-URL-01).
func (id ID) Path() string {
	if identifier, is := id.ContributionTo(); is {
		return "/" + contributionPrefix + id.Owner.Npub() + "/" + EncodeIdentifier(identifier) + ".git"
	}
	return "/" + id.Owner.Npub() + "/" + EncodeIdentifier(id.Identifier) + ".git"
}

// Coordinate is "30617:pubkey:identifier", by which events refer to the repository (NIP-34).
func (id ID) Coordinate() string {
	return strconv.Itoa(KindAnnouncement) + ":" + string(id.Owner) + ":" + id.Identifier
}

// Compare orders IDs by owner, then identifier.
func (id ID) Compare(other ID) int {
	if c := strings.Compare(string(id.Owner), string(other.Owner)); c != 0 {
		return c
	}
	return strings.Compare(id.Identifier, other.Identifier)
}
