package node

import (
	"strings"

	"github.com/graspkit/graspkit/reference/core"
)

// inWords says what a note is about in the message of its log line: what happens with other relays in words, for operators read that
// to see whether their server syncs, and of everything else that it is a note.
func inWords(e core.Note) string {
	switch e.Fact { //nolint:exhaustive // the others are told by their facts
	case core.PeerStatus:
		status, _, _ := strings.Cut(e.Reason, ":")
		return statusWords[status]
	case core.PeerLeftOut:
		return "a relay is not connected to"
	case core.PeerLimited:
		return "a relay says that it is asked too much, and is asked nothing for a while"
	case core.PeerPlain:
		return "a relay does not compare events, and is asked for pages"
	case core.PeerOutOfReach:
		return "a relay has more events of one second than its page holds"
	case core.PeerBatch:
		if e.Reason != "" {
			return "a relay has not answered all, and is asked again later"
		}
		return "a relay has answered all that it was asked"
	case core.PeerAgain:
		return "events of relays that were refused are judged again"
	case core.PeerGave:
		return "a relay has an event that is new here"
	}
	return "note"
}

// statusWords are the statuses of relays as sentences.
var statusWords = map[string]string{
	"disconnected":            "a relay is not connected",
	"connecting":              "a relay is being connected to",
	"syncing":                 "a relay is connected, and asked for what is lacking",
	"connected":               "a relay is connected, and nothing of it is lacking",
	"connected with failures": "a relay is connected, and something of it is lacking",
	"disconnecting":           "a relay is being left",
}
