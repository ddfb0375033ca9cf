package invariant_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/invariant"
)

const life = 30 * time.Minute

var service = repo.Service{Host: "grasp.example"}

// history tells a monitor what a server does, one step a line.
type history struct {
	t       *testing.T
	monitor *invariant.Monitor
	now     instant.Instant
	ids     int
}

func newHistory(t *testing.T, ids ...string) *history {
	t.Helper()
	h := &history{t: t, monitor: invariant.New("server", service, life, ids), now: 1}
	h.step(core.Started{})
	return h
}

func (h *history) step(in core.Input, effects ...core.Effect) { h.monitor.Stepped(h.now, in, effects) }

func (h *history) wait(d time.Duration) { h.now = h.now.Add(d) }

func (h *history) want(want ...string) {
	h.t.Helper()
	var got []string
	for _, v := range h.monitor.Violations {
		got = append(got, v.String())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		h.t.Errorf("violations (-want +got):\n%s", diff)
	}
}

// key is the public key of somebody; the texts of npubs need a point of the curve nowhere.
func key(digit string) repo.PubKey { return repo.PubKey(strings.Repeat(digit, 64)) }

func oid(digit string) repo.OID { return repo.OID(strings.Repeat(digit, 40)) }

func id(owner string) repo.ID { return repo.ID{Owner: key(owner), Identifier: "demo"} }

// event makes an event with the next id, so that of two of one second the earlier made comes first.
func (h *history) event(author string, kind int, at int64, tags ...nostr.Tag) *nostr.Event {
	h.ids++
	return &nostr.Event{
		ID: fmt.Sprintf("%064d", h.ids), PubKey: string(key(author)), Kind: kind, CreatedAt: nostr.Timestamp(at),
		Tags: append(nostr.Tags{{"d", "demo"}}, tags...),
	}
}

func (h *history) announcement(author string, at int64, maintainers ...string) *nostr.Event {
	tag := nostr.Tag{"maintainers"}
	for _, m := range maintainers {
		tag = append(tag, string(key(m)))
	}
	return h.event(author, repo.KindAnnouncement, at,
		nostr.Tag{"clone", service.CloneURL(id(author), "http")}, nostr.Tag{"relays", service.RelayURL("ws")}, tag)
}

func (h *history) state(author string, at int64, main string) *nostr.Event {
	return h.event(author, repo.KindState, at, nostr.Tag{"refs/heads/main", string(oid(main))})
}

// hold is the record of an event that is held from now on, store that of one that is served.
func (h *history) hold(ev *nostr.Event) core.Effect {
	return core.Record{Op: core.OpHold, ID: ev.ID, Event: ev, Arrived: h.now, Deadline: h.now.Add(life)}
}

func store(ev *nostr.Event) core.Effect { return core.Record{Op: core.OpStore, ID: ev.ID, Event: ev} }

func drop(ev *nostr.Event) core.Effect { return core.Record{Op: core.OpDrop, ID: ev.ID} }

func arrives(ev *nostr.Event) core.Input {
	return core.Message{Conn: 1, Msg: relay.Event{Event: ev, IDOK: true}, SigOK: true}
}

// host makes the repository of an announcement that is held.
func (h *history) host(ev *nostr.Event) {
	r := id(ev.PubKey[:1])
	h.step(arrives(ev), core.CreateRepository{Request: 1, Repo: r})
	h.step(core.RepositoryDone{Request: 1, OK: true}, h.hold(ev))
}

func push(n core.PushID, to repo.ID, old, main string) core.PushOffered {
	from := repo.ZeroOID
	if old != "" {
		from = oid(old)
	}
	return core.PushOffered{Push: n, Repo: to, Commands: []gitproto.Command{{Old: from, New: oid(main), Ref: "refs/heads/main"}}}
}

func done(n core.PushID) core.PushDone {
	return core.PushDone{Push: n, Report: gitstore.Report{Unpack: "ok", Results: []gitstore.Result{{Ref: "refs/heads/main", OK: true}}}}
}

