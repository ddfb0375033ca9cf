package spec

import "slices"

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

// Defects are the planted defects, about in the order of the requirements that catch them.
func Defects() []Defect {
	return slices.Concat(commonDefects(), listedDefects(), referenceDefects(), huntDefects(), hostDefects(), WireDefects(), broadDefects())
}

// commonDefects are those that any server may have.
func commonDefects() []Defect {
	return []Defect{
		{"nip11-missing", "G01-N11-01", []string{
			"G01-N11-02", "G01-N11-03", "G01-N11-04", "G01-N11-06",
		}, "The relay document is answered as a page."},
		{"nip11-without-grasps", "G01-N11-02", nil, "The relay document does not list the supported GRASPs."},
		{"nip11-without-criteria", "G01-N11-03", nil, "The relay document does not say which repositories are taken."},
		{"nip11-curation-placeholder", "G01-N11-04", nil, "The relay document has an empty curation."},
		{"cors-missing-on-head", "G01-N11-06", nil, "Answers to HEAD do not allow every origin."},
		{"nips-as-text", "G01-N11-07", nil, "The relay document lists NIPs as strings."},
		{"limits-understated", "G01-N11-08", nil, "The relay document states a smaller limit than the one that holds."},
		{"cors-missing-on-errors", "G01-CORS-01", nil, "Answers above 399 have no CORS headers."},
		{"cors-without-methods", "G01-CORS-02", []string{"G01-N11-06"}, "Answers do not say which methods are allowed."},
		{"cors-without-content-type", "G01-CORS-03", []string{"G01-N11-06"}, "The Content-Type request header is not allowed."},
		{"preflight-200", "G01-CORS-04", nil, "A preflight is answered 200 with a body."},
		{"prose-refusals", "N01-EV-01", nil, "Refusals of events have no machine-readable prefix."},
		{"signature-unchecked", "N01-EV-02", []string{"N42-01"}, "Events with a wrong signature are taken."},
		{"id-unchecked", "N01-EV-02", nil, "Events whose id is not their hash are taken."},
		{"duplicates-refused", "N01-EV-03", []string{"G01-PURG-19", "G01-PURG-12"}, "An event that is known already is answered OK false."},
		{"until-exclusive", "N01-REQ-01", nil, "The bound until leaves out events at that very second."},
		{"live-events-lost", "N01-REQ-01", []string{
			"N01-REQ-02", "N01-REQ-03",
		}, "Events that become served are not sent to open subscriptions."},
		{"limit-ignored", "N01-REQ-02", nil, "A filter's limit is not looked at."},
		{"oldest-first", "N01-REQ-02", nil, "With a limit the oldest of the stored events are sent."},
		{"close-ignored", "N01-REQ-03", nil, "A closed subscription goes on."},
		{"higher-id-wins", "N01-REP-01", []string{"G01-ANN-17", "G01-LAT-01"}, "Of two versions of one second the higher id is kept."},
		{"replaceable-by-arrival", "N01-REP-02", nil, "Of a replaceable event the version that came last is kept."},
		{"ephemeral-stored", "N01-EPH-01", []string{"N42-01"}, "Ephemeral events are found by queries."},
		{"malformed-ignored", "N01-ERR-01", nil, "Malformed messages are not answered."},
		{"purgatory-counted", "N01-CNT-01", []string{"G01-PURG-05"}, "Held events are counted."},
		{"removed-events-counted", "N09-01", nil, "What was served once is counted forever."},
		{"expiration-ignored", "N40-01", []string{"N77-04"}, "The expiration of an event is not looked at."},
		{"challenge-ignored", "N42-01", nil, "Whatever challenge an authentication holds is taken for the right one."},
		{"authentications-forwarded", "N42-01", nil, "Published events that would authenticate are sent to open subscriptions."},
		{"protected-taken-from-anybody", "N70-01", nil, "Protected events are taken from clients that have not authenticated."},
		{"work-refused-in-other-words", "N13-01", nil, "A refusal for missing proof of work has another prefix."},
		{"announcements-refused", "G01-ANN-01", nil, "Every announcement is refused."},
		{"clone-tag-ignored", "G01-ANN-02", []string{
			"G01-ANN-05", "G01-ANN-15",
		}, "An announcement need not list the service in its clone tag."},
		{"relays-tag-ignored", "G01-ANN-03", nil, "An announcement need not list the service in its relays tag."},
		{"missing-tags-ignored", "G01-ANN-04", nil, "An announcement without clone or relays tag is taken."},
		{"trailing-slash-refused", "G01-ANN-06", nil, "A listed URL with a slash at its end does not count."},
		{"schemes-compared", "G01-ANN-07", []string{"G01-ANN-14"}, "A listed URL with the secure scheme does not count."},
		{"first-value-only", "G01-ANN-08", nil, "An announcement with several clone URLs or relays is refused."},
		{"bad-identifiers-taken", "G01-ANN-10", []string{"G01-ANN-09"}, "Empty identifiers and those that leave the path are taken."},
		{"plain-identifiers-only", "G01-ANN-11", nil, "Identifiers that need an escape in the path are refused."},
		{"plus-is-space", "G01-ANN-12", nil, "A space in a path finds what has a plus sign there."},
		{"replacements-said-to-wait", "G01-ANN-16", nil, "A newer announcement of a served repository is answered as if it waited."},
		{"announcements-by-arrival", "G01-ANN-17", []string{
			"N01-REP-01", "G01-PURG-24", "N62-01",
		}, "The announcement that came last counts as the latest."},
		{"identifiers-shared", "G01-ANN-19", []string{"G01-XR-02"}, "Repositories of one identifier are one repository."},
		{"unknown-tags-dropped", "G01-ANN-20", nil, "Announcements are served without the tags that the server does not know."},
		{"unknown-tags-refused", "G01-ANN-21", nil, "An announcement with a tag that the server does not know is refused."},
		{"quotes-ignored", "G01-REL-01", []string{"G01-REL-02"}, "A reference by a q tag does not count."},
		{"mentions-ignored", "G01-REL-03", nil, "An event that refers to nothing is refused, though an accepted one refers to it."},
		{"replies-to-replies-refused", "G01-REL-04", nil, "Replies to replies are refused."},
		{"orphans-taken", "G01-REL-05", nil, "Events that refer to nothing here are taken."},
		{"related-to-held-served", "G01-REL-06", nil, "What refers to a held announcement is served before it."},
		{"few-kinds-only", "G01-REL-07", nil, "Reactions, labels and highlights are refused, whatever they refer to."},
		{"orphan-states-taken", "G01-REL-10", nil, "A state that nobody has announced a repository for is taken."},
		{"refusals-remembered", "G01-REL-11", []string{"G01-PURG-16"}, "An event that was refused once is refused for ever."},
		{"direct-maintainers-only", "G01-MNT-01", []string{"G01-MNT-10", "G01-PUSH-13"}, "Maintainers of maintainers have no authority."},
		{"one-sided-listing-ignored", "G01-MNT-02", nil, "A listed maintainer has no authority before linking back."},
		{"strangers-states-taken", "G01-MNT-03", nil, "A state event of somebody outside the maintainer set is taken."},
		{"push-by-strangers-state", "G01-MNT-04", []string{"G01-MNT-08", "G01-PUSH-02"}, "Any held state authorizes a push."},
		{"authority-kept", "G01-MNT-05", nil, "A maintainer who is not named any more keeps authority."},
		{"malformed-maintainers-refused", "G01-MNT-09", nil, "An announcement with a malformed maintainer is refused."},
		{"purgatory-silent", "G01-PURG-01", []string{"G01-PURG-02"}, "Held events are answered without the purgatory prefix."},
		{"pull-requests-silent", "G01-PURG-03", nil, "Held pull requests are answered without the purgatory prefix."},
		{"patches-said-to-wait", "G01-PURG-04", nil, "A patch is answered as if it waited for git data."},
		{"purgatory-served", "G01-PURG-05", []string{
			"G01-PURG-11", "G01-PURG-12", "G01-PURG-19", "G01-PUSH-21", "G01-PUSH-22", "SEC-09", "G01-PURG-20", "SEC-02",
			"SEC-05",
		}, "Held events are sent to open subscriptions and found by queries."},
		{"purgatory-leaks-live", "G01-PURG-05", []string{
			"G01-PURG-12", "G01-PURG-18", "G01-PURG-19", "G01-PUSH-21", "G01-PUSH-22", "SEC-09", "G01-PURG-20", "N62-01",
		}, "Held events are sent to open subscriptions, and to no query."},
		{"purgatory-leaks-negentropy", "G01-PURG-05", []string{"N77-04"}, "Held events are part of reconciliations."},
		{"purgatory-without-repository", "G01-PURG-06", []string{
			"G01-ANN-20", "G01-MNT-01", "G01-MNT-02", "G01-PURG-07", "G01-PURG-11",
			"G01-PURG-15", "G01-PURG-17", "G01-PURG-18", "G01-PURG-24", "N34-ST-01", "G01-LAT-01",
			"G01-PUSH-01", "G01-PUSH-05", "G01-PUSH-09", "G01-PUSH-13", "G01-PUSH-15", "G01-HEAD-01",
			"G01-WEB-03", "SEC-03", "N62-01", "G01-DEL-05",
		}, "A held announcement has no git repository."},
		{"release-forgotten", "G01-PURG-07", []string{
			"G01-ANN-20", "G01-PURG-11", "G01-PURG-18", "G01-PURG-24", "N34-ST-01", "G01-HEAD-01",
			"G01-WEB-03", "N62-01", "G01-DEL-05",
		}, "What a push has brought releases nothing."},
		{"releases-unannounced", "G01-PURG-08", nil, "Released events are not sent to open subscriptions."},
		{"objects-present-unseen", "G01-PURG-09", []string{
			"N34-ST-05", "G01-HEAD-02", "G01-HEAD-06", "G01-PURG-10", "G01-PR-08", "G01-PR-16", "SEC-02", "SEC-05",
		}, "A state whose objects are all here waits for a push all the same."},
		{"pushed-commits-unseen", "G01-PURG-10", []string{
			"G01-PR-08",
		}, "A pull request waits for a push although its commit was pushed before."},
		{"purgatory-short", "G01-PURG-11", nil, "Held events are discarded after five minutes."},
		{"purgatory-endless", "G01-PURG-11", nil, "Held events are never discarded."},
		{"expiry-remembered", "G01-PURG-12", nil, "A discarded event is never taken again."},
		{"held-duplicates-served", "G01-PURG-19", []string{"G01-PURG-24", "G01-PURG-12"}, "A held event that is sent again is served."},
		{"alignment-forgotten", "G01-PURG-21", []string{
			"G01-PURG-09", "G01-PR-08", "G01-PR-16", "SEC-05",
		}, "A state whose objects are here is served, and its refs stay where they are."},
		{"strangers-data-unseen", "G01-PURG-22", nil, "What waits is not released by data in repositories of those whom the owner has not named."},
		{"pull-requests-served-on-any-push", "G01-PURG-20", []string{
			"G01-PURG-11",
		}, "A held pull request is served once any commit is pushed to its ref."},
		{"purgatory-crowded", "G01-PURG-23", nil, "Many announcements of one key leave no room for others."},
		{"deletions-by-id-ignored", "N09-01", []string{"N77-04"}, "What a deletion request names by its id stays served."},
		{"deletions-by-address-ignored", "N09-02", nil, "What a deletion request names by its address stays served."},
		{"newer-versions-deleted", "N09-02", nil, "A deletion by address covers versions that are newer than it."},
		{"strangers-delete", "N09-03", nil, "Anybody can delete what is served."},
		{"deletions-unserved", "N09-04", nil, "Deletion requests are not served."},
		{"deleted-events-taken-again", "N09-05", []string{"N62-01"}, "A deleted event that is sent again is answered OK true."},
		{"held-states-deleted-by-address-only", "G01-DEL-01", nil, "A held state cannot be deleted by its id."},
		{"held-states-deleted-by-id-only", "G01-DEL-02", nil, "A held state cannot be deleted by its address."},
		{"held-announcements-undeletable", "G01-DEL-03", nil, "A held announcement cannot be deleted."},
		{"held-pull-requests-undeletable", "G01-DEL-04", nil, "A held pull request cannot be deleted."},
		{"strangers-delete-held", "G01-DEL-05", nil, "Anybody can delete what is held."},
		{"served-announcements-undeletable", "G01-DEL-06", nil, "A served announcement cannot be deleted."},
		{"vanishing-ignored", "N62-01", nil, "A request to vanish is answered OK true, and nothing vanishes."},
		{"vanishing-needs-reference", "N62-01", nil, "A request to vanish is refused for naming no repository."},
		{"peeled-entries-required", "N34-ST-02", nil, "A peeled entry of a state event counts as a ref."},
		{"bare-head-wedges", "N34-ST-05", nil, "After a state whose HEAD has no prefix no state of the repository is taken."},
		{"both-entries-count", "N34-ST-08", nil, "Of two entries for one ref both authorize a push."},
		{"states-by-arrival", "G01-LAT-02", []string{
			"G01-LAT-01", "G01-XR-04", "N62-01",
		}, "The state event that came last counts as the latest."},
		{"push-without-state", "G01-PUSH-02", nil, "A push is taken where no state event exists."},
		{"push-of-other-commit", "G01-PUSH-03", []string{
			"G01-MNT-05", "G01-PURG-11", "G01-PURG-17", "N34-ST-03", "G01-LAT-02", "G01-PUSH-14",
			"G01-PUSH-19", "G01-PUSH-25", "G01-PUSH-26",
		}, "A branch may be pushed to a commit that no state declares."},
		{"push-of-undeclared-ref", "G01-PUSH-04", []string{
			"N34-ST-04", "N34-ST-07", "N34-ST-09", "G01-PUSH-05", "G01-PUSH-10", "G01-PUSH-20",
			"G01-PUSH-29", "G01-PUSH-31", "SEC-10",
		}, "A branch or tag that the state does not list may be pushed."},
		{"forced-updates-refused", "G01-PUSH-06", []string{
			"G01-MNT-05", "G01-PUSH-07", "G01-PUSH-19", "G01-PUSH-20", "G01-PUSH-21", "G01-PUSH-22",
			"G01-PUSH-25", "G01-PUSH-26", "G01-PR-16",
		}, "A branch that exists is never moved by a push."},
		{"deletions-refused", "G01-PUSH-07", nil, "Every deletion of a ref is refused."},
		{"push-deletes-declared-ref", "G01-PUSH-08", nil, "A ref that the state lists may be deleted."},
		{"many-refs-refused", "G01-PUSH-09", []string{
			"G01-ANN-19", "G01-PURG-07", "N34-ST-01", "G01-PUSH-05", "G01-PUSH-25", "G01-HEAD-01",
			"SEC-03",
		}, "A push of more than one ref is refused."},
		{"partial-pushes-refused", "G01-PUSH-12", nil, "Refs that are right already have to be pushed again."},
		{"owner-only", "G01-PUSH-13", []string{
			"G01-MNT-01", "G01-MNT-02", "G01-MNT-05", "G01-PURG-17", "G01-LAT-01", "G01-HEAD-06",
		}, "Only the owner of a repository has authority over it."},
		{"idle-pushes-refused", "G01-PUSH-16", nil, "A push that changes nothing is refused."},
		{"push-outside-namespaces", "G01-PUSH-17", []string{"N34-ST-06"}, "Refs that are neither branches nor tags may be pushed."},
		{"shallow-pushes-refused", "G01-PUSH-19", nil, "A push from a shallow clone is refused."},
		{"release-on-broken-push", "G01-PUSH-21", []string{"G01-PUSH-22"}, "A push that failed releases its state."},
		{"gzip-refused", "G01-PUSH-23", nil, "Compressed requests are refused."},
		{"announcements-unreleased", "G01-PUSH-30", []string{
			"G01-ANN-20", "G01-PURG-07", "G01-PURG-11", "G01-PURG-24", "G01-WEB-03", "G01-DEL-05",
		}, "A push releases the state and not the announcement."},
		{"head-ignored", "G01-HEAD-01", []string{
			"N34-ST-01", "N34-ST-05", "G01-HEAD-02", "G01-HEAD-05", "G01-HEAD-06",
		}, "HEAD stays where it is, whatever the state says."},
		{"head-on-push-only", "G01-HEAD-02", []string{
			"N34-ST-05", "G01-HEAD-06",
		}, "A state that only moves HEAD moves nothing until the next push."},
		{"head-reset-by-push", "G01-HEAD-04", []string{"G01-HEAD-03"}, "Every push points HEAD at the branch main."},
		{"siblings-forgotten", "G01-XR-01", []string{
			"G01-XR-03", "G01-PURG-22",
		}, "No repository gets data from another one of its identifier."},
		{"siblings-unasked", "G01-XR-02", nil, "A push fills all empty repositories of the identifier, whoever owns them."},
		{"siblings-unreleased", "G01-XR-03", nil, "An announcement is released by a push to its own repository only."},
		{"strangers-released", "G01-PURG-05", nil, "A push to one repository makes the held announcements of all others of the identifier served."},
		{"siblings-rewound", "G01-XR-04", []string{
			"G01-ANN-19", "G01-XR-02",
		}, "A push moves the refs of all repositories of the identifier that have some."},
		{"pull-request-refs-need-an-event", "G01-PR-01", nil, "The ref of an event that nobody has sent cannot be pushed."},
		{"pull-request-names-unchecked", "G01-PR-02", nil, "Any name below refs/nostr/ may be pushed."},
		{"pull-request-commits-unchecked", "G01-PR-03", []string{"G01-PURG-20"}, "The ref of a held pull request takes any commit."},
		{"pull-requests-stay-held", "G01-PR-04", []string{
			"G01-PURG-08", "G01-PURG-11", "G01-PURG-19", "G01-PURG-20", "G01-PR-08", "G01-PURG-12", "G01-DEL-05",
		}, "A held pull request is not released by a push of its commit."},
		{"updates-share-a-ref", "G01-PR-05", nil, "The commit of an update may be pushed to the ref of its pull request."},
		{"wrong-refs-stay", "G01-PR-06", nil, "A ref with the wrong commit stays when its event comes, and is in the way of the right one."},
		{"unmatched-refs-short", "G01-PR-07", nil, "A ref without its event is removed after five minutes."},
		{"unmatched-refs-kept", "G01-PR-07", nil, "A ref without its event is never removed."},
		{"merged-refs-removed", "G01-PR-08", nil, "The ref of a pull request goes when its commit is merged."},
		{"refs-of-other-kinds", "G01-PR-10", nil, "A ref may be named after any event."},
		{"accepted-refs-unguarded", "G01-PR-11", []string{"G01-PR-05"}, "Anybody may move or delete the ref of an accepted pull request."},
		{"foreign-pull-requests-taken", "G01-PR-12", nil, "A pull request to a repository that is not here is taken."},
		{"pull-requests-without-commit-served", "G01-PR-13", nil, "A pull request that names no commit is served."},
		{"one-repository-only", "G01-PR-14", nil, "A pull request that names two repositories is refused."},
		{"mixed-pushes-refused", "G01-PR-15", nil, "A push of branches and of refs of pull requests is refused."},
		{"pull-request-refs-in-the-way", "G01-PR-16", nil, "While a ref of a pull request is there no branch can be pushed."},
		{"pull-request-tips-refused", "G01-PR-17", nil, "The tip of a pull request cannot be fetched."},
		{"deleted-pull-requests-keep-refs", "G01-PR-18", nil, "The ref of a deleted pull request is never removed."},
		{"talk-of-pull-requests-refused", "G01-PR-19", nil, "What refers to a pull request is refused."},
		{"service-line-missing", "G01-GIT-01", nil, "The advertisement does not begin with the line of its service."},
		{"version-1-refused", "G01-GIT-02", []string{"G01-GIT-05", "G01-GIT-19", "G01-GIT-06"}, "Protocol version 1 is refused."},
		{"version-2-without-shallow", "G01-GIT-03", nil, "Protocol version 2 does not offer shallow fetches."},
		{"sha-wants-unannounced", "G01-GIT-04", nil, "The advertisement does not offer wants by object id."},
		{"filters-unannounced", "G01-GIT-05", nil, "The advertisement does not offer filters."},
		{"filters-ignored", "G01-GIT-05", nil, "A filter is not looked at."},
		{"sha-wants-refused", "G01-GIT-06", nil, "Only advertised objects can be fetched."},
		{"missing-objects-unanswered", "G01-GIT-07", nil, "A want of a missing object is answered with nothing."},
		{"acks-unannounced", "G01-GIT-08", nil, "The advertisement lacks a capability that browser clients need."},
		{"depth-ignored", "G01-GIT-09", nil, "A depth is not looked at."},
		{"soft-404", "G01-GIT-10", []string{
			"G01-ANN-02", "G01-ANN-03", "G01-ANN-04", "G01-PURG-11", "G01-GIT-16", "G01-WEB-02", "N62-01",
		}, "Unknown pages and repositories are answered 200."},
		{"malformed-paths-fail", "G01-GIT-11", []string{"G01-GIT-16"}, "Malformed paths are answered 500."},
		{"head-method-refused", "G01-GIT-12", nil, "HEAD requests of advertisements are refused."},
		{"content-type-ignored", "G01-GIT-13", nil, "A wrong content type is answered 200."},
		{"internal-refs-shown", "G01-GIT-14", nil, "The advertisement for pushes shows a ref of the server's own."},
		{"empty-repositories-unlisted", "G01-GIT-15", nil, "An empty repository cannot be listed in protocol version 2."},
		{"canonical-paths-only", "G01-GIT-17", nil, "Paths with needless escapes are not found."},
		{"aborted-fetches-block", "G01-GIT-19", nil, "After some aborted fetches of a repository nobody can fetch from it."},
		{"unknown-versions-refused", "G01-GIT-20", nil, "Unknown protocol versions are refused."},
		{"page-without-client", "G01-WEB-01", nil, "A repository page names no client to browse with."},
		{"held-pages-tell", "G01-WEB-03", []string{"SEC-09"}, "The page of a held repository shows the name in its announcement."},
		{"root-for-relays-only", "G01-WEB-04", nil, "The root refuses browsers."},
		{"junk-kills", "SEC-01", nil, "A message that is nested too deeply stops the server."},
		{"names-as-options", "SEC-03", nil, "An identifier that begins with a hyphen makes the server fail."},
		{"foreign-refs-said-to-move", "SEC-06", []string{
			"N34-ST-06", "G01-PUSH-17",
		}, "A push of a ref that is neither branch nor tag is answered as done."},
		{"refusals-tell", "SEC-09", nil, "The refusal of a push tells what a held announcement says."},
		{"negentropy-filter-ignored", "N77-01", nil, "Every reconciliation is one of all events."},
		{"negentropy-version-refused", "N77-02", nil, "A reconciliation in an unknown version is an error."},
		{"negentropy-close-ignored", "N77-03", nil, "A reconciliation that was closed goes on."},
		{"negentropy-keeps-gone", "N77-04", nil, "Events that were replaced, deleted or have expired stay part of reconciliations."},
		{"negentropy-unframed", "N77-05", nil, "The answers of a reconciliation are as long as they come."},
		{"negentropy-closes-subscription", "N77-06", nil, "The end of a reconciliation ends the subscription of the same id."},
		{"optional-tags-demanded", "N34-01", nil, "A pull request without the tag clone is refused."},
		{"large-content-refused", "N34-03", nil, "Events with content of more than ten kilobytes are refused."},
		{"statuses-refused", "N34-04", []string{"G01-REL-07", "G01-PURG-04"}, "Status events are refused."},
		{"old-replies-refused", "N34-07", nil, "Replies of the old kind are refused."},
		{"kinds-of-deletions-required", "N09-06", nil, "A deletion request without k tags is refused."},
		{"author-queries-closed", "N01-WS-01", []string{
			"N01-EV-03", "N01-REQ-01", "N01-REQ-03",
		}, "A query that names nothing but authors is closed with an error."},
		{"certificates-carried-out", "G01-PUSH-18", []string{"SEC-10"}, "The commands of a push certificate are carried out unjudged."},
		{"large-pushes-lost", "G01-PUSH-24", nil, "A push of more than fifty refs is answered as done, and nothing of it is kept."},
		{"refusals-wordless", "G01-PUSH-28", nil, "A refused push is told no reason."},
		{"malformed-names-repaired", "SEC-04", []string{
			"SEC-06", "G01-PUSH-20",
		}, "A malformed ref name is made a proper one, and that ref is made."},
		{"bombs-exhaust", "SEC-07", nil, "After a request that unpacks to more than eight megabytes git does not answer any more."},
		{"idle-pushes-block", "SEC-08", nil, "Forty requests that do not go on keep all others out."},
		{"comments-by-root-only", "N22-01", []string{"G01-REL-07", "G01-PURG-04"}, "A comment that names its parent alone is refused."},
		{"purgatory-lost-at-stop", "REF-PURG-11", []string{
			"REF-PURG-12", "REF-PURG-14", "REF-PURG-15", "REF-PURG-16",
		}, "What is held is not there after a restart."},
		{"soft-announcements-lost-at-stop", "REF-PURG-11", nil, "Announcements that have lost their repository are not known after a restart."},
		{"pull-refs-removed-at-start", "REF-PURG-11", []string{
			"REF-PURG-12", "REF-PURG-14", "REF-PURG-15",
		}, "A start removes the refs of pull requests."},
		{"starts-extend-lives", "REF-PURG-12", []string{"REF-PURG-15"}, "Every start gives held events ten minutes more."},
		{"starts-forget-clocks-of-refs", "REF-PURG-12", nil, "With every start the time of refs that wait for their pull requests begins anew."},
		{"saved-state-removed-early", "REF-PURG-14", nil, "What was held is removed from the disk as soon as it is loaded."},
		{"acknowledged-before-durable", "REF-PURG-15", []string{"REF-PURG-16"}, "Events are acknowledged before they are on the disk."},
		{"release-not-resumed", "REF-PURG-16", nil, "A start does not look for git data that has come."},
	}
}
