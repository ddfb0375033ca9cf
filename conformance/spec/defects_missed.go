package spec

import "slices"

// Missed are the names of planted defects that no check finds yet, sorted. One that is found leaves the list.
func Missed() []string {
	return []string{
		"accepted-pushes-without-cors", "acknowledgements-lost", "authentication-demanded-unsaid", "closed-misnamed",
		"closes-after-each-acknowledgement", "closes-after-each-refusal", "colons-end-coordinates", "colons-refused",
		"coordinates-with-colons-refused", "counts-lost", "deleted-refused-in-prose", "deletions-forgotten-at-stop",
		"deletions-of-any-id-taken", "duplicates-silent", "ends-of-stored-events-lost", "first-deletion-only",
		"first-kind-only", "first-tag-key-only", "first-tag-value-only", "held-counted-by-kind",
		"held-sent-live-by-kind", "held-shown-by-identifier", "held-shown-by-kind", "held-shown-by-repository",
		"held-shown-to-every-query", "hints-asked-for-git-data", "identifiers-in-lower-case",
		"kinds-beside-tags-ignored", "landing-page-without-cors", "latest-state-of-the-author-decides",
		"live-first-filter-only", "live-first-kind-only", "live-ids-ignored", "live-kinds-ignored", "live-tags-ignored",
		"live-times-ignored", "losers-of-ties-authorize", "losers-of-ties-move-refs", "losers-of-ties-name-the-page",
		"lost-repositories-answer", "maintainers-of-any-repository-count", "members-only-unsaid",
		"members-repositories-only-unsaid", "merged-refs-collected-in-a-minute", "merged-refs-collected-later",
		"mixed-deletions-by-address", "mixed-deletions-by-id", "odd-reconciliations-deafen", "odd-reconciliations-kill",
		"older-states-authorize", "origins-allowed-twice-by-git", "orphans-refused-in-prose",
		"owners-and-identifiers-crossed", "pages-of-browsers-unallowed", "policy-refusals-in-prose",
		"ports-compared-by-prefix", "prefixes-unknown", "pushes-applied-and-answered-500",
		"reconciliation-errors-misnamed", "refusals-silent", "refused-announcements-applied",
		"refused-announcements-asked-for", "refused-deletions-applied", "refused-states-applied",
		"relays-asked-for-git-data", "replaced-by-another-kind-goes-on", "replaced-by-more-filters-goes-on",
		"second-announcement-erases-the-first", "second-state-erases-the-first", "second-suffix-dropped",
		"served-states-outlive-held", "service-found-as-user", "service-found-in-fragment", "service-found-in-path",
		"service-found-in-query", "states-of-any-id-taken", "states-of-other-repositories-authorize",
		"strangers-held-states-authorize", "strangers-served-states-authorize-held", "suffixes-refused",
		"talk-lost-at-stop", "unsigned-announcements-taken", "unsigned-deletions-taken", "unsigned-pull-requests-taken",
		"unsigned-states-taken", "unsigned-updates-taken", "wrong-methods-without-cors", "young-refs-lost-at-stop",
	}
}

// Missed reports whether no check finds the defect yet.
func (d Defect) Missed() bool { return slices.Contains(Missed(), d.Name) }
