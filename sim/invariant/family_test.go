package invariant_test

import (
	"strings"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// guest is the place of b for demo; its key is a point of the curve or not, which no npub asks for.
var guest = repo.Contribution(key("b"), "demo")

func contributing(t *testing.T) *history {
	t.Helper()
	h := newHistory(t)
	h.monitor.Contributes()
	return h
}

func (h *history) pull(author, commit string, clone ...string) *nostr.Event {
	if clone == nil {
		clone = []string{service.CloneURL(repo.Contribution(key(author), "demo"), "https")}
	}
	return h.event(author, repo.KindPullRequest, 10, nostr.Tag{"a", id("a").Coordinate()}, nostr.Tag{"c", string(oid(commit))},
		append(nostr.Tag{"clone"}, clone...))
}

func contribute(n core.PushID, to repo.ID, event, commit string) core.PushOffered {
	return core.PushOffered{Push: n, Repo: to, Commands: []gitproto.Command{{Old: repo.ZeroOID, New: oid(commit), Ref: "refs/nostr/" + event}}}
}

// contributed is a push to a place from its first mention to its end.
func (h *history) contributed(o core.PushOffered, effects ...core.Effect) {
	n := core.RequestID(100 + o.Push)
	h.step(core.PushAsked(o), core.CreateRepository{Request: n, Repo: o.Repo})
	h.step(core.RepositoryDone{Request: n, OK: true}, core.PushExpected{Push: o.Push})
	h.step(o, core.PushAdmitted{Push: o.Push})
	h.step(core.PushDone{Push: o.Push, Report: gitstore.Report{
		Unpack: "ok", Results: []gitstore.Result{{Ref: o.Commands[0].Ref, OK: true}},
	}}, effects...)
}

func clocked(event string, until time.Duration, h *history) core.Effect {
	return core.Record{Op: core.OpMark, Mark: core.Mark{Kind: core.MarkPlaceholder, Event: event, Repo: guest, At: h.now, Until: h.now.Add(until)}}
}

// The life of a contribution breaks nothing: event first, push first, and a place that goes.
func TestContributionsBreakNothing(t *testing.T) {
	h := contributing(t)
	pr := h.pull("b", "1")
	h.step(arrives(pr), h.hold(pr))
	h.contributed(contribute(1, guest, pr.ID, "1"), store(pr))
	unknown := strings.Repeat("f", 64)
	h.contributed(contribute(2, guest, unknown, "2"), clocked(unknown, 20*time.Minute, h))
	h.wait(20 * time.Minute)
	h.step(core.TimerFired{}, core.UpdateRefs{Request: 1, Repo: guest, Commands: []gitproto.Command{{Old: oid("2"), New: repo.ZeroOID, Ref: "refs/nostr/" + unknown}}})
	h.step(core.RepositoryDone{Request: 1, OK: true})
	h.monitor.Quiet(h.now)
	h.want()
}

// What a place must not do is found.
func TestContributionsAreJudged(t *testing.T) {
	unknown := strings.Repeat("f", 64)
	for _, c := range []struct {
		name   string
		breaks func(h *history)
		want   string // id and code
	}{
		{"a branch", func(h *history) {
			h.step(push(1, guest, "", "1"), core.PushAdmitted{Push: 1})
		}, "INV-04 moved-without-authority"},
		{"refused for nothing", func(h *history) {
			h.step(contribute(1, guest, unknown, "1"), core.PushRefused{Push: 1})
		}, "INV-20 refused-declared"},
		{"another commit", func(h *history) {
			pr := h.pull("b", "1")
			h.step(arrives(pr), h.hold(pr))
			h.step(contribute(1, guest, pr.ID, "2"), core.PushAdmitted{Push: 1})
		}, "INV-20 admitted-undeclared"},
		{"another signer", func(h *history) {
			pr := h.pull("c", "1")
			h.step(arrives(pr), h.hold(pr))
			h.step(contribute(1, guest, pr.ID, "1"), core.PushAdmitted{Push: 1})
		}, "INV-20 admitted-undeclared"},
		{"another clone value", func(h *history) {
			pr := h.pull("b", "1", "https://other.example"+guest.Path())
			h.step(arrives(pr), h.hold(pr))
			h.step(contribute(1, guest, pr.ID, "1"), core.PushAdmitted{Push: 1})
		}, "INV-20 admitted-undeclared"},
		{"served without its commit", func(h *history) {
			pr := h.pull("b", "1")
			h.step(arrives(pr), store(pr))
		}, "INV-01 pull-request-without-commit"},
		{"served with what another place has", func(h *history) {
			pr := h.pull("b", "1", "https://other.example"+guest.Path())
			h.contributed(contribute(1, guest, pr.ID, "1"))
			h.step(arrives(pr), store(pr))
		}, "INV-01 pull-request-without-commit"},
		{"filled by an event", func(h *history) {
			h.contributed(contribute(1, guest, unknown, "1"), clocked(unknown, 20*time.Minute, h))
			h.step(core.TimerFired{}, core.UpdateRefs{Request: 1, Repo: guest, Commands: []gitproto.Command{{Old: repo.ZeroOID, New: oid("1"), Ref: "refs/nostr/" + strings.Repeat("e", 64)}}})
		}, "INV-42 contributed-by-nobody"},
		{"filled from a repository", func(h *history) {
			h.host(h.announcement("a", 1))
			h.contributed(contribute(1, guest, unknown, "1"))
			h.step(core.TimerFired{}, core.CopyObjects{Request: 1, Repo: guest, From: id("a"), OIDs: []repo.OID{oid("1")}})
		}, "INV-04 copied-unasked"},
		{"what a state waits for", func(h *history) {
			h.host(h.announcement("a", 1))
			s := h.state("a", 2, "1")
			h.step(arrives(s), h.hold(s))
			h.contributed(contribute(1, guest, unknown, "1"))
			h.step(core.TimerFired{}, core.CopyObjects{Request: 1, Repo: id("a"), From: guest, OIDs: []repo.OID{oid("1")}})
		}, "INV-42 copied-from-place"},
		{"removed with what it has", func(h *history) {
			h.contributed(contribute(1, guest, unknown, "1"))
			h.step(core.TimerFired{}, core.RemoveRepository{Request: 1, Repo: guest})
		}, "INV-16 place-removed"},
		{"there for nobody", func(h *history) {
			h.step(core.PushAsked(contribute(1, guest, unknown, "1")), core.CreateRepository{Request: 1, Repo: guest})
			h.step(core.RepositoryDone{Request: 1, OK: true}, core.PushExpected{Push: 1})
			h.step(core.PushForgone{Push: 1})
			h.monitor.Quiet(h.now)
		}, "INV-18 place-of-nobody"},
		{"a ref after its window", func(h *history) {
			h.contributed(contribute(1, guest, unknown, "1"), clocked(unknown, 20*time.Minute, h))
			h.wait(21 * time.Minute)
			h.monitor.Quiet(h.now)
		}, "INV-18 ref-of-nobody"},
		{"a ref that its event contradicts", func(h *history) {
			pr := h.pull("b", "1")
			h.contributed(contribute(1, guest, pr.ID, "2"), clocked(pr.ID, 20*time.Minute, h))
			h.step(arrives(pr), h.hold(pr))
			h.monitor.Quiet(h.now)
		}, "INV-02 contradicted"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := contributing(t)
			c.breaks(h)
			h.wants(c.want)
		})
	}
	h := newHistory(t) // takes none
	h.step(contribute(1, guest, unknown, "1"), core.PushAdmitted{Push: 1})
	h.wants("INV-20 admitted-undeclared")
}

