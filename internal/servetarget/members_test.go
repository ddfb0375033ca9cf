package servetarget_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/servetarget"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// Who is a member of a private service no more has lost what was open when that has been said, and is none after a restart either.
func TestSetMembers(t *testing.T) {
	public, err := nostr.GetPublicKey(key)
	if err != nil {
		t.Fatal(err)
	}
	s, err := servetarget.New(t.Context(), servetarget.Options{Core: core.Config{
		Private: core.PrivateConfig{On: true, Members: policy.Members{repo.PubKey(public)}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	next := func(c target.Conn) string {
		t.Helper()
		frame, err := c.Recv(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return string(frame)
	}
	enter := func(want string) target.Conn {
		t.Helper()
		c := dial(t, s)
		var challenge []string
		if err := json.Unmarshal([]byte(next(c)), &challenge); err != nil {
			t.Fatal(err)
		}
		proof := nostr.Event{Kind: 22242, CreatedAt: nostr.Timestamp(s.Now().Unix()), Tags: nostr.Tags{
			{"relay", strings.Replace(s.ServiceURL(), "http", "ws", 1)}, {"challenge", challenge[1]},
		}}
		if err := proof.Sign(key); err != nil {
			t.Fatal(err)
		}
		send(t, c, fmt.Sprintf(`["AUTH",%s]`, proof.String()))
		if got := next(c); !strings.Contains(got, want) {
			t.Fatalf("got %s, want %s", got, want)
		}
		return c
	}
	c := enter(`true,""`)
	send(t, c, `["REQ","s",{}]`)
	if got := next(c); got != `["EOSE","s"]` {
		t.Errorf("a question of a member: got %s", got)
	}
	if err := s.SetMembers(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if got := next(c); !strings.HasPrefix(got, `["CLOSED","s","restricted: `) {
		t.Errorf("the open question of who is none any more: got %s", got)
	}
	if err := s.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	enter(`false,"restricted: `)
}
