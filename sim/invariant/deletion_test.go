package invariant_test

import (
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
)

func refused(ev *nostr.Event) core.Effect {
	return core.Send{Conn: 1, Msg: relay.OK{ID: ev.ID, Text: "rate-limited: no"}}
}

func unstore(ev *nostr.Event) core.Effect { return core.Record{Op: core.OpUnstore, ID: ev.ID} }

// deletionRules are the invariants of deletions alone.
var deletionRules = []string{"INV-12", "INV-13", "INV-17"}

func TestNothingDeletedComesBack(t *testing.T) {
	h := newHistory(t, deletionRules...)
	a, s := h.announcement("a", 10), h.state("a", 20, "1")
	h.host(a)
	h.step(arrives(s), h.hold(s))
	request := h.event("a", 5, 30, nostr.Tag{"e", s.ID}, nostr.Tag{"a", "30617:" + a.PubKey + ":demo"})
	h.step(arrives(request), store(request), drop(s), drop(a))
	younger := h.announcement("a", 31)
	h.host(younger)
	h.want()
	h.step(arrives(s), h.hold(s))
	h.want("INV-12 deleted-held")
	h.step(core.TimerFired{}, store(s))
	h.want("INV-12 deleted-held", "INV-12 deleted-stored")
}

// Neither an older request for an address nor one that names it as what it is not takes back what was asked for.
func TestWhatWasDeletedByItsAddressStaysDeleted(t *testing.T) {
	h := newHistory(t, deletionRules...)
	a := h.announcement("a", 10)
	h.host(a)
	address := "30617:" + a.PubKey + ":demo"
	request := h.event("a", 5, 30, nostr.Tag{"a", address})
	h.step(arrives(request), store(request), drop(a))
	for _, other := range []*nostr.Event{h.event("a", 5, 5, nostr.Tag{"a", address}), h.event("a", 5, 40, nostr.Tag{"e", address})} {
		h.step(arrives(other), store(other))
	}
	h.want()
	h.step(arrives(a), h.hold(a))
	h.want("INV-12 deleted-held")
}

// What was acknowledged is remembered over a start, though the request itself may have expired.
func TestDeletionsAreRememberedOverAStart(t *testing.T) {
	for name, c := range map[string]struct {
		acknowledged bool
		want         []string
	}{"acknowledged": {true, []string{"INV-12 deleted-stored"}}, "unsaid": {false, nil}} {
		t.Run(name, func(t *testing.T) {
			h := newHistory(t, deletionRules...)
			ev := h.event("a", 1, 10)
			h.step(arrives(ev), store(ev))
			request := h.event("a", 5, 30, nostr.Tag{"e", ev.ID})
			h.step(arrives(request), store(request), unstore(ev))
			if c.acknowledged {
				h.monitor.Acknowledged(request.ID)
			}
			h.step(core.Started{})
			h.step(arrives(ev), store(ev))
			h.want(c.want...)
		})
	}
}

func TestRequestsToVanish(t *testing.T) {
	for name, c := range map[string]struct {
		relay string
		want  []string
	}{
		"here":       {service.RelayURL("wss"), []string{"INV-12 deleted-stored"}},
		"everywhere": {"ALL_RELAYS", []string{"INV-12 deleted-stored"}},
		"elsewhere":  {"wss://other.example", nil},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHistory(t, deletionRules...)
			old, own, other := h.event("a", 1, 10), h.event("a", 5, 11), h.event("b", 1, 10)
			for _, ev := range []*nostr.Event{own, other} {
				h.step(arrives(ev), store(ev))
			}
			request := h.event("a", 62, 30, nostr.Tag{"relay", c.relay})
			young := h.event("a", 1, 31)
			h.step(arrives(young), store(young))
			h.step(arrives(request), store(request), unstore(own))
			h.step(arrives(old), store(old))
			h.want(c.want...)
		})
	}
}

func TestRequestsApplyAsAWhole(t *testing.T) {
	h := newHistory(t, deletionRules...)
	one, two := h.event("a", 1, 10), h.event("a", 1, 11)
	for _, ev := range []*nostr.Event{one, two} {
		h.step(arrives(ev), store(ev))
	}
	request := h.event("a", 5, 30, nostr.Tag{"e", one.ID}, nostr.Tag{"e", two.ID})
	h.step(arrives(request), refused(request))
	h.want()
	h.step(arrives(request), refused(request), unstore(one))
	h.want("INV-13 applied-though-refused")
	h.step(arrives(request), store(request))
	h.want("INV-13 applied-though-refused", "INV-13 half-applied")

	h = newHistory(t, deletionRules...)
	one = h.event("a", 1, 10)
	h.step(arrives(one), store(one))
	request = h.event("a", 62, 30, nostr.Tag{"relay", "ALL_RELAYS"})
	h.step(arrives(request), store(request))
	h.want("INV-13 half-applied")
}

// A push removes nothing of anybody, nor does an event of somebody else; time and authority that ended do.
func TestNobodyRemovesWhatIsHeldOfOthers(t *testing.T) {
	h := newHistory(t, deletionRules...)
	a := h.announcement("a", 10)
	h.host(a)
	ev := h.event("b", 1, 11)
	h.step(arrives(ev), store(ev), drop(a))
	h.want("INV-17 removed-by-another")

	h = newHistory(t, deletionRules...)
	h.host(a)
	h.step(push(1, id("a"), "", "1"), core.PushRefused{Push: 1}, drop(a))
	h.want("INV-17 removed-by-another")

	h = newHistory(t, deletionRules...)
	s := h.state("b", 20, "1")
	list := h.announcement("a", 10, "b")
	h.host(list)
	h.step(arrives(s), h.hold(s))
	request := h.event("a", 5, 30, nostr.Tag{"e", list.ID})
	h.step(arrives(request), store(request), drop(list), drop(s))
	h.want()
	late := h.announcement("b", 31)
	h.host(late)
	h.wait(life + time.Second)
	h.step(arrives(h.event("a", 1, 40)), drop(late))
	h.want()
}

// An event that authenticates a client is answered and is nowhere.
func TestAuthenticationsAreKeptNowhere(t *testing.T) {
	h := newHistory(t)
	ev := h.event("a", 22242, 10)
	h.step(core.Message{Conn: 1, Msg: relay.Auth{Event: ev, IDOK: true}, SigOK: true},
		core.Send{Conn: 1, Msg: relay.OK{ID: ev.ID, Accepted: true}})
	h.monitor.Quiet(h.now)
	h.want()
}

// Of what is no announcement and no state an older version may come when the younger one has been deleted, and not before.
func TestOthersMayComeBackBehindADeletedOne(t *testing.T) {
	h := newHistory(t, "INV-05")
	older, younger := h.event("a", 30023, 10, nostr.Tag{"d", "x"}), h.event("a", 30023, 20, nostr.Tag{"d", "x"})
	h.step(arrives(younger), store(younger))
	request := h.event("a", 5, 30, nostr.Tag{"e", younger.ID})
	h.step(arrives(request), store(request), unstore(younger))
	h.step(arrives(older), store(older))
	h.want()
	h.step(arrives(younger), store(younger), unstore(older))
	h.step(arrives(older), store(older), unstore(younger))
	h.want("INV-05 store-went-back")
}
