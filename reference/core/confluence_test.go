package core_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nbd-wtf/go-nostr"
	"pgregory.net/rapid"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// Limits of a drawn history.
const (
	versionsMax = 2 // announcements of one person
	statesMax   = 4
	pullsMax    = 2
	remarksMax  = 3 // issues and comments
	roundsMax   = 30
)

// A history is what people want a server to have: their events, and the data that the events name.
type history struct {
	events []*nostr.Event
	names  map[string]string
	states []*nostr.Event // among the events, those that somebody pushes
	pulls  []*nostr.Event
}

// drawHistory makes up a history about repository demo of three people. No two events are the same, but any two may be
// of the same second.
func drawHistory(t *rapid.T) *history {
	h := &history{names: map[string]string{}}
	h.drawAnnouncements(t)
	h.drawStates(t)
	h.drawRelated(t)
	return h
}

func at(t *rapid.T) int { return rapid.IntRange(0, 3).Draw(t, "at") }

func (h *history) add(name, author string, kind, at int, tags nostr.Tags) *nostr.Event {
	ev := &nostr.Event{
		PubKey: string(key(author)), Kind: kind, CreatedAt: nostr.Timestamp(start.Unix() + int64(at)), Tags: tags, Content: name,
	}
	ev.ID = ev.GetID()
	h.names[ev.ID] = fmt.Sprintf("%s@%d", name, at)
	h.events = append(h.events, ev)
	return ev
}

func (h *history) drawAnnouncements(t *rapid.T) {
	for _, owner := range people[:3] {
		// A newer version lists whom the older one lists, and maybe more: who is listed no more leaves refs behind
		// (G01-MNT-05), so there order matters.
		maintainers := nostr.Tag{"maintainers"}
		host := rapid.SampledFrom([]string{"grasp.test", "grasp.test", "other.test"}).Draw(t, "host")
		for n := range rapid.IntRange(0, versionsMax).Draw(t, "announcements") {
			for _, other := range people[:3] {
				if other != owner && !slices.Contains(maintainers, string(key(other))) && rapid.Bool().Draw(t, owner+" lists "+other) {
					maintainers = append(maintainers, string(key(other)))
				}
			}
			h.add(fmt.Sprintf("%s-announcement%d", owner, n), owner, repo.KindAnnouncement, n, nostr.Tags{
				{"d", "demo"},
				{"clone", "https://" + host + (repo.ID{Owner: key(owner), Identifier: "demo"}).Path()},
				{"relays", "wss://" + host},
				slices.Clone(maintainers),
			})
		}
	}
}

func (h *history) drawStates(t *rapid.T) {
	for n := range rapid.IntRange(1, statesMax).Draw(t, "states") {
		author := rapid.SampledFrom(people[:3]).Draw(t, "author")
		// Every state has a branch, since one without refs empties a served repository and starts none (REF-PURG-20), and
		// names it as HEAD or another one that it has, since else HEAD stays where it is (G01-HEAD-03, -04).
		tags := nostr.Tags{{"d", "demo"}}
		var branches []string
		for i, ref := range []string{"refs/heads/main", "refs/heads/dev", "refs/tags/v1"} {
			to := rapid.SampledFrom([]string{"a", "b", "c", ""}[:3+min(i, 1)]).Draw(t, ref)
			if to == "" {
				continue
			}
			tags = append(tags, nostr.Tag{ref, string(oid(to))})
			if i < 2 {
				branches = append(branches, ref)
			}
		}
		tags = append(tags, nostr.Tag{"HEAD", "ref: " + rapid.SampledFrom(branches).Draw(t, "HEAD")})
		h.states = append(h.states, h.add(fmt.Sprintf("%s-state%d", author, n), author, repo.KindState, at(t), tags))
	}
}

// drawRelated draws pull requests, issues, comments and deletions of comments.
func (h *history) drawRelated(t *rapid.T) {
	var roots []string
	for n := range rapid.IntRange(0, pullsMax).Draw(t, "pull requests") {
		tags := nostr.Tags{{"c", string(oid(rapid.SampledFrom([]string{"d", "e"}).Draw(t, "commit")))}}
		for _, owner := range people[:3] {
			if rapid.Bool().Draw(t, "to "+owner) {
				tags = append(tags, nostr.Tag{"a", fmt.Sprintf("%d:%s:demo", repo.KindAnnouncement, key(owner))})
			}
		}
		pr := h.add(fmt.Sprintf("pull%d", n), "mallory", repo.KindPullRequest, at(t), tags)
		h.pulls = append(h.pulls, pr)
		roots = append(roots, pr.ID)
	}
	for n := range rapid.IntRange(0, remarksMax).Draw(t, "remarks") {
		if len(roots) > 0 && rapid.Bool().Draw(t, "comment") {
			root := rapid.SampledFrom(roots).Draw(t, "root")
			comment := h.add(fmt.Sprintf("comment%d", n), "mallory", 1111, at(t), nostr.Tags{{"E", root}, {"e", root}})
			if rapid.Bool().Draw(t, "deleted") { // a comment only: what follows from a deleted root depends on when it came
				h.add(fmt.Sprintf("deletion%d", n), "mallory", policy.KindDeletion, at(t), nostr.Tags{{"e", comment.ID}})
			}
			continue
		}
		owner := rapid.SampledFrom(people[:3]).Draw(t, "about")
		issue := h.add(fmt.Sprintf("issue%d", n), "mallory", 1621, at(t), nostr.Tags{
			{"a", fmt.Sprintf("%d:%s:demo", repo.KindAnnouncement, key(owner))},
		})
		roots = append(roots, issue.ID)
	}
}

