package core_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nbd-wtf/go-nostr"
	"pgregory.net/rapid"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// contributing is a server that takes contributions, with little room for those without an event.
func contributing(t testing.TB) *shell {
	s := newShell(t)
	s.limit = func(c *core.Config) {
		c.Contributions = core.ContributionConfig{On: true, WaitingPerKeyMax: 3, WaitingMax: 5, PlacesPerKeyMax: 4, PlacesMax: 8}
	}
	s.boot()
	return s
}

func (s *shell) give(id repo.ID, commands ...gitproto.Command) {
	s.pushes++
	offer := core.PushOffered{Push: s.pushes, Repo: id, Commands: commands}
	s.running[offer.Push] = offer
	s.step(core.PushAsked(offer))
	if _, expected := s.running[offer.Push]; expected {
		s.step(offer)
	}
}

// apart tells what there is but for places: events, held ones, marks, refs and objects.
func (s *shell) apart() string {
	var b strings.Builder
	fmt.Fprintln(&b, sorted(s.stored), sorted(s.held))
	for _, name := range sorted(s.marks) {
		if m := s.marks[name]; !m.Repo.IsContribution() {
			fmt.Fprintln(&b, name, m.At, m.Until)
		}
	}
	for _, id := range s.ids() {
		if !id.IsContribution() {
			fmt.Fprintln(&b, id, s.repos[id].list(), len(s.repos[id].objects))
		}
	}
	return b.String()
}

func (s *shell) ids() []repo.ID {
	var ids []repo.ID
	for id := range s.repos {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, repo.ID.Compare)
	return ids
}

// Whatever strangers push to places: nothing else of the server is different from what it is without them, be it what somebody waits
// for. Their refs are named after events that do not come.
func TestContributionsMoveNothingElse(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		with, without := contributing(t), contributing(t)
		states := 0
		drawn := func(label string, from ...string) string { return rapid.SampledFrom(from).Draw(r, label) }
		for range rapid.IntRange(1, 25).Draw(r, "steps") {
			switch drawn("what", "announce", "state", "push", "place", "place", "place", "issue", "wait", "restart") {
			case "announce":
				who := drawn("owner", "alice", "bob")
				for _, s := range []*shell{with, without} {
					id := repo.ID{Owner: key(who), Identifier: "demo"}
					s.send(who, "announce "+who, 30617, 1, nostr.Tag{"d", "demo"}, nostr.Tag{"clone", "https://grasp.test" + id.Path()},
						nostr.Tag{"relays", "wss://grasp.test"}, nostr.Tag{"maintainers", string(key("alice")), string(key("bob"))})
				}
			case "state":
				states++
				who, what := drawn("owner", "alice", "bob"), drawn("object", "a", "b", "c")
				for _, s := range []*shell{with, without} {
					s.send(who, fmt.Sprint("state ", states), 30618, 1+states, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", string(oid(what))})
				}
			case "push":
				who, what, at := drawn("owner", "alice", "bob"), drawn("object", "a", "b", "c"), drawn("ref", "heads/main", "nostr/"+strings.Repeat("9", 64))
				for _, s := range []*shell{with, without} {
					id, old := repo.ID{Owner: key(who), Identifier: "demo"}, repo.ZeroOID
					if there := s.repos[id]; there != nil && there.refs["refs/"+at] != "" {
						old = there.refs["refs/"+at]
					}
					s.give(id, gitproto.Command{Ref: "refs/" + at, Old: old, New: oid(what)})
				}
			case "place":
				id := repo.Contribution(key(drawn("signer", "alice", "bob", "mallory")), drawn("identifier", "demo", "other"))
				ref := "refs/" + drawn("ref", "nostr/"+strings.Repeat("0", 64), "nostr/"+strings.Repeat("9", 64), "heads/main")
				to, old := oid(drawn("object", "a", "b", "c", "0")), repo.ZeroOID
				if there := with.repos[id]; there != nil && there.refs[ref] != "" {
					old = there.refs[ref]
				}
				with.give(id, gitproto.Command{Ref: ref, Old: old, New: to})
			case "issue":
				for _, s := range []*shell{with, without} {
					s.send("carol", "issue", 1621, 9, nostr.Tag{"a", repo.ID{Owner: key("alice"), Identifier: "demo"}.Coordinate()})
				}
			case "wait":
				d := time.Duration(rapid.IntRange(1, 40).Draw(r, "minutes")) * time.Minute
				with.wait(d)
				without.wait(d)
			case "restart":
				with.boot()
				without.boot()
			}
			if diff := cmp.Diff(without.apart(), with.apart()); diff != "" {
				r.Fatalf("what pushes to places have changed (-without +with):\n%s", diff)
			}
		}
	})
}

