package core_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// note makes the nth of an endless list of events that a server may have stored.
func note(n int, tags ...nostr.Tag) *nostr.Event {
	id := sha256.Sum256([]byte(strconv.Itoa(n)))
	return &nostr.Event{
		ID: hex.EncodeToString(id[:]), PubKey: string(key("bob")), Kind: 1,
		CreatedAt: nostr.Timestamp(start.Unix() - int64(n)), Tags: tags,
	}
}

func notes(n int) []*nostr.Event {
	var events []*nostr.Event
	for i := range n {
		events = append(events, note(i))
	}
	return events
}

// running returns a server that has started on what is given, with connections 1 and 2.
func running(t testing.TB, in core.Started) *core.Server {
	t.Helper()
	return runningAs(t, core.Config{}, in)
}

func runningAs(t testing.TB, cfg core.Config, in core.Started) *core.Server {
	t.Helper()
	service, err := repo.ParseService("ws://grasp.test")
	if err != nil {
		t.Fatal(err)
	}
	cfg.Service = service
	s := core.New(cfg)
	effects(s, start, in)
	effects(s, start, core.ConnOpened{Conn: 1})
	effects(s, start, core.ConnOpened{Conn: 2})
	return s
}

func effects(s *core.Server, now instant.Instant, in core.Input) []core.Effect {
	var out core.Effects
	s.Step(now, in, &out)
	return out.List
}

// say sends a message on a connection and returns the answers as they go over the wire.
func say(s *core.Server, now instant.Instant, conn core.ConnID, frame string) string {
	all := effects(s, now, core.Message{Conn: conn, Msg: relay.Decode([]byte(frame)), SigOK: true})
	for i := 0; i < len(all); i++ {
		if e, ok := all[i].(core.SearchEvents); ok {
			all = append(all, effects(s, now, core.EventsFound{Request: e.Request, Found: e.Question.Find()})...)
		}
	}
	return said(all, conn)
}

// said returns what a connection is sent.
func said(all []core.Effect, conn core.ConnID) string {
	var answers []string
	for _, e := range all {
		if send, ok := e.(core.Send); ok && send.Conn == conn {
			answers = append(answers, string(relay.Encode(send.Msg)))
		}
	}
	return strings.Join(answers, " ")
}

// listAll asks for the ids of everything in a reconciliation.
const listAll = "6100000200"

func listed(sub string, events ...*nostr.Event) string {
	text := fmt.Sprintf(`["NEG-MSG",%q,"61000002%02x`, sub, len(events))
	for _, ev := range events {
		text += ev.ID
	}
	return text + `"]`
}

func same(t testing.TB, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %.300s, want %.300s", what, got, want)
	}
}

func TestReconciliationLives(t *testing.T) {
	s := running(t, core.Started{Stored: notes(3)})
	same(t, "open", say(s, start, 1, `["NEG-OPEN","n",{},"`+listAll+`"]`), listed("n", note(2), note(1), note(0)))
	same(t, "again", say(s, start, 1, `["NEG-MSG","n","`+listAll+`"]`), listed("n", note(2), note(1), note(0)))
	same(t, "by filter, whatever its limit", say(s, start, 1, `["NEG-OPEN","n",{"ids":["`+note(1).ID+`"],"limit":0},"`+listAll+`"]`), listed("n", note(1)))
	same(t, "replaced", say(s, start, 1, `["NEG-MSG","n","`+listAll+`"]`), listed("n", note(1)))
	same(t, "other version", say(s, start, 1, `["NEG-MSG","n","62"]`), `["NEG-MSG","n","61"]`)
	same(t, "other connection", say(s, start, 2, `["NEG-MSG","n","61"]`), `["NEG-ERR","n","closed: no reconciliation of this id is open"]`)
	say(s, start, 1, `["CLOSE","n"]`)
	same(t, "after CLOSE", say(s, start, 1, `["NEG-MSG","n","`+listAll+`"]`), listed("n", note(1)))
	same(t, "close", say(s, start, 1, `["NEG-CLOSE","n"]`), "")
	const gone = `["NEG-ERR","n","closed: no reconciliation of this id is open"]`
	same(t, "after NEG-CLOSE", say(s, start, 1, `["NEG-MSG","n","61"]`), gone)
	for _, bad := range []string{`["NEG-MSG","n","610000"]`, `["NEG-MSG","n","6"]`, `["NEG-OPEN","n",1,"61"]`, `["NEG-OPEN","n",{},"6100"]`} {
		same(t, "open", say(s, start, 1, `["NEG-OPEN","n",{},"61"]`), `["NEG-MSG","n","61"]`)
		if got := say(s, start, 1, bad); !strings.HasPrefix(got, `["NEG-ERR","n","invalid: `) {
			t.Errorf("%s: got %s", bad, got)
		}
		same(t, "after "+bad, say(s, start, 1, `["NEG-MSG","n","61"]`), gone)
	}
}

