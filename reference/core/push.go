package core

import (
	"maps"
	"slices"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/purgatory"
	"github.com/graspkit/graspkit/reference/push"
	"github.com/graspkit/graspkit/reference/repo"
)

// A pushing is one push from its first mention to its end. What authorizes it is pinned from the day on which its pack is
// expected. Once admitted it is the task of its repository.
type pushing struct {
	offer  PushOffered
	repo   *repository
	stage  pushStage
	pinned []*purgatory.Entry
	// Those that have got a whole life by it; one that has taken the place of such a one may be pinned without.
	extended []*purgatory.Entry
	// Its pack was let come, so an orderly end waits for it.
	expected bool
}

// A pushStage is how far a push has come.
type pushStage uint8

const (
	stageAsked    pushStage = iota + 1 // it waits to be judged, before its pack comes
	stageExpected                      // its pack is under way
	stageOffered                       // its pack is here, and it waits to be judged
	stageAdmitted                      // the shell carries it out
)

var ruleClosing = policy.Ruling{
	Decision: policy.Refuse, Prefix: "error", Reason: "the server is stopping", Requirement: "G01-PUSH-28",
}

func (s *Server) pushAsked(now instant.Instant, in PushAsked, out *Effects) {
	p := &pushing{offer: PushOffered(in), repo: s.repository(in.Repo), stage: stageAsked}
	s.pushes[in.Push] = p
	s.queuePush(now, p, s.closing, out)
}

// pushForgone ends a push that nobody carries out. One that waits to be judged is not judged any more.
func (s *Server) pushForgone(now instant.Instant, in PushForgone, out *Effects) {
	p := s.pushes[in.Push]
	switch {
	case p == nil: // it was refused meanwhile
	case p.stage == stageAdmitted:
		delete(s.pushes, in.Push)
		p.repo.pushes--
		p.repo.phase = idle
		out.add(Note{Fact: PushFailed, Push: in.Push, Repo: p.repo.id, Reason: "its client has gone"})
		s.lookBegins(now, p.repo, look{repo: p.repo, pinned: p.pinned}, out)
	default:
		s.endPush(p)
		s.vacate(now, p.repo, out)
	}
}

func (s *Server) pushOffered(now instant.Instant, in PushOffered, out *Effects) {
	p := s.pushes[in.Push]
	switch {
	case p == nil:
		p = &pushing{}
		s.pushes[in.Push] = p
	case p.stage != stageExpected:
		panic("core: invariant: a push was offered that is not expected")
	}
	if p.stage == stageExpected {
		p.repo.expects--
	}
	p.offer, p.stage, p.repo = in, stageOffered, s.repository(in.Repo)
	p.repo.pushes++
	s.queuePush(now, p, s.closing && !p.expected, out)
}

// queuePush has a push judged when its repository is free.
func (s *Server) queuePush(now instant.Instant, p *pushing, late bool, out *Effects) {
	if late {
		s.refusePush(p, ruleClosing, out)
		s.next(now, p.repo, out)
		return
	}
	if !s.enqueue(now, p.repo, &task{kind: taskPush, push: p}, out) {
		s.refusePush(p, ruleBusy, out)
	}
}

// pushBegins decides when the repository is free: refs and states of this instant, which stay until the push has ended.
func (s *Server) pushBegins(now instant.Instant, r *repository, out *Effects) {
	p := r.task.push
	if s.pushes[p.offer.Push] != p { // refused or forgone while it waited
		s.pushIsNone(now, r, out)
		return
	}
	// What a state has done since the client looked needs no old value any more (G01-PUSH-16).
	offer := p.offer
	offer.Commands = gitproto.Grounded(offer.Commands, r.at)
	ruling, entry := s.judgePush(r, offer)
	switch {
	case !ruling.Accepted():
		s.refusePush(p, ruling, out)
		s.pushIsNone(now, r, out)
	case !r.there() && r.id.IsContribution():
		s.makePlace(now, r, out) // and go on
	case p.stage == stageAsked:
		p.stage, p.expected = stageExpected, true
		r.expects++
		s.pinPush(now, p, entry, out)
		out.add(PushExpected{Push: p.offer.Push})
		s.finish(now, r, out)
	default:
		p.offer, p.stage, r.phase = offer, stageAdmitted, receiving
		s.hunting.touch(r.id.Identifier)
		s.pinPush(now, p, entry, out)
		out.add(Note{Fact: PushStarted, Push: p.offer.Push, Repo: r.id, Count: len(p.offer.Commands)})
		out.add(PushAdmitted{Push: p.offer.Push})
	}
}

// pushIsNone ends the task of a push that is not carried out. There is no look behind it, so what has relied on one gets one now,
// unless another push waits.
func (s *Server) pushIsNone(now instant.Instant, r *repository, out *Effects) {
	if r.owed && r.pushes == 0 {
		r.owed = false
		s.look(now, r, nil, out)
	}
	s.finish(now, r, out)
}

// judgePush decides on a push by what is true now. With it comes the held state that it fulfills, if any.
func (s *Server) judgePush(r *repository, offer PushOffered) (policy.Ruling, *purgatory.Entry) {
	if s.cfg.Archive.ReadOnly {
		return ruleReadOnly, nil
	}
	if r.id.IsContribution() {
		return s.judgeContribution(r, offer), nil
	}
	set := s.maintainers(r.id)
	latest, entry := s.latest(set, r.id.Identifier)
	facts := push.Facts{
		Owner: r.id.Owner, Announced: r.there() && s.hosted(r.id), Local: r.refs, Latest: latest,
		Named:     func(event string) push.Named { return s.named(r.id, event) },
		EachAlone: s.cfg.Manner.EachRefAlone,
	}
	for _, e := range s.held.States(r.id.Identifier) {
		if !slices.Contains(set, e.State.Author) {
			facts.Strangers++
		}
	}
	if r.unknown {
		return ruleUnknown, nil
	}
	ruling := push.Decide(push.Offer{Commands: offer.Commands, Shape: offer.Shape}, facts)
	if ruling.Accepted() {
		if full, ok := s.room(r, offer.Commands); !ok {
			ruling = full
		}
	}
	return ruling, entry
}

