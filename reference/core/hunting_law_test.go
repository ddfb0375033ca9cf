package core_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"
	"pgregory.net/rapid"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// A hunter is a server that hunts, with everybody who makes it work.
type hunter struct {
	*shell
	rt    *rapid.T
	clock int64
	told  []*nostr.Event
}

func newHunter(t *testing.T, rt *rapid.T) *hunter {
	x := &hunter{shell: newShell(t), rt: rt}
	x.limit = func(c *core.Config) { c.Hunt.On = true }
	x.asks = x.asked
	x.restart()
	return x
}

func (x *hunter) restart() {
	clear(x.fetches)
	clear(x.canceled)
	x.boot()
}

// publish tells the server of a new event, by a user or a peer.
func (x *hunter) publish(author string, kind int, synced bool, tags ...nostr.Tag) {
	x.clock++
	ev := &nostr.Event{PubKey: string(key(author)), Kind: kind, CreatedAt: nostr.Timestamp(start.Unix() + x.clock), Tags: tags}
	ev.ID = ev.GetID()
	x.names[ev.ID] = fmt.Sprint("E", x.clock)
	x.told = append(x.told, ev)
	x.tell(ev, synced)
}

func (x *hunter) tell(ev *nostr.Event, synced bool) {
	if synced {
		x.step(core.Synced{Event: ev})
		return
	}
	x.step(core.Message{Conn: 1, Msg: relay.Event{Event: ev, IDOK: true}, SigOK: true})
}

func (x *hunter) announce(author, identifier string, here bool, maintainers ...string) {
	host := "https://grasp.test"
	if !here {
		host = "https://other.test"
	}
	id := repo.ID{Owner: key(author), Identifier: identifier}
	list := nostr.Tag{"maintainers"}
	for _, who := range maintainers {
		list = append(list, string(key(who)))
	}
	x.publish(author, 30617, false, nostr.Tag{"d", identifier}, nostr.Tag{"relays", "wss" + host[len("https"):]}, list,
		nostr.Tag{"clone", host + id.Path(), "https://h1.test/" + identifier, "https://h2.test/" + author + identifier})
}

func (x *hunter) state(author, identifier string, synced bool, objects ...string) {
	tags := []nostr.Tag{{"d", identifier}}
	for i, name := range objects {
		tags = append(tags, nostr.Tag{fmt.Sprint("refs/heads/b", i), string(oid(name))})
	}
	x.publish(author, 30618, synced, tags...)
}

func (x *hunter) pullRequest(author, owner, identifier string, synced bool, object string) {
	x.publish(author, 1618, synced, nostr.Tag{"a", "30617:" + string(key(owner)) + ":" + identifier}, nostr.Tag{"c", string(oid(object))},
		nostr.Tag{"clone", "https://fork.test/" + author})
}

// lost returns an object of a held event that no repository of its identifier has, and the identifiers.
func (x *hunter) lost(ev *nostr.Event) (repo.OID, []string) {
	var objects []repo.OID
	var identifiers []string
	if state, why := repo.ParseState(ev); why == "" {
		identifiers = []string{state.Identifier}
		for _, ref := range state.Refs {
			objects = append(objects, ref.OID)
		}
	} else if pr, why := repo.ParsePullRequest(ev); why == "" {
		objects = []repo.OID{pr.Commit}
		for _, id := range pr.Repos {
			identifiers = append(identifiers, id.Identifier)
		}
	}
	for _, o := range objects {
		there := false
		for id, r := range x.repos {
			there = there || slices.Contains(identifiers, id.Identifier) && r.objects[o]
		}
		if !there {
			return o, identifiers
		}
	}
	return "", nil
}

// hunted is INV-09: what waits for data is hunted.
func (x *hunter) hunted() {
	for _, id := range sorted(x.held) {
		o, identifiers := x.lost(x.held[id].Event)
		for _, identifier := range identifiers {
			if !x.server.Hunted(identifier) {
				x.rt.Fatalf("%s waits for %s, and %s is not hunted (INV-09)", x.names[id], x.symbolic(string(o)), identifier)
			}
		}
	}
}