// Whatever happens, disks that fail among it: in the end the places that are there are those of served pull requests, with their refs
// and nothing else, and none is there for nobody (G06-GC-01, G06-GC-02, G06-EV-05).
func TestContributionsEnd(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := contributing(t)
		drawn := func(label string, from ...string) string { return rapid.SampledFrom(from).Draw(r, label) }
		pull := func(signer, commit, at string) nostr.Event {
			ev := nostr.Event{
				PubKey: string(key(signer)), Kind: 1618, CreatedAt: nostr.Timestamp(start.Unix()), Content: at,
				Tags: nostr.Tags{
					{"a", repo.ID{Owner: key("alice"), Identifier: "demo"}.Coordinate()},
					{"c", string(oid(commit))},
					{"clone", "https://grasp.test" + repo.Contribution(key(at), "demo").Path()},
				},
			}
			ev.ID = ev.GetID()
			return ev
		}
		for range rapid.IntRange(1, 30).Draw(r, "steps") {
			signer, at := drawn("signer", "bob", "carol"), drawn("at", "bob", "carol")
			ev := pull(signer, drawn("commit", "a", "b"), at)
			switch drawn("what", "event", "push", "push", "give up", "delete", "wait", "restart", "break", "mend", "blind", "carry on") {
			case "event":
				s.names[ev.ID] = "P"
				s.step(core.Message{Conn: 1, Msg: relay.Event{Event: &ev, IDOK: true}, SigOK: true})
			case "push", "give up":
				id := repo.Contribution(key(drawn("place", "bob", "carol")), drawn("identifier", "demo", "other"))
				c := gitproto.Command{Ref: "refs/nostr/" + ev.ID, Old: repo.ZeroOID, New: oid(drawn("object", "a", "b", "0"))}
				if there := s.repos[id]; there != nil && there.refs[c.Ref] != "" {
					c.Old = there.refs[c.Ref]
				}
				if rapid.Bool().Draw(r, "whole") {
					s.give(id, c)
					continue
				}
				s.pushes++
				offer := core.PushOffered{Push: s.pushes, Repo: id, Commands: []gitproto.Command{c}}
				s.step(core.PushAsked(offer))
				s.step(core.PushForgone{Push: s.pushes})
			case "delete":
				s.send(signer, "deletion", 5, 1, nostr.Tag{"e", ev.ID})
			case "wait":
				s.wait(time.Duration(rapid.IntRange(1, 40).Draw(r, "minutes")) * time.Minute)
			case "restart":
				s.carryOn()
				s.boot()
			case "break":
				s.broken = true
			case "blind":
				s.broken, s.blind = true, true
			case "carry on":
				s.carryOn()
			case "mend":
				s.broken, s.blind = false, false
			}
		}
		s.broken, s.blind = false, false
		s.carryOn()
		s.wait(3 * time.Hour)
		want := map[repo.ID]map[string]repo.OID{}
		for _, id := range s.ids() {
			refs := s.repos[id].refs
			if len(refs) == 0 {
				r.Fatalf("%s is there for nobody", s.repoName(id))
			}
			want[id] = refs
			for ref, is := range refs {
				event, _ := repo.PullRequestOf(ref)
				ev := s.stored[event]
				if ev == nil || ev.Tags.Find("c")[1] != string(is) || !strings.Contains(ev.Tags.Find("clone")[1], id.Path()) || ev.PubKey != string(id.Owner) {
					r.Fatalf("%s has %s at %.8s for %v", s.repoName(id), ref, is, ev)
				}
			}
		}
		s.boot()
		s.wait(time.Hour)
		for _, id := range s.ids() {
			if diff := cmp.Diff(want[id], s.repos[id].refs); diff != "" {
				r.Fatalf("a restart has changed %s:\n%s", s.repoName(id), diff)
			}
			if !s.server.Idle() {
				r.Fatal("something is under way for ever")
			}
		}
	})
}
