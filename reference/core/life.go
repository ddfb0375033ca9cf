package core

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/purgatory"
	"github.com/graspkit/graspkit/reference/repo"
)

// The life of an event that needs git data, from top to bottom: it arrives and is held without an answer, the repositories
// that may have its data are looked at, what they lack is sought and copied, refs are moved, the event is released and
// served; or it is answered as held, and a later look releases it.

// stateArrived takes a state event into purgatory without saying so yet, looks whether its objects are in a repository
// of an owner who authorizes it, and answers when all of them have been asked (G01-PURG-02, G01-PURG-09).
func (s *Server) stateArrived(now instant.Instant, conns []ConnID, ev *nostr.Event, out *Effects) {
	state, reason := repo.ParseState(ev)
	if reason != "" {
		s.refuseEvent(conns, ev, rule("N34-ST-01", "invalid", reason), out)
		return
	}
	if r := policy.State(view{s}, state); !r.Accepted() {
		s.refuseEvent(conns, ev, r, out)
		return
	}
	if s.overtaken(&state) {
		s.refuseEvent(conns, ev, rule("G01-LAT-02", "", textNewerStored), out)
		return
	}
	if r, full := s.full(ev); full {
		s.refuseEvent(conns, ev, r, out)
		return
	}
	entry := &purgatory.Entry{Event: ev, State: &state, Arrived: now, Deadline: now.Add(s.cfg.PurgatoryLife)}
	owners := policy.Authorizing(view{s}, state.Author, state.Identifier)
	where := make([]repo.ID, len(owners))
	for i, owner := range owners {
		where[i] = repo.ID{Owner: owner, Identifier: state.Identifier}
	}
	s.judge(now, conns, entry, where, out)
}

// judge holds an entry that is not answered yet and looks at the repositories that may have its data.
func (s *Server) judge(now instant.Instant, conns []ConnID, entry *purgatory.Entry, where []repo.ID, out *Effects) {
	s.await(entry)
	s.held.Pin(entry) // until it is answered
	j := &judging{event: entry.Event, conns: conns, entry: entry, left: 1}
	s.judging[entry.Event.ID] = j
	for _, id := range where {
		r, soft := s.repository(id), s.announced[id].soft
		if soft {
			j.tried = append(j.tried, id)
		}
		if r.pushes > 0 {
			r.owed = true // the push ends with a look at all that is held; no answer waits for what git does
			if soft {
				s.revive(now, r, j.apart(), out)
			}
			continue
		}
		at := s.look
		if soft {
			at = s.revive
		}
		j.left++ // it may end at once
		if !at(now, r, j, out) {
			j.left--
		}
	}
	s.judged(now, j, out)
}

// judged notes that one more repository has been looked at. After the last one an event that is still held is answered
// as such.
func (s *Server) judged(now instant.Instant, j *judging, out *Effects) {
	j.left--
	if j.left > 0 || j.done {
		return
	}
	state := j.entry.State
	if state != nil && s.reviveLate(now, j, out) {
		return
	}
	if state != nil && s.cfg.Manner.StatesAtOnce && !s.overtaken(state) {
		s.releaseState(now, j.entry, out)
		return
	}
	s.conclude(j)
	if s.answeredTooLate(now, j, out) {
		return
	}
	if state != nil && s.overtaken(state) {
		s.held.Drop(j.entry)
		s.refuseEvent(j.conns, j.event, rule("G01-PURG-18", "", textNewerStored), out)
		return
	}
	if j.entry.PullRequest != nil && s.cfg.Manner.PullRequestsAtOnce {
		s.pullRequestAtOnce(now, j, out)
		return
	}
	s.recordHeld(j.entry, out)
	s.accountHeld(j.event, out)
	if state != nil {
		s.extendVouchers(now, state, out)
	}
	s.reply(j.conns, j.event.ID, true, textHeld, out)
}

// look queues a look at a repository; j, if not nil, waits for it. It returns false if there is nothing to look at.
func (s *Server) look(now instant.Instant, r *repository, j *judging, out *Effects) bool {
	if !r.there() && r.task == nil {
		s.next(now, r, out)
		return false
	}
	t, joins := r.queued(taskLook), true
	if t == nil {
		t, joins = &task{kind: taskLook}, false
	}
	if j != nil {
		t.waits = append(t.waits, j)
	}
	if !joins {
		s.insist(now, r, t, out)
	}
	return true
}

// lookAtAll looks at every repository of an identifier: there is data that any of them may wait for.
func (s *Server) lookAtAll(now instant.Instant, identifier string, out *Effects) {
	for _, owner := range slices.Clone(s.owners[identifier]) {
		id := repo.ID{Owner: owner, Identifier: identifier}
		if r := s.repositories[id]; r != nil && s.hosted(id) {
			s.look(now, r, nil, out)
		}
	}
}

