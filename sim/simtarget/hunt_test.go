package simtarget_test

import (
	"strings"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/sim/simtarget"
)

// A state whose data only another host has is hunted after three minutes, again when the host fails, and served with its
// refs then (REF-HUNT-02, REF-HUNT-05, G02-GIT-01).
func TestHuntFindsWhatAnotherHostHas(t *testing.T) {
	s := simtarget.New(simtarget.Options{Seed: 1, Config: func(c *core.Config) {
		c.Hunt = core.HuntConfig{On: true, AllowPrivate: true}
	}})
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
	p := meet(t, s, "owner")
	url := s.ServiceURL()
	p.publish(30617, nostr.Tags{
		{"d", "demo"}, {"clone", url + p.id().Path(), host.URL() + "/r.git"}, {"relays", "ws" + strings.TrimPrefix(url, "http")},
	})
	p.expect("OK", `true,"purgatory:`)
	begin := s.Now()
	p.publish(30618, nostr.Tags{{"d", "demo"}, {"refs/heads/main", commit}, {"HEAD", "ref: refs/heads/main"}})
	p.expect("OK", `true,"purgatory:`)
	advance := func(d time.Duration) {
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
		at = append(at, r.At.Sub(begin).Round(time.Second))
	}
	if len(at) < 2 || at[0] != 180*time.Second || at[1] < 200*time.Second || at[1] > 203*time.Second {
		t.Errorf("got requests after %v, want one after 180 s, and after the failure one 20 s later", at)
	}
	if status, answer := p.refs(); status != 200 || !strings.Contains(answer, commit+" refs/heads/main") || strings.Contains(answer, "other") {
		t.Errorf("got refs %d %q, want main alone", status, answer)
	}
}
