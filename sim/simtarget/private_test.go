package simtarget_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/identity"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/simtarget"
)

// A simulated private service lets its members in and nobody else, and names a repository to the relays that ask who it is, and to no
// other one (G08-01, G08-02, G08-06, G08-10).
func TestPrivateService(t *testing.T) {
	owner := identity.New(1, "owner")
	s := simtarget.New(simtarget.Options{Seed: 1, Config: func(c *core.Config) {
		c.Private = core.PrivateConfig{On: true, Members: policy.Members{repo.PubKey(owner.PubKey)}}
		c.Sync.Identity = true
	}})
	var relays []target.FakeRelay
	for _, behavior := range []target.RelayBehavior{{Mode: target.RelayDenies}, {Challenges: true}, {}} {
		r, err := s.NewRelay(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Behave(behavior); err != nil {
			t.Fatal(err)
		}
		relays = append(relays, r)
	}
	p := meet(t, s, "owner")
	_, first := p.recv()
	var challenge []string
	if err := json.Unmarshal([]byte(first), &challenge); err != nil || len(challenge) != 2 || challenge[0] != "AUTH" {
		t.Fatalf("on connecting: got %s", first)
	}
	relayURL := "ws" + strings.TrimPrefix(s.ServiceURL(), "http")
	announcement := nostr.Tags{{"d", "demo"}, {"clone", s.ServiceURL() + p.id().Path()}, {"relays", relayURL}}
	for _, r := range relays {
		announcement[2] = append(announcement[2], r.URL())
	}
	p.publish(30617, announcement)
	p.expect("OK", `false,"auth-required: `)
	proof := &nostr.Event{
		Kind: 22242, CreatedAt: nostr.Timestamp(s.Now().Unix()), Tags: nostr.Tags{{"relay", relayURL}, {"challenge", challenge[1]}},
	}
	if err := p.Sign(proof); err != nil {
		t.Fatal(err)
	}
	p.send(fmt.Sprintf(`["AUTH",%s]`, proof))
	p.expect("OK", `true,""`)
	p.publish(30617, announcement)
	p.expect("OK", `true,"purgatory: `)
	if status, answer := p.refs(); status != 401 || answer != "" {
		t.Errorf("refs without a token: got %d and %q", status, answer)
	}
	if err := s.Advance(t.Context(), time.Minute); err != nil {
		t.Fatal(err)
	}
	p.send(`["REQ","s",{"kinds":[30617]}]`)
	p.expect("EOSE", `"s"`)
	if err := s.SetMembers(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	p.expect("CLOSED", `"s","restricted: `)
	for i, r := range relays {
		asked := r.Asked()
		named := slices.ContainsFunc(asked, func(m target.RelayMessage) bool { return strings.Contains(fmt.Sprint(m.Filters), "demo") })
		if len(asked) == 0 || named != (i == 0) {
			t.Errorf("relay %d was asked %+v", i, asked)
		}
	}
}
