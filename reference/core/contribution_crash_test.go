package core_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// A frail is a shell whose server dies after so many effects, of which the records of their step are durable, and does nothing any
// more then.
type frail struct {
	*shell

	left int
}

// step is shell.step up to the death.
func (f *frail) step(in core.Input) {
	inputs := []core.Input{in}
	for len(inputs) > 0 && f.left >= 0 {
		var out core.Effects
		f.server.Step(f.now, inputs[0], &out)
		inputs = inputs[1:]
		if f.left--; f.left < 0 {
			return // before anything is durable
		}
		for _, e := range out.List {
			if r, ok := e.(core.Record); ok {
				f.record(r)
			}
		}
		for _, e := range out.List {
			switch e.(type) {
			case core.Record, core.Note:
				continue
			}
			if f.left--; f.left < 0 {
				return
			}
			inputs = append(inputs, f.carryOut(e)...)
		}
	}
}

// Wherever a server dies that takes contributions: what it has acknowledged is there, places are there for somebody, and who does the
// same again ends where he would have been (REF-PURG-15, REF-PURG-16, G06-GC-01).
func TestContributionsOutliveEveryDeath(t *testing.T) {
	pull := func(name, commit string) *nostr.Event {
		ev := &nostr.Event{PubKey: string(key("bob")), Kind: 1618, CreatedAt: nostr.Timestamp(start.Unix()), Content: name, Tags: nostr.Tags{
			{"a", "30617:" + string(key("alice")) + ":demo"},
			{"c", string(oid(commit))},
			{"clone", "https://grasp.test" + repo.Contribution(key("bob"), "demo").Path()},
		}}
		ev.ID = ev.GetID()
		return ev
	}
	place := repo.Contribution(key("bob"), "demo")
	first, second, wrong := pull("first", "a"), pull("second", "b"), pull("wrong", "c")
	script := func(f *frail) {
		say := func(ev *nostr.Event) {
			f.names[ev.ID] = ev.Content
			f.step(core.Message{Conn: 1, Msg: relay.Event{Event: ev, IDOK: true}, SigOK: true})
		}
		give := func(id repo.ID, event, to string) {
			c := gitproto.Command{Ref: "refs/nostr/" + event, Old: repo.ZeroOID, New: oid(to)}
			if there := f.repos[id]; there != nil && there.refs[c.Ref] != "" {
				c.Old = there.refs[c.Ref]
			}
			f.pushes++
			offer := core.PushOffered{Push: f.pushes, Repo: id, Commands: []gitproto.Command{c}}
			f.running[offer.Push] = offer
			if f.step(core.PushAsked(offer)); f.left < 0 {
				return
			}
			if _, expected := f.running[offer.Push]; expected {
				f.step(offer)
			}
		}
		say(first)
		give(place, first.ID, "a")
		give(place, second.ID, "b")
		say(second)
		give(repo.Contribution(key("bob"), "other"), wrong.ID, "c")
		give(place, strings.Repeat("0", 64), "c")
		say(wrong)
		if f.left >= 0 {
			f.now = f.now.Add(20 * time.Minute)
			f.step(core.TimerFired{})
		}
	}
	deaths := 0
	for n := 0; ; n++ {
		f := &frail{shell: contributing(t), left: n}
		script(f)
		alive := f.left >= 0
		acknowledged := f.log.String()
		f.running = map[core.PushID]core.PushOffered{}
		f.boot()
		for _, ev := range []*nostr.Event{first, second, wrong} {
			if strings.Contains(acknowledged, fmt.Sprintf("ok %s true", ev.Content)) && f.stored[ev.ID] == nil && f.held[ev.ID].Event == nil {
				t.Fatalf("death after %d: %s was acknowledged and is gone", n, ev.Content)
			}
		}
		f.left = 1 << 20
		script(f)
		f.wait(time.Hour)
		want := map[string]repo.OID{"refs/nostr/" + first.ID: oid("a"), "refs/nostr/" + second.ID: oid("b")}
		got := map[string]repo.OID{}
		for id, r := range f.repos {
			if id != place {
				t.Fatalf("death after %d: %s is there for nobody", n, f.repoName(id))
			}
			got = r.refs
		}
		if fmt.Sprint(got) != fmt.Sprint(want) || f.stored[first.ID] == nil || f.stored[second.ID] == nil || !f.server.Idle() {
			t.Fatalf("death after %d: got refs %v, %d events, idle %t", n, got, len(f.stored), f.server.Idle())
		}
		if alive {
			break
		}
		deaths++
	}
	if deaths < 30 {
		t.Errorf("got %d deaths, want more", deaths)
	}
}
