package servetarget_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/servetarget"
	"github.com/graspkit/graspkit/reference/core"
)

// A state whose data only another host has is hunted over real sockets after three minutes, again when the host fails,
// and served with its refs then (REF-HUNT-02, REF-HUNT-05, G02-GIT-01).
func TestHuntFindsWhatAnotherHostHas(t *testing.T) {
	s, err := servetarget.New(t.Context(), servetarget.Options{Core: core.Config{Hunt: core.HuntConfig{On: true, AllowPrivate: true}}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	host, err := s.NewHost(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	h := client.NewHistory("hunt")
	commit := h.Commit("", map[string]string{"a": "1"}, "first")
	host.Put("/r.git", []target.GitRef{{Name: "refs/heads/other", OID: commit}}, h.Objects(h.Closure(commit)...))
	if err := host.Behave(target.HostBehavior{Mode: target.HostFails}); err != nil {
		t.Fatal(err)
	}
	c := dial(t, s)
	path := announce(t, s, c, "demo")
	publish := func(kind int, at int64, tags nostr.Tags) *nostr.Event {
		ev := &nostr.Event{Kind: kind, CreatedAt: nostr.Timestamp(s.Now().Unix() + at), Tags: tags}
		if err := ev.Sign(key); err != nil {
			t.Fatal(err)
		}
		send(t, c, fmt.Sprintf(`["EVENT",%s]`, ev))
		if got := drain(t, c); len(got) != 1 || !strings.HasPrefix(got[0], `["OK","`+ev.ID+`",true,"purgatory:`) {
			t.Fatalf("kind %d: got %v, want it held", kind, got)
		}
		return ev
	}
	publish(30617, 0, nostr.Tags{
		{"d", "demo"}, {"clone", s.ServiceURL() + path, host.URL() + "/r.git"}, {"relays", "ws" + strings.TrimPrefix(s.ServiceURL(), "http")},
	})
	begin := s.Now()
	state := publish(30618, 0, nostr.Tags{{"d", "demo"}, {"refs/heads/main", commit}})
	advance := func(d time.Duration) {
		t.Helper()
		if err := s.Advance(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	advance(3*time.Minute + time.Second)
	if err := host.Behave(target.HostBehavior{}); err != nil {
		t.Fatal(err)
	}
	advance(time.Minute)
	var at []time.Duration
	for _, r := range host.Requests() {
		at = append(at, r.At.Sub(begin))
	}
	if len(at) < 2 || at[0] != 180*time.Second || at[1] != 200*time.Second {
		t.Errorf("got requests after %v, want one after 180 s, and after the failure one 20 s later", at)
	}
	send(t, c, `["REQ","r",{"ids":["`+state.ID+`"]}]`)
	if got := drain(t, c); len(got) != 2 || !strings.Contains(got[0], state.ID) {
		t.Errorf("got %v, want the state served", got)
	}
	if got := status(t, s, path); got != 200 {
		t.Errorf("got status %d of the repository, want 200", got)
	}
}
