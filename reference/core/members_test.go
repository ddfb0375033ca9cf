package core_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
)

// members is a list of people.
func members(who ...string) policy.Members {
	var m policy.Members
	for _, name := range who {
		m = append(m, key(name))
	}
	slices.Sort(m)
	return m
}

// A club is a private service, and what its clients are told.
type club struct {
	*shell
}

func newClub(t *testing.T, who ...string) club {
	t.Helper()
	s := limited(t, func(c *core.Config) { c.Private = core.PrivateConfig{On: true, Members: members(who...)} })
	return club{s}
}

// tells steps the server and returns what clients are told, a line for each message.
func (c club) tells(in core.Input) string {
	var out core.Effects
	c.server.Step(c.now, in, &out)
	var said []string
	for _, e := range out.List {
		if send, is := e.(core.Send); is {
			said = append(said, fmt.Sprintf("%d %s", send.Conn, relay.Encode(send.Msg)))
		}
	}
	return strings.Join(said, "\n")
}

func (c club) says(conn core.ConnID, msg relay.ClientMessage) string {
	return c.tells(core.Message{Conn: conn, Msg: msg, SigOK: true})
}

func (c club) proves(conn core.ConnID, who string, change func(*nostr.Event)) string {
	return c.says(conn, relay.Auth{Event: proof(who, change), IDOK: true})
}

// everyQuestion is what a client may want to know, with what it is answered if it may not.
func everyQuestion(ev *nostr.Event) map[string]relay.ClientMessage {
	f := relay.Filter{}
	return map[string]relay.ClientMessage{
		`["OK","` + ev.ID + `",false,`: relay.Event{Event: ev, IDOK: true},
		`["CLOSED","r",`:               relay.Req{Sub: "r", Filters: []relay.Filter{f}},
		`["CLOSED","c",`:               relay.Count{Sub: "c", Filters: []relay.Filter{f}},
		`["NEG-ERR","n",`:              relay.NegOpen{Sub: "n", Filter: f, Message: []byte{0x61, 0, 0, 0}},
		`["NEG-ERR","m",`:              relay.NegMessage{Sub: "m", Message: []byte{0x61}},
	}
}

// Who has not authenticated, or as nobody who is a member, gets nothing, whatever is asked (G08-01 to G08-04).
func TestStrangersGetNothing(t *testing.T) {
	c := newClub(t, "alice")
	if got := c.tells(core.ConnOpened{Conn: 3, Challenge: "sesame"}); got != `3 ["AUTH","sesame"]` {
		t.Errorf("on connecting: got %s, want the challenge", got)
	}
	list := &nostr.Event{PubKey: string(key("alice")), Kind: 10317, CreatedAt: nostr.Timestamp(start.Unix())}
	list.ID = list.GetID()
	shut := func(prefix string) {
		t.Helper()
		for begins, msg := range everyQuestion(list) {
			if got := c.says(3, msg); !strings.HasPrefix(got, `3 `+begins+`"`+prefix+`: `) || strings.Contains(got, "\n") {
				t.Errorf("%T: got %s, want %s %s", msg, got, begins, prefix)
			}
		}
		forged := relay.Event{Event: list} // not even that is told
		if got := c.says(3, forged); !strings.Contains(got, `false,"`+prefix) {
			t.Errorf("a forged event: got %s", got)
		}
	}
	shut("auth-required")
	for name, change := range map[string]func(*nostr.Event){
		"too old":         func(ev *nostr.Event) { ev.CreatedAt -= 301 },
		"too far ahead":   func(ev *nostr.Event) { ev.CreatedAt += 301 },
		"other relay":     func(ev *nostr.Event) { ev.Tags[0][1] = "wss://evil.test" },
		"other challenge": func(ev *nostr.Event) { ev.Tags[1][1] = "simsim" },
	} {
		if got := c.proves(3, "alice", change); !strings.Contains(got, `false,"auth-required: `) {
			t.Errorf("%s: got %s", name, got)
		}
	}
	shut("auth-required")
	if got := c.proves(3, "mallory", nil); !strings.Contains(got, `false,"restricted: `) {
		t.Errorf("a stranger: got %s", got)
	}
	shut("restricted")
	if got := c.proves(3, "alice", func(ev *nostr.Event) { ev.CreatedAt -= 300 }); !strings.Contains(got, `true,""`) {
		t.Errorf("a member: got %s", got)
	}
	if got := c.says(3, relay.Event{Event: list, IDOK: true}); got != `3 ["OK","`+list.ID+`",true,""]` {
		t.Errorf("a list of a member: got %s", got)
	}
	if got := c.says(3, relay.Req{Sub: "r", Filters: []relay.Filter{{}}}); !strings.Contains(got, list.ID) || !strings.HasSuffix(got, `["EOSE","r"]`) {
		t.Errorf("a question of a member: got %s", got)
	}
}

