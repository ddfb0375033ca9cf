package sim_test

import (
	"strings"
	"testing"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/model"
)

// marked is a plant that replaces every mark of a kind, made or taken back, by others.
func marked(op core.Op, kind core.MarkKind, change func(m core.Mark) []core.Mark) sim.Options {
	return records(op, func(r core.Record) []core.Effect {
		if r.Mark.Kind != kind {
			return []core.Effect{r}
		}
		var out []core.Effect
		for _, m := range change(r.Mark) {
			out = append(out, core.Record{Op: op, Mark: m})
		}
		return out
	})
}

// The model judges what the journal is told beside events: each claim is left out here, or says something else.
func TestModelSeesWrongMarks(t *testing.T) {
	none := func(core.Mark) []core.Mark { return nil }
	later := func(m core.Mark) []core.Mark { m.Until++; return []core.Mark{m} }
	since := func(m core.Mark) []core.Mark { m.At--; return []core.Mark{m} }
	for _, p := range []struct {
		breaks, scenario string
		op               core.Op
		kind             core.MarkKind
		change           func(m core.Mark) []core.Mark
	}{
		{"G01-PR-07 model-no-clock", "odd", core.OpMark, core.MarkPlaceholder, none},
		{"G01-PR-07 model-marked", "odd", core.OpMark, core.MarkPlaceholder, later},
		{"G01-PR-07 model-clock-of-nothing", "odd", core.OpUnmark, core.MarkPlaceholder, none},
		{"G01-DEL-06 model-still-kept", "narrow", core.OpUnmark, core.MarkRetired, none},
		{"G01-PURG-12 model-repository-stays", "narrow", core.OpMark, core.MarkRetired, none},
		{"G01-DEL-06 model-marked-at", "narrow", core.OpMark, core.MarkRetired, since},
		{"G01-DEL-07 model-not-marked", "narrow", core.OpMark, core.MarkDeletedState, none},
		{"G01-DEL-07 model-not-marked", "narrow", core.OpMark, core.MarkDeletedAnnouncement, none},
		{"G01-DEL-07 model-marked", "narrow", core.OpMark, core.MarkDeletedState, func(m core.Mark) []core.Mark {
			m.Created++
			return []core.Mark{m}
		}},
		{"REF-PURG-10 model-not-marked", "ruled", core.OpMark, core.MarkExpired, none},
		{"REF-PURG-10 model-marked", "ruled", core.OpMark, core.MarkExpired, func(m core.Mark) []core.Mark {
			m.Until = m.Until.Add(-time.Second)
			return []core.Mark{m}
		}},
		{"REF-PURG-23 model-not-marked", "odd", core.OpMark, core.MarkDeletedID, none},
		{"REF-PURG-23 model-not-marked", "odd", core.OpMark, core.MarkDeletedAddress, none},
		{"N62-01 model-not-marked", "first", core.OpMark, core.MarkVanished, none},
		{"REF-PURG-12 model-end-unmarked", "narrow", core.OpMark, core.MarkRan, none},
		{"REF-PURG-12 model-end-unmarked", "narrow", core.OpUnmark, core.MarkRan, none},
		{"REF-HUNT-09 model-not-marked", "hunt_gone", core.OpMark, core.MarkAsked, none},
		{"REF-HUNT-09 model-marked", "hunt_gone", core.OpMark, core.MarkAsked, func(m core.Mark) []core.Mark {
			m.Count++
			return []core.Mark{m}
		}},
		{"REF-HUNT-09 model-marked", "hunt_gone", core.OpMark, core.MarkAsked, later},
		{"REF-HUNT-09 model-forgotten", "hunt_gone", core.OpUnmark, core.MarkAsked, func(m core.Mark) []core.Mark {
			m.Host = "git4.example"
			return []core.Mark{m}
		}},
		{"REF-SYNC-20 model-marked", "weak/77-refused-before-the-end", core.OpMark, core.MarkRefusedState, func(m core.Mark) []core.Mark {
			m.Until = m.Until.Add(time.Hour)
			return []core.Mark{m}
		}},
		{"REF-SYNC-20 model-marked", "weak/77-refused-before-the-end", core.OpMark, core.MarkRefusedAnnouncement, func(m core.Mark) []core.Mark {
			m.Created++
			return []core.Mark{m}
		}},
		{"REF-SYNC-20 model-refusals-stay", "weak/77-refused-before-the-end", core.OpUnmark, core.MarkRefusedState, none},
		{"REF-SYNC-20 model-refusals-stay", "weak/77-refused-before-the-end", core.OpUnmark, core.MarkJudgedBy, none},
	} {
		t.Run(p.breaks, func(t *testing.T) {
			t.Parallel()
			s, _, err := scenarios.Embedded(p.scenario)
			if err != nil {
				t.Fatal(err)
			}
			const seeds = 20
			for seed := uint64(1); seed <= seeds; seed++ {
				o, err := sim.Run(s, seed, marked(p.op, p.kind, p.change))
				if err != nil {
					t.Fatal(err)
				}
				for _, v := range o.Violations {
					if v.ID+" "+v.Code == p.breaks {
						return
					}
				}
				if len(o.Violations) > 0 && !strings.HasPrefix(o.Violations[0].Code, "model-") {
					continue
				}
				if len(o.Violations) > 0 {
					t.Logf("seed %d: %s %s", seed, o.Violations[0].ID, o.Violations[0].Code)
				}
			}
			t.Errorf("%d seeds of %s: it is never told", seeds, p.scenario)
		})
	}
}

