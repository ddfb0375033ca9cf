package suite

import (
	"maps"
	"slices"
	"strings"
)

// pieceSteps are about the frames that messages travel in, and about those that are no message.
func pieceSteps() []step {
	ways := strings.Join(slices.Sorted(maps.Keys(framings())), "|")
	return []step{
		{
			text: `an event of the {actor} is taken that comes (` + ways + `)`,
			role: assertion, sees: answers, cost: cost{events: 2},
			doc: "an issue on a bare connection is accepted whose message travels so; where it is not, one that travels in one frame has to be",
			run: func(w *world, a []string, _ [][]string) outcome { return w.takenInPieces(a[0], a[1]) },
		},
		{
			text: `a ping is answered by what it holds`,
			role: assertion, sees: answers,
			doc: "a pong with the same content comes on a bare connection",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.pongs() },
		},
		{
			text: `who closes a connection is answered by a close`,
			role: assertion, sees: answers,
			doc: "a frame that closes comes on a bare connection, behind one of ours",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.closes() },
		},
	}
}