// An event that comes later is not part of a reconciliation that is open.
func TestReconciliationIsASnapshot(t *testing.T) {
	s := running(t, core.Started{Stored: []*nostr.Event{note(1), note(2, nostr.Tag{"expiration", strconv.FormatInt(start.Unix()+5, 10)})}})
	say(s, start, 1, `["NEG-OPEN","n",{},"61"]`)
	ev := note(0, nostr.Tag{"e", note(1).ID})
	effects(s, start.Add(10*time.Second), core.Message{Conn: 2, Msg: relay.Event{Event: ev, IDOK: true}, SigOK: true})
	same(t, "snapshot", say(s, start.Add(10*time.Second), 1, `["NEG-MSG","n","`+listAll+`"]`), listed("n", note(2), note(1)))
}

func TestReconciliationsAreBounded(t *testing.T) {
	s := running(t, core.Started{Stored: notes(core.ReconcileMax + 1)})
	same(t, "too many events", say(s, start, 1, `["NEG-OPEN","n",{},"61"]`), `["NEG-ERR","n","blocked: the filter selects more than 50000 events"]`)
	most := fmt.Sprintf(`{"since":%d}`, note(core.ReconcileMax-1).CreatedAt)
	for n := range core.ReconcileTotalMax / core.ReconcileMax {
		conn := core.ConnID(1 + n/relay.SetsMax)
		same(t, "set", say(s, start, conn, fmt.Sprintf(`["NEG-OPEN","%d",%s,"61"]`, n, most)), fmt.Sprintf(`["NEG-MSG","%d","61"]`, n))
	}
	const none = `["NEG-OPEN","none",{"kinds":[7]},"61"]`
	same(t, "too many sets", say(s, start, 1, none), `["NEG-ERR","none","blocked: too many reconciliations on this connection"]`)
	same(t, "too many in all", say(s, start, 2, `["NEG-OPEN","n",{"limit":1},"61"]`), `["NEG-ERR","n","blocked: the filter selects more than 50000 events"]`)
}

// Who leaves reconciliations open keeps nobody from his own: what was used longest ago gives way, and what goes on stays.
func TestIdleReconciliationsGiveWay(t *testing.T) {
	s := running(t, core.Started{Stored: notes(core.ReconcileMax)})
	for n := range core.ReconcileTotalMax / core.ReconcileMax {
		conn := core.ConnID(1 + n/relay.SetsMax)
		same(t, "set", say(s, start, conn, fmt.Sprintf(`["NEG-OPEN","%d",{},"61"]`, n)), fmt.Sprintf(`["NEG-MSG","%d","61"]`, n))
	}
	same(t, "the first goes on", say(s, start, 1, `["NEG-MSG","0","61"]`), `["NEG-MSG","0","61"]`)
	all := effects(s, start, core.Message{Conn: 2, Msg: relay.Decode([]byte(`["NEG-OPEN","n",{"ids":["` + note(0).ID + `"]},"61"]`))})
	same(t, "one more", said(all, 2), `["NEG-MSG","n","61"]`)
	same(t, "gives way", said(all, 1), `["NEG-ERR","1","closed: others reconcile, and this went on longest ago; begin it again"]`)
	same(t, "what was used stays", say(s, start, 1, `["NEG-MSG","0","61"]`), `["NEG-MSG","0","61"]`)
	same(t, "what gave way is over", say(s, start, 1, `["NEG-MSG","1","61"]`), `["NEG-ERR","1","closed: no reconciliation of this id is open"]`)
}

