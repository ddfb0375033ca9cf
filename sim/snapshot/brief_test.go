package snapshot_test

import (
	"strings"
	"testing"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/snapshot"
)

func TestBrief(t *testing.T) {
	for want, value := range map[string]any{
		"Message{Conn: 3, Msg: Event{Event: event ab (kind 1), IDOK: true}}": core.Message{
			Conn: 3, Msg: relay.Event{Event: &nostr.Event{ID: "ab", Kind: 1, Content: "left out"}, IDOK: true},
		},
		"PushOffered{Push: 2, Repo: ID{Owner: k, Identifier: \"two words\"}, Commands: [Command{Old: 0, New: 1, Ref: refs/heads/a}]}": core.PushOffered{
			Push: 2, Repo: repo.ID{Owner: "k", Identifier: "two words"}, Commands: []gitproto.Command{{Old: "0", New: "1", Ref: "refs/heads/a"}},
		},
		"TimerFired{}":       core.TimerFired{},
		`{"a": 1, "b": nil}`: map[string]any{"b": nil, "a": 1},
		"[" + strings.Repeat("x, ", 20) + "and 5 more]": strings.Split(strings.Repeat("x", 25), ""),
	} {
		if got := snapshot.Brief(value); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
