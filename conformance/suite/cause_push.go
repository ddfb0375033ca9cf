package suite

import (
	"regexp"
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"
)

// The requirements by which pushes that are no first ones of their owner's state are accepted.
const (
	restsOnPullRequest = "G01-PR-01"
	restsOnPlace       = "G06-PUSH-01"
	restsOnIdentifier  = "G01-ANN-11"
	restsOnMaintainers = "G01-MNT-01"
)

// plainIdentifier is an identifier that every service has to take.
var plainIdentifier = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)

// acceptedBy is the requirement by which a push has to be accepted, going by what is special about it: one that is not accepted
// breaks that, and not the one about pushes at large.
func (w *world) acceptedBy(p push) string {
	has := func(is func(row []string) bool) bool { return slices.ContainsFunc(p.rows, is) }
	if strings.HasPrefix(p.actor, placeWords) {
		return restsOnPlace
	}
	if has(func(row []string) bool { return strings.HasPrefix(row[0], eventRefs) }) {
		return restsOnPullRequest
	}
	of := w.repositoryOf(p.actor)
	latest := w.latestSigned(of.identifier)
	switch {
	case !plainIdentifier.MatchString(of.identifier):
		return restsOnIdentifier
	case latest != nil && latest.PubKey != of.owner.Pubkey:
		return restsOnMaintainers
	case has(func(row []string) bool { return row[1] == deletion }):
		return restsOnDeletions
	}
	return restsOnPush
}

// latestSigned is the state of an identifier with the latest date that the check has published.
func (w *world) latestSigned(identifier string) *nostr.Event {
	var latest *nostr.Event
	for _, ev := range w.git.signed {
		if ev.Tags.GetD() == identifier && (latest == nil || ev.CreatedAt > latest.CreatedAt) {
			latest = ev
		}
	}
	return latest
}
