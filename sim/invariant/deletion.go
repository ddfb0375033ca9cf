package invariant

import (
	"slices"
	"strconv"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/repo"
)

// kindDeletion is the kind of a request of an author to delete events (NIP-09).
const kindDeletion = 5

// requests are the stored deletion requests by author, and the states that left the store because of one.
type requests struct {
	byAuthor map[string][]*nostr.Event
	fallen   []*entry
}

func (q *requests) add(ev *nostr.Event) {
	if ev.Kind == kindDeletion {
		q.byAuthor[ev.PubKey] = append(q.byAuthor[ev.PubKey], ev)
	}
}

// covers reports whether the author of an event has asked for its deletion.
func (q *requests) covers(ev *nostr.Event) bool {
	coordinate := strconv.Itoa(ev.Kind) + ":" + ev.PubKey + ":" + ev.Tags.GetD()
	return ev.Kind != kindDeletion && slices.ContainsFunc(q.byAuthor[ev.PubKey], func(request *nostr.Event) bool {
		return slices.ContainsFunc(request.Tags, func(tag nostr.Tag) bool {
			return len(tag) > 1 && (tag[0] == "e" && tag[1] == ev.ID ||
				tag[0] == "a" && tag[1] == coordinate && ev.CreatedAt <= request.CreatedAt)
		})
	})
}

// leftBehind reports whether the refs of a repository may be those of a deleted state that is newer than best: they stay
// as they are (G01-DEL-07).
func (q *requests) leftBehind(set []repo.PubKey, identifier string, best *entry) bool {
	return slices.ContainsFunc(q.fallen, func(e *entry) bool {
		return e.state.Identifier == identifier && slices.Contains(set, e.state.Author) && newer(e.event, best.event)
	})
}
