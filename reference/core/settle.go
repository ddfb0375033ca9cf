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
	asked  []*purgatory.Entry // held states of authors in the set, oldest first, when the question was asked
	kept   *repo.State        // the latest stored state at that time
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
	}
	var oids []repo.OID
	for _, entry := range set.asked {
		oids = append(oids, entry.State.OIDs()...)
	}
	if set.kept != nil && !r.aligned(set.kept) {
		oids = append(oids, set.kept.OIDs()...)
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

// settleFacts judges again what was asked, with the authority of this instant, and moves refs if the latest of the
// states that are here wants them elsewhere. Git first: states are released when the refs have moved.
func (s *Server) settleFacts(now instant.Instant, set *settling, missing []repo.OID, out *Effects) {
	r := set.repo
	if !r.created || !s.hosted(r.id) {
		s.settleDone(now, set, nil, out)
		return
	}
	keys := s.maintainers(r.id)
	slices.Sort(missing)
	here := func(state *repo.State) bool {
		for _, oid := range state.OIDs() {
			if _, is := slices.BinarySearch(missing, oid); is {
				return false
			}
		}
		// A state without refs declares no data: it can empty a served repository, never start one (REF-PURG-20).
		return len(state.Refs) > 0 || s.announced[r.id].stored
	}
	var ready []*purgatory.Entry
	winner := s.latestStored(keys, r.id.Identifier)
	if winner != nil && winner != set.kept {
		winner, set.kept = nil, winner // stored meanwhile by another repository: its objects were not asked for
	}
	newest := winner
	if newest == nil {
		newest = set.kept
	}
	for _, entry := range set.asked {
		if s.held.Get(entry.Event.ID) != entry || !slices.Contains(keys, entry.State.Author) || !here(entry.State) {
			continue
		}
		ready = append(ready, entry)
		if newest == nil || repo.Newer(entry.Event, newest.Event) {
			winner, newest = entry.State, entry.State
		}
	}
	if winner == nil || r.aligned(winner) || !here(winner) {
		s.settleDone(now, set, ready, out)
		return
	}
	commands, head := push.Align(r.refs, winner.Refs), headFor(winner, r.head)
	request := s.ask(func(now instant.Instant, a answer, out *Effects) {
		s.settleMoved(now, set, ready, commands, head, a.ok, out)
	})
	out.add(UpdateRefs{Request: request, Repo: r.id, Commands: commands, Head: head})
}

func (s *Server) settleMoved(now instant.Instant, set *settling, ready []*purgatory.Entry, commands []gitproto.Command,
	head string, ok bool, out *Effects,
) {
	r := set.repo
	if !ok {
		// Nothing was moved, so nothing is released; what waits stays held and is looked at again.
		out.add(Note{Fact: RepositoryBroken, Repo: r.id, Reason: "update refs"})
		s.settleDone(now, set, nil, out)
		return
	}
	r.head = head
	out.add(Note{Fact: RefsMoved, Repo: r.id, Count: r.moved(commands)})
	s.settleDone(now, set, ready, out)
}

// settleDone releases what is ready, promotes the announcement if it has data now, answers and frees the repository.
func (s *Server) settleDone(now instant.Instant, set *settling, ready []*purgatory.Entry, out *Effects) {
	r := set.repo
	var released []*purgatory.Entry
	for _, entry := range ready {
		// While refs moved an entry may have been released by another repository, or have lost its authority.
		if s.held.Get(entry.Event.ID) == entry && slices.Contains(s.maintainers(r.id), entry.State.Author) {
			released = append(released, entry)
		}
	}
	promoted := s.promote(r, released, out)
	for i, entry := range released {
		overtaken := slices.ContainsFunc(released[i+1:], func(later *purgatory.Entry) bool {
			return later.State.Author == entry.State.Author
		})
		if !overtaken { // else it is dropped with the release of the later one (G01-PURG-18)
			s.releaseState(now, entry, out)
		}
	}
	if promoted {
		s.promoteVouched(r.id.Identifier, out)
	}
	for _, e := range set.pinned {
		s.held.Unpin(e)
	}
	for _, j := range set.waits {
		s.judged(now, j, out)
	}
	if promoted || len(released) > 0 {
		s.settleOthers(now, r, released, out)
	}
	s.release(now, r, out)
}

// settleOthers looks at the other repositories that a released state governs: what they hold may be enough for it.
func (s *Server) settleOthers(now instant.Instant, r *repository, released []*purgatory.Entry, out *Effects) {
	for _, owner := range slices.Clone(s.owners[r.id.Identifier]) {
		id := repo.ID{Owner: owner, Identifier: r.id.Identifier}
		other := s.repositories[id]
		if other == nil || other == r || !s.hosted(id) {
			continue
		}
		keys := s.maintainers(id)
		if slices.ContainsFunc(released, func(e *purgatory.Entry) bool { return slices.Contains(keys, e.State.Author) }) {
			s.settle(now, other, nil, out)
		}
	}
}

// releaseState moves a state from purgatory to the store.
func (s *Server) releaseState(now instant.Instant, entry *purgatory.Entry, out *Effects) {
	conns, judged := []ConnID(nil), s.judging[entry.Event.ID]
	if judged != nil {
		conns = judged.conns
		s.conclude(judged)
	}
	key := repo.ID{Owner: entry.State.Author, Identifier: entry.State.Identifier}
	s.held.Drop(entry)
	if text := s.save(entry.Event, EventReleased, out); text != "" {
		out.add(Record{Op: OpDrop, ID: entry.Event.ID})
		n := note(EventReplaced, entry.Event)
		n.Reason = text
		out.add(n)
		s.reply(conns, entry.Event.ID, false, text, out)
		return
	}
	s.states[key] = entry.State
	if judged != nil { // it arrives only now; one that was held has extended them when it came (REF-PURG-05)
		s.extendVouchers(now, entry.State, out)
	}
	s.reply(conns, entry.Event.ID, true, "", out)
	s.broadcast(entry.Event, out)
	s.dropOvertaken(key, entry.Event.ID, out)
}

// dropOvertaken drops held states of an author that are older than the one just stored, unless their answer is open.
func (s *Server) dropOvertaken(key repo.ID, stored string, out *Effects) {
	for _, entry := range slices.Clone(s.held.States(key.Identifier)) {
		if entry.State.Author != key.Owner || s.judging[entry.Event.ID] != nil || entry.Event.ID == stored {
			continue
		}
		if !repo.Newer(entry.Event, s.states[key].Event) {
			s.drop(entry, EventReplaced, out)
		}
	}
}

// promote serves a held announcement whose repository has a branch or tag that a stored or just released state of its
// maintainer set declares (REF-PURG-20).
func (s *Server) promote(r *repository, released []*purgatory.Entry, out *Effects) bool {
	entry := s.held.Announcement(r.id)
	if entry == nil || entry.Vouched {
		return false
	}
	declared := func(state *repo.State) bool {
		return state != nil && slices.ContainsFunc(r.refs, func(ref repo.Ref) bool {
			oid, ok := state.Lookup(ref.Name)
			return ok && oid == ref.OID
		})
	}
	for _, key := range s.maintainers(r.id) {
		is := declared(s.states[repo.ID{Owner: key, Identifier: r.id.Identifier}])
		for _, e := range released {
			is = is || e.State.Author == key && declared(e.State)
		}
		if is {
			s.promoteEntry(entry, out)
			return true
		}
	}
	return false
}

func (s *Server) promoteEntry(entry *purgatory.Entry, out *Effects) {
	if text := s.save(entry.Event, EventReleased, out); text != "" {
		return // the store keeps a newer one; this one expires
	}
	s.held.Drop(entry)
	s.announce(announced{Announcement: *entry.Announcement, stored: true, vouched: entry.Vouched})
	s.broadcast(entry.Event, out)
}

// promoteVouched serves the held announcements that a served one vouches for now (G01-ANN-14).
func (s *Server) promoteVouched(identifier string, out *Effects) {
	for _, owner := range slices.Clone(s.owners[identifier]) {
		id := repo.ID{Owner: owner, Identifier: identifier}
		if entry := s.held.Announcement(id); entry != nil && entry.Vouched && s.vouchedByStored(id) {
			s.promoteEntry(entry, out)
		}
	}
}
