package invariant_test

import (
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// restart ends the server in an orderly way and starts it with what the function makes of one that has lost nothing.
func (h *history) restart(held *nostr.Event, deadline instant.Instant, change func(*core.Started)) {
	h.step(core.Shutdown{})
	in := core.Started{Repositories: []core.RepositoryRefs{{ID: id("a"), Refs: gitstore.Refs{Head: "refs/heads/main"}}}}
	if held != nil {
		in.Held = []core.HeldEvent{{Event: held, Deadline: deadline}}
	}
	change(&in)
	h.step(in)
}

func TestOrderlyRestartIsInvisible(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*core.Started)
		want   []string
	}{
		"nothing is lost":      {func(*core.Started) {}, nil},
		"an event is lost":     {func(in *core.Started) { in.Held = nil }, []string{"INV-25 lost-by-restart"}},
		"a deadline has moved": {func(in *core.Started) { in.Held[0].Deadline++ }, []string{"INV-25 held-otherwise"}},
		"a phase has begun":    {func(in *core.Started) { in.Held[0].Soft = true }, []string{"INV-25 held-otherwise"}},
		"an event has appeared": {
			func(in *core.Started) { in.Stored = []*nostr.Event{{ID: "x"}} },
			[]string{"INV-25 stored-from-nowhere"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHistory(t, "INV-25")
			a := h.announcement("a", 10)
			h.host(a)
			h.restart(a, h.now.Add(life), c.change)
			h.want(c.want...)
		})
	}
}

// What follows a crash is judged by INV-10 alone.
func TestCrashIsNoOrderlyRestart(t *testing.T) {
	h := newHistory(t, "INV-25")
	h.host(h.announcement("a", 10))
	h.step(core.Started{})
	h.want()
}

func TestGitHasWhatWasJudged(t *testing.T) {
	there := func(id repo.ID, head string, refs ...repo.Ref) []core.RepositoryRefs {
		return []core.RepositoryRefs{{ID: id, Refs: gitstore.Refs{Head: head, Refs: refs}}}
	}
	const main, head = "refs/heads/main", "refs/heads/master"
	for name, c := range map[string]struct {
		there []core.RepositoryRefs
		want  []string
	}{
		"the same":           {there(id("a"), head, repo.Ref{Name: main, OID: oid("1")}), nil},
		"another oid":        {there(id("a"), head, repo.Ref{Name: main, OID: oid("2")}), []string{"INV-22 moved-elsewhere"}},
		"no ref":             {there(id("a"), head), []string{"INV-22 ref-missing"}},
		"another HEAD":       {there(id("a"), "refs/heads/dev", repo.Ref{Name: main, OID: oid("1")}), []string{"INV-14 head-by-nobody"}},
		"no repository":      {nil, []string{"INV-23 repository-missing"}},
		"another repository": {append(there(id("a"), head, repo.Ref{Name: main, OID: oid("1")}), there(id("b"), head)...), []string{"INV-23 repository-unordered"}},
		"another ref": {
			there(id("a"), head, repo.Ref{Name: main, OID: oid("1")}, repo.Ref{Name: "refs/heads/x", OID: oid("1")}),
			[]string{"INV-14 moved-by-nobody"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHistory(t, "INV-14", "INV-22", "INV-23")
			h.host(h.announcement("a", 10))
			h.step(push(1, id("a"), "", "1"), core.PushAdmitted{Push: 1})
			h.monitor.Git(h.now, nil) // a push is under way: nothing can be said
			h.step(done(1))
			h.monitor.Git(h.now, c.there)
			h.want(c.want...)
		})
	}
}

func TestOnlyMaintainersMoveRefs(t *testing.T) {
	for author, want := range map[string][]string{"a": nil, "b": nil, "c": {"INV-04 moved-without-authority", "INV-04 moved-unasked"}} {
		h := newHistory(t, "INV-04")
		h.host(h.announcement("a", 10, "b"))
		s := h.state(author, 20, "1")
		h.step(arrives(s), h.hold(s))
		h.step(core.TimerFired{}, core.UpdateRefs{Request: 9, Repo: id("a"), Commands: []gitproto.Command{
			{Old: repo.ZeroOID, New: oid("1"), Ref: "refs/heads/main"},
		}})
		h.want(want...)
	}
}

func TestObjectIDs(t *testing.T) {
	for text, want := range map[repo.OID][]string{
		oid("a"): nil, oid("1") + oid("2")[:24]: nil, repo.ZeroOID: nil,
		"":               {"INV-15 no-object-id"},
		oid("a")[1:]:     {"INV-15 no-object-id"},
		oid("A"):         {"INV-15 no-object-id"},
		"--upload-pack=": {"INV-15 no-object-id"},
	} {
		h := newHistory(t, "INV-15")
		h.step(core.TimerFired{}, core.AskObjects{Request: 9, Repo: id("a"), OIDs: []repo.OID{text}})
		h.want(want...)
	}
}

