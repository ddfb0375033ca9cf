package core

import (
	"cmp"
	"errors"
	"maps"
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/push"
	"github.com/graspkit/graspkit/reference/repo"
)

// Places for contributions (GRASP-06) are repositories without an announcement: one is made when the pack of a push comes and goes
// when its last ref has gone. They have identifiers that no announced repository has (repo.Contribution), so maintainer sets,
// states, siblings and the hunt know nothing of them, and nothing that is pushed there counts for any other repository but the
// commit of a pull request that is for both, which is copied from there and never to there.

// A ContributionConfig is the settings of the places where anybody may put the commits of pull requests.
type ContributionConfig struct {
	On bool // without it there are none, and what is there from before is kept and not shown
	// Refs there that wait for their events, in all and at the places of one signer; zero means WaitingMax and WaitingPerKeyMax.
	// They have no share in PlaceholdersMax.
	WaitingMax, WaitingPerKeyMax int
	// Places that are in use, in all and of one signer; zero means PlacesMax and PlacesPerKeyMax.
	PlacesMax, PlacesPerKeyMax int
}

// Defaults of the settings. Who pushes is nobody in particular, so what waits is bounded far below what is in use: strangers cannot
// keep a signer from using places.
const (
	WaitingMax       = 1_000
	WaitingPerKeyMax = 50
	PlacesMax        = 10_000
	PlacesPerKeyMax  = 200
)

func (c ContributionConfig) withDefaults() ContributionConfig {
	c.WaitingMax = cmp.Or(c.WaitingMax, WaitingMax)
	c.WaitingPerKeyMax = cmp.Or(c.WaitingPerKeyMax, WaitingPerKeyMax)
	c.PlacesMax = cmp.Or(c.PlacesMax, PlacesMax)
	c.PlacesPerKeyMax = cmp.Or(c.PlacesPerKeyMax, PlacesPerKeyMax)
	return c
}

func (c ContributionConfig) validate() error {
	if min(c.WaitingMax, c.WaitingPerKeyMax, c.PlacesMax, c.PlacesPerKeyMax) < 0 {
		return errors.New("core: a limit of contributions is negative")
	}
	return nil
}

// places counts the places that are there.
type places struct {
	there map[repo.ID]bool
	of    map[repo.PubKey]int // by signer
}

func newPlaces() places { return places{there: map[repo.ID]bool{}, of: map[repo.PubKey]int{}} }

func (x *places) made(id repo.ID) {
	if id.IsContribution() && !x.there[id] {
		x.there[id] = true
		x.of[id.Owner]++
	}
}

func (x *places) gone(id repo.ID) {
	if !x.there[id] {
		return
	}
	delete(x.there, id)
	if x.of[id.Owner]--; x.of[id.Owner] == 0 {
		delete(x.of, id.Owner)
	}
}

// parsePullRequest reads a pull request, with the places of this service that it names.
func (s *Server) parsePullRequest(ev *nostr.Event) (repo.PullRequest, string) {
	pr, reason := repo.ParsePullRequest(ev)
	if reason == "" {
		pr.Places = s.cfg.Service.Contributions(pr)
	}
	return pr, reason
}

// inUse reports whether a place has a ref, or may have, or a push relies on it.
func (s *Server) inUse(id repo.ID) bool {
	r := s.repositories[id]
	return r != nil && (len(r.refs) > 0 || r.unknown || r.expects > 0 || r.pushes > 0)
}

// vacate removes a place that is not in use any more: it answers as an empty one all the same (G06-GC-02). At the end of the
// server the next start does it.
func (s *Server) vacate(now instant.Instant, r *repository, out *Effects) {
	again := func(x retry) bool { return x.id == r.id }
	if !r.id.IsContribution() || !r.there() || r.task != nil || s.closing || s.inUse(r.id) || s.repositories[r.id] != r ||
		r.queued(taskRemove) != nil || slices.ContainsFunc(s.retries, again) {
		return
	}
	s.abandon(now, r, out)
}

// judgeContribution decides on a push to a place by what is true now.
func (s *Server) judgeContribution(r *repository, offer PushOffered) policy.Ruling {
	ruling := push.Contribute(push.Offer{Commands: offer.Commands, Shape: offer.Shape}, push.Contribution{
		Place: r.id, Taken: s.cfg.Contributions.On, Local: r.refs,
		Named: func(event string) push.Contributed { return s.contributed(r.id, event) },
	})
	if !ruling.Accepted() {
		return ruling
	}
	if barred := s.cfg.Lists.JudgeAuthor(r.id.Owner); !barred.Accepted() { // no event of his will come
		return barred
	}
	if r.unknown {
		return ruleUnknown
	}
	if full, ok := s.room(r, offer.Commands); !ok {
		return full
	}
	return ruling
}

// contributed tells the push decision what is known of an event.
func (s *Server) contributed(place repo.ID, event string) push.Contributed {
	c := push.Contributed{Named: s.named(place, event)}
	ev := s.store.Get(event)
	pr := s.pulls.byID[event]
	if entry := s.held.Get(event); entry != nil {
		ev, pr = entry.Event, entry.PullRequest
	}
	if ev != nil {
		c.Signer = repo.PubKey(ev.PubKey)
	}
	if pr != nil {
		identifier, _ := place.ContributionTo()
		c.About = slices.ContainsFunc(pr.Repos, func(id repo.ID) bool { return id.Identifier == identifier })
		c.Places = slices.Contains(pr.Places, place)
	}
	return c
}