// lookBegins asks which objects are missing. The task is under way until the end of the look.
func (s *Server) lookBegins(now instant.Instant, r *repository, begun look, out *Effects) {
	r.task.look, r.owed = begun, false
	l := &r.task.look
	if r.there() && !r.unknown && s.hosted(r.id) {
		keys := s.maintainers(r.id)
		held := s.held.States(r.id.Identifier)
		for _, entry := range held {
			if slices.Contains(keys, entry.State.Author) {
				if l.asked == nil {
					l.asked = make([]*purgatory.Entry, 0, len(held))
				}
				l.asked = append(l.asked, entry)
			}
		}
		l.kept = s.latestStored(keys, r.id.Identifier)
		l.pulls = s.pullsFor(r)
	}
	if oids := l.wanted(); len(oids) > 0 && !r.id.IsContribution() { // a ref there says all
		out.add(AskObjects{Request: s.wait(r, asking), Repo: r.id, OIDs: oids})
		return
	}
	s.lookAsked(now, r, nil, out)
}

// lookAsked asks the other repositories for what this one lacks.
func (s *Server) lookAsked(now instant.Instant, r *repository, missing []repo.OID, out *Effects) {
	l := &r.task.look
	l.missing = missing
	s.huntAsked(l)
	if len(missing) > 0 && s.hosted(r.id) && s.siblings.mayCopy(r.id) {
		l.sources = s.sources(l)
	}
	if len(l.sources) == 0 || s.siblings.asked+len(l.sources) > SeekingMax {
		s.lookFound(now, r, out)
		return
	}
	l.left = len(l.sources)
	s.siblings.asked += l.left
	for i, id := range l.sources {
		out.add(AskObjects{Request: s.waitFor(r, seeking, i), Repo: id, OIDs: s.soughtIn(id, l)})
	}
}

// lookSought takes the answer of one of the others. The first of the sources that has an object gives it.
func (s *Server) lookSought(now instant.Instant, r *repository, source int, missing []repo.OID, out *Effects) {
	l := &r.task.look
	s.siblings.asked--
	for _, oid := range s.soughtIn(l.sources[source], l) {
		_, lacks := slices.BinarySearch(missing, oid)
		if first, known := l.elsewhere[oid]; !lacks && (!known || source < first) {
			if l.elsewhere == nil {
				l.elsewhere = map[repo.OID]int{}
			}
			l.elsewhere[oid] = source
		}
	}
	if l.left--; l.left == 0 {
		r.phase = idle
		s.lookFound(now, r, out)
	}
}

// lookFound judges again what was asked, with the authority of this instant, and moves refs if the latest of the
// states that are complete, or a pull request, wants them elsewhere. What they need of other repositories is copied
// first. Git first: events are released when the refs have moved.
func (s *Server) lookFound(now instant.Instant, r *repository, out *Effects) {
	l := &r.task.look
	l.nothing()
	s.withheld(l)
	if !r.there() || r.unknown || !s.hosted(r.id) {
		s.lookEnds(now, r, out)
		return
	}
	s.lookForStates(l)
	s.mannered(l, s.maintainers(r.id))
	s.lookForPulls(l)
	switch {
	case len(l.lacks) > 0:
		s.copyObjects(now, r, out)
	case len(l.commands) == 0 && l.head == "":
		s.lookEnds(now, r, out)
	default:
		out.add(UpdateRefs{Request: s.wait(r, swapping), Repo: r.id, Commands: l.commands, Head: l.head})
	}
}

// lookSwapped takes over refs that have moved. Where that failed nothing is released: what waits stays held, and is looked
// at again in a while.
func (s *Server) lookSwapped(now instant.Instant, r *repository, in RepositoryDone, out *Effects) {
	l := &r.task.look
	if !in.OK {
		l.nothing()
		s.retry(now, r)
		s.onDisk(now, r, in.Disk, out)
		s.lookEnds(now, r, out)
		return
	}
	if l.head != "" {
		r.head = l.head
	}
	out.add(Note{Fact: RefsMoved, Repo: r.id, Count: r.moved(l.commands)})
	s.departs(now, r, l.commands)
	for _, c := range l.commands {
		if event, ok := repo.PullRequestOf(c.Ref); ok && c.New.IsZero() {
			s.forgetPlaceholder(r, event, out)
		}
	}
	if s.forsaken(l) {
		s.look(now, r, nil, out) // behind this one, for what else there is
		if l.back() {
			out.add(UpdateRefs{Request: s.wait(r, swapping), Repo: r.id, Commands: l.commands, Head: l.head})
			return
		}
	}
	s.lookEnds(now, r, out)
}

