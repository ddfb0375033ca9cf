package relay_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/reference/relay"
)

func TestAuthIsReadLikeAnEvent(t *testing.T) {
	event := fmt.Sprintf(`{"id":%q,"pubkey":%q,"created_at":1,"kind":22242,"tags":[["challenge","x"]],"content":"","sig":%q}`,
		strings.Repeat("1", 64), strings.Repeat("2", 64), strings.Repeat("3", 128))
	m, ok := relay.Decode([]byte(`["AUTH",` + event + `]`)).(relay.Auth)
	if !ok || m.IDOK || m.Event.Kind != 22242 || m.Event.Tags[0][1] != "x" {
		t.Errorf("got %+v, want an Auth with a wrong id", m)
	}
	for _, frame := range []string{`["AUTH"]`, `["AUTH","x"]`, `["AUTH",{}]`} {
		bad, ok := relay.Decode([]byte(frame)).(relay.Malformed)
		if _, notice := bad.Reply.(relay.Notice); !ok || !notice {
			t.Errorf("%s: got %+v, want a notice", frame, bad)
		}
	}
	bad, _ := relay.Decode([]byte(`["AUTH",` + strings.Replace(event, "22242", "-1", 1) + `]`)).(relay.Malformed)
	if answer, ok := bad.Reply.(relay.OK); !ok || answer.Accepted || answer.ID != strings.Repeat("1", 64) {
		t.Errorf("got %+v, want a refusal of the event", bad.Reply)
	}
}

func TestChallengeIsEscaped(t *testing.T) {
	if got, want := string(relay.Encode(relay.Challenge{Text: `a"b`})), `["AUTH","a\"b"]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestSessionKnowsWhoHasAuthenticated(t *testing.T) {
	var s relay.Session
	if s.Authenticated("") || s.Authenticated("a") {
		t.Error("got somebody authenticated, want nobody")
	}
	for n := range relay.KeysMax {
		if !s.Authenticate(fmt.Sprint(n)) {
			t.Fatalf("key %d: got no room", n)
		}
	}
	if s.Authenticate("one more") || s.Authenticated("one more") || !s.Authenticate("0") || !s.Authenticated("") {
		t.Error("got a key too many, or one forgotten")
	}
}
