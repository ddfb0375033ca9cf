package core

import (
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/purgatory"
	"github.com/graspkit/graspkit/reference/push"
	"github.com/graspkit/graspkit/reference/repo"
)

// pullRequests indexes the stored pull requests and their updates.
type pullRequests struct {
	byID         map[string]*repo.PullRequest
	byIdentifier map[string][]*repo.PullRequest // of the repositories that they name; sorted by event id
}

func newPullRequests() pullRequests {
	return pullRequests{byID: map[string]*repo.PullRequest{}, byIdentifier: map[string][]*repo.PullRequest{}}
}

func searchPullRequest(list []*repo.PullRequest, id string) (int, bool) {
	return slices.BinarySearchFunc(list, id, func(pr *repo.PullRequest, id string) int { return strings.Compare(pr.Event.ID, id) })
}

func (p *pullRequests) add(pr *repo.PullRequest) {
	p.byID[pr.Event.ID] = pr
	for _, named := range pr.Repos {
		list := p.byIdentifier[named.Identifier]
		if at, found := searchPullRequest(list, pr.Event.ID); !found {
			p.byIdentifier[named.Identifier] = slices.Insert(list, at, pr)
		}
	}
}

// remove takes a pull request out of the index.
func (p *pullRequests) remove(pr *repo.PullRequest) {
	delete(p.byID, pr.Event.ID)
	for _, named := range pr.Repos {
		list := p.byIdentifier[named.Identifier]
		if at, found := searchPullRequest(list, pr.Event.ID); found {
			list = slices.Delete(list, at, at+1)
		}
		p.byIdentifier[named.Identifier] = list
		if len(list) == 0 {
			delete(p.byIdentifier, named.Identifier)
		}
	}
}

// pullRequestArrived takes a pull request into purgatory without saying so yet, looks whether its commit is in a
// repository that it is for, and answers when all of them have been asked (G01-PURG-03, G01-PURG-10).
func (s *Server) pullRequestArrived(now instant.Instant, conns []ConnID, ev *nostr.Event, out *Effects) {
	pr, reason := s.parsePullRequest(ev)
	if reason != "" {
		s.refuseEvent(conns, ev, rule("G01-PR-13", "invalid", reason), out)
		return
	}
	if r := policy.PullRequest(view{s}, pr, s.cfg.Contributions.On); !r.Accepted() {
		s.refuseEvent(conns, ev, r, out)
		return
	}
	if r, full := s.full(ev); full {
		s.refuseEvent(conns, ev, r, out)
		return
	}
	entry := &purgatory.Entry{Event: ev, PullRequest: &pr, Arrived: now, Deadline: now.Add(s.cfg.PurgatoryLife)}
	s.judge(now, conns, entry, s.withMisplaced(policy.Concerned(view{s}, pr), ev.ID), out)
}

// named tells the push decision what is known of the event that a ref of a repository is named after.
func (s *Server) named(id repo.ID, event string) push.Named {
	if pr := s.pulls.byID[event]; pr != nil {
		return push.Named{Known: true, Kind: pr.Event.Kind, Commit: pr.Commit, Served: policy.Concerns(view{s}, *pr, id)}
	}
	if ev := s.store.Get(event); ev != nil {
		return push.Named{Known: true, Kind: ev.Kind}
	}
	if entry := s.held.Get(event); entry != nil {
		n := push.Named{Known: true, Kind: entry.Event.Kind}
		if entry.PullRequest != nil {
			n.Commit = entry.PullRequest.Commit
		}
		return n
	}
	if j := s.judging[event]; j != nil {
		return push.Named{Known: true, Kind: j.event.Kind}
	}
	return push.Named{}
}

// owned reports whether a ref below refs/nostr/ belongs to a stored pull request for the repository.
func (s *Server) owned(r *repository, event string, oid repo.OID) bool {
	pr := s.pulls.byID[event]
	return pr != nil && pr.Commit == oid && policy.Concerns(view{s}, *pr, r.id)
}

// meant reports whether a ref below refs/nostr/ belongs to a stored pull request that names the repository's identifier,
// whoever maintains it now.
func (s *Server) meant(r *repository, event string, oid repo.OID) bool {
	pr := s.pulls.byID[event]
	if pr != nil && r.id.IsContribution() {
		return pr.Commit == oid && slices.Contains(pr.Places, r.id)
	}
	return pr != nil && pr.Commit == oid &&
		slices.ContainsFunc(pr.Repos, func(named repo.ID) bool { return named.Identifier == r.id.Identifier })
}

// PullRequestsAsked bounds how many pull requests of a repository one look asks for. Held ones come first.
const PullRequestsAsked = 1_000

// pullsFor lists the pull requests for a repository whose release or whose ref waits for a commit: the held ones, and
// stored ones whose ref is not there.
func (s *Server) pullsFor(r *repository) []*repo.PullRequest {
	if r.id.IsContribution() {
		return s.contributedTo(r)
	}
	var list []*repo.PullRequest
	for _, entry := range s.held.PullRequests(r.id.Identifier) {
		if len(list) < PullRequestsAsked && policy.Concerns(view{s}, *entry.PullRequest, r.id) {
			list = append(list, entry.PullRequest)
		}
	}
	for _, pr := range s.pulls.byIdentifier[r.id.Identifier] {
		if len(list) < PullRequestsAsked && r.at(pr.Ref()) != pr.Commit && policy.Concerns(view{s}, *pr, r.id) {
			list = append(list, pr)
		}
	}
	return list
}

// waits reports whether a pull request is still held or stored and for the repository.
func (s *Server) waits(r *repository, pr *repo.PullRequest) bool {
	entry := s.held.Get(pr.Event.ID)
	return (entry != nil && entry.PullRequest == pr || s.pulls.byID[pr.Event.ID] == pr) && policy.Concerns(view{s}, *pr, r.id)
}

// releasePull moves a pull request from purgatory to the store; its ref is there. Other repositories that it is for
// get theirs.
func (s *Server) releasePull(now instant.Instant, r *repository, pr *repo.PullRequest, out *Effects) {
	entry := s.held.Get(pr.Event.ID)
	if entry == nil || entry.PullRequest != pr {
		return // stored already, by another repository
	}
	conns := s.concludeEntry(entry)
	s.held.Drop(entry)
	if text := s.saveHeld(entry.Event, out); text != "" {
		s.unreleased(entry, conns, text, out)
		s.adopt(now, r, out)
		return
	}
	s.pulls.add(pr)
	s.reply(conns, entry.Event.ID, true, "", out)
	s.broadcast(entry.Event, out)
	for _, id := range policy.Concerned(view{s}, *pr) {
		other := s.repositories[id]
		if other == nil {
			continue
		}
		switch {
		case other.at(pr.Ref()) == pr.Commit:
			s.forgetPlaceholder(other, pr.Event.ID, out)
		case id.IsContribution(): // nothing comes there but by a push (G06-MIR-02)
		default:
			s.look(now, other, nil, out)
		}
	}
}
