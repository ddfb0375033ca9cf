package spec

import "time"

// Times that the text, or the position of this project on it, gives. None of them is ours to stretch: how
// slow a target may be is an option of the client.
const (
	// PurgatoryLife is how long held events wait for their git data.
	PurgatoryLife = 30 * time.Minute
	// PurgatoryLifeMin is the hard lower bound: nothing held may vanish before it.
	PurgatoryLifeMin = 20 * time.Minute
	// PurgatoryLifeMax is the hard upper bound: from here on a late push must release nothing.
	PurgatoryLifeMax = 35 * time.Minute
	// UnmatchedRefLife is how long a ref under refs/nostr/ may wait for its event.
	UnmatchedRefLife = 20 * time.Minute
	// ReleaseWithin bounds the time from the end of a push to the events being served.
	ReleaseWithin = 5 * time.Second
	// SkewWithin bounds the time between the events and the refs of a release.
	SkewWithin = 2 * time.Second
	// HeadWithin bounds the time from a state to HEAD following it.
	HeadWithin = 5 * time.Second
	// RepositoryWithin bounds the time from an accepted announcement to its repository answering git.
	RepositoryWithin = 5 * time.Second
	// SiblingWithin bounds the time from a push to the sibling repositories following it.
	SiblingWithin = 10 * time.Second
)