// contributedRefs is how many refs at places wait for their events.
func (s *Server) contributedRefs() int {
	all, _ := s.placeholders.Contributed("")
	return all
}

// roomForContributions returns the ruling that keeps a push out for which there is no room. What an event is known of has its room
// with that.
func (s *Server) roomForContributions(r *repository, commands []gitproto.Command) (policy.Ruling, bool) {
	limits := s.cfg.Contributions
	full := func(reason string) (policy.Ruling, bool) { return rule("G06-PUSH-01", "rate-limited", reason), false }
	more := 0
	for _, c := range commands {
		event, _ := repo.PullRequestOf(c.Ref)
		if c.Old.IsZero() && !s.named(r.id, event).Known {
			more++
		}
	}
	all, his := s.placeholders.Contributed(r.id.Owner)
	switch {
	case more > 0 && his+more > limits.WaitingPerKeyMax:
		return full("too many pull request refs wait for events of this signer; publish the events")
	case more > 0 && all+more > limits.WaitingMax:
		return full("too many pull request refs wait for their events; publish the event first, or try again later")
	case r.there():
	case s.places.of[r.id.Owner] >= limits.PlacesPerKeyMax:
		return full("this signer has pull requests for too many identifiers here")
	case len(s.places.there) >= limits.PlacesMax:
		return full("there are pull requests for too many identifiers here")
	}
	return policy.Ruling{}, true
}

// ruleNotMade refuses a push to a place that could not be made, or has gone while the pack came.
var ruleNotMade = policy.Ruling{
	Decision: policy.Refuse, Prefix: "error", Requirement: "G06-PUSH-01",
	Reason: "the repository could not be made; try again later",
}

// makePlace makes the place that a push is for, before its pack comes: a pack needs somewhere to be.
func (s *Server) makePlace(now instant.Instant, r *repository, out *Effects) {
	if r.task.push.expected { // it was there, and has gone
		s.placeMade(now, r, false, out)
		return
	}
	s.create(now, r, out)
}

// placeMade goes on with the push: what it asks for may be wrong by now.
func (s *Server) placeMade(now instant.Instant, r *repository, ok bool, out *Effects) {
	switch {
	case ok:
		s.pushBegins(now, r, out)
	case s.pushes[r.task.push.offer.Push] != r.task.push:
		s.pushIsNone(now, r, out)
	default:
		s.refusePush(r.task.push, ruleNotMade, out)
		s.pushIsNone(now, r, out)
	}
}

// contributedTo lists the pull requests that refs of a place are named after and that something follows from: the held ones, and
// stored ones that name another commit or another place.
func (s *Server) contributedTo(r *repository) []*repo.PullRequest {
	var list []*repo.PullRequest
	for _, ref := range r.refs {
		event, ok := repo.PullRequestOf(ref.Name)
		if !ok {
			continue
		}
		if entry := s.held.Get(event); entry != nil && entry.PullRequest != nil {
			list = append(list, entry.PullRequest)
		} else if pr := s.pulls.byID[event]; pr != nil && !s.owned(r, event, ref.OID) {
			list = append(list, pr)
		}
	}
	return list
}

// lookForContributions finds the pull requests whose commit was pushed to their place. A ref with another commit goes, and so does
// one at a place that its event does not name (G06-EV-05).
func (s *Server) lookForContributions(l *look) {
	for _, pr := range l.pulls {
		at := l.repo.at(pr.Ref())
		entry := s.held.Get(pr.Event.ID)
		known := entry != nil && entry.PullRequest == pr || s.pulls.byID[pr.Event.ID] == pr
		switch {
		case !known || at.IsZero():
		case s.waits(l.repo, pr) && at == pr.Commit:
			l.complete = append(l.complete, pr)
		default:
			l.commands = append(l.commands, gitproto.Command{Ref: pr.Ref(), Old: at, New: repo.ZeroOID})
		}
	}
}

// withMisplaced adds the places where a ref waits for an event that may not name them.
func (s *Server) withMisplaced(where []repo.ID, event string) []repo.ID {
	for _, id := range s.placeholders.Places(event) {
		if !slices.Contains(where, id) {
			where = append(where, id)
		}
	}
	return where
}

// soughtIn lists what a look asks another repository for: of a place the commits of the pull requests whose refs it has, and nothing
// for a state or for another pull request, whatever else lies there.
func (s *Server) soughtIn(id repo.ID, l *look) []repo.OID {
	if !id.IsContribution() {
		return l.missing
	}
	return slices.DeleteFunc(slices.Clone(l.missing), func(oid repo.OID) bool { return !s.gives(id, l, oid) })
}

// gives reports whether a place has the ref of a pull request that waits for a commit, with that.
func (s *Server) gives(place repo.ID, l *look, oid repo.OID) bool {
	return slices.ContainsFunc(l.pulls, func(pr *repo.PullRequest) bool {
		at := s.repositories[place]
		return pr.Commit == oid && at != nil && at.at(pr.Ref()) == oid && slices.Contains(pr.Places, place) && s.waits(l.repo, pr)
	})
}

// withheld forgets what places have and may not give any more.
func (s *Server) withheld(l *look) {
	maps.DeleteFunc(l.elsewhere, func(oid repo.OID, source int) bool {
		id := l.sources[source]
		return id.IsContribution() && !s.gives(id, l, oid)
	})
}