func TestPhasesHaveTheirRepositories(t *testing.T) {
	h := newHistory(t, "INV-06", "INV-18")
	a := h.announcement("a", 10)
	h.step(arrives(a), h.hold(a))
	h.want("INV-06 held-without-repository")

	h = newHistory(t, "INV-06", "INV-18")
	a = h.announcement("a", 10)
	h.host(a)
	h.monitor.Quiet(h.now)
	h.want()
	h.wait(life)
	h.step(core.TimerFired{}, h.soften(a, h.now.Add(core.SoftLife)), core.RemoveRepository{Request: 2, Repo: id("a")})
	h.step(core.RepositoryDone{Request: 2}) // it failed and is tried again
	h.monitor.Quiet(h.now)
	h.want()
	h.step(core.TimerFired{}, core.RemoveRepository{Request: 3, Repo: id("a")})
	h.monitor.Quiet(h.now)
	h.step(core.RepositoryDone{Request: 3, OK: true})
	h.monitor.Quiet(h.now)
	h.want()
}

func TestRefsOfNobody(t *testing.T) {
	event := oid("e") + oid("e")[:24]
	ref := "refs/nostr/" + string(event)
	mark := core.Mark{Kind: core.MarkPlaceholder, Event: string(event), Repo: id("a")}
	for name, c := range map[string]struct {
		until time.Duration
		want  []string
	}{"a clock runs": {time.Minute, nil}, "a clock has run out": {0, []string{"INV-18 ref-of-nobody"}}} {
		t.Run(name, func(t *testing.T) {
			h := newHistory(t, "INV-18")
			h.host(h.announcement("a", 10))
			mark.Until = h.now.Add(c.until)
			h.step(core.PushOffered{Push: 1, Repo: id("a"), Commands: []gitproto.Command{{Old: repo.ZeroOID, New: oid("1"), Ref: ref}}},
				core.PushAdmitted{Push: 1})
			h.step(core.PushDone{Push: 1, Report: gitstore.Report{Unpack: "ok", Results: []gitstore.Result{{Ref: ref, OK: true}}}},
				core.Record{Op: core.OpMark, Mark: mark})
			h.monitor.Quiet(h.now)
			h.want(c.want...)
			h.step(core.TimerFired{}, core.Record{Op: core.OpUnmark, Mark: mark})
			h.monitor.Quiet(h.now)
			if got := len(h.monitor.Violations); got != len(c.want)+1 {
				t.Errorf("without the clock: got %d violations, want one more than %d", got, len(c.want))
			}
		})
	}
}

func TestRelatedEventsAreRooted(t *testing.T) {
	a := nostr.Tag{"a", "30617:" + string(key("a")) + ":demo"}
	for name, c := range map[string]struct {
		kind int
		tag  nostr.Tag
		want []string
	}{
		"by address":             {1621, a, nil},
		"by nothing":             {1, nostr.Tag{"t", "x"}, []string{"INV-27 rooted-in-nothing"}},
		"by an unknown event":    {1, nostr.Tag{"e", "unknown"}, []string{"INV-27 rooted-in-nothing"}},
		"by an unknown address":  {1621, nostr.Tag{"a", "30617:" + string(key("b")) + ":demo"}, []string{"INV-27 rooted-in-nothing"}},
		"a deletion by nothing":  {5, nostr.Tag{"t", "x"}, nil},
		"a user's list":          {10317, nostr.Tag{"t", "x"}, nil},
		"by a deletion":          {1, nostr.Tag{"e", "deletion"}, []string{"INV-27 rooted-in-nothing"}},
		"mentioned by an issue":  {1, nostr.Tag{"mentioned", ""}, nil},
		"by an issue as a quote": {1, nostr.Tag{"q", "issue"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHistory(t, "INV-27")
			announcement := h.announcement("a", 10)
			h.host(announcement)
			h.step(core.TimerFired{}, store(announcement))
			ev := h.event("c", c.kind, 40, c.tag)
			issue, deletion := h.event("b", 1621, 20, a, nostr.Tag{"e", ev.ID}), h.event("b", 5, 30, nostr.Tag{"e", "x"})
			if c.tag[0] != "mentioned" {
				issue.Tags = issue.Tags[:2]
			}
			for _, known := range []*nostr.Event{issue, deletion} {
				h.step(arrives(known), store(known))
			}
			for i, tag := range ev.Tags {
				if len(tag) > 1 {
					switch tag[1] {
					case "deletion":
						ev.Tags[i] = nostr.Tag{tag[0], deletion.ID}
					case "issue":
						ev.Tags[i] = nostr.Tag{tag[0], issue.ID}
					}
				}
			}
			h.step(arrives(ev), store(ev))
			h.want(c.want...)
		})
	}
}

func TestNothingWaitsForEver(t *testing.T) {
	h := newHistory(t, "INV-32")
	h.step(arrives(h.announcement("a", 10)), core.CreateRepository{Request: 1, Repo: id("a")})
	h.monitor.Quiet(h.now)
	h.want("INV-32 waits-for-ever")
	if h.monitor.Checked("INV-32") != 1 {
		t.Errorf("got %d checks, want 1", h.monitor.Checked("INV-32"))
	}
}
