package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/repo"
)

// Members are the keys that a private service is for (G08-01), sorted. What they may do on it follows from what is signed, as
// everywhere else: a member is nobody's maintainer (G08-07).
type Members []repo.PubKey

// MembersMax is how many there may be.
const MembersMax = 100_000

// ParseMembers reads a list of one key a line, as an npub or in hex; # begins a remark. An error names the line and never what stands
// there, which may be a secret. A list that names nobody is an error: it is rather a file that was cut off than a wish.
func ParseMembers(text string) (Members, error) {
	var members Members
	number := 0
	for line := range strings.Lines(text) {
		number++
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		key, err := repo.ParsePubKey(strings.ToLower(line))
		if err != nil {
			key, err = repo.ParseNpub(line)
		}
		switch {
		case strings.HasPrefix(line, "nsec1"):
			return nil, fmt.Errorf("line %d: this is a secret key: want the npub that goes with it", number)
		case err != nil:
			return nil, fmt.Errorf("line %d: want an npub, or a public key of 64 hex digits", number)
		}
		if members = append(members, key); len(members) > MembersMax {
			return nil, fmt.Errorf("line %d: more than %d members", number, MembersMax)
		}
	}
	if len(members) == 0 {
		return nil, fmt.Errorf("it names nobody: want an npub or a public key in hex on each line")
	}
	slices.Sort(members)
	return slices.Compact(members), nil
}

// Has reports whether a key is that of a member.
func (m Members) Has(key string) bool {
	_, found := slices.BinarySearch(m, repo.PubKey(key))
	return found
}

// Entry judges whether who has authenticated a connection with some keys is let in: with one of a member (G08-02, G08-03).
func (m Members) Entry(keys []string) Ruling {
	switch {
	case slices.ContainsFunc(keys, m.Has):
		return Ruling{Decision: Accept, Requirement: "G08-01"}
	case len(keys) == 0:
		return refuse("G08-02", "auth-required", "this service is for its members: authenticate first (NIP-42)")
	}
	return refuse("G08-03", "restricted", "this service is for its members")
}
