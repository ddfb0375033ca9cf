package core

import (
	"maps"
	"slices"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/purgatory"
	"github.com/graspkit/graspkit/reference/push"
	"github.com/graspkit/graspkit/reference/repo"
)

// A pushing is one push from its offer to its end. Once admitted it holds its repository and pins what authorized it.
type pushing struct {
	offer    PushOffered
	repo     *repository
	admitted bool
	pinned   []*purgatory.Entry
}

var ruleClosing = policy.Ruling{
	Decision: policy.Refuse, Prefix: "error", Reason: "the server is stopping", Requirement: "G01-PUSH-28",
}

func (s *Server) pushOffered(now instant.Instant, in PushOffered, out *Effects) {
	p := &pushing{offer: in, repo: s.repository(in.Repo)}
	s.pushes[in.Push] = p
	p.repo.pushes++
	if s.closing {
		s.refusePush(p, ruleClosing, out)
		s.next(now, p.repo, out)
		return
	}
	start := func(now instant.Instant, out *Effects) { s.startPush(now, p, out) }
	if !s.enqueue(now, p.repo, job{start: start}, out) {
		s.refusePush(p, ruleBusy, out)
	}
}

// startPush decides when the repository is free: refs and states of this instant, which stay until the push has ended.
func (s *Server) startPush(now instant.Instant, p *pushing, out *Effects) {
	if s.pushes[p.offer.Push] != p { // refused while it waited
		s.release(now, p.repo, out)
		return
	}
	id := p.offer.Repo
	// What a state has done since the client looked needs no old value any more (G01-PUSH-16).
	p.offer.Commands = gitproto.Grounded(p.offer.Commands, p.repo.at)
	set := s.maintainers(id)
	latest, entry := s.latest(set, id.Identifier)
	facts := push.Facts{
		Owner: id.Owner, Announced: p.repo.created && s.hosted(id), Local: p.repo.refs, Latest: latest,
		Named:     func(event string) push.Named { return s.named(id, event) },
		EachAlone: s.cfg.Manner.EachRefAlone,
	}
	for _, e := range s.held.States(id.Identifier) {
		if !slices.Contains(set, e.State.Author) {
			facts.Strangers++
		}
	}
	ruling := push.Decide(push.Offer{Commands: p.offer.Commands, Shape: p.offer.Shape}, facts)
	if ruling.Accepted() {
		if r, ok := s.room(p.repo, p.offer.Commands); !ok {
			ruling = r
		}
	}
	if !ruling.Accepted() {
		s.refusePush(p, ruling, out)
		s.release(now, p.repo, out)
		return
	}
	p.admitted = true
	s.pinPush(now, p, entry, out)
	out.add(Note{Fact: PushStarted, Push: p.offer.Push, Repo: id, Count: len(p.offer.Commands)})
	out.add(PushAdmitted{Push: p.offer.Push})
}

// pinPush keeps what authorizes a push until it has ended. A state and the announcement get a whole life by it, a pull
// request does not, and neither does anything by a push of its ref (REF-PURG-04, REF-PURG-05, REF-PURG-07).
func (s *Server) pinPush(now instant.Instant, p *pushing, state *purgatory.Entry, out *Effects) {
	pin := func(e *purgatory.Entry) {
		if s.cfg.Planted == "nothing-pinned" { // defect: nothing-pinned
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
		if e != nil {
			s.extend(now, e, out)
			pin(e)
		}
	}
}

func (s *Server) refusePush(p *pushing, ruling policy.Ruling, out *Effects) {
	delete(s.pushes, p.offer.Push)
	p.repo.pushes--
	out.add(Note{
		Fact: PushStopped, Push: p.offer.Push, Repo: p.offer.Repo,
		Requirement: ruling.Requirement, Reason: ruling.Reason,
	})
	out.add(PushRefused{Push: p.offer.Push, Ruling: ruling})
}

// pushDone takes over what a push has moved, and looks for what its data releases.
func (s *Server) pushDone(now instant.Instant, in PushDone, out *Effects) {
	p := s.pushes[in.Push]
	if p == nil || !p.admitted {
		panic("core: invariant: a push ended that was not admitted")
	}
	delete(s.pushes, in.Push)
	p.repo.pushes--
	failed := in.Report.Unpack
	if failed == "ok" {
		failed = ""
	}
	var moved []gitproto.Command
	for i, c := range p.offer.Commands {
		if i < len(in.Report.Results) && in.Report.Results[i].OK {
			moved = append(moved, c)
		} else if failed == "" {
			failed = c.Ref + " was not moved"
			if i < len(in.Report.Results) {
				failed = c.Ref + ": " + in.Report.Results[i].Reason
			}
		}
	}
	n := Note{Fact: PushFinished, Push: in.Push, Repo: p.offer.Repo, Count: p.repo.moved(moved)}
	if failed != "" {
		n.Fact, n.Reason = PushFailed, failed
	}
	out.add(n)
	s.follow(now, p.repo, moved, out)
	brings := slices.ContainsFunc(moved, func(c gitproto.Command) bool { return !c.New.IsZero() })
	if brings {
		s.siblings.gained(p.offer.Repo)
	}
	s.settleNow(now, &settling{repo: p.repo, pinned: p.pinned, brings: brings}, out)
}

// hosted reports whether an accepted announcement that lists this service and has not lost its repository is at id.
func (s *Server) hosted(id repo.ID) bool {
	a, ok := s.announced[id]
	return ok && !a.vouched && !a.soft
}

func sortedPushes(m map[PushID]*pushing) []PushID { return slices.Sorted(maps.Keys(m)) }