// An archive has repositories of what is in its scope, and where it is only read it takes no push.
func TestArchivesAreJudged(t *testing.T) {
	at := func(h *history, owner string) *nostr.Event {
		other := repo.Service{Host: "other.example"}
		return h.event(owner, repo.KindAnnouncement, 10, nostr.Tag{"clone", other.CloneURL(id(owner), "http")}, nostr.Tag{"relays", other.RelayURL("ws")})
	}
	for _, c := range []struct {
		scope    string
		archived bool
	}{
		{"all", true},
		{"demo", true},
		{"d%65mo", true},
		{key("a").Npub(), true},
		{key("a").Npub() + "/demo", true},
		{"https://other.example", true},
		{"other", false},
		{key("b").Npub(), false},
		{key("a").Npub() + "/other", false},
		{"https://example", false},
	} {
		h := newHistory(t)
		h.monitor.Archives([]string{c.scope}, false)
		a := at(h, "a")
		h.step(arrives(a), store(a))
		want := "INV-44 kept-out-of-scope"
		if c.archived { // it is served with its data, or not at all
			want = "INV-01 served-without-data"
		}
		if got := h.monitor.Violations; len(got) == 0 || got[0].String() != want {
			t.Errorf("%s: got %v, want %s", c.scope, got, want)
		}
	}
	// What looks like a place at another service is none, and an archive of that service has nothing to do with it.
	other := repo.Service{Host: "other.example"}.CloneURL(id("a"), "http")
	for _, clone := range []string{
		strings.Replace(other, "//", "//me@", 1), other + "?a", other + "#a", strings.Replace(other, "http", "ws", 1), strings.TrimSuffix(other, ".git"), other + "/x.git",
		repo.Service{Host: "other.example"}.CloneURL(id("b"), "http"),
	} {
		h := newHistory(t)
		h.monitor.Archives([]string{"https://other.example"}, false)
		a := h.event("a", repo.KindAnnouncement, 10, nostr.Tag{"clone", clone}, nostr.Tag{"relays", "ws://other.example"})
		h.step(arrives(a), store(a))
		h.wants("INV-44 kept-out-of-scope")
	}
	h := newHistory(t)
	h.monitor.Archives([]string{"all"}, true)
	a := at(h, "a")
	h.host(a)
	s := h.state("a", 20, "1")
	h.step(arrives(s), h.hold(s))
	h.step(push(1, id("a"), "", "1"), core.PushRefused{Push: 1})
	h.want()
	h.step(push(2, id("a"), "", "1"), core.PushAdmitted{Push: 2})
	h.wants("INV-44 push-taken")
}

