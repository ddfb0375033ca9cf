package spec

// A Defect is a mistake that can be planted into the reference server, to prove that the checks find it.
type Defect struct {
	// Name switches it on: lower-case words joined by hyphens.
	Name string
	// Catches is the id of the requirement that has to be violated under it.
	Catches string
	// Also are the ids of further requirements that it violates, for it breaks them too: every such MUST, and
	// those of the others that are worth naming.
	Also []string
	// What tells the mistake in one sentence.
	What string
}

// Defects are the planted defects in the order of the requirements that catch them.
func Defects() []Defect {
	return []Defect{
		{"nip11-missing", "G01-N11-01", []string{"G01-N11-02", "G01-N11-03", "G01-N11-04"}, "The relay document is answered as a page."},
		{"nip11-without-grasps", "G01-N11-02", nil, "The relay document does not list the supported GRASPs."},
		{"nip11-without-criteria", "G01-N11-03", nil, "The relay document does not say which repositories are taken."},
		{"nip11-curation-placeholder", "G01-N11-04", nil, "The relay document has an empty curation."},
		{"cors-missing-on-errors", "G01-CORS-01", nil, "Answers above 399 have no CORS headers."},
		{"cors-without-methods", "G01-CORS-02", nil, "Answers do not say which methods are allowed."},
		{"cors-without-content-type", "G01-CORS-03", nil, "The Content-Type request header is not allowed."},
		{"preflight-200", "G01-CORS-04", nil, "A preflight is answered 200 with a body."},
		{"prose-refusals", "N01-EV-01", nil, "Refusals of events have no machine-readable prefix."},
		{"signature-unchecked", "N01-EV-02", nil, "Events with a wrong signature are taken."},
		{"id-unchecked", "N01-EV-02", nil, "Events whose id is not their hash are taken."},
		{"duplicates-refused", "N01-EV-03", nil, "An event that is known already is answered OK false."},
		{"until-exclusive", "N01-REQ-01", nil, "The bound until leaves out events at that very second."},
		{"live-events-lost", "N01-REQ-01", []string{"N01-REQ-02", "N01-REQ-03"}, "Events that become served are not sent to open subscriptions."},
		{"limit-ignored", "N01-REQ-02", nil, "A filter's limit is not looked at."},
		{"oldest-first", "N01-REQ-02", nil, "With a limit the oldest of the stored events are sent."},
		{"close-ignored", "N01-REQ-03", nil, "A closed subscription goes on."},
		{"higher-id-wins", "N01-REP-01", []string{"G01-ANN-17", "G01-LAT-01"}, "Of two versions of one second the higher id is kept."},
		{"purgatory-counted", "N01-CNT-01", []string{"G01-PURG-05"}, "Held events are counted."},
		{"expiration-ignored", "N40-01", []string{"N77-04"}, "The expiration of an event is not looked at."},
		{"clone-tag-ignored", "G01-ANN-02", nil, "An announcement need not list the service in its clone tag."},
		{"relays-tag-ignored", "G01-ANN-03", nil, "An announcement need not list the service in its relays tag."},
		{"missing-tags-ignored", "G01-ANN-04", nil, "An announcement without clone or relays tag is taken."},
		{"bad-identifiers-taken", "G01-ANN-10", []string{"G01-ANN-09"}, "Empty identifiers and those that leave the path are taken."},
		{"announcements-by-arrival", "G01-ANN-17", []string{"N01-REP-01"}, "The announcement that came last counts as the latest."},
		{"orphans-taken", "G01-REL-05", nil, "Events that refer to nothing here are taken."},
		{"direct-maintainers-only", "G01-MNT-01", []string{"G01-PUSH-13"}, "Maintainers of maintainers have no authority."},
		{"strangers-states-taken", "G01-MNT-03", nil, "A state event of somebody outside the maintainer set is taken."},
		{"push-by-strangers-state", "G01-MNT-04", []string{"G01-MNT-08", "G01-PUSH-02"}, "Any held state authorizes a push."},
		{"purgatory-silent", "G01-PURG-01", nil, "Held events are answered without the purgatory prefix."},
		{"purgatory-served", "G01-PURG-05", []string{"G01-PUSH-21"}, "Held events are sent to open subscriptions and found by queries."},
		{"purgatory-leaks-live", "G01-PURG-05", []string{"G01-PUSH-21", "G01-PURG-18"}, "Held events are sent to open subscriptions, and to no query."},
		{"purgatory-leaks-negentropy", "G01-PURG-05", []string{"N77-04"}, "Held events are part of reconciliations."},
		{"purgatory-without-repository", "G01-PURG-06", []string{
			"G01-MNT-01", "G01-PURG-07", "G01-PURG-11", "G01-PURG-15", "G01-PURG-17", "G01-PURG-18", "N34-ST-01", "G01-LAT-01",
			"G01-PUSH-01", "G01-PUSH-05", "G01-PUSH-09", "G01-PUSH-13", "G01-PUSH-15", "G01-HEAD-01",
		}, "A held announcement has no git repository."},
		{"release-forgotten", "G01-PURG-07", []string{"G01-PURG-11", "G01-PURG-18", "N34-ST-01", "G01-HEAD-01"}, "What a push has brought releases nothing."},
		{"objects-present-unseen", "G01-PURG-09", []string{"G01-HEAD-02"}, "A state whose objects are all here waits for a push all the same."},
		{"purgatory-short", "G01-PURG-11", nil, "Held events are discarded after five minutes."},
		{"purgatory-endless", "G01-PURG-11", nil, "Held events are never discarded."},
		{"peeled-entries-required", "N34-ST-02", nil, "A peeled entry of a state event counts as a ref."},
		{"states-by-arrival", "G01-LAT-02", []string{"G01-LAT-01"}, "The state event that came last counts as the latest."},
		{"push-without-state", "G01-PUSH-02", nil, "A push is taken where no state event exists."},
		{"push-of-other-commit", "G01-PUSH-03", []string{"G01-PURG-11", "G01-PURG-17", "G01-LAT-02", "G01-PUSH-14"}, "A branch may be pushed to a commit that no state declares."},
		{"push-of-undeclared-ref", "G01-PUSH-04", []string{"G01-PUSH-05"}, "A branch or tag that the state does not list may be pushed."},
		{"forced-updates-refused", "G01-PUSH-06", []string{"G01-PUSH-07", "G01-PUSH-21"}, "A branch that exists is never moved by a push."},
		{"deletions-refused", "G01-PUSH-07", nil, "Every deletion of a ref is refused."},
		{"push-deletes-declared-ref", "G01-PUSH-08", nil, "A ref that the state lists may be deleted."},
		{"many-refs-refused", "G01-PUSH-09", []string{"G01-PURG-07", "N34-ST-01", "G01-PUSH-05", "G01-HEAD-01"}, "A push of more than one ref is refused."},
		{"owner-only", "G01-PUSH-13", []string{"G01-MNT-01", "G01-PURG-17", "G01-LAT-01"}, "Only the owner of a repository has authority over it."},
		{"push-outside-namespaces", "G01-PUSH-17", nil, "Refs that are neither branches nor tags may be pushed."},
		{"release-on-broken-push", "G01-PUSH-21", nil, "A push that failed releases its state."},
		{"head-ignored", "G01-HEAD-01", []string{"G01-HEAD-02", "N34-ST-01"}, "HEAD stays where it is, whatever the state says."},
		{"head-on-push-only", "G01-HEAD-02", nil, "A state that only moves HEAD moves nothing until the next push."},
		{"sha-wants-unannounced", "G01-GIT-04", nil, "The advertisement does not offer wants by object id."},
		{"sha-wants-refused", "G01-GIT-06", nil, "Only advertised objects can be fetched."},
		{"soft-404", "G01-GIT-10", []string{"G01-ANN-02", "G01-ANN-03", "G01-ANN-04", "G01-PURG-11", "G01-GIT-16"}, "Unknown pages and repositories are answered 200."},
		{"page-without-client", "G01-WEB-01", nil, "A repository page names no client to browse with."},
		{"negentropy-filter-ignored", "N77-01", nil, "Every reconciliation is one of all events."},
		{"negentropy-version-refused", "N77-02", nil, "A reconciliation in an unknown version is an error."},
		{"negentropy-close-ignored", "N77-03", nil, "A reconciliation that was closed goes on."},
		{"negentropy-keeps-gone", "N77-04", nil, "Events that were replaced, deleted or have expired stay part of reconciliations."},
		{"negentropy-unframed", "N77-05", nil, "The answers of a reconciliation are as long as they come."},
		{"negentropy-closes-subscription", "N77-06", nil, "The end of a reconciliation ends the subscription of the same id."},
	}
}