// Who is a member no more loses what is open and hears of nothing that comes later; who has become one is let in (G08-14).
func TestRemovedMember(t *testing.T) {
	c := newClub(t, "alice", "bob")
	for conn, who := range map[core.ConnID]string{3: "alice", 4: "bob", 5: "carol"} {
		c.tells(core.ConnOpened{Conn: conn, Challenge: "sesame"})
		c.proves(conn, who, nil)
	}
	for _, conn := range []core.ConnID{3, 4} {
		c.says(conn, relay.Req{Sub: "r", Filters: []relay.Filter{{}}})
		c.says(conn, relay.NegOpen{Sub: "n", Message: []byte{0x61, 0, 0, 0}})
	}
	want := "4 [\"CLOSED\",\"r\",\"restricted: this service is for its members\"]\n4 [\"NEG-ERR\",\"n\",\"restricted: this service is for its members\"]"
	if got := c.tells(core.MembersRead{Members: members("alice", "carol")}); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	list := &nostr.Event{PubKey: string(key("mallory")), Kind: 10317, CreatedAt: nostr.Timestamp(start.Unix())}
	list.ID = list.GetID()
	if got := c.says(5, relay.Event{Event: list, IDOK: true}); !strings.Contains(got, `5 ["OK","`+list.ID+`",true`) || !strings.Contains(got, `3 ["EVENT"`) || strings.Contains(got, "\n4 ") {
		t.Errorf("an event through a new member: got %s", got)
	}
	if got := c.says(4, relay.Count{Sub: "c", Filters: []relay.Filter{{}}}); !strings.Contains(got, "restricted: ") {
		t.Errorf("a question of who is none any more: got %s", got)
	}
}

// A question that is being looked for outside is not answered to who is a member no more.
func TestRemovedMemberWaits(t *testing.T) {
	s := limited(t, func(c *core.Config) {
		c.Private = core.PrivateConfig{On: true, Members: members("alice")}
		c.SearchAtOnce = 1
	})
	c := club{s}
	c.tells(core.ConnOpened{Conn: 3, Challenge: "sesame"})
	c.proves(3, "alice", nil)
	for at := range 3 {
		ev := &nostr.Event{PubKey: string(key(people[at])), Kind: 10317, CreatedAt: nostr.Timestamp(start.Unix())}
		ev.ID = ev.GetID()
		c.says(3, relay.Event{Event: ev, IDOK: true})
	}
	var out core.Effects
	for _, msg := range []relay.ClientMessage{
		relay.Req{Sub: "r", Filters: []relay.Filter{{}}}, relay.Count{Sub: "c", Filters: []relay.Filter{{}}}, relay.NegOpen{Sub: "n", Message: []byte{0x61}},
	} {
		c.server.Step(c.now, core.Message{Conn: 3, Msg: msg}, &out)
	}
	var running []core.SearchEvents
	for _, e := range out.List {
		if x, is := e.(core.SearchEvents); is {
			running = append(running, x)
		}
	}
	got := c.tells(core.MembersRead{Members: members("bob")})
	if len(running) != 1 || strings.Count(got, "restricted: ") != 3 {
		t.Fatalf("%d searches; got %s", len(running), got)
	}
	if got := c.tells(core.EventsFound{Request: running[0].Request, Found: running[0].Question.Find()}); got != "" {
		t.Errorf("the answer comes: got %s, want nothing", got)
	}
}

// The rules of the repositories are the same for members: being one gives no authority (G08-07). Tokens are published nowhere (G08-15).
func TestMembersHaveNoAuthority(t *testing.T) {
	c := newClub(t, "alice", "bob")
	c.tells(core.ConnOpened{Conn: 3, Challenge: "sesame"})
	c.proves(3, "bob", nil)
	c.log.Reset()
	publish := func(who string, kind int, tags ...nostr.Tag) {
		ev := &nostr.Event{PubKey: string(key(who)), Kind: kind, CreatedAt: nostr.Timestamp(start.Unix()), Tags: tags}
		ev.ID = ev.GetID()
		c.names[ev.ID] = fmt.Sprintf("%s's %d", who, kind)
		c.step(core.Message{Conn: 3, Msg: relay.Event{Event: ev, IDOK: true}, SigOK: true})
	}
	id := repo.ID{Owner: key("alice"), Identifier: "demo"}
	publish("alice", 30617, nostr.Tag{"d", "demo"}, nostr.Tag{"clone", "https://grasp.test" + id.Path()}, nostr.Tag{"relays", "wss://grasp.test"})
	c.want(`alice's 30617 true "purgatory: `)
	publish("bob", 30618, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", string(oid("a"))})
	c.want(`bob's 30618 false "`)
	publish("bob", 27235, nostr.Tag{"u", "x"}, nostr.Tag{"a", id.Coordinate()})
	c.want(`bob's 27235 false "invalid: an event of this kind belongs into an HTTP header"`)
}

// A token is judged by the time and the list of the moment, and by nothing that is here.
func TestAdmits(t *testing.T) {
	c := newClub(t, "alice")
	id := repo.ID{Owner: key("mallory"), Identifier: "nothing"}
	ev := &nostr.Event{
		PubKey: string(key("alice")), Kind: 27235, CreatedAt: nostr.Timestamp(start.Unix()),
		Tags: nostr.Tags{{"u", "https://grasp.test" + id.Path()}, {"method", "GET"}},
	}
	admits := func(after time.Duration) bool {
		return c.server.Admits(start.Add(after), web.Token{Event: ev, Genuine: true, Repo: id}).Accepted()
	}
	if !admits(0) || !admits(time.Minute) || admits(time.Minute+time.Second) {
		t.Error("a token counts for another time than its minute")
	}
	c.tells(core.MembersRead{Members: members("bob")})
	if admits(0) {
		t.Error("a token of who is a member no more counts")
	}
}
