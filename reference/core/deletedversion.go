package core

import (
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// A slot is where versions of an announcement or a state replace each other.
type slot struct {
	kind int
	id   repo.ID // author and identifier
}

func slotOf(ev *nostr.Event) slot {
	identifier, _ := repo.Identifier(ev)
	return slot{ev.Kind, repo.ID{Owner: repo.PubKey(ev.PubKey), Identifier: identifier}}
}

func (x slot) mark() MarkKind {
	if x.kind == policy.KindAnnouncement {
		return MarkDeletedAnnouncement
	}
	return MarkDeletedState
}

// DeletedVersionsMax bounds how many deleted versions are remembered. Beyond it an older version may take the place of one.
const DeletedVersionsMax = 200_000

// rememberDeleted keeps the time of an announcement or a state that was served and deleted: no older version takes its
// place, whoever sends it (INV-05), and refs that a state has brought into line are not taken back to what an older one of
// somebody else declares (G01-DEL-07). The memory ends with the author's next version.
func (s *Server) rememberDeleted(now instant.Instant, ev *nostr.Event, out *Effects) {
	at := slotOf(ev)
	s.forgetDeleted(at, out)
	if len(s.deletedVersions) >= DeletedVersionsMax {
		return
	}
	s.deletedVersions[at] = &nostr.Event{ID: ev.ID, CreatedAt: ev.CreatedAt}
	out.add(Record{Op: OpMark, Mark: Mark{Kind: at.mark(), Event: ev.ID, Repo: at.id, Created: int64(ev.CreatedAt), At: now}})
}

// forgetDeleted forgets a deleted version.
func (s *Server) forgetDeleted(at slot, out *Effects) {
	if old := s.deletedVersions[at]; old != nil {
		delete(s.deletedVersions, at)
		out.add(Record{Op: OpUnmark, Mark: Mark{Kind: at.mark(), Event: old.ID, Repo: at.id}})
	}
}

// olderThanDeleted reports whether an announcement or a state is older than a deleted version of it that was served.
func (s *Server) olderThanDeleted(ev *nostr.Event) bool {
	floor := s.deletedVersions[slotOf(ev)]
	return floor != nil && !repo.Newer(ev, floor)
}

// floor returns the newest deleted state of the keys, nil if there is none. No older one moves refs by itself.
func (s *Server) floor(set []repo.PubKey, identifier string) *nostr.Event {
	var floor *nostr.Event
	for _, key := range set {
		ev := s.deletedVersions[slot{policy.KindState, repo.ID{Owner: key, Identifier: identifier}}]
		if ev != nil && (floor == nil || repo.Newer(ev, floor)) {
			floor = ev
		}
	}
	return floor
}
