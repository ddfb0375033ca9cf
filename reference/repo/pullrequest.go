package repo

import (
	"slices"
	"strconv"
	"strings"

	"github.com/nbd-wtf/go-nostr"
)

// Kinds of a pull request and of its update (NIP-34). Both name a commit that waits below PullRequestPrefix.
const (
	KindPullRequest       = 1618
	KindPullRequestUpdate = 1619
)

// PullRequestPrefix is the namespace of the refs that hold commits of pull requests; the event id follows.
const PullRequestPrefix = "refs/nostr/"

// PullRequestReposMax is how many repositories one pull request may name; later a tags count for nothing.
const PullRequestReposMax = 20

// A PullRequest is what a pull request or an update of one says (NIP-34, kinds 1618 and 1619). ParsePullRequest makes it: the
// name of its ref is asked for in every step that is about its repository, and put together once.
type PullRequest struct {
	Event  *nostr.Event
	Commit OID
	Repos  []ID // of all a tags that name an announcement, each once, in order, at most PullRequestReposMax
	// Places for contributions that it names, by Service.Contributions; ParsePullRequest knows no service and leaves it empty.
	Places []ID
	ref    string
}

// ParsePullRequest reads a kind 1618 or 1619 event. The second value is the reason why it can have no ref, in words for
// the publisher, or "" (G01-PR-13). Whether a repository that it names is here is not asked.
func ParsePullRequest(ev *nostr.Event) (PullRequest, string) {
	if ev.Kind != KindPullRequest && ev.Kind != KindPullRequestUpdate {
		return PullRequest{}, "Invalid pull request: the kind is neither 1618 nor 1619"
	}
	pr := PullRequest{Event: ev, ref: PullRequestPrefix + ev.ID}
	for _, tag := range ev.Tags {
		if len(tag) < 2 {
			continue
		}
		switch tag[0] {
		case "c":
			if pr.Commit == "" {
				pr.Commit = OID(tag[1])
			}
		case "a":
			id, ok := ParseCoordinate(tag[1])
			if ok && len(pr.Repos) < PullRequestReposMax && !slices.Contains(pr.Repos, id) {
				pr.Repos = append(pr.Repos, id)
			}
		}
	}
	switch {
	case pr.Commit == "":
		return PullRequest{}, "PR event " + ev.ID + " has no 'c' tag"
	case len(pr.Commit) != 40 || !IsOID(string(pr.Commit)) || pr.Commit.IsZero():
		return PullRequest{}, "PR event " + ev.ID + " has a 'c' tag that is no full object id of 40 lower-case hex digits"
	}
	return pr, ""
}

// Ref is the full name of the ref that belongs to the pull request.
func (p PullRequest) Ref() string { return p.ref }

// PullRequestOf returns the event id that a ref below PullRequestPrefix names, and whether it is one: 64 lower-case hex
// digits and nothing else (G01-PR-02, INV-24).
func PullRequestOf(ref string) (string, bool) {
	id, ok := strings.CutPrefix(ref, PullRequestPrefix)
	if !ok || len(id) != 64 || !isLowerHex(id) {
		return "", false
	}
	return id, true
}

// ParseCoordinate reads "30617:pubkey:identifier", split at the first two colons.
func ParseCoordinate(text string) (ID, bool) {
	kind, rest, _ := strings.Cut(text, ":")
	owner, identifier, ok := strings.Cut(rest, ":")
	if !ok || kind != strconv.Itoa(KindAnnouncement) {
		return ID{}, false
	}
	key, err := ParsePubKey(owner)
	if err != nil || CheckIdentifier(identifier) != "" {
		return ID{}, false
	}
	return ID{Owner: key, Identifier: identifier}, true
}
