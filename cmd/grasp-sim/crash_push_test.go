//go:build unix

package main

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

const (
	crashMain  = "refs/heads/main"
	crashDev   = "refs/heads/dev"
	crashEpoch = 1_760_000_000
)

// A crashStep is a state of a repository that its owner signed.
type crashStep struct {
	state *nostr.Event
	refs  map[string]string
}

// A crashPusher takes a repository from state to state: the state first, then the push, unless the state needs none.
// The next one is made when the one before was acknowledged, and tried until it is.
type crashPusher struct {
	draw    *rand.Rand
	key     client.Key
	id      string
	history *client.History
	mains   []string
	steps   []crashStep // the first is none
	acked   int
	changed bool
}

func newCrashPusher(draw *rand.Rand, key client.Key, identifier string) *crashPusher {
	p := &crashPusher{draw: draw, key: key, id: identifier, history: client.NewHistory(key.Pubkey + identifier), steps: make([]crashStep, 1)}
	p.plan()
	return p
}

func (p *crashPusher) path() string { return "/" + p.key.Npub + "/" + p.id + ".git" }

func (p *crashPusher) announce(t *testing.T, r *client.Relay) bool {
	return acknowledged(t, r, client.Announce(p.key, client.AnnounceOpts{
		Identifier: p.id, Clone: []string{origin + p.path()},
		Relays: []string{strings.Replace(origin, "http", "ws", 1)}, CreatedAt: crashEpoch,
	}))
}

// told publishes an event and returns the answer, if there is one. Nothing that an actor asks for is to be refused.
func told(t *testing.T, r *client.Relay, ev *nostr.Event) (ok client.OKFrame, is bool) {
	ok, is = r.Publish(context.Background(), ev).(client.OKFrame)
	if is && !ok.Accepted {
		t.Errorf("event of kind %d: got %v, want OK true", ev.Kind, ok)
		return ok, false
	}
	return ok, is
}

func acknowledged(t *testing.T, r *client.Relay, ev *nostr.Event) bool {
	_, is := told(t, r, ev)
	return is
}

// plan makes the step behind the last one: new commits on one branch or both, a branch less, or an old commit again.
func (p *crashPusher) plan() {
	n := len(p.steps)
	refs := maps.Clone(p.steps[n-1].refs)
	if refs == nil {
		refs = map[string]string{}
	}
	commit := func(ref string) string {
		return p.history.Commit(refs[ref], map[string]string{"file": fmt.Sprintf("%s %s %d", p.id, ref, n)}, fmt.Sprint("step ", n))
	}
	kind, again := p.draw.IntN(10), ""
	if kind < 2 && len(p.mains) > 2 {
		again = p.mains[p.draw.IntN(len(p.mains)-1)]
	}
	if again != "" && again != refs[crashMain] { // two steps in a row with the same refs could not be told apart
		refs[crashMain] = again
	} else {
		refs[crashMain] = commit(crashMain)
		p.mains = append(p.mains, refs[crashMain])
		switch {
		case kind < 4:
			delete(refs, crashDev)
		case kind < 8:
			refs[crashDev] = commit(crashDev)
		}
	}
	var list [][2]string
	for _, ref := range slices.Sorted(maps.Keys(refs)) {
		list = append(list, [2]string{ref, refs[ref]})
	}
	p.steps = append(p.steps, crashStep{client.StateEvent(p.key, p.id, list, crashMain, crashEpoch+int64(n)), refs})
}

// step asks for the step that was planned, and reports whether there were answers.
func (p *crashPusher) step(t *testing.T, c *client.Client, r *client.Relay) bool {
	before, next := p.steps[p.acked], p.steps[p.acked+1]
	p.changed = true
	ok, is := told(t, r, next.state)
	if !is {
		return false
	}
	if strings.Contains(ok.Prefix+ok.Text, "purgatory") {
		opts := client.PushOpts{Pack: p.history.Pack(slices.Collect(maps.Values(next.refs)), slices.Collect(maps.Values(before.refs)))}
		for _, ref := range []string{crashDev, crashMain} {
			from, to := orZero(before.refs[ref]), orZero(next.refs[ref])
			if from != to {
				opts.Commands = append(opts.Commands, client.Command{Ref: ref, Old: from, New: to})
			}
		}
		report, is := c.Push(context.Background(), p.path(), opts).(client.PushReport)
		if !is {
			return false
		}
		if !report.Accepted() {
			return true // the state has expired meanwhile
		}
	}
	p.acked++
	p.plan()
	return true
}