// lookEnds releases what is ready, promotes the announcement if it has data now, answers and frees the repository.
func (s *Server) lookEnds(now instant.Instant, r *repository, out *Effects) {
	l := &r.task.look
	s.huntLooked(l)
	var released []*purgatory.Entry
	for _, entry := range l.states {
		// While refs moved an entry may have been released by another repository, or have lost its authority, and the
		// repository itself may have been withdrawn: then others decide.
		if s.speaks(entry) && s.hosted(r.id) && slices.Contains(s.maintainers(r.id), entry.State.Author) {
			released = append(released, entry)
		}
	}
	promoted := s.promote(now, r, released, out)
	for i, entry := range released {
		overtaken := slices.ContainsFunc(released[i+1:], func(later *purgatory.Entry) bool {
			return later.State.Author == entry.State.Author
		})
		if !overtaken { // else it is dropped with the release of the later one (G01-PURG-18)
			s.releaseState(now, entry, out)
		}
	}
	if promoted {
		s.promoteVouched(now, r.id.Identifier, out)
	}
	for _, pr := range l.complete {
		switch oid := r.at(pr.Ref()); {
		case s.waits(r, pr):
			s.releasePull(now, r, pr, out)
		case oid == pr.Commit && !s.meant(r, pr.Event.ID, oid): // it went while its ref came
			s.startClock(now, r, pr.Event.ID, s.cfg.PlaceholderLife, out)
		}
	}
	for _, e := range l.pinned {
		s.held.Unpin(e)
	}
	for _, j := range l.waits {
		s.judged(now, j, out)
	}
	if promoted || len(released) > 0 || l.brings {
		s.lookAtOthers(now, l, released, out)
	}
	if promoted && (len(s.pullsFor(r)) > 0 || s.holdsEmpty(r)) {
		s.look(now, r, nil, out) // it has become a repository that pull requests may be for, after they were asked about
	}
	s.finish(now, r, out)
}

// lookAtOthers looks at the other repositories that a released state governs, and at all of the identifier if a push
// has brought data that they may wait for: what there is may be enough for them (G01-XR-01, G01-PURG-22).
func (s *Server) lookAtOthers(now instant.Instant, l *look, released []*purgatory.Entry, out *Effects) {
	r := l.repo
	owners := s.owners[r.id.Identifier]
	if len(owners) == 1 {
		return
	}
	for _, owner := range slices.Clone(owners) {
		id := repo.ID{Owner: owner, Identifier: r.id.Identifier}
		other := s.repositories[id]
		if other == nil || other == r || !s.hosted(id) {
			continue
		}
		keys := s.maintainers(id)
		governed := func(e *purgatory.Entry) bool { return slices.Contains(keys, e.State.Author) }
		if l.brings || slices.ContainsFunc(released, governed) {
			s.look(now, other, nil, out)
		}
	}
}

// releaseState moves a state from purgatory to the store.
func (s *Server) releaseState(now instant.Instant, entry *purgatory.Entry, out *Effects) {
	arrives := s.judging[entry.Event.ID]
	conns := s.concludeEntry(entry)
	key := repo.ID{Owner: entry.State.Author, Identifier: entry.State.Identifier}
	s.held.Drop(entry)
	text := ""
	if s.olderThanDeleted(entry.Event) {
		text = ruleDeleted.Text()
	} else {
		text = s.saveHeld(entry.Event, out)
	}
	if text != "" {
		s.unreleased(entry, conns, text, out)
		return
	}
	s.states[key] = entry.State
	s.forgetDeleted(slotOf(entry.Event), out)
	if arrives != nil { // it arrives only now; one that was held has extended them when it came (REF-PURG-05)
		s.extendVouchers(now, entry.State, out)
		s.reviveBehind(now, arrives, out)
	}
	s.reply(conns, entry.Event.ID, true, "", out)
	s.broadcast(entry.Event, out)
	s.dropOvertaken(key, entry.Event.ID, out)
}

// unreleased ends an entry that the store does not take; it is held no more.
func (s *Server) unreleased(entry *purgatory.Entry, conns []ConnID, text string, out *Effects) {
	s.hunting.answered(entry.Event.ID)
	s.replicating.answered(entry.Event.ID)
	out.add(Record{Op: OpDrop, ID: entry.Event.ID})
	n := note(EventReplaced, entry.Event)
	n.Reason = text
	out.add(n)
	s.reply(conns, entry.Event.ID, false, text, out)
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

// concludeEntry ends the judging of an entry, if it is under way, and returns who waits for the answer.
func (s *Server) concludeEntry(entry *purgatory.Entry) []ConnID {
	j := s.judging[entry.Event.ID]
	if j == nil {
		return nil
	}
	s.conclude(j)
	return j.conns
}

// conclude ends the judging of an event; its answer follows.
func (s *Server) conclude(j *judging) {
	j.done = true
	delete(s.judging, j.event.ID)
	s.held.Unpin(j.entry)
}
