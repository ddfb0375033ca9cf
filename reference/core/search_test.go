package core_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nbd-wtf/go-nostr"
	"pgregory.net/rapid"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
)

// A searched is a server all of whose questions are searched for outside, and what it has asked and said.
type searched struct {
	t    testing.TB
	s    *core.Server
	open []core.SearchEvents
	log  []core.Effect
}

func searching(t testing.TB, cfg core.Config, stored ...*nostr.Event) *searched {
	if cfg.SearchAtOnce == 0 {
		cfg.SearchAtOnce = -1 // nothing at once
	}
	return &searched{t: t, s: runningAs(t, cfg, core.Started{Stored: stored})}
}

func (x *searched) step(in core.Input) {
	for _, e := range effects(x.s, start, in) {
		if ask, is := e.(core.SearchEvents); is {
			x.open = append(x.open, ask)
		}
		x.log = append(x.log, e)
	}
}

func (x *searched) say(conn core.ConnID, format string, args ...any) {
	x.step(core.Message{Conn: conn, Msg: relay.Decode(fmt.Appendf(nil, format, args...)), SigOK: true})
}

func (x *searched) store(ev *nostr.Event) {
	x.step(core.Message{Conn: 2, Msg: relay.Event{Event: ev, IDOK: true}, SigOK: true})
}

// answer looks for what was asked first.
func (x *searched) answer() {
	x.t.Helper()
	if len(x.open) == 0 {
		x.t.Fatal("nothing is searched for")
	}
	e := x.open[0]
	x.open = x.open[1:]
	x.step(core.EventsFound{Request: e.Request, Found: e.Question.Find()})
}

// heard compares what connection 1 was sent since the last call.
func (x *searched) heard(what string, want ...string) {
	x.t.Helper()
	same(x.t, what, said(x.log, 1), strings.Join(want, " "))
	x.log = nil
}

func sent(sub string, ev *nostr.Event) string {
	return string(relay.Encode(relay.EventFor{Sub: sub, Event: ev}))
}

// What is found does not depend on where it is looked for, for all that a client can ask: a server that looks for all of it
// outside says the same.
func TestSearchesAnswerAlike(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		at, outside := searching(t, core.Config{SearchAtOnce: core.SearchMax}), searching(t, core.Config{})
		both := func(do func(x *searched)) {
			do(at)
			do(outside)
			for len(outside.open) > 0 {
				outside.answer()
			}
		}
		for range rapid.IntRange(1, 30).Draw(rt, "steps") {
			n, sub := rapid.IntRange(0, 6).Draw(rt, "n"), rapid.SampledFrom([]string{"a", "b"}).Draw(rt, "sub")
			filter := rapid.SampledFrom([]string{
				`{}`, `{"limit":2}`, `{"limit":0}`, `{"kinds":[10317]}`, `{"kinds":[1],"limit":1},{"kinds":[10317]}`, `{"ids":["` + note(n).ID + `"]}`,
			}).Draw(rt, "filter")
			switch rapid.IntRange(0, 5).Draw(rt, "step") {
			case 0:
				both(func(x *searched) { x.say(1, `["REQ","%s",%s]`, sub, filter) })
			case 1:
				both(func(x *searched) { x.say(1, `["COUNT","%s",%s]`, sub, filter) })
			case 2:
				both(func(x *searched) {
					x.say(1, `["NEG-OPEN","%s",%s,"%s"]`, sub, strings.SplitAfter(filter, "}")[0], listAll)
				})
			case 3:
				both(func(x *searched) { x.say(1, `["CLOSE","%s"]`, sub) })
			default:
				ev := list(n)
				both(func(x *searched) { x.store(ev) })
			}
		}
		if diff := cmp.Diff(said(at.log, 1), said(outside.log, 1)); diff != "" {
			rt.Fatal(diff)
		}
	})
}

// list is an event that everybody may store.
func list(n int) *nostr.Event {
	ev := &nostr.Event{PubKey: string(key(fmt.Sprint("key", n))), Kind: 10317, CreatedAt: nostr.Timestamp(start.Unix() - int64(n))}
	ev.ID = ev.GetID()
	return ev
}