func TestOrdinaryLifeBreaksNothing(t *testing.T) {
	h := newHistory(t)
	a := h.announcement("a", 10)
	h.host(a)
	h.wait(20 * time.Minute)
	s := h.state("a", 20, "1")
	h.step(arrives(s), h.hold(s), h.hold(a), core.Send{Conn: 1, Msg: relay.OK{ID: s.ID, Accepted: true}})
	h.wait(20 * time.Minute)
	h.step(push(1, id("a"), "", "1"), h.hold(s), h.hold(a), core.PushAdmitted{Push: 1})
	h.wait(time.Hour) // the push pins what it relies on
	h.step(done(1), store(a), store(s))
	h.monitor.Quiet(h.now)
	h.want()
	for _, checked := range []string{"INV-01", "INV-02", "INV-05", "INV-10", "INV-11", "INV-20", "INV-21"} {
		if h.monitor.Checked(checked) == 0 {
			t.Errorf("%s: got no check, want some", checked)
		}
	}
}

// Re-delivery extends nothing; a state of somebody without authority does not either.
func TestOnlyLegitimateExtensionsCount(t *testing.T) {
	for name, c := range map[string]struct {
		author string
		want   []string
	}{"owner": {"a", nil}, "stranger": {"b", []string{"INV-11 deadline-too-late"}}} {
		t.Run(name, func(t *testing.T) {
			h := newHistory(t)
			a := h.announcement("a", 10)
			h.host(a)
			h.wait(time.Minute)
			s := h.state(c.author, 20, "1")
			h.step(arrives(s), h.hold(s), h.hold(a))
			h.want(c.want...)
		})
	}
}

func TestHeldEntriesEndExactly(t *testing.T) {
	h := newHistory(t)
	a := h.announcement("a", 10)
	h.host(a)
	h.wait(life - 1)
	h.step(core.TimerFired{})
	h.want()
	h.wait(1)
	h.step(core.TimerFired{})
	h.want("INV-11 held-too-long")

	h = newHistory(t)
	a = h.announcement("a", 10)
	h.host(a)
	h.wait(life - 1)
	h.step(core.TimerFired{}, drop(a))
	h.want("INV-10 kept-vanished")
}

func TestTiesGoToTheLowerID(t *testing.T) {
	h := newHistory(t, "INV-05", "INV-20")
	first, second := h.state("a", 20, "1"), h.state("a", 20, "2")
	h.host(h.announcement("a", 10))
	h.step(arrives(second), h.hold(second))
	h.step(arrives(first), h.hold(first))
	h.step(push(1, id("a"), "", "1"), core.PushAdmitted{Push: 1})
	h.want()
	h.step(done(1), store(first), drop(second))
	h.want()
	h.step(arrives(second), store(second))
	h.want("INV-05 store-went-back")
}

// A state that the server has been given and has not answered may authorize a push already, or not yet.
func TestUnansweredStateMayCountOrNot(t *testing.T) {
	for name, answer := range map[string]core.Effect{
		"admitted": core.PushAdmitted{Push: 1},
		"refused":  core.PushRefused{Push: 1},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHistory(t, "INV-20")
			h.host(h.announcement("a", 10))
			h.step(arrives(h.state("a", 20, "1")))
			h.step(push(1, id("a"), "", "1"), answer)
			h.want()
			if h.monitor.Checked("INV-20") != 1 {
				t.Errorf("got %d checks, want 1", h.monitor.Checked("INV-20"))
			}
		})
	}
}

func TestMaintainersAreFoundThroughCycles(t *testing.T) {
	h := newHistory(t, "INV-20")
	h.host(h.announcement("a", 10, "b", "a"))
	h.host(h.announcement("b", 11, "c"))
	h.host(h.announcement("c", 12, "a"))
	s := h.state("c", 20, "1")
	h.step(arrives(s), h.hold(s))
	h.step(push(1, id("a"), "", "1"), core.PushAdmitted{Push: 1})
	h.step(push(2, id("d"), "", "1"), core.PushAdmitted{Push: 2})
	h.want("INV-20 admitted-undeclared")
}