func orZero(oid string) string {
	if oid == "" {
		return client.ZeroOID
	}
	return oid
}

func (p *crashPusher) work(t *testing.T, c *client.Client, r *client.Relay) {
	for p.step(t, c, r) {
	}
}

func (p *crashPusher) touched() []string {
	if !p.changed {
		return nil
	}
	p.changed = false
	return []string{p.path()}
}

// check compares refs, HEAD and the state that is served with the last step that was acknowledged, or the one under way. All
// three are of the same step.
func (p *crashPusher) check(t *testing.T, c *client.Client, r *client.Relay, count *crashCount) {
	t.Helper()
	advert, is := c.Advertise(t.Context(), p.path(), client.UploadPack, 0).(client.Advert)
	if !is {
		t.Errorf("%s: got %v, want an advertisement", p.path(), advert)
		return
	}
	refs := map[string]string{}
	for _, ref := range advert.Refs {
		if ref.Name != "HEAD" {
			refs[ref.Name] = ref.OID
		}
	}
	at := p.acked
	if !maps.Equal(refs, p.steps[at].refs) {
		at++
	}
	if !maps.Equal(refs, p.steps[at].refs) {
		t.Errorf("%s: got refs %v, want those of step %d %v or of step %d %v", p.path(), refs, at-1, p.steps[at-1].refs, at, p.steps[at].refs)
		return
	}
	if at > 0 && advert.Symrefs["HEAD"] != crashMain {
		t.Errorf("%s: got HEAD at %q, want %s", p.path(), advert.Symrefs["HEAD"], crashMain)
	}
	states, o := r.Query(t.Context(), client.Filter{
		Authors: []string{p.key.Pubkey}, Kinds: []int{client.KindState}, Tags: map[string][]string{"d": {p.id}},
	})
	if o != nil || len(states) != 1 || states[0].ID != p.steps[at].state.ID {
		t.Errorf("%s: got states %v (%v), want that of step %d, whose refs are there", p.path(), states, o, at)
	}
	count.pushes += p.acked
	if at > p.acked {
		p.acked = at
		p.plan()
	}
}

// A crashRemover makes repositories and deletes them.
type crashRemover struct {
	draw  *rand.Rand
	key   client.Key
	n     int
	repos []*crashRemoved // the latest
	todo  []string
}

// A crashRemoved is a repository whose announcement may have been deleted.
type crashRemoved struct {
	crashPusher

	asked, gone bool // the deletion was sent; it was acknowledged
}

func newCrashRemover(draw *rand.Rand, key client.Key) *crashRemover {
	return &crashRemover{draw: draw, key: key}
}

func (x *crashRemover) work(t *testing.T, c *client.Client, r *client.Relay) {
	for {
		x.n++
		one := &crashRemoved{crashPusher: *newCrashPusher(x.draw, x.key, fmt.Sprint("gone", x.n))}
		x.repos = append(x.repos, one)
		x.todo = append(x.todo, one.path())
		if !one.announce(t, r) {
			return
		}
		for range 1 + x.draw.IntN(2) {
			if !one.step(t, c, r) {
				return
			}
		}
		one.asked = true
		if !acknowledged(t, r, client.Deletion(x.key, nil, []string{client.RepoAddress(x.key.Pubkey, one.id)}, crashEpoch+1_000)) {
			return
		}
		one.gone = true
	}
}

func (x *crashRemover) touched() []string {
	todo := x.todo
	x.todo = nil
	return todo
}

func (x *crashRemover) check(t *testing.T, c *client.Client, r *client.Relay, count *crashCount) {
	t.Helper()
	for i, one := range x.repos {
		switch {
		case one.gone:
			count.gone++
			if answer, is := c.Advertise(t.Context(), one.path(), client.UploadPack, 0).(client.HTTPAnswer); !is || answer.Status != http.StatusNotFound {
				t.Errorf("%s was deleted: got %v, want 404", one.path(), answer)
			}
			if events, o := r.Query(t.Context(), client.Filter{
				Authors: []string{x.key.Pubkey}, Kinds: []int{client.KindAnnouncement}, Tags: map[string][]string{"d": {one.id}},
			}); o != nil || len(events) > 0 {
				t.Errorf("%s was deleted: got %v (%v), want no announcement", one.path(), events, o)
			}
		case i < len(x.repos)-1 || one.asked || one.acked == 0:
			// An answer was lost: whatever is there, nobody was told.
		default:
			one.check(t, c, r, count)
		}
	}
	// Those that were looked at once are as they were ever since, and every look takes its time.
	x.repos = x.repos[max(0, len(x.repos)-4):]
}