// What becomes stored while it is looked for what is stored comes behind the answer, once; what goes meanwhile does not come.
func TestLiveEventsWaitForTheAnswer(t *testing.T) {
	old := list(1)
	old.CreatedAt--
	old.ID = old.GetID()
	x := searching(t, core.Config{}, list(3), old)
	x.say(1, `["REQ","a",{}]`)
	x.store(list(1)) // in the place of the old one
	x.store(list(2))
	newer := list(2)
	newer.CreatedAt++
	newer.ID = newer.GetID()
	x.store(newer) // in its place
	x.heard("meanwhile")
	x.answer()
	x.heard("the answer", sent("a", list(3)), `["EOSE","a"]`, sent("a", list(1)), sent("a", newer))
	x.store(list(4))
	x.heard("afterwards", sent("a", list(4)))
}

// One question of a connection is looked for at a time, and those that nobody waits for any more are not.
func TestSearchesTakeTurns(t *testing.T) {
	x := searching(t, core.Config{}, list(1), list(2))
	for _, sub := range []string{"a", "b", "c", "d"} {
		x.say(1, `["REQ","%s",{"limit":1}]`, sub)
	}
	x.say(1, `["COUNT","n",{}]`)
	x.say(2, `["COUNT","n",{}]`)
	if len(x.open) != 2 {
		t.Fatalf("got %d searches, want one for each connection", len(x.open))
	}
	x.say(1, `["CLOSE","a"]`)
	x.say(1, `["CLOSE","b"]`)
	x.say(1, `["REQ","c",{"ids":["%s"]}]`, list(2).ID) // behind the count now
	x.store(list(0))                                   // before any other search of this connection begins
	for len(x.open) > 0 {
		x.answer()
	}
	x.heard("the answers", sent("d", list(0)), `["EOSE","d"]`, `["COUNT","n",{"count":3}]`, sent("c", list(2)), `["EOSE","c"]`)
	x.say(1, `["REQ","a",{}]`)
	x.say(1, `["NEG-OPEN","s",{},"61"]`)
	x.say(1, `["NEG-OPEN","t",{},"61"]`)
	x.say(1, `["NEG-CLOSE","s"]`)
	x.say(1, `["REQ","a",{"limit":1}]`)
	x.answer()
	x.answer()
	x.answer()
	x.heard("the second ones", `["NEG-MSG","t","61"]`, sent("a", list(0)), `["EOSE","a"]`)
	x.say(1, `["REQ","a",{}]`)
	x.say(1, `["COUNT","n",{}]`)
	x.step(core.ConnClosed{Conn: 1})
	x.answer()
	x.heard("the answer to a connection that is gone")
	if len(x.open) > 0 {
		t.Error("something is searched for and nobody is there")
	}
}

// However many connections ask, a few are searched for at a time, in turns. One that gives up its question gives up its turn.
func TestFewSearchesRun(t *testing.T) {
	x := searching(t, core.Config{}, list(1))
	const many = core.SearchingMax + 3
	for conn := core.ConnID(3); conn < 3+many; conn++ {
		x.step(core.ConnOpened{Conn: conn})
		x.say(conn, `["REQ","a",{}]`)
		x.say(conn, `["REQ","b",{}]`)
	}
	x.say(1, `["COUNT","n",{}]`)
	for range 2 * core.SearchingMax { // as often as it likes
		x.say(2, `["REQ","a",{}]`)
		x.say(2, `["CLOSE","a"]`)
	}
	x.say(2+many, `["CLOSE","a"]`)
	x.step(core.ConnClosed{Conn: 1 + many})
	for answered := 0; len(x.open) > 0; answered++ {
		if len(x.open) > core.SearchingMax {
			t.Fatalf("got %d searches at a time, want %d at most", len(x.open), core.SearchingMax)
		}
		x.answer()
	}
	x.heard("the last one", `["COUNT","n",{"count":1}]`)
}

// A subscription that takes the place of one that waits for its answer is one of its own.
func TestReplacedSearches(t *testing.T) {
	x := searching(t, core.Config{SearchAtOnce: 3}, list(1), list(2), list(3), list(4))
	x.say(1, `["REQ","a",{}]`)
	x.heard("much")
	x.say(1, `["REQ","a",{"ids":["%s"]},{"kinds":[10317],"limit":0}]`, list(1).ID)
	x.heard("little", sent("a", list(1)), `["EOSE","a"]`)
	x.store(list(5))
	x.heard("live", sent("a", list(5)))
	x.answer()
	x.heard("the first one")
}

