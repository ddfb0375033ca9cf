package repo

import (
	"slices"
	"strconv"
	"strings"

	"github.com/nbd-wtf/go-nostr"
)

// RefsMax is the largest number of refs that one state event may declare.
const RefsMax = 5000

// A State is what a repository state event says (NIP-34, kind 30618).
//
//  1. Refs holds heads and tags only, sorted by name, each name once, with full object ids that are not zero.
//  2. No ref name is a directory of another one, so that a repository can hold them all.
type State struct {
	Event      *nostr.Event
	Author     PubKey
	Identifier string
	Refs       []Ref
	Head       string // the branch of the first HEAD tag, "refs/heads/main", or ""; it need not be among Refs
}

// ParseState reads a kind 30618 event. The second value is the reason why nothing can be done with it, in words for
// the publisher, or "" (N34-ST-01 to N34-ST-08). A ref with a malformed id and a ref given twice are reasons; peeled
// entries, symbolic values, other tags and a HEAD that names no branch are passed over.
func ParseState(ev *nostr.Event) (State, string) {
	if ev.Kind != KindState {
		return State{}, "Invalid state: the kind is not 30618"
	}
	id, reason := parseID(ev)
	if reason != "" {
		return State{}, reason
	}
	s := State{Event: ev, Author: id.Owner, Identifier: id.Identifier}
	names := map[string]bool{}
	head := false
	for _, tag := range ev.Tags {
		if len(tag) == 0 {
			continue
		}
		name := tag[0]
		if name == "HEAD" && !head && len(tag) > 1 {
			s.Head, head = parseHead(tag[1]), true
		}
		if !isStateRef(name) {
			continue
		}
		value := ""
		if len(tag) > 1 {
			value = tag[1]
		}
		if strings.HasPrefix(value, "ref: ") {
			continue
		}
		if why := checkEntry(name, value); why != "" {
			return State{}, "Invalid state: " + why
		}
		if names[name] {
			return State{}, "Invalid state: " + quoteRef(name) + " is given twice"
		}
		if len(s.Refs) == RefsMax {
			return State{}, "Invalid state: more than " + strconv.Itoa(RefsMax) + " refs"
		}
		names[name] = true
		if s.Refs == nil {
			s.Refs = make([]Ref, 0, min(len(ev.Tags), RefsMax))
		}
		s.Refs = append(s.Refs, Ref{Name: name, OID: OID(value)})
	}
	for _, ref := range s.Refs {
		for i := range len(ref.Name) {
			if ref.Name[i] == '/' && names[ref.Name[:i]] {
				return State{}, "Invalid state: " + quoteRef(ref.Name) + " lies below another ref"
			}
		}
	}
	slices.SortFunc(s.Refs, func(a, b Ref) int { return strings.Compare(a.Name, b.Name) })
	return s, ""
}

// Lookup returns the object id that the state declares for a full ref name.
func (s State) Lookup(ref string) (OID, bool) {
	at, found := slices.BinarySearchFunc(s.Refs, ref, func(r Ref, name string) int {
		return strings.Compare(r.Name, name)
	})
	if !found {
		return "", false
	}
	return s.Refs[at].OID, true
}

// isStateRef reports whether a tag name declares a ref: a branch or a tag, and not what a tag peels to (N34-ST-02).
func isStateRef(name string) bool {
	return (strings.HasPrefix(name, "refs/heads/") || strings.HasPrefix(name, "refs/tags/")) &&
		!strings.HasSuffix(name, "^{}")
}

func checkEntry(name, value string) string {
	switch {
	case !IsRefName(name):
		return quoteRef(name) + " is not a valid ref name"
	case len(value) != 40 || !IsOID(value):
		return quoteRef(name) + " has no full object id of 40 lower-case hex digits"
	case OID(value).IsZero():
		return quoteRef(name) + " has the zero object id"
	}
	return ""
}

// quoteRef prints a ref name of a stranger for a message: printable, quoted, and not longer than a line.
func quoteRef(name string) string {
	const shown = 100
	if len(name) > shown {
		return strconv.QuoteToASCII(name[:shown]) + "..."
	}
	return strconv.QuoteToASCII(name)
}

func parseHead(value string) string {
	branch := strings.TrimPrefix(value, "ref: ")
	if !strings.HasPrefix(branch, "refs/heads/") || !IsRefName(branch) {
		return ""
	}
	return branch
}
