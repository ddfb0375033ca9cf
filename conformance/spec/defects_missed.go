package spec

import "slices"

// Missed are the names of planted defects that no check finds yet, sorted. One that is found leaves the list.
func Missed() []string {
	return []string{
		"abbreviated-ids-applied", "accept-of-one-type", "acknowledgements-lost", "authentication-demanded-unsaid",
		"bombs-behind-commands-kill", "bombs-in-memory", "broken-packs-release-announcements",
		"closes-after-each-acknowledgement", "closes-after-each-refusal", "colons-end-coordinates", "colons-refused",
		"connection-of-one-token", "content-types-without-parameters", "coordinates-with-colons-refused", "counts-lost",
		"deletions-forgotten-at-stop", "dumb-heads-shown", "dumb-packs-listed", "duplicates-silent",
		"ends-of-stored-events-lost", "escaped-slashes-leave-keys", "events-first-and-upper-case", "fetches-in-memory",
		"files-beside-repositories-shown", "files-of-repositories-shown", "foreign-blanks-in-names-kept",
		"git-protocol-of-one-key", "hints-asked-for-git-data", "identifiers-in-lower-case", "ids-in-upper-case-applied",
		"invisible-letters-in-names-kept", "known-events-in-upper-case", "large-bombs-kill", "large-broken-packs-fail",
		"long-negotiations-block", "losers-of-ties-authorize", "losers-of-ties-move-refs", "lost-repositories-answer",
		"many-held-announcements-exhaust", "many-keys-exhaust", "members-only-unsaid", "members-repositories-only-unsaid",
		"merged-refs-collected-in-a-minute", "merged-refs-collected-later", "names-below-known-events",
		"odd-reconciliations-deafen", "odd-reconciliations-kill", "older-states-authorize", "owners-and-identifiers-crossed",
		"packs-in-memory", "probes-release", "pull-request-pushes-release-announcements",
		"pull-request-pushes-release-states", "pushes-leave-keys", "pushes-of-one-identifier-mixed",
		"pushes-of-one-key-mixed", "reconciliations-of-many-ranges-kill", "refused-announcements-asked-for",
		"refused-pushes-release", "refused-pushes-release-announcements", "relays-asked-for-git-data",
		"second-suffix-dropped", "served-states-outlive-held", "service-first-in-the-query", "service-unescaped",
		"small-reconciliations-kill", "strangers-held-states-authorize", "strangers-served-states-authorize-held",
		"suffixes-refused", "talk-lost-at-stop", "young-refs-lost-at-stop",
	}
}

// Missed reports whether no check finds the defect yet.
func (d Defect) Missed() bool { return slices.Contains(Missed(), d.Name) }