func TestPushMustStartFromWhatIsThere(t *testing.T) {
	h := newHistory(t, "INV-20")
	h.host(h.announcement("a", 10))
	s := h.state("a", 20, "1")
	h.step(arrives(s), h.hold(s))
	h.step(push(1, id("a"), "9", "1"), core.PushAdmitted{Push: 1})
	h.want("INV-20 admitted-undeclared")
}

func TestRestartForgetsNothingThatWasAcknowledged(t *testing.T) {
	h := newHistory(t, "INV-05", "INV-10")
	kept, lost, unsaid := h.announcement("a", 10), h.announcement("b", 10), h.announcement("c", 10)
	for _, ev := range []*nostr.Event{kept, lost, unsaid} {
		h.host(ev)
	}
	h.monitor.Acknowledged(kept.ID)
	h.monitor.Acknowledged(lost.ID)
	h.step(core.Started{Held: []core.HeldEvent{{Event: kept, Arrived: 1, Deadline: h.now.Add(life)}}})
	h.want("INV-10 acknowledged-lost")
	if detail := h.monitor.Violations[0].Detail; !strings.Contains(detail, lost.ID) {
		t.Errorf("got %q, want it to name %s", detail, lost.ID)
	}
}

func TestOnlyNamedInvariantsAreChecked(t *testing.T) {
	h := newHistory(t, "INV-16")
	a := h.announcement("a", 10)
	h.step(arrives(a), store(a))
	h.want()
	h.step(core.TimerFired{}, core.RemoveRepository{Request: 1, Repo: id("a")})
	h.want("INV-16 served-repository-removed")
}

// soften is the record of an announcement that begins its second phase.
func (h *history) soften(ev *nostr.Event, deadline instant.Instant) core.Effect {
	return core.Record{Op: core.OpHold, ID: ev.ID, Event: ev, Deadline: deadline, Soft: true}
}

func TestPhasesOfAnAnnouncement(t *testing.T) {
	h := newHistory(t)
	a := h.announcement("a", 10)
	h.host(a)
	first := h.now.Add(life)
	h.wait(life)
	h.step(core.TimerFired{}, h.soften(a, first.Add(core.SoftLife)), core.RemoveRepository{Request: 2, Repo: id("a")})
	h.step(core.RepositoryDone{Request: 2, OK: true})
	h.wait(time.Hour)
	h.step(push(1, id("a"), "", "1"), core.PushRefused{Push: 1})
	s := h.state("a", 20, "1")
	h.step(arrives(s), core.CreateRepository{Request: 3, Repo: id("a")})
	h.step(core.RepositoryDone{Request: 3, OK: true}, h.hold(a), h.hold(s))
	h.want()
	h.step(core.TimerFired{}, h.soften(a, h.now.Add(core.SoftLife)))
	h.want("INV-11 soft-too-early")

	h = newHistory(t)
	h.host(a)
	h.wait(life)
	h.step(core.TimerFired{}, h.soften(a, h.now.Add(core.SoftLife)))
	h.step(arrives(h.state("b", 20, "1")), h.hold(a))
	h.want("INV-11 revived-unasked")
}

func TestDeletedEventsMayLeave(t *testing.T) {
	h := newHistory(t)
	a := h.announcement("a", 10)
	h.host(a)
	request := h.event("a", 5, 11, nostr.Tag{"e", a.ID})
	stranger := h.event("b", 5, 11, nostr.Tag{"e", a.ID})
	h.step(arrives(stranger), store(stranger))
	h.step(arrives(request), store(request), drop(a))
	h.want()

	h = newHistory(t)
	h.host(a)
	h.step(arrives(stranger), store(stranger), drop(a))
	h.want("INV-10 kept-vanished", "INV-17 removed-by-another")
}

func (h *history) pullRequest(author string, at int64, commit string) *nostr.Event {
	return h.event(author, repo.KindPullRequest, at, nostr.Tag{"a", "30617:" + string(key("a")) + ":demo"}, nostr.Tag{"c", string(oid(commit))})
}

