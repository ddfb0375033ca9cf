package spec

import "slices"

// Missed are the names of planted defects that no check finds yet, sorted. One that is found leaves the list.
func Missed() []string {
	return []string{
		"abbreviated-ids-applied", "accept-of-one-type", "accepted-pushes-without-cors", "acknowledgements-lost",
		"authentication-demanded-unsaid", "binary-frames-kill", "bombs-behind-commands-kill", "bombs-in-memory",
		"closed-misnamed", "closes-after-each-acknowledgement", "closes-after-each-refusal", "connection-of-one-token",
		"cors-missing-on-accepted-pushes", "cors-missing-on-probes", "cors-missing-on-refused-fetches",
		"cors-missing-on-the-landing-page", "counts-lost", "deleted-refused-in-prose", "deletions-forgotten-at-stop",
		"deletions-of-any-id-taken", "dumb-heads-shown", "dumb-packs-listed", "duplicates-silent",
		"ends-of-stored-events-lost", "escaped-slashes-leave-keys", "fetches-in-memory",
		"files-beside-repositories-shown", "files-of-repositories-shown", "first-deletion-only", "first-kind-only",
		"first-tag-key-only", "first-tag-value-only", "held-counted-by-kind", "held-sent-live-by-kind",
		"held-shown-by-identifier", "held-shown-by-kind", "held-shown-by-repository", "held-shown-to-every-query",
		"ids-in-upper-case-applied", "kinds-beside-tags-ignored", "landing-page-without-cors", "large-bombs-kill",
		"latest-state-of-the-author-decides", "live-first-filter-only", "live-first-kind-only", "live-ids-ignored",
		"live-kinds-ignored", "live-tags-ignored", "live-times-ignored", "lost-repositories-answer",
		"maintainers-of-any-repository-count", "many-held-announcements-exhaust", "many-keys-exhaust",
		"members-only-unsaid", "members-repositories-only-unsaid", "merged-refs-collected-in-a-minute",
		"merged-refs-collected-later", "mixed-deletions-by-address", "mixed-deletions-by-id",
		"odd-reconciliations-deafen", "odd-reconciliations-kill", "origins-allowed-twice-by-git",
		"orphans-refused-in-prose", "packs-in-memory", "pages-of-browsers-unallowed", "policy-refusals-in-prose",
		"prefixes-unknown", "pushes-leave-keys", "pushes-of-one-identifier-mixed", "pushes-of-one-key-mixed",
		"reconciliation-errors-misnamed", "reconciliations-of-many-ranges-kill", "refusals-silent",
		"refused-announcements-applied", "refused-deletions-applied", "refused-states-applied",
		"replaced-by-another-kind-goes-on", "replaced-by-more-filters-goes-on", "second-announcement-erases-the-first",
		"second-state-erases-the-first", "small-reconciliations-kill", "states-of-any-id-taken",
		"states-of-other-repositories-authorize", "talk-lost-at-stop", "unsigned-announcements-taken",
		"unsigned-deletions-taken", "unsigned-pull-requests-taken", "unsigned-states-taken", "unsigned-updates-taken",
		"wrong-methods-without-cors", "young-refs-lost-at-stop",
	}
}

// Missed reports whether no check finds the defect yet.
func (d Defect) Missed() bool { return slices.Contains(Missed(), d.Name) }