func TestCountCountsWhatIsServed(t *testing.T) {
	held := announcement()
	s := running(t, core.Started{Stored: notes(700), Held: []core.HeldEvent{{Event: held, Arrived: start, Deadline: start.Add(time.Minute)}}})
	for _, c := range []struct{ filters, want string }{
		{`{}`, "700"},
		{`{"limit":1}`, "700"},
		{`{"ids":["` + note(1).ID + `"]},{"ids":["` + note(1).ID + `","` + note(2).ID + `"]}`, "2"},
		{`{"kinds":[30617]}`, "0"},
		{`{"ids":["` + held.ID + `"]}`, "0"},
	} {
		same(t, c.filters, say(s, start, 1, `["COUNT","c",`+c.filters+`]`), `["COUNT","c",{"count":`+c.want+`}]`)
	}
	same(t, "held events in a set", say(s, start, 1, `["NEG-OPEN","n",{"kinds":[30617]},"`+listAll+`"]`), listed("n"))
}

// announcement is one that lists the service, and expires ten seconds after the start.
func announcement() *nostr.Event {
	id := repo.ID{Owner: key("alice"), Identifier: "demo"}
	ev := &nostr.Event{
		PubKey: string(id.Owner), Kind: 30617, CreatedAt: nostr.Timestamp(start.Unix()), Tags: nostr.Tags{
			{"d", id.Identifier},
			{"clone", "https://grasp.test" + id.Path()},
			{"relays", "wss://grasp.test"},
			{"expiration", strconv.FormatInt(start.Unix()+10, 10)},
		},
	}
	ev.ID = ev.GetID()
	return ev
}