// deeds are what is done for a history: every event is published, every state and pull request is pushed to every
// repository. They may be done in any order.
func (h *history) deeds() []func(*shell) {
	var deeds []func(*shell)
	for _, ev := range h.events {
		deeds = append(deeds, func(s *shell) {
			if _, held := s.held[ev.ID]; held || s.stored[ev.ID] != nil {
				return // who was told that it waits, waits
			}
			s.step(core.Message{Conn: 1, Msg: relay.Event{Event: ev, IDOK: true}, SigOK: true})
		})
	}
	for _, owner := range people[:3] {
		id := repo.ID{Owner: key(owner), Identifier: "demo"}
		for _, ev := range h.states {
			state, _ := repo.ParseState(ev)
			deeds = append(deeds, func(s *shell) { s.bring(id, state.Refs, false) })
		}
		for _, ev := range h.pulls {
			pr, _ := repo.ParsePullRequest(ev)
			deeds = append(deeds, func(s *shell) { s.bring(id, []repo.Ref{{Name: pr.Ref(), OID: pr.Commit}}, true) })
		}
	}
	return deeds
}

// bring pushes what makes the branches and tags of a repository those given, or adds refs to it. The pack has more
// than is asked for: every object of the history.
func (s *shell) bring(id repo.ID, refs []repo.Ref, add bool) {
	r := s.repos[id]
	if r == nil {
		return
	}
	var commands []gitproto.Command
	wanted := map[string]repo.OID{}
	for _, ref := range refs {
		wanted[ref.Name] = ref.OID
		if old := r.at(ref.Name); old != ref.OID {
			commands = append(commands, gitproto.Command{Ref: ref.Name, Old: old, New: ref.OID})
		}
	}
	for _, ref := range sorted(r.refs) {
		if wanted[ref] == "" && !add && !strings.HasPrefix(ref, "refs/nostr/") {
			commands = append(commands, gitproto.Command{Ref: ref, Old: r.refs[ref], New: repo.ZeroOID})
		}
	}
	if len(commands) == 0 {
		return
	}
	s.pushes++
	offer := core.PushOffered{Push: s.pushes, Repo: id, Commands: commands}
	s.running[offer.Push] = offer
	s.step(offer)
}

func (b *bare) at(ref string) repo.OID {
	if to, ok := b.refs[ref]; ok {
		return to
	}
	return repo.ZeroOID
}

// rest does the deeds over and over, as people do who are refused something, until nothing changes any more. Then it
// says what a client can see.
func (s *shell) rest(t *rapid.T, deeds []func(*shell)) string {
	before := ""
	for range roundsMax {
		for _, do := range deeds {
			do(s)
		}
		now := fmt.Sprint(s.seen(), sorted(s.held))
		if now == before {
			return s.seen()
		}
		before = now
	}
	t.Fatalf("no rest after %d rounds:\n%s", roundsMax, before)
	return ""
}

// seen lists the events and refs that are served.
func (s *shell) seen() string {
	var lines []string
	for id := range s.stored {
		lines = append(lines, "event "+s.names[id])
	}
	for id, r := range s.repos {
		for _, ref := range r.list().Refs {
			lines = append(lines, fmt.Sprintf("%s %s %s", s.repoName(id), s.symbolic(ref.Name), s.symbolic(string(ref.OID))))
		}
		lines = append(lines, fmt.Sprintf("%s HEAD %s", s.repoName(id), r.head))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// What is served at rest does not depend on the order in which events and data came.
func TestArrivalOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		h := drawHistory(rt)
		deeds := h.deeds()
		served := func(deeds []func(*shell)) string {
			s := newShell(t)
			s.names, s.pool = h.names, pool()
			return s.rest(rt, deeds)
		}
		want := served(deeds)
		if diff := cmp.Diff(want, served(rapid.Permutation(deeds).Draw(rt, "order"))); diff != "" {
			rt.Fatalf("served in two orders (-one +other):\n%s", diff)
		}
	})
}

func pool() []repo.OID {
	var all []repo.OID
	for _, name := range []string{"a", "b", "c"} {
		all = append(all, oid(name))
	}
	return all
}
