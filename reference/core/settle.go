package core

import (
	"slices"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/purgatory"
	"github.com/graspkit/graspkit/reference/push"
	"github.com/graspkit/graspkit/reference/repo"
)

// A settling looks at one repository for what its git data releases: held states whose objects are all there, the
// alignment of its refs with the latest state, the promotion of its announcement. It runs after a push, when a state
// or an announcement has come, and at start.
type settling struct {
	repo  *repository
	waits []*judging
	// What authorized the push that brought the data: it stays until the end, whatever its deadline (REF-PURG-07).
	pinned []*purgatory.Entry
	asked  []*purgatory.Entry  // held states of authors in the set, oldest first, when the question was asked
	kept   *repo.State         // the latest stored state at that time
	pulls  []*repo.PullRequest // whose commit was asked for
	brings bool                // a push has brought data: the siblings are looked at too

	missing   []repo.OID       // sorted: what of the objects that were asked for is not here
	sources   []repo.ID        // repositories that were asked for them
	elsewhere map[repo.OID]int // which of sources has one of them
	lacks     []repo.OID       // what must be copied before anything else

	// What came of it: events that can be released, and how refs must move before.
	states   []*purgatory.Entry
	complete []*repo.PullRequest
	commands []gitproto.Command
	head     string // where HEAD goes, "" if it stays
}

// nothing is the end of a look that found nothing to do.
func (set *settling) nothing() {
	set.states, set.complete, set.commands, set.head, set.lacks = nil, nil, nil, "", nil
}

// settle queues a look at a repository; j, if not nil, waits for it. It returns false if there is nothing to look at
// or too much waits.
func (s *Server) settle(now instant.Instant, r *repository, j *judging, out *Effects) bool {
	if r.settle != nil {
		if j != nil {
			r.settle.waits = append(r.settle.waits, j)
		}
		return true
	}
	if !r.created && !r.busy {
		s.next(now, r, out)
		return false
	}
	queued := &job{}
	if j != nil {
		queued.waits = append(queued.waits, j)
	}
	r.settle = queued
	queued.start = func(now instant.Instant, out *Effects) {
		r.settle = nil
		s.settleNow(now, &settling{repo: r, waits: queued.waits}, out)
	}
	// It joins any look that is queued already, so at most one counts beyond the limit.
	r.queue = append(r.queue, job{start: func(now instant.Instant, out *Effects) { queued.start(now, out) }})
	s.next(now, r, out)
	return true
}

// settleAll looks at every repository of an identifier: maintainer sets have changed.
func (s *Server) settleAll(now instant.Instant, identifier string, out *Effects) {
	for _, owner := range slices.Clone(s.owners[identifier]) {
		id := repo.ID{Owner: owner, Identifier: identifier}
		if r := s.repositories[id]; r != nil && s.hosted(id) {
			s.settle(now, r, nil, out)
		}
	}
}

// settleNow asks which objects are missing. The repository is busy and stays so until the end.
func (s *Server) settleNow(now instant.Instant, set *settling, out *Effects) {
	r := set.repo
	if r.created && s.hosted(r.id) {
		keys := s.maintainers(r.id)
		for _, entry := range s.held.States(r.id.Identifier) {
			if slices.Contains(keys, entry.State.Author) {
				set.asked = append(set.asked, entry)
			}
		}
		set.kept = s.latestStored(keys, r.id.Identifier)
		set.pulls = s.pullsFor(r)
	}
	var oids []repo.OID
	for _, entry := range set.asked {
		for _, ref := range entry.State.Refs {
			oids = append(oids, ref.OID)
		}
	}
	if set.kept != nil && !r.aligned(set.kept) {
		for _, ref := range set.kept.Refs {
			oids = append(oids, ref.OID)
		}
	}
	for _, pr := range set.pulls {
		oids = append(oids, pr.Commit)
	}
	slices.Sort(oids)
	oids = slices.Compact(oids)
	if len(oids) == 0 {
		s.settleFacts(now, set, nil, out)
		return
	}
	request := s.ask(func(now instant.Instant, a answer, out *Effects) { s.settleFacts(now, set, a.missing, out) })
	out.add(AskObjects{Request: request, Repo: r.id, OIDs: oids})
}