// asked is what no fetch may ask for: what no event that is held needs (REF-HUNT-16), and the own service.
func (x *hunter) asked(f core.StartFetch) {
	needed := map[repo.OID]bool{}
	for _, h := range x.held {
		for _, tag := range h.Event.Tags {
			if len(tag) > 1 {
				needed[repo.OID(tag[1])] = true
			}
		}
	}
	for _, o := range f.OIDs {
		if !needed[o] {
			x.rt.Fatalf("fetch %d asks for %s, which nobody waits for", f.Fetch, x.symbolic(string(o)))
		}
		if r := x.repos[f.Repo]; r == nil || r.objects[o] {
			x.rt.Fatalf("fetch %d asks for %s, which is not missing in %s:\n%s", f.Fetch, x.symbolic(string(o)), x.repoName(f.Repo), x.log.String()[max(0, x.log.Len()-1500):])
		}
	}
	if x.rt != nil && strings.Contains(f.URL, "grasp.test") {
		x.rt.Fatalf("fetch %d asks the own service", f.Fetch)
	}
}

func (x *hunter) end(id core.FetchID, in core.FetchDone) {
	f := x.fetches[id]
	delete(x.fetches, id)
	delete(x.canceled, id)
	in.Fetch = id
	if r := x.repos[f.Repo]; r != nil && in.Got {
		for _, o := range f.OIDs {
			if !slices.Contains(in.Missing, o) {
				r.objects[o] = true
			}
		}
	}
	before := map[repo.ID]string{}
	for repoID, r := range x.repos {
		before[repoID] = fmt.Sprint(r.list())
	}
	x.step(in)
	if !in.Got {
		for repoID, text := range before {
			if r := x.repos[repoID]; r != nil && fmt.Sprint(r.list()) != text {
				x.rt.Fatalf("a fetch that failed moved refs of %s (INV-14)", x.repoName(repoID))
			}
		}
	}
}

// push brings what the latest state of the owner declares.
func (x *hunter) push(owner, identifier string) {
	id := repo.ID{Owner: key(owner), Identifier: identifier}
	r := x.repos[id]
	var latest *repo.State
	for _, ev := range x.told {
		if state, why := repo.ParseState(ev); why == "" && state.Identifier == identifier && state.Author == id.Owner {
			latest = &state
		}
	}
	if r == nil || latest == nil {
		return
	}
	x.pushes++
	offer := core.PushOffered{Push: x.pushes, Repo: id}
	for _, name := range sorted(r.refs) {
		if _, ok := latest.Lookup(name); !ok {
			offer.Commands = append(offer.Commands, gitproto.Command{Ref: name, Old: r.refs[name], New: repo.ZeroOID})
		}
	}
	for _, ref := range latest.Refs {
		old := repo.ZeroOID
		if at, ok := r.refs[ref.Name]; ok {
			old = at
		}
		if old != ref.OID {
			offer.Commands = append(offer.Commands, gitproto.Command{Ref: ref.Name, Old: old, New: ref.OID})
		}
	}
	x.running[offer.Push] = offer
	x.step(offer)
}

var (
	someObject = rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f"})
	somebody   = rapid.SampledFrom([]string{"alice", "bob", "carol"})
	someName   = rapid.SampledFrom([]string{"demo", "lib"})
)

// Whatever is announced, withdrawn, deleted, pushed, fetched and forgotten: what waits for data is hunted, and nothing
// else is (INV-09, INV-14, REF-HUNT-06, REF-HUNT-16).
func TestWhatWaitsIsHunted(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		x := newHunter(t, rt)
		rt.Repeat(map[string]func(*rapid.T){
			"announce": func(rt *rapid.T) {
				x.announce(somebody.Draw(rt, "who"), someName.Draw(rt, "what"), rapid.IntRange(0, 4).Draw(rt, "here") > 0,
					rapid.SliceOfNDistinct(somebody, 0, 2, rapid.ID).Draw(rt, "maintainers")...)
			},
			"state": func(rt *rapid.T) {
				x.state(somebody.Draw(rt, "who"), someName.Draw(rt, "what"), rapid.Bool().Draw(rt, "synced"),
					rapid.SliceOfNDistinct(someObject, 0, 3, rapid.ID).Draw(rt, "objects")...)
			},
			"pull request": func(rt *rapid.T) {
				x.pullRequest("mallory", somebody.Draw(rt, "owner"), someName.Draw(rt, "what"), rapid.Bool().Draw(rt, "synced"), someObject.Draw(rt, "object"))
			},
			"again": func(rt *rapid.T) {
				if len(x.told) == 0 {
					rt.Skip("nothing was told")
				}
				x.tell(rapid.SampledFrom(x.told).Draw(rt, "event"), rapid.Bool().Draw(rt, "synced"))
			},
			"delete": func(rt *rapid.T) {
				if len(x.told) == 0 {
					rt.Skip("nothing was told")
				}
				ev := rapid.SampledFrom(x.told).Draw(rt, "event")
				x.publish(nameOf(repo.PubKey(ev.PubKey)), 5, false, nostr.Tag{"e", ev.ID})
			},
			"push": func(rt *rapid.T) { x.push(somebody.Draw(rt, "who"), someName.Draw(rt, "what")) },
			"wait": func(rt *rapid.T) {
				x.wait(time.Duration(rapid.SampledFrom([]int{1, 20, 180, 1800}).Draw(rt, "seconds")) * time.Second)
			},
			"restart": func(*rapid.T) { x.restart() },
			"fetched": func(rt *rapid.T) {
				if len(x.fetches) == 0 {
					rt.Skip("nothing is open")
				}
				id := rapid.SampledFrom(slices.Sorted(maps.Keys(x.fetches))).Draw(rt, "fetch")
				in := core.FetchDone{Got: rapid.Bool().Draw(rt, "got") && !x.canceled[id]}
				if in.Got {
					in.Missing = rapid.SliceOfDistinct(rapid.SampledFrom(x.fetches[id].OIDs), rapid.ID).Draw(rt, "missing")
				} else {
					in.Failure = rapid.SampledFrom([]core.FetchFailure{core.FetchTimeout, core.FetchNotFound, core.FetchNotOurs}).Draw(rt, "failure")
				}
				x.end(id, in)
			},
			"": func(*rapid.T) { x.hunted() },
		})
	})
}

