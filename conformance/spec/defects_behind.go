package spec

// behindWireDefects are mistakes of any server that show behind something that was right: a second request, a newer version, what has
// gone or waits.
func behindWireDefects() []Defect {
	return []Defect{
		{"deletions-counted-by-the-last-request", "N09-02", nil, "Of several requests to delete an address the last one counts, though it is dated before the others."},
		{"limits-of-zero-for-all-filters", "N01-REQ-02", nil, "A limit of 0 in one filter of a query is that of all."},
		{"expired-events-back", "N40-01", nil, "An event that was served and has expired is served again when it is sent again."},
		{"deleted-states-bar-older-ones", "G01-DEL-01", nil, "A state that was deleted while it waited keeps older ones of others from authorizing."},
		{"deletions-of-beginnings-of-names-refused", "G01-PUSH-07", nil, "A branch cannot be deleted while the state names one that begins so."},
		{"head-as-its-author-had-it", "G01-HEAD-04", nil, "With a state that does not name HEAD it goes back to where the author's last one that does has it."},
		{"deleted-held-states-take-the-served", "G01-DEL-01", nil, "With a state that is deleted while it waits goes the one that is served."},
		{"deletions-by-id-bar-newer-versions", "N09-01", nil, "Once a version was deleted by its id no newer one is taken."},
		{"deletions-untold", "N09-04", nil, "Deletion requests are served, and not sent to open subscriptions."},
		{"announcements-of-further-places-wait-anew", "G01-ANN-16", nil, "A newer announcement that names a second relay or host waits as the first one did, though its repository is served."},
		{"newer-announcements-untold", "G01-ANN-16", nil, "A newer announcement is served, and not sent to open subscriptions."},
		{"served-states-hidden-by-held", "G01-PURG-21", nil, "A served state is not served while a newer one of its author waits."},
		{"addresses-cover-held-states-of-others", "N09-03", nil, "A deletion of an own state by address takes the states of others that wait for that identifier."},
		{"deleted-held-announcements-leave-no-room", "G01-PURG-06", nil, "Where an announcement was deleted while it waited no repository answers any more, announced anew or not."},
		{"held-updates-undeletable", "G01-DEL-04", nil, "A held update cannot be deleted."},
		{"held-announcements-renewed-without-refs", "G01-PR-07", nil, "A newer announcement in place of one that waits takes the refs that wait for their events."},
		{"released-announcements-without-refs", "G01-PR-07", nil, "With the release of an announcement go the refs that wait for their events."},
		{"deleted-pull-requests-take-refs-of-their-commit", "G01-PR-08", nil, "With a pull request that is deleted go the refs of others of its commit."},
		{"pull-requests-shown-by-namesakes", "G01-GIT-14", nil, "The ref of a pull request shows in every repository of the identifier."},
		{"push-advertisements-kept", "G01-GIT-14", nil, "The advertisement for pushes is as it was before the last push, whatever has moved since."},
	}
}