// wants is that the first violation is one.
func (h *history) wants(what string) {
	h.t.Helper()
	if len(h.monitor.Violations) == 0 {
		h.t.Errorf("got nothing, want %s", what)
		return
	}
	if v := h.monitor.Violations[0]; v.ID+" "+v.Code != what {
		h.t.Errorf("got %v, want %s", h.monitor.Violations, what)
	}
}

// With sync plus a participant's profile is there for itself, and nobody else's is.
func TestProfilesAreOfParticipants(t *testing.T) {
	for name, c := range map[string]struct {
		plus bool
		who  string
		kind int
		want []string
	}{
		"the owner's":          {true, "a", 0, nil},
		"the owner's relays":   {true, "a", 10002, nil},
		"of an issue's author": {true, "b", 0, nil},
		"a stranger's":         {true, "c", 0, []string{"INV-27 rooted-in-nothing"}},
		"a note of the owner":  {true, "a", 1, []string{"INV-27 rooted-in-nothing"}},
		"without sync plus":    {false, "a", 0, []string{"INV-27 rooted-in-nothing"}},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHistory(t, "INV-27")
			if c.plus {
				h.monitor.SyncsPlus()
			}
			announcement := h.announcement("a", 10)
			h.host(announcement)
			h.step(core.TimerFired{}, store(announcement))
			issue := h.event("b", 1621, 20, nostr.Tag{"a", "30617:" + string(key("a")) + ":demo"})
			h.step(arrives(issue), store(issue))
			ev := h.event(c.who, c.kind, 40)
			h.step(arrives(ev), store(ev))
			h.want(c.want...)
		})
	}
}
