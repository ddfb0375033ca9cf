package core

import (
	"slices"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/purgatory"
	"github.com/graspkit/graspkit/reference/push"
	"github.com/graspkit/graspkit/reference/repo"
)

// A look finds out what the git data of one repository releases: held states whose objects are all there, the alignment
// of its refs with the latest state, the promotion of its announcement. It follows a push, a state, an announcement and
// the start.
type look struct {
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
	left      int              // of those, that have not answered
	elsewhere map[repo.OID]int // which of sources has one of them
	lacks     []repo.OID       // what must be copied before anything else
	copies    []repo.OID       // what is being copied

	// What came of it: events that can be released, and how refs must move before.
	states   []*purgatory.Entry
	complete []*repo.PullRequest
	commands []gitproto.Command
	head     string      // where HEAD goes, "" if it stays
	from     string      // where it was
	leader   *repo.State // the state that branches and tags move for, or are as it declares
}

// nothing is the end of a look that found nothing to do.
func (l *look) nothing() {
	l.states, l.complete, l.commands, l.head, l.lacks, l.leader = nil, nil, nil, "", nil, nil
}

// back has branches, tags and HEAD go back to where they were before they moved, and nothing be released for them. It returns
// false if none of them has moved.
func (l *look) back() bool {
	l.leader, l.states = nil, nil
	var commands []gitproto.Command
	for _, c := range l.commands {
		if push.Declarable(c.Ref) {
			commands = append(commands, gitproto.Command{Ref: c.Ref, Old: c.New, New: c.Old})
		}
	}
	if l.commands = commands; l.head != "" {
		l.head = l.from
	}
	return len(commands) > 0 || l.head != ""
}

// wanted lists the objects that the look asks for, sorted.
func (l *look) wanted() []repo.OID {
	var keeps []repo.Ref
	if l.kept != nil && !l.repo.aligned(l.kept) {
		keeps = l.kept.Refs
	}
	n := len(keeps) + len(l.pulls)
	for _, entry := range l.asked {
		n += len(entry.State.Refs)
	}
	if n == 0 {
		return nil
	}
	oids := make([]repo.OID, 0, n)
	for _, entry := range l.asked {
		for _, ref := range entry.State.Refs {
			oids = append(oids, ref.OID)
		}
	}
	for _, ref := range keeps {
		oids = append(oids, ref.OID)
	}
	for _, pr := range l.pulls {
		oids = append(oids, pr.Commit)
	}
	slices.Sort(oids)
	return slices.Compact(oids)
}

// here reports whether the repository has an object.
func (l *look) here(oid repo.OID) bool {
	_, lacks := slices.BinarySearch(l.missing, oid)
	return !lacks
}

// has reports whether the repository has an object, or can get it from another one.
func (l *look) has(oid repo.OID) bool {
	_, elsewhere := l.elsewhere[oid]
	return elsewhere || l.here(oid)
}

// need notes that an object must be here before refs move.
func (l *look) need(oid repo.OID) {
	if !l.here(oid) && !slices.Contains(l.lacks, oid) {
		l.lacks = append(l.lacks, oid)
	}
}

// lookForStates finds the states whose objects are all here or elsewhere, and the commands that the latest of them asks
// for, with the objects that it needs.
func (s *Server) lookForStates(l *look) {
	r, keys := l.repo, s.maintainers(l.repo.id)
	complete := func(state *repo.State) bool {
		for _, ref := range state.Refs {
			if !l.has(ref.OID) {
				return false
			}
		}
		// A state without refs declares no data: it can empty a served repository, never start one (REF-PURG-20).
		return len(state.Refs) > 0 || s.announced[r.id].stored
	}
	winner := s.latestStored(keys, r.id.Identifier)
	kept := l.kept
	if winner != kept {
		winner, kept = nil, winner // another one was stored meanwhile, whose objects were not asked for; or none counts any more
	}
	newest := s.floor(keys, r.id.Identifier)
	if kept != nil && (newest == nil || repo.Newer(kept.Event, newest)) {
		newest = kept.Event
	} else {
		winner = nil
	}
	for _, entry := range l.asked {
		if !s.speaks(entry) || !slices.Contains(keys, entry.State.Author) || !complete(entry.State) {
			continue
		}
		l.states = append(l.states, entry)
		if newest == nil || repo.Newer(entry.Event, newest) {
			winner, newest = entry.State, entry.Event
		}
	}
	l.leader = winner
	// One that is stored starts nothing: it empties what is kept from an earlier announcement, too.
	if winner != nil && !r.aligned(winner) && (complete(winner) || winner == kept && len(winner.Refs) == 0) {
		l.commands, l.head, l.from = push.Align(r.refs, winner.Refs), headFor(winner, r.head), r.head
		for _, ref := range winner.Refs {
			l.need(ref.OID)
		}
	}
}

// lookForPulls finds the pull requests whose commit is here or elsewhere, with the commands that bring their refs there. A ref that
// was pushed with another commit goes: the event wins (G01-PR-06, REF-PURG-19).
func (s *Server) lookForPulls(l *look) {
	if l.repo.id.IsContribution() {
		s.lookForContributions(l)
		return
	}
	for _, pr := range l.pulls {
		if !s.waits(l.repo, pr) {
			continue
		}
		c := gitproto.Command{Ref: pr.Ref(), Old: l.repo.at(pr.Ref()), New: repo.ZeroOID}
		if l.has(pr.Commit) {
			l.need(pr.Commit)
			l.complete = append(l.complete, pr)
			c.New = pr.Commit
		}
		if c.Old != c.New {
			l.commands = append(l.commands, c)
		}
	}
}

// sources lists the repositories that a look asks for what its own lacks: siblings, and those that have the ref of a
// pull request that is for both. Places for contributions come last and take nobody's turn.
func (s *Server) sources(l *look) []repo.ID {
	r := l.repo
	var list, places []repo.ID
	add := func(id repo.ID) {
		other := s.repositories[id]
		if len(list) < SiblingsAsked && other != nil && other != r && other.there() && other.phase != removing && other.data &&
			s.hosted(id) && !slices.Contains(list, id) {
			list = append(list, id)
		}
	}
	for _, pr := range l.pulls {
		if _, lacks := slices.BinarySearch(l.missing, pr.Commit); !lacks || !s.waits(r, pr) {
			continue
		}
		policy.EachConcerned(view{s}, *pr, func(id repo.ID) {
			switch other := s.repositories[id]; {
			case other == nil || other.at(pr.Ref()) != pr.Commit:
			case !id.IsContribution():
				add(id)
			case len(places) < SiblingsAsked && other != r && other.there() && other.phase != removing && !slices.Contains(places, id):
				places = append(places, id)
			}
		})
	}
	for _, owner := range s.maintainers(r.id) {
		add(repo.ID{Owner: owner, Identifier: r.id.Identifier})
	}
	for _, id := range s.siblings.recent[r.id.Identifier] {
		add(id)
	}
	return append(list, places...)
}

// forsaken reports whether the state that refs have moved for went in the meantime: its author had it deleted, or it is over, or counts for the
// repository no more. What is refused or counts for nothing has no effect (INV-03, G01-MNT-03), so its refs go back.
func (s *Server) forsaken(l *look) bool {
	state := l.leader
	if state == nil || !s.hosted(l.repo.id) {
		return false
	}
	entry := s.held.Get(state.Event.ID)
	there := entry != nil && s.speaks(entry) || s.store.Get(state.Event.ID) != nil || s.overtaken(state)
	return !there || !slices.Contains(s.maintainers(l.repo.id), state.Author)
}
