package spec

// huntDefects are mistakes of the hunt for git data.
func huntDefects() []Defect {
	return []Defect{
		{"waits-for-pushes", "G02-GIT-01", []string{
			"G02-GIT-02", "G02-GIT-03", "G02-GIT-04", "G02-GIT-06", "G02-GIT-09", "G02-ADV-01", "SEC-02", "SEC-05",
		}, "Git data is never fetched."},
		{"tried-once", "G02-GIT-03", nil, "A host that has failed is not asked again for the same repository."},
		{"first-host-only", "G02-GIT-04", []string{"G02-GIT-09"}, "Of several hosts only the first one is asked."},
		{"events-hunted-singly", "REF-HUNT-01", nil, "Each event that waits has a request of its own."},
		{"hunt-at-once", "REF-HUNT-02", nil, "The hunt begins before a user could push."},
		{"later-events-delay", "REF-HUNT-03", nil, "Every new event puts the next attempt off."},
		{"backoff-goes-on", "REF-HUNT-04", nil, "A new event does not begin the backoff anew."},
		{"known-events-asked", "REF-HUNT-04", nil, "A held event that is sent again has a request of its own."},
		{"failures-punished", "REF-HUNT-05", nil, "A host that has failed is left alone for five minutes."},
		{"wake-up-lost", "REF-HUNT-06", nil, "What comes while a request is under way is not hunted for."},
		{"announcements-hunted", "REF-HUNT-07", nil, "A held announcement alone starts a request."},
		{"expired-asked", "REF-HUNT-07", nil, "What has run out has one more request."},
		{"pull-clones-ignored", "REF-HUNT-15", []string{"G02-GIT-02"}, "The clone URLs of pull requests and updates are not asked."},
		{"whole-states-asked", "REF-HUNT-16", nil, "All objects of a state are asked for, there or not."},
		{"released-together", "REF-HUNT-17", nil, "Of several events that wait none goes before all can."},
		{"former-maintainers-heard", "REF-HUNT-18", nil, "Who was a maintainer when his state came stays one while it waits."},
		{"first-owner-fetched-into", "REF-HUNT-19", nil, "What is fetched goes to the first repository of the identifier."},
		{"refs-of-hosts-made", "REF-HUNT-20", []string{
			"G02-GIT-01", "G02-GIT-02", "G02-GIT-06", "SEC-05", "G02-GIT-09",
		}, "What was fetched gets a branch."},
		{"hunt-outlives-pushes", "REF-HUNT-26", nil, "A request follows although a push has brought the data."},
		{"restored-hunted-late", "REF-PURG-17", nil, "The first attempt after a restart comes to nothing."},
	}
}