func (s *Server) settleFacts(now instant.Instant, set *settling, missing []repo.OID, out *Effects) {
	slices.Sort(missing)
	set.missing = missing
	s.seek(now, set, out)
}

// settleFound judges again what was asked, with the authority of this instant, and moves refs if the latest of the
// states that are complete, or a pull request, wants them elsewhere. What they need of other repositories is copied
// first. Git first: events are released when the refs have moved.
func (s *Server) settleFound(now instant.Instant, set *settling, out *Effects) {
	r := set.repo
	set.nothing()
	if !r.created || !s.hosted(r.id) {
		s.settleDone(now, set, out)
		return
	}
	s.settleStates(set)
	s.mannered(set, s.maintainers(r.id))
	s.settlePulls(set)
	if len(set.lacks) > 0 {
		s.fetch(now, set, out)
		return
	}
	if len(set.commands) == 0 && set.head == "" {
		s.settleDone(now, set, out)
		return
	}
	request := s.ask(func(now instant.Instant, a answer, out *Effects) { s.settleMoved(now, set, a.ok, out) })
	out.add(UpdateRefs{Request: request, Repo: r.id, Commands: set.commands, Head: set.head})
}

// settleStates finds the states whose objects are all here or elsewhere, and the commands that the latest of them asks
// for, with the objects that it needs.
func (s *Server) settleStates(set *settling) {
	r, keys := set.repo, s.maintainers(set.repo.id)
	complete := func(state *repo.State) bool {
		for _, ref := range state.Refs {
			if !set.has(ref.OID) {
				return false
			}
		}
		// A state without refs declares no data: it can empty a served repository, never start one (REF-PURG-20).
		return len(state.Refs) > 0 || s.announced[r.id].stored
	}
	winner := s.latestStored(keys, r.id.Identifier)
	kept := set.kept
	if winner != nil && winner != kept {
		winner, kept = nil, winner // stored meanwhile by another repository: its objects were not asked for
	}
	newest := s.floor(keys, r.id.Identifier)
	if kept != nil && (newest == nil || repo.Newer(kept.Event, newest)) {
		newest = kept.Event
	} else {
		winner = nil
	}
	for _, entry := range set.asked {
		if s.held.Get(entry.Event.ID) != entry || !slices.Contains(keys, entry.State.Author) || !complete(entry.State) {
			continue
		}
		set.states = append(set.states, entry)
		if newest == nil || repo.Newer(entry.Event, newest) {
			winner, newest = entry.State, entry.Event
		}
	}
	if winner != nil && !r.aligned(winner) && complete(winner) {
		set.commands, set.head = push.Align(r.refs, winner.Refs), headFor(winner, r.head)
		for _, ref := range winner.Refs {
			set.need(ref.OID)
		}
	}
}

// settlePulls finds the pull requests whose commit is here or elsewhere, with the commands that bring their refs there. A ref that
// was pushed with another commit goes: the event wins (G01-PR-06, REF-PURG-19).
func (s *Server) settlePulls(set *settling) {
	for _, pr := range set.pulls {
		if !s.waits(set.repo, pr) {
			continue
		}
		c := gitproto.Command{Ref: pr.Ref(), Old: set.repo.at(pr.Ref()), New: repo.ZeroOID}
		if set.has(pr.Commit) {
			set.need(pr.Commit)
			set.complete = append(set.complete, pr)
			c.New = pr.Commit
		}
		if c.Old != c.New {
			set.commands = append(set.commands, c)
		}
	}
}

func (s *Server) settleMoved(now instant.Instant, set *settling, ok bool, out *Effects) {
	r := set.repo
	if !ok {
		// Nothing was moved, so nothing is released; what waits stays held and is looked at again.
		out.add(Note{Fact: RepositoryBroken, Repo: r.id, Reason: "update refs"})
		set.nothing()
		s.settleDone(now, set, out)
		return
	}
	if set.head != "" {
		r.head = set.head
	}
	out.add(Note{Fact: RefsMoved, Repo: r.id, Count: r.moved(set.commands)})
	for _, c := range set.commands {
		if event, ok := repo.PullRequestOf(c.Ref); ok && c.New.IsZero() {
			s.forgetPlaceholder(r, event, out)
		}
	}
	s.settleDone(now, set, out)
}