const (
	aliceKey  = "3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d"
	aliceNpub = "npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6"
)

var aliceRepository = repo.ID{Owner: aliceKey, Identifier: "a b"}

// What the journal is told once more is told for nothing, and so is an order that moves nothing.
func TestModelSeesWhatIsToldTwice(t *testing.T) {
	t.Parallel()
	twice := records(core.OpHold, func(r core.Record) []core.Effect { return []core.Effect{r, r} })
	s := embedded(t, "first")
	s.Invariants = []string{}
	o := run(t, s, 1, twice)
	if len(o.Violations) == 0 || o.Violations[0].Code != "model-held-once-more" {
		t.Errorf("got %v, want that it is told", o.Violations)
	}
	m := model.New(model.Config{Server: "server1", Host: "server1.example"})
	if m.Stepped(1, core.TimerFired{}, []core.Effect{core.UpdateRefs{Request: 1, Repo: aliceRepository}}); len(m.Differences) != 1 {
		t.Errorf("got %v of an order for nothing, want one difference", m.Differences)
	}
}

// A page of what is not here is wrong, and no page of that is right.
func TestModelSeesWrongPages(t *testing.T) {
	for _, page := range []model.Page{{Exists: true}, {Exists: true, Served: true, Name: "a"}, {Name: "a"}} {
		m := model.New(model.Config{Server: "server1", Host: "server1.example"})
		if m.Looked(1, aliceRepository, model.Page{}); len(m.Differences) > 0 {
			t.Fatalf("got %v of no page", m.Differences)
		}
		if m.Looked(1, aliceRepository, page); len(m.Differences) != 1 {
			t.Errorf("%+v: got %v, want one difference", page, m.Differences)
		}
	}
}

// What a server shows where it is not is told, too.
func TestModelSeesWrongAddresses(t *testing.T) {
	m := model.New(model.Config{Server: "server1", Host: "server1.example:8080", Base: "/git"})
	const clone, relay = "http://server1.example:8080/git/" + aliceNpub + "/a%20b.git", "ws://server1.example:8080/git"
	m.Shown(1, aliceRepository, clone, relay)
	if len(m.Differences) > 0 {
		t.Fatalf("got %v of what is right", m.Differences)
	}
	for _, wrong := range [][2]string{
		{strings.Replace(clone, "%20", "+", 1), relay}, {strings.Replace(clone, "/git", "", 1), relay}, {clone, "ws://server1.example/git"},
	} {
		m := model.New(model.Config{Server: "server1", Host: "server1.example:8080", Base: "/git"})
		if m.Shown(1, aliceRepository, wrong[0], wrong[1]); len(m.Differences) != 1 {
			t.Errorf("%v: got %v, want one difference", wrong, m.Differences)
		}
	}
}
