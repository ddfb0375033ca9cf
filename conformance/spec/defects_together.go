package spec

// togetherWireDefects are mistakes of any server that show where two ordinary things come together.
func togetherWireDefects() []Defect {
	return []Defect{
		{"words-of-escapes-taken-for-escapes", "N01-EV-01", nil, "An event whose text has a backslash before what would be an escape is refused."},
		{"verbs-repeated-raw", "N01-ERR-01", nil, "An unknown verb is repeated in the answer as it is, quotes and all."},
		{"replaceables-of-deleted-addresses-return", "N09-05", nil, "A replaceable event that was deleted by address is taken again."},
		{"refused-states-take-the-place", "N34-ST-04", nil, "A state with branches that cannot be beside each other is refused, and the one before it is gone."},
		{"newer-announcements-go-back-to-own-states", "G01-ANN-16", nil, "A newer announcement moves the refs to what its author's own latest state says."},
		{"newer-announcements-drop-held-states-of-others", "G01-ANN-16", nil, "A newer announcement forgets the states of maintainers that wait."},
		{"states-count-for-one-repository", "G01-PUSH-13", nil, "A maintainer's state counts for one of the repositories whose owners list the maintainer."},
		{"states-sought-among-eight", "G01-PUSH-01", nil, "The owner's state is looked for among the newest eight of its identifier."},
		{"one-pull-request-a-place-waits", "G06-EV-04", nil, "Of the pull requests that wait at one place the last one waits."},
		{"refs-at-a-place-give-way-to-the-next", "G06-EV-04", nil, "At one place a ref goes when another pull request of its signer is served."},
		{"released-behind-a-stop-and-unserved", "G01-PURG-07", nil, "A state that waited when the server stopped authorizes its push, and is not served behind it."},
		{"places-take-over-own-repositories", "G06-EV-04", nil, "Pushes to a repository are refused once its owner has a pull request at the place for that identifier."},
		{"broken-compression-fails", "G01-PUSH-23", nil, "A push whose compressed body ends too soon makes the server fail."},
		{"held-states-known-and-lost-at-stop", "G01-PUSH-01", nil, "After a restart a state that waited is known, and authorizes nothing, sent again or not."},
		{"held-announcements-known-and-lost-at-stop", "G01-GIT-01", nil, "After a restart an announcement that waited is known, and has no repository, sent again or not."},
		{"held-pull-requests-known-and-lost-at-stop", "G01-PR-04", nil, "After a restart a pull request that waited is known, and its commit does not release it, sent again or not."},
		{"announcements-for-elsewhere-lost-at-start", "G01-ANN-14", nil, "A restart loses the announcements of maintainers that do not list this service."},
		{"held-states-wait-for-good-behind-a-stop", "G01-PURG-11", nil, "A state that waited when the server stopped waits for good."},
		{"expirations-forgotten-at-start", "N40-01", nil, "What was stored before a restart does not expire."},
		{"one-repository-an-identifier-at-start", "G01-GIT-01", nil, "Of the repositories of one identifier the first one is there behind a restart."},
		{"deleted-held-states-back-at-start", "G01-DEL-01", nil, "A state that was deleted while it waited authorizes again behind a restart."},
		{"replaced-announcements-back-at-start", "N01-REP-01", nil, "A restart brings the announcements back that were replaced."},
		{"replaced-states-back-at-start", "N01-REP-01", nil, "A restart brings the states back that were replaced."},
		{"held-states-of-others-known-and-lost-at-stop", "G01-PUSH-13", nil, "After a restart a maintainer's state that waited is known, and authorizes nothing, sent again or not."},
	}
}
