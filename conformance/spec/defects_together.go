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
		{"held-states-known-and-lost-at-stop", "G01-PUSH-01", nil, "After a restart a state that waited is known, and authorizes nothing, sent again or not."},
		{"held-states-of-others-known-and-lost-at-stop", "G01-PUSH-13", nil, "After a restart a maintainer's state that waited is known, and authorizes nothing, sent again or not."},
	}
}
