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

// A pushing is one push from its offer to its end. Once admitted it is the task of its repository and pins what authorized it.
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
	if !s.enqueue(now, p.repo, &task{kind: taskPush, push: p}, out) {
		s.refusePush(p, ruleBusy, out)
	}
}

// pushBegins decides when the repository is free: refs and states of this instant, which stay until the push has ended.
func (s *Server) pushBegins(now instant.Instant, r *repository, out *Effects) {
	p := r.task.push
	if s.pushes[p.offer.Push] != p { // refused while it waited
		s.finish(now, r, out)
		return
	}
	id := p.offer.Repo
	// What a state has done since the client looked needs no old value any more (G01-PUSH-16).
	p.offer.Commands = gitproto.Grounded(p.offer.Commands, r.at)
	set := s.maintainers(id)
	latest, entry := s.latest(set, id.Identifier)
	facts := push.Facts{
		Owner: id.Owner, Announced: r.there() && s.hosted(id), Local: r.refs, Latest: latest,
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
		if full, ok := s.room(r, p.offer.Commands); !ok {
			ruling = full
		}
	}
	if r.unknown {
		ruling = ruleUnknown
	}
	if !ruling.Accepted() {
		s.refusePush(p, ruling, out)
		s.finish(now, r, out)
		return
	}
	p.admitted, r.phase = true, receiving
	s.hunting.touch(id.Identifier)
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
	s.hunting.touch(p.offer.Repo.Identifier)
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
	r := p.repo
	r.pushes--
	r.phase = idle
	moved, failed := told(p.offer.Commands, in.Report)
	n := Note{Fact: PushFinished, Push: in.Push, Repo: r.id, Count: r.moved(moved)}
	if failed != "" {
		n.Fact, n.Reason = PushFailed, failed
	}
	out.add(n)
	s.follow(now, r, moved, out)
	if failed != "" {
		s.onDisk(now, r, in.Disk, out)
	}
	brings := slices.ContainsFunc(moved, func(c gitproto.Command) bool { return !c.New.IsZero() })
	if brings {
		s.siblings.gained(r.id)
	}
	s.lookBegins(now, r, &look{repo: r, pinned: p.pinned, brings: brings}, out)
}

// told returns which commands a report says are carried out, and the first reason why not all of them are, "" if they are.
func told(commands []gitproto.Command, report gitstore.Report) (moved []gitproto.Command, failed string) {
	if report.Unpack != gitstore.UnpackOK {
		failed = report.Unpack
	}
	for i, c := range commands {
		if i < len(report.Results) && report.Results[i].OK {
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

// hosted reports whether an accepted announcement that lists this service and has not lost its repository is at id.
func (s *Server) hosted(id repo.ID) bool {
	a, ok := s.announced[id]
	return ok && !a.vouched && !a.soft
}

func sortedPushes(m map[PushID]*pushing) []PushID { return slices.Sorted(maps.Keys(m)) }
