package core

import (
	"maps"
	"slices"

	"github.com/graspkit/graspkit/reference/hunt"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/purgatory"
	"github.com/graspkit/graspkit/reference/repo"
)

// huntFor brings the queue up to date with what an identifier needs.
func (s *Server) huntFor(now instant.Instant, identifier string, out *Effects) {
	x := &s.hunting
	w := hunt.Want{Identifier: identifier, Needs: s.huntNeeds(identifier)}
	delay, fresh := x.fresh[identifier]
	if x.restart[identifier] {
		delay, fresh = 0, true
	}
	ok := false
	if fresh {
		ok = x.queue.Add(now, w, delay)
	} else {
		ok = x.queue.Update(now, w, s.cfg.Hunt.UserDelay)
	}
	if !ok {
		out.add(Note{Fact: HuntLeftOut, Repo: repo.ID{Identifier: identifier}})
	}
}

// huntNeeds lists what the held events of an identifier lack, by the repository that it is fetched into: one for each
// event, of an owner who authorizes it (REF-HUNT-19). From there it comes to the others.
func (s *Server) huntNeeds(identifier string) []hunt.Need {
	oids := map[repo.ID][]repo.OID{}
	for _, entry := range s.held.States(identifier) {
		state := entry.State
		var list []repo.OID
		for _, ref := range state.Refs {
			list = append(list, ref.OID)
		}
		own := repo.ID{Owner: state.Author, Identifier: identifier}
		where := []repo.ID{own}
		for _, owner := range policy.Authorizing(view{s}, state.Author, identifier) {
			where = append(where, repo.ID{Owner: owner, Identifier: identifier})
		}
		s.huntEntry(entry, where, list, oids)
	}
	for _, entry := range s.held.PullRequests(identifier) {
		where := []repo.ID{{Identifier: identifier}}
		for _, id := range policy.Concerned(view{s}, *entry.PullRequest) {
			if id.Identifier == identifier {
				where = append(where, id)
			}
		}
		s.huntEntry(entry, where, []repo.OID{entry.PullRequest.Commit}, oids)
	}
	var needs []hunt.Need
	for _, id := range slices.SortedFunc(maps.Keys(oids), repo.ID.Compare) {
		n := hunt.Need{Target: id, OIDs: oids[id]}
		if id.Owner != "" {
			n.URLs = s.huntURLs(id)
		}
		needs = append(needs, n)
	}
	return needs
}

// huntEntry adds what an entry lacks in the first of the repositories that is there. Where none is, or it is about to be
// looked at, the entry stays in the queue without a source, for that may change (INV-09).
func (s *Server) huntEntry(entry *purgatory.Entry, where []repo.ID, all []repo.OID, oids map[repo.ID][]repo.OID) {
	if s.judging[entry.Event.ID] != nil {
		return
	}
	target := repo.ID{Identifier: where[0].Identifier}
	for _, id := range where {
		r := s.repositories[id]
		if r == nil || !r.there() || !s.hosted(id) {
			continue
		}
		lacks, looked := s.hunting.lacks[id][entry.Event.ID]
		switch {
		case looked:
			target, all = id, lacks
		case r.pushes > 0 || slices.Contains(s.hunting.looked[entry.Event.ID], id):
			target = id // a push ends with a look, but may take its time; and nobody looks twice in vain
			s.hunting.note(id, entry.Event.ID, all)
		case r.task == nil && r.queued(taskLook) == nil:
			s.hunting.looks[id] = true
			s.hunting.looked[entry.Event.ID] = append(s.hunting.looked[entry.Event.ID], id)
		}
		break
	}
	if len(all) > 0 {
		oids[target] = append(oids[target], all...)
	}
}

// note keeps what an event lacks in a repository until the next look.
func (x *hunting) note(id repo.ID, event string, all gap) {
	if x.lacks[id] == nil {
		x.lacks[id] = map[string]gap{}
	}
	x.lacks[id][event] = slices.Clone(all)
}

// huntURLs lists where the data of a repository may be: the clone URLs of all announcements of the identifier, those of
// its maintainers first, and those of the pull requests that wait for it. Every event gets its turn, so that none with
// many URLs leaves no place for the others (REF-HUNT-15).
func (s *Server) huntURLs(id repo.ID) []string {
	var lists [][]string
	owners := append(s.maintainers(id), s.owners[id.Identifier]...)
	seen := map[repo.PubKey]bool{}
	for _, owner := range owners {
		if a, ok := s.announced[repo.ID{Owner: owner, Identifier: id.Identifier}]; ok && !seen[owner] {
			seen[owner] = true
			lists = append(lists, a.Clone)
		}
	}
	for _, entry := range s.held.PullRequests(id.Identifier) {
		if s.judging[entry.Event.ID] != nil || !policy.Concerns(view{s}, *entry.PullRequest, id) {
			continue // one that is judged yet may never wait: nobody is asked on its word
		}
		var list []string
		for _, tag := range entry.Event.Tags {
			if len(tag) > 1 && tag[0] == "clone" {
				list = append(list, tag[1:]...)
			}
		}
		lists = append(lists, list)
	}
	var urls []string
	named := map[string]bool{} // many events name the same
	count := 0
	for i, more := 0, true; more; i++ {
		more = false
		for _, list := range lists {
			if i >= len(list) || count == huntURLsMax {
				continue
			}
			count++
			more = true
			if url := list[i]; !named[url] {
				named[url] = true
				urls = append(urls, url)
			}
		}
	}
	return urls
}

// huntURLsMax bounds the URLs of one need, each as often as it is named, before those that are not asked are left out.
const huntURLsMax = 4 * hunt.SourcesMax

// huntLooked notes what a look at a repository has found missing.
func (s *Server) huntLooked(l *look) {
	x := &s.hunting
	if x.queue == nil || l.repo.id.IsContribution() { // what is there nobody hunts for
		return
	}
	lacks := map[string]gap{}
	for _, entry := range l.asked {
		list := gap{}
		for _, ref := range entry.State.Refs {
			if !l.has(ref.OID) {
				list = append(list, ref.OID)
			}
		}
		lacks[entry.Event.ID] = list
	}
	for _, entry := range s.held.PullRequests(l.repo.id.Identifier) {
		if policy.Concerns(view{s}, *entry.PullRequest, l.repo.id) {
			lacks[entry.Event.ID] = gap{entry.PullRequest.Commit} // if it was not asked for, there were too many
		}
	}
	for _, pr := range l.pulls {
		list := gap{}
		if !l.has(pr.Commit) {
			list = gap{pr.Commit}
		}
		lacks[pr.Event.ID] = list
	}
	x.lacks[l.repo.id] = lacks
	x.touch(l.repo.id.Identifier)
}
