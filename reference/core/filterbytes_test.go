package core_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
)

// told is what a connection is told in answer to a message.
func (s *shell) told(conn core.ConnID, m relay.ClientMessage) string {
	s.t.Helper()
	var out core.Effects
	s.server.Step(s.now, core.Message{Conn: conn, Msg: m}, &out)
	var texts []string
	for _, e := range out.List {
		if send, ok := e.(core.Send); ok && send.Conn == conn {
			texts = append(texts, string(relay.Encode(send.Msg)))
		}
	}
	return strings.Join(texts, "\n")
}

// heavy is a filter of an account of so many bytes.
func heavy(bytes int) relay.Filter {
	f := relay.Filter{Tags: []relay.TagFilter{{Letter: 't', Values: []string{""}}}}
	f.Tags[0].Values[0] = strings.Repeat("x", bytes-f.Bytes())
	return f
}

func TestFiltersOfAConnectionAreBounded(t *testing.T) {
	const bound = 20_000
	s := limited(t, func(c *core.Config) { c.FilterBytesMax = bound })
	s.step(core.ConnOpened{Conn: 3})
	req := func(sub string, bytes int) string {
		return s.told(3, relay.Req{Sub: sub, Filters: []relay.Filter{heavy(bytes)}})
	}
	refused := func(verb, sub string) string {
		return `["` + verb + `","` + sub + `","error: the filters of this connection are too large; close a subscription or ask for less"]`
	}
	check := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: got %s, want %s", what, got, want)
		}
	}
	check("one past the bound", req("a", bound+1), refused("CLOSED", "a"))
	check("half", req("a", bound/2), `["EOSE","a"]`)
	check("one past the bound together", req("b", bound/2+1), refused("CLOSED", "b"))
	check("the bound together", req("b", bound/2), `["EOSE","b"]`)
	check("a count beyond it", s.told(3, relay.Count{Sub: "c", Filters: []relay.Filter{{}}}), refused("CLOSED", "c"))
	check("a reconciliation beyond it", s.told(3, relay.NegOpen{Sub: "n", Filter: relay.Filter{}}), refused("NEG-ERR", "n"))
	check("replaced by as much", req("b", bound/2), `["EOSE","b"]`)
	check("replaced by less", req("b", bound/4), `["EOSE","b"]`)
	check("a count that fits, and takes nothing", s.told(3, relay.Count{Sub: "c", Filters: []relay.Filter{heavy(bound / 4)}}), `["COUNT","c",{"count":0}]`)
	check("what is free again", req("c", bound/4), `["EOSE","c"]`)
	s.told(3, relay.Close{Sub: "a"})
	check("what was closed", req("d", bound/2), `["EOSE","d"]`)
	check("replaced by too much", req("d", bound/2+1), refused("CLOSED", "d"))
	check("it has ended, so its bytes are free", req("e", bound/2), `["EOSE","e"]`)
	check("another connection", s.told(1, relay.Req{Sub: "a", Filters: []relay.Filter{heavy(bound)}}), `["EOSE","a"]`)
}

func TestFiltersOfAllConnectionsAreBounded(t *testing.T) {
	const each, sure = 1 << 20, core.FilterBytesSure
	own := relay.Filter{}.Bytes() // of the listener of the shell
	s := limited(t, func(c *core.Config) { c.FilterBytesMax, c.FilterBytesTotalMax = each, 2*each+own })
	for conn := range core.ConnID(4) {
		s.step(core.ConnOpened{Conn: 10 + conn})
	}
	open := func(conn core.ConnID, bytes int) string {
		return s.told(conn, relay.Req{Sub: "a", Filters: []relay.Filter{heavy(bytes)}})
	}
	const refused = `["CLOSED","a","error: the filters of all connections take too much memory; ask for less or try again later"]`
	for i, c := range []struct {
		conn  core.ConnID
		bytes int
		want  string
	}{
		{10, each, `["EOSE","a"]`},
		{11, each, `["EOSE","a"]`},
		{12, sure + 1, refused},
		{12, sure, `["EOSE","a"]`}, // few are taken whatever the other ones have
		{11, each - sure - 1, `["EOSE","a"]`},
		{12, sure + 2, refused},
		{12, sure + 1, `["EOSE","a"]`},
	} {
		if got := open(c.conn, c.bytes); got != c.want {
			t.Errorf("step %d: got %s, want %s", i, got, c.want)
		}
	}
	s.step(core.ConnClosed{Conn: 10})
	if got := open(13, each); got != `["EOSE","a"]` {
		t.Errorf("after a connection is gone: got %s", got)
	}
}

// TestHonestFiltersFit opens 20 subscriptions of 500 ids, and then as many authors, on one connection.
func TestHonestFiltersFit(t *testing.T) {
	s := newShell(t)
	var keys []string
	for i := range 500 {
		keys = append(keys, fmt.Sprintf("%064x", i))
	}
	for _, f := range []relay.Filter{{IDs: keys}, {Authors: keys, Kinds: []int{0, 1, 3, 7, 30617, 30618}}} {
		for i := range 20 {
			if got := s.told(1, relay.Req{Sub: fmt.Sprint(i), Filters: slices.Repeat([]relay.Filter{f}, 2)}); !strings.HasPrefix(got, `["EOSE"`) {
				t.Fatalf("subscription %d: got %s", i, got)
			}
		}
	}
}