// pinPush keeps what authorizes a push until it has ended. A state and the announcement get a whole life by it, once, a pull
// request does not, and neither does anything by a push of its ref (REF-PURG-04, REF-PURG-05, REF-PURG-07).
func (s *Server) pinPush(now instant.Instant, p *pushing, state *purgatory.Entry, out *Effects) {
	pin := func(e *purgatory.Entry) {
		if slices.Contains(p.pinned, e) {
			return
		}
		s.held.Pin(e)
		p.pinned = append(p.pinned, e)
	}
	declared := false
	for _, c := range p.offer.Commands {
		event, ok := repo.PullRequestOf(c.Ref)
		if e := s.held.Get(event); ok && e != nil {
			pin(e)
		}
		declared = declared || !ok
	}
	if !declared {
		return
	}
	for _, e := range []*purgatory.Entry{state, s.held.Announcement(p.offer.Repo)} {
		if e != nil && !slices.Contains(p.extended, e) {
			s.extend(now, e, out)
			p.extended = append(p.extended, e)
			pin(e)
		}
	}
}

// succeed has pushes that rely on a held announcement, and what follows their ends, rely on the newer one that has taken its
// place: its repository stays until then, too (REF-PURG-07).
func (s *Server) succeed(old *purgatory.Entry) {
	entry := s.held.Announcement(old.Announcement.ID)
	rely := func(pinned *[]*purgatory.Entry) {
		if slices.Contains(*pinned, old) {
			s.held.Pin(entry)
			*pinned = append(slices.Clone(*pinned), entry)
		}
	}
	for _, id := range sortedPushes(s.pushes) {
		rely(&s.pushes[id].pinned)
	}
	if r := s.repositories[old.Announcement.ID]; r != nil && r.task != nil && r.task.look.repo != nil {
		rely(&r.task.look.pinned)
	}
}

func (s *Server) refusePush(p *pushing, ruling policy.Ruling, out *Effects) {
	s.endPush(p)
	out.add(Note{
		Fact: PushStopped, Push: p.offer.Push, Repo: p.offer.Repo,
		Requirement: ruling.Requirement, Reason: ruling.Reason,
	})
	out.add(PushRefused{Push: p.offer.Push, Ruling: ruling})
}

// endPush forgets a push that was not admitted.
func (s *Server) endPush(p *pushing) {
	delete(s.pushes, p.offer.Push)
	switch p.stage { //nolint:exhaustive // the others count for nothing
	case stageOffered:
		p.repo.pushes--
	case stageExpected:
		p.repo.expects--
	}
	for _, e := range p.pinned {
		s.held.Unpin(e)
	}
	s.hunting.touch(p.offer.Repo.Identifier)
}

// pushDone takes over what a push has moved, and looks for what its data releases.
func (s *Server) pushDone(now instant.Instant, in PushDone, out *Effects) {
	p := s.pushes[in.Push]
	if p == nil || p.stage != stageAdmitted {
		panic("core: invariant: a push ended that was not admitted")
	}
	delete(s.pushes, in.Push)
	r := p.repo
	r.pushes--
	r.phase = idle
	moved, failed := told(p.offer.Commands, in.Report)
	n := Note{Fact: PushFinished, Push: in.Push, Repo: r.id, Count: r.moved(moved)}
	if failed != "" {
		n.Fact, n.Reason = PushFailed, failed
	}
	out.add(n)
	s.departs(now, r, moved)
	s.follow(now, r, moved, out)
	if failed != "" {
		s.onDisk(now, r, in.Disk, out)
	}
	brings := slices.ContainsFunc(moved, func(c gitproto.Command) bool { return !c.New.IsZero() })
	if brings {
		s.siblings.gained(r.id)
		s.brought(now, r)
	}
	s.lookBegins(now, r, look{repo: r, pinned: p.pinned, brings: brings}, out)
}

// told returns which commands a report says are carried out, and the first reason why not all of them are, "" if they are.
func told(commands []gitproto.Command, report gitstore.Report) (moved []gitproto.Command, failed string) {
	if report.Unpack != gitstore.UnpackOK {
		failed = report.Unpack
	}
	for i, c := range commands {
		if i < len(report.Results) && report.Results[i].OK {
			if moved == nil {
				moved = make([]gitproto.Command, 0, len(commands))
			}
			moved = append(moved, c)
		} else if failed == "" {
			failed = c.Ref + " was not moved"
			if i < len(report.Results) {
				failed = c.Ref + ": " + report.Results[i].Reason
			}
		}
	}
	return moved, failed
}

// hosted reports whether an accepted announcement that lists this service and has not lost its repository is at id, or a place for
// contributions that is in use.
func (s *Server) hosted(id repo.ID) bool {
	if id.IsContribution() {
		return s.inUse(id)
	}
	a, ok := s.announced[id]
	return ok && !a.vouched && !a.soft
}

func sortedPushes(m map[PushID]*pushing) []PushID { return slices.Sorted(maps.Keys(m)) }