// A question is about what was there when it was begun, among as many events as there may be.
// A client that goes on with a reconciliation before it has begun is told that there is none, and nothing follows.
func TestAReconciliationThatHasNotBegunEnds(t *testing.T) {
	x := searching(t, core.Config{}, list(1))
	x.say(1, `["NEG-OPEN","n",{},"61"]`)
	x.say(1, `["NEG-MSG","n","61"]`)
	x.heard("too early", `["NEG-ERR","n","closed: no reconciliation of this id is open"]`)
	x.answer()
	x.heard("behind it")
}

func TestSearchesAreOfOneInstant(t *testing.T) {
	const many = 2_000
	x := searching(t, core.Config{}, notes(many)...)
	x.say(1, `["COUNT","n",{}]`)
	for n := range many / 2 {
		x.store(list(n))
	}
	x.answer()
	x.heard("the answer", fmt.Sprintf(`["COUNT","n",{"count":%d}]`, many))
}

// Each limit of questions: what goes beyond is refused with the reason, and there is room again afterwards.
func TestSearchesAreBounded(t *testing.T) {
	x := searching(t, core.Config{SearchMax: 2}, list(1), list(2), list(3))
	const tooMuch = "error: the filters make too many events be looked at; ask for ids, authors or tags that few have"
	x.say(1, `["REQ","a",{}]`)
	x.say(1, `["COUNT","n",{}]`)
	x.say(1, `["NEG-OPEN","s",{},"61"]`)
	for len(x.open) > 0 {
		x.answer()
	}
	x.heard("too much", `["CLOSED","a","`+tooMuch+`"]`, `["CLOSED","n","`+tooMuch+`"]`, `["NEG-ERR","s","`+tooMuch+`"]`)
	x.store(list(4))
	x.heard("after CLOSED")
	x.say(1, `["REQ","a",{"ids":["%s"]}]`, list(1).ID)
	x.answer()
	x.heard("little", sent("a", list(1)), `["EOSE","a"]`)

	for range core.SearchesMax {
		x.say(1, `["COUNT","n",{"kinds":[7]}]`)
	}
	x.heard("as many as may wait")
	x.say(1, `["COUNT","more",{}]`)
	x.say(1, `["REQ","more",{}]`)
	x.say(1, `["NEG-OPEN","more",{},"61"]`)
	const wait = "rate-limited: too many large questions of this connection wait for their answers"
	x.heard("more", `["CLOSED","more","`+wait+`"]`, `["CLOSED","more","`+wait+`"]`, `["NEG-ERR","more","`+wait+`"]`)
	for len(x.open) > 0 {
		x.answer()
	}
	x.log = nil
	x.say(1, `["COUNT","n",{"kinds":[7]}]`)
	x.answer()
	x.heard("when they are answered", `["COUNT","n",{"count":0}]`)
}

// The filters of questions that wait are part of the account of their connection, until they are answered or dropped.
func TestWaitingSearchesAreAccounted(t *testing.T) {
	const filter = `{"kinds":[7]}`
	one := relay.Filter{Kinds: []int{7}}.Bytes()
	x := searching(t, core.Config{FilterBytesMax: 3 * one})
	full := func(what string, want bool) {
		t.Helper()
		x.log = nil
		x.say(2, `["COUNT","x",%s]`, filter)
		x.say(1, `["COUNT","x",%s,%s]`, filter, filter)
		if got := strings.Contains(said(x.log, 1), "too large"); got != want {
			t.Errorf("%s: refused is %t, want %t", what, got, want)
		}
	}
	x.say(1, `["COUNT","n",%s]`, filter)
	x.say(1, `["NEG-OPEN","n",%s,"61"]`, filter)
	full("with two of three", true)
	x.say(1, `["NEG-CLOSE","n"]`)
	full("with one of three", false)
	for len(x.open) > 0 {
		x.answer()
	}
	x.say(1, `["REQ","n",%s]`, filter)
	full("with one subscription", false)
	for len(x.open) > 0 {
		x.answer()
	}
	x.say(1, `["CLOSE","n"]`)
	x.say(1, `["NEG-OPEN","n",%s,"61%s"]`, filter, strings.Repeat("00", one))
	full("with a message as large as a filter", true)
}

// A flood of events behind a question ends it, with the reason.
func TestFloodsEndSearches(t *testing.T) {
	x := searching(t, core.Config{})
	x.say(1, `["REQ","a",{}]`)
	for n := range core.SearchLater + 1 {
		x.store(list(n))
	}
	x.answer()
	x.heard("the answer", `["CLOSED","a","error: too many events came while the stored ones were looked for; ask again"]`)
	x.store(list(core.SearchLater + 2))
	x.heard("afterwards")
}
