package core

import (
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/eventstore"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/purgatory"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// Texts of OK messages that clients know.
const (
	textHeld          = "purgatory: won't be served until git data arrives"
	textHeldAlready   = "duplicate: in purgatory"
	textStoredAlready = "duplicate: already have this event"
	textNewerStored   = "duplicate: a newer version of this event is kept"
)

// A judging is an event whose answer waits for a repository. It is neither held nor stored in the journal yet; entry is
// nil for an announcement whose repository is being made.
type judging struct {
	event *nostr.Event
	conns []ConnID
	entry *purgatory.Entry
	left  int       // repositories that have not been looked at
	tried []repo.ID // where an announcement is revived for it, each once
	done  bool      // answered
}

// apart is the judging of the same event for what its answer does not wait for.
func (j *judging) apart() *judging { return &judging{event: j.event, entry: j.entry, done: true} }

func (s *Server) eventArrived(now instant.Instant, conn ConnID, m relay.Event, sigOK bool, out *Effects) {
	ev := m.Event
	conns := []ConnID{conn}
	switch {
	case !m.IDOK:
		s.refuseEvent(conns, ev, rule("N01-EV-02", "invalid", "the id is not the hash of the event"), out)
		return
	case !sigOK:
		s.refuseEvent(conns, ev, rule("N01-EV-02", "invalid", "the signature does not fit the event"), out)
		return
	case s.outlived(now, ev):
		s.refuseEvent(conns, ev, ruleOutlived, out)
		return
	case policy.Work(ev.ID) < s.cfg.MinWork:
		s.refuseEvent(conns, ev, policy.NeedsWork(ev.ID, s.cfg.MinWork), out)
		return
	case !s.mayPublish(conn, ev):
		s.refuseProtected(conn, ev, out)
		return
	case s.vanishings.again(ev.ID, conns):
		return
	case s.store.Get(ev.ID) != nil:
		s.duplicate(conns, ev, textStoredAlready, out)
		return
	case s.tombstones.covers(ev) || s.olderThanDeleted(ev):
		s.refuseEvent(conns, ev, ruleDeleted, out)
		return
	}
	if r := s.cfg.Lists.Judge(s.cfg.Service, ev); !r.Accepted() {
		s.refuseEvent(conns, ev, r, out)
		return
	}
	if j := s.judging[ev.ID]; j != nil {
		if len(j.conns) < JobsMax {
			j.conns = append(j.conns, conn)
		}
		return
	}
	if entry := s.held.Get(ev.ID); entry != nil {
		s.duplicate(conns, ev, textHeldAlready, out)
		return
	}
	switch ev.Kind {
	case policy.KindAnnouncement:
		s.announcementArrived(now, conns, ev, out)
	case policy.KindState:
		s.stateArrived(now, conns, ev, out)
	case policy.KindPullRequest, policy.KindPullRequestUpdate:
		s.pullRequestArrived(now, conns, ev, out)
	case policy.KindDeletion:
		s.deletionArrived(now, conns, ev, out)
	case policy.KindVanish:
		s.vanishArrived(now, conns, ev, out)
	case policy.KindAuthentication:
		s.refuseEvent(conns, ev, ruleAuthentication, out)
	case policy.KindHTTPAuthentication:
		if s.cfg.Private.On {
			s.refuseEvent(conns, ev, ruleToken, out)
			return
		}
		s.relatedArrived(conns, ev, out)
	default:
		s.relatedArrived(conns, ev, out)
	}
}

func (s *Server) relatedArrived(conns []ConnID, ev *nostr.Event, out *Effects) {
	if r := s.related(ev); !r.Accepted() {
		s.refuseEvent(conns, ev, r, out)
		return
	}
	switch text := s.save(ev, out); text {
	case "":
		s.reply(conns, ev.ID, true, "", out)
		s.broadcast(ev, out)
	default:
		s.refuseEvent(conns, ev, unsaved("N01-REP-01", text), out)
	}
}

// save puts an event into the store and the journal, beside the room that is kept for others, and returns "", or the text
// that says why the store keeps it out. Events that it replaces leave both.
func (s *Server) save(ev *nostr.Event, out *Effects) string {
	return s.put(ev, EventStored, func() (eventstore.Outcome, []*nostr.Event) { return s.store.Save(ev, s.kept()) }, out)
}

// unsaved is the refusal of an event that the store keeps out, with the text of save: whether that passes is told by its prefix, and
// what of a relay is refused for want of room is asked for again (W-87).
func unsaved(requirement, text string) policy.Ruling {
	prefix, reason, _ := strings.Cut(text, ": ")
	return rule(requirement, prefix, reason)
}

// saveHeld is save for an event that was in purgatory: it has had its room since then.
func (s *Server) saveHeld(ev *nostr.Event, out *Effects) string {
	return s.put(ev, EventReleased, func() (eventstore.Outcome, []*nostr.Event) { return s.store.Restore(ev) }, out)
}

func (s *Server) put(ev *nostr.Event, fact Fact, into func() (eventstore.Outcome, []*nostr.Event), out *Effects) string {
	if s.outlived(s.last, ev) { // while it waited for something
		return ruleOutlived.Text()
	}
	outcome, replaced := into()
	switch outcome {
	case eventstore.Stored:
	case eventstore.Superseded:
		return textNewerStored
	case eventstore.Duplicate:
		return textStoredAlready
	default:
		return "error: " + reasonFull
	}
	if s.store.Get(ev.ID) != nil { // not an ephemeral one
		s.replicating.saves(ev)
		out.add(Record{Op: OpStore, ID: ev.ID, Event: ev})
	}
	for _, old := range replaced {
		out.add(Record{Op: OpUnstore, ID: old.ID})
		out.add(note(EventReplaced, old))
	}
	if fact == EventStored && ev.Kind == policy.KindAnnouncement {
		s.huntFresh(ev) // before it is forgotten whom it came from
	}
	s.hunting.answered(ev.ID)
	s.replicating.answered(ev.ID)
	out.add(note(fact, ev))
	return ""
}

func (s *Server) duplicate(conns []ConnID, ev *nostr.Event, text string, out *Effects) {
	s.hunting.answered(ev.ID)
	s.replicating.answered(ev.ID)
	out.add(note(EventDuplicate, ev))
	s.reply(conns, ev.ID, true, text, out)
}

func (s *Server) refuseEvent(conns []ConnID, ev *nostr.Event, r policy.Ruling, out *Effects) {
	s.hunting.answered(ev.ID)
	s.replicateRefused(ev, r)
	n := note(EventRefused, ev)
	n.Requirement, n.Reason = r.Requirement, r.Text()
	out.add(n)
	s.reply(conns, ev.ID, false, r.Text(), out)
}

// rule is a refusal that the core itself decides.
func rule(requirement, prefix, reason string) policy.Ruling {
	return policy.Ruling{Decision: policy.Refuse, Prefix: prefix, Reason: reason, Requirement: requirement}
}

func note(fact Fact, ev *nostr.Event) Note {
	n := Note{Fact: fact, Event: ev.ID, Kind: ev.Kind, PubKey: ev.PubKey}
	if ev.Kind == policy.KindAnnouncement || ev.Kind == policy.KindState {
		n.Repo = repo.ID{Owner: repo.PubKey(ev.PubKey), Identifier: ev.Tags.GetD()}
	}
	return n
}
