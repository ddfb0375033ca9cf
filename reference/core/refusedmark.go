package core

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/replicate"
	"github.com/graspkit/graspkit/reference/repo"
)

// What of other relays was refused for want of something outlives an orderly end, so that no restart fetches it again
// (REF-SYNC-20). The marks are made by the end and taken back by the start, so a crash forgets all of them; and they mean
// nothing to a server that judges otherwise than the one that made them.
const (
	// MarkRefusedAnnouncement remembers Event, an announcement of Repo that a relay has sent and that was refused because nothing
	// here spoke for it, until Until. Created is its created_at.
	MarkRefusedAnnouncement MarkKind = 12
	// MarkRefusedState is what MarkRefusedAnnouncement is, for a state of Repo.Owner.
	MarkRefusedState MarkKind = 13
	// MarkJudgedBy says by which settings: Event is the digest of them. Refusals without it are not taken back.
	MarkJudgedBy MarkKind = 14
)

// RefusedMarksMax is how many refusals outlive an end, the latest ones.
const RefusedMarksMax = 10_000

// judgedBy is a digest of what announcements and states are refused by for want of something, beside what is held and stored. Its
// number goes up with each version that judges them otherwise.
func (c Config) judgedBy() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "1 %+v %v %t %q", c.Service, c.Model, c.Archive.ReadOnly, c.Archive.Scope.Entries()))
	return hex.EncodeToString(sum[:])
}

// refusalsEnd writes down what was refused.
func (s *Server) refusalsEnd(now instant.Instant, out *Effects) {
	list := s.replicating.machine.Remembers(now, RefusedMarksMax)
	for _, r := range list {
		kind := MarkRefusedAnnouncement
		if r.Kind == policy.KindState {
			kind = MarkRefusedState
		}
		out.add(Record{Op: OpMark, Mark: Mark{
			Kind: kind, Event: r.ID, Repo: repo.ID{Owner: repo.PubKey(r.Author), Identifier: r.Identifier},
			Created: r.Created, At: now, Until: r.Until,
		}})
	}
	if len(list) > 0 {
		s.replicating.kept = true
		out.add(Record{Op: OpMark, Mark: Mark{Kind: MarkJudgedBy, Event: s.cfg.judgedBy(), At: now}})
	}
}

// refusalsOutdated takes the marks back if an announcement comes while pushes run to their ends: it may be what was lacking, and the
// next start asks for everything anew.
func (s *Server) refusalsOutdated(begin int, out *Effects) {
	for _, e := range out.List[begin:] {
		r, is := e.(Record)
		if s.replicating.kept && is && (r.Op == OpStore || r.Op == OpHold) && r.Event.Kind == policy.KindAnnouncement {
			s.replicating.kept = false
			out.add(Record{Op: OpUnmark, Mark: Mark{Kind: MarkJudgedBy, Event: s.cfg.judgedBy()}})
		}
	}
}

// refusalsRecalled takes back what the last life has refused by the same settings.
func (s *Server) refusalsRecalled(now instant.Instant, marks []Mark) {
	var list []replicate.Remembered
	same := false
	for _, m := range marks {
		kind := policy.KindAnnouncement
		switch m.Kind {
		case MarkJudgedBy:
			same = same || m.Event == s.cfg.judgedBy()
			continue
		case MarkRefusedState:
			kind = policy.KindState
		case MarkRefusedAnnouncement:
		default:
			continue
		}
		list = append(list, replicate.Remembered{
			ID: m.Event, Kind: kind, Author: string(m.Repo.Owner), Identifier: m.Repo.Identifier, Created: m.Created, Until: m.Until,
		})
	}
	if !same {
		return
	}
	slices.SortFunc(list, func(a, b replicate.Remembered) int {
		return cmp.Or(cmp.Compare(a.Until, b.Until), cmp.Compare(a.ID, b.ID))
	})
	for _, r := range list {
		s.replicating.machine.Recall(now, r)
	}
}