// What waits for a repository that is gone stays in the queue over a restart.
func TestWithoutRepositoryStaysInTheQueue(t *testing.T) {
	x := newHunter(t, nil)
	x.announce("bob", "demo", true)
	x.state("bob", "demo", false, "a")
	x.push("bob", "demo")
	x.pullRequest("mallory", "bob", "demo", false, "b")
	x.publish("bob", 5, false, nostr.Tag{"e", x.told[0].ID})
	if x.restart(); !x.server.Hunted("demo") {
		t.Error("the pull request waits, and is not hunted (INV-09)")
	}
	x.wait(time.Hour)
	if x.server.Hunted("demo") || len(x.fetches) > 0 {
		t.Error("what has expired is hunted still")
	}
}

// An orderly stop cancels what is open.
func TestStopCancelsFetches(t *testing.T) {
	x := newHunter(t, nil)
	x.announce("alice", "demo", true)
	x.state("alice", "demo", true, "a")
	x.wait(time.Second)
	x.step(core.Shutdown{})
	if len(x.fetches) != 1 || !x.canceled[1] {
		t.Errorf("got %d open and %v canceled, want one", len(x.fetches), x.canceled)
	}
	x.end(1, core.FetchDone{Got: true})
	if at, ok := x.server.Deadline(); ok && at <= x.now {
		t.Error("a stopped server wants something now")
	}
}

// Once every host answers, everything that is held with authority is released within four minutes: the longest first
// delay, and the fetches after it (REF-HUNT-17).
func TestWhatCanBeFoundIsReleased(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		x := newHunter(t, rt)
		x.announce("alice", "demo", true, "bob")
		rt.Repeat(map[string]func(*rapid.T){
			"state": func(rt *rapid.T) {
				x.state(rapid.SampledFrom([]string{"alice", "bob"}).Draw(rt, "who"), "demo", rapid.Bool().Draw(rt, "synced"),
					rapid.SliceOfNDistinct(someObject, 1, 3, rapid.ID).Draw(rt, "objects")...)
			},
			"pull request": func(rt *rapid.T) {
				x.pullRequest("mallory", "alice", "demo", rapid.Bool().Draw(rt, "synced"), someObject.Draw(rt, "object"))
			},
			"wait": func(rt *rapid.T) { x.wait(time.Duration(rapid.IntRange(1, 200).Draw(rt, "seconds")) * time.Second) },
			"fails": func(rt *rapid.T) {
				for _, id := range slices.Sorted(maps.Keys(x.fetches)) {
					x.end(id, core.FetchDone{Failure: core.FetchServerError})
				}
			},
			"restart": func(*rapid.T) { x.restart() },
			"push":    func(*rapid.T) { x.push("alice", "demo") },
		})
		for range 240 {
			for len(x.fetches) > 0 {
				id := slices.Min(slices.Collect(maps.Keys(x.fetches)))
				x.end(id, core.FetchDone{Got: !x.canceled[id], Failure: core.FetchCanceled})
			}
			x.wait(time.Second)
		}
		for _, id := range sorted(x.held) {
			if ev := x.held[id].Event; ev.Kind != 30617 {
				rt.Fatalf("%s is held still, of kind %d", x.names[id], ev.Kind)
			}
		}
	})
}