func TestPullRequestRefs(t *testing.T) {
	command := func(n core.PushID, name *nostr.Event, old, to repo.OID) core.PushOffered {
		return core.PushOffered{Push: n, Repo: id("a"), Commands: []gitproto.Command{{Old: old, New: to, Ref: "refs/nostr/" + name.ID}}}
	}
	for name, c := range map[string]struct {
		commit repo.OID
		answer core.Effect
		want   []string
	}{
		"right":         {oid("1"), core.PushAdmitted{Push: 1}, nil},
		"wrong":         {oid("2"), core.PushRefused{Push: 1}, nil},
		"right refused": {oid("1"), core.PushRefused{Push: 1}, []string{"INV-20 refused-declared"}},
		"wrong taken":   {oid("2"), core.PushAdmitted{Push: 1}, []string{"INV-20 admitted-undeclared"}},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHistory(t)
			h.host(h.announcement("a", 10))
			pr := h.pullRequest("b", 20, "1")
			h.step(arrives(pr), h.hold(pr))
			h.step(command(1, pr, repo.ZeroOID, c.commit), c.answer)
			h.want(c.want...)
		})
	}
	h := newHistory(t, "INV-01")
	pr := h.pullRequest("b", 20, "1")
	h.step(arrives(pr), store(pr))
	h.want("INV-01 pull-request-without-commit")
}

// A ref below refs/nostr/ has the name of an event, however it came there.
func TestPullRequestNames(t *testing.T) {
	for name, want := range map[string][]string{
		strings.Repeat("a", 64):           nil,
		strings.Repeat("A", 64):           {"INV-24 misnamed"},
		strings.Repeat("a", 63):           {"INV-24 misnamed"},
		strings.Repeat("a", 64) + "/x":    {"INV-24 misnamed"},
		"note1" + strings.Repeat("q", 58): {"INV-24 misnamed"},
		"":                                {"INV-24 misnamed"},
	} {
		ref := "refs/nostr/" + name
		for way, come := range map[string]func(h *history){
			"by a push": func(h *history) {
				offer := core.PushOffered{Push: 1, Repo: id("a"), Commands: []gitproto.Command{{Old: repo.ZeroOID, New: oid("1"), Ref: ref}}}
				h.step(offer, core.PushAdmitted{Push: 1})
				h.step(core.PushDone{Push: 1, Report: gitstore.Report{Unpack: gitstore.UnpackOK, Results: []gitstore.Result{{Ref: ref, OK: true}}}})
			},
			"by an order": func(h *history) {
				commands := []gitproto.Command{{Old: repo.ZeroOID, New: oid("1"), Ref: ref}}
				h.step(core.TimerFired{}, core.UpdateRefs{Request: 7, Repo: id("a"), Commands: commands})
				h.step(core.RepositoryDone{Request: 7, OK: true})
			},
			"before the start": func(h *history) {
				refs := gitstore.Refs{Refs: []repo.Ref{{Name: ref, OID: oid("1")}}}
				h.step(core.Started{Repositories: []core.RepositoryRefs{{ID: id("a"), Refs: refs}}})
			},
		} {
			t.Run(way+" "+name, func(t *testing.T) {
				h := newHistory(t, "INV-24")
				h.host(h.announcement("a", 10))
				come(h)
				h.want(want...)
			})
		}
	}
}

// What is stored leaves for a newer version, or at its own expiration and not before.
func TestStoredEventsLeaveAtTheirExpiration(t *testing.T) {
	for name, c := range map[string]struct {
		tag  nostr.Tag
		want []string
	}{
		"expired":     {nostr.Tag{"expiration", "60"}, nil},
		"too early":   {nostr.Tag{"expiration", "61"}, []string{"INV-10 kept-vanished"}},
		"not a time":  {nostr.Tag{"expiration", "x"}, []string{"INV-10 kept-vanished"}},
		"no such tag": {nostr.Tag{"t", "60"}, []string{"INV-10 kept-vanished"}},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHistory(t, "INV-10")
			ev := h.event("a", 1, 10, c.tag)
			h.step(arrives(ev), store(ev))
			h.wait(time.Minute)
			h.step(core.TimerFired{}, core.Record{Op: core.OpUnstore, ID: ev.ID})
			h.want(c.want...)
		})
	}
}