func TestStoredEventsExpireByTheirOwnWord(t *testing.T) {
	tag := func(seconds int64) nostr.Tag {
		return nostr.Tag{"expiration", strconv.FormatInt(start.Unix()+seconds, 10)}
	}
	soon, late := note(1, tag(10)), note(2, tag(20))
	s := running(t, core.Started{Stored: []*nostr.Event{note(0), soon, late}})
	if at, ok := s.Deadline(); !ok || at != start.Add(10*time.Second) {
		t.Errorf("deadline: got %v, %v, want the first expiration", at, ok)
	}
	before := start.Add(10*time.Second - 1)
	same(t, "before", say(s, before, 1, `["COUNT","c",{}]`), `["COUNT","c",{"count":3}]`)
	got := effects(s, start.Add(10*time.Second), core.TimerFired{})
	want := []core.Effect{
		core.Record{Op: core.OpUnstore, ID: soon.ID},
		core.Note{Fact: core.EventOutlived, Event: soon.ID, Kind: 1, PubKey: soon.PubKey},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	// Whatever comes first finds it gone, the timer or a query.
	same(t, "query", say(s, start.Add(20*time.Second), 1, `["REQ","r",{"ids":["`+late.ID+`"]}]`), `["EOSE","r"]`)
	if at, ok := s.Deadline(); ok {
		t.Errorf("deadline: got %v, want none", at)
	}
	again := effects(s, start.Add(20*time.Second), core.Message{Conn: 1, Msg: relay.Event{Event: late, IDOK: true}, SigOK: true})
	refusal := core.Send{Conn: 1, Msg: relay.OK{ID: late.ID, Text: "invalid: the event has expired"}}
	if diff := cmp.Diff(core.Effect(refusal), again[len(again)-1]); diff != "" {
		t.Error(diff)
	}
}

// What has expired while the server was down is dropped at the start.
func TestExpirationPassesWhileDown(t *testing.T) {
	gone, a := note(1, nostr.Tag{"expiration", strconv.FormatInt(start.Unix(), 10)}), announcement()
	service, err := repo.ParseService("ws://grasp.test")
	if err != nil {
		t.Fatal(err)
	}
	s := core.New(core.Config{Service: service})
	id := repo.ID{Owner: key("alice"), Identifier: "demo"}
	got := effects(s, start.Add(time.Hour), core.Started{
		Stored: []*nostr.Event{gone, a, note(2)}, Repositories: []core.RepositoryRefs{{ID: id}},
	})
	var dropped []string
	for _, e := range got {
		if r, ok := e.(core.Record); ok && r.Op == core.OpUnstore {
			dropped = append(dropped, r.ID)
		}
	}
	if diff := cmp.Diff([]string{gone.ID, a.ID}, dropped); diff != "" {
		t.Error(diff)
	}
	if s.Repository(id).Exists {
		t.Error("got the repository, want it withdrawn with its announcement")
	}
}

// A held announcement whose expiration comes is never served, whatever data arrives for it.
func TestHeldEventsThatExpireAreNeverServed(t *testing.T) {
	for _, late := range []bool{false, true} {
		s := newShell(t)
		a := announcement()
		state := &nostr.Event{PubKey: a.PubKey, Kind: 30618, CreatedAt: a.CreatedAt}
		state.Tags = nostr.Tags{{"d", "demo"}, {"refs/heads/main", string(oid("a"))}}
		state.ID = state.GetID()
		s.names[a.ID], s.names[state.ID] = "A", "S"
		for _, ev := range []*nostr.Event{a, state} {
			s.step(core.Message{Conn: 1, Msg: relay.Event{Event: ev, IDOK: true}, SigOK: true})
		}
		if late {
			s.now = s.now.Add(10 * time.Second)
		}
		id := repo.ID{Owner: key("alice"), Identifier: "demo"}
		offer := core.PushOffered{Push: 1, Repo: id, Commands: []gitproto.Command{
			{Ref: "refs/heads/main", Old: repo.ZeroOID, New: oid("a")},
		}}
		s.running[1] = offer
		s.log.Reset()
		s.step(offer)
		if got := strings.Contains(s.log.String(), "live A"); got == late || s.stored[a.ID] == nil != late {
			t.Errorf("expired %v: got it served %v: %s", late, got, s.log.String())
		}
	}
}

// What is held goes with the second of its own expiration, an announcement with its repository: no push comes into what is over, to be
// removed behind it. A clock that is set moves that second.
func TestHeldEventsEndByTheirOwnWord(t *testing.T) {
	for _, ahead := range []time.Duration{0, -10 * time.Second, 5 * time.Second} {
		s := running(t, core.Started{})
		a := announcement()
		for _, e := range effects(s, start, core.Message{Conn: 1, Msg: relay.Event{Event: a, IDOK: true}, SigOK: true}) {
			if order, is := e.(core.CreateRepository); is {
				effects(s, start, core.RepositoryDone{Request: order.Request, OK: true})
			}
		}
		if ahead != 0 {
			effects(s, start, core.ClockSet{Ahead: ahead})
		}
		end := start.Add(10*time.Second - ahead)
		if at, ok := s.Deadline(); !ok || at != end {
			t.Errorf("clock ahead by %v: got deadline %v, %v, want %v", ahead, at, ok, end)
		}
		dropped, removed := false, false
		for _, e := range effects(s, end, core.TimerFired{}) {
			switch e := e.(type) {
			case core.Record:
				dropped = dropped || e.Op == core.OpDrop && e.ID == a.ID
			case core.RemoveRepository:
				removed = true
			}
		}
		if !dropped || !removed {
			t.Errorf("clock ahead by %v: got it dropped %v, its repository removed %v, want both", ahead, dropped, removed)
		}
	}
}
