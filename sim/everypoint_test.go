package sim_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nbd-wtf/go-nostr"
	"pgregory.net/rapid"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim"
)

// everything is a history in which each kind of thing happens that a server must not forget.
func everything() []deed {
	s := newScribe()
	var deeds []deed
	do := func(d ...deed) { deeds = append(deeds, d...) }
	demo := s.repository("demo")
	state := func(refs ...repo.Ref) *nostr.Event { return s.state("demo", refs...) }

	// A repository is announced, declared and pushed; somebody posts an issue.
	do(publishing(s.announcement("demo", frailService)), publishing(state(branch("main", "a"))), pushing(demo, branch("main", "a")))
	do(publishing(s.event("bob", 1621, nostr.Tag{"a", s.coordinate(repo.KindAnnouncement, "demo")})))
	// States: one waits and is pushed, one is there already, one is superseded while it waits.
	do(publishing(state(branch("main", "b"), branch("dev", "a"))), pushing(demo, branch("main", "b"), branch("dev", "a")))
	do(publishing(state(branch("main", "a"))), publishing(state(branch("main", "c"))), publishing(state(branch("main", "d"))))
	do(waiting(time.Minute), pushing(demo, branch("main", "d")))
	// Pull requests: the event first, git first, one whose event never comes, one that was pushed wrongly, one deleted.
	one, two, three := s.pull("demo", "p"), s.pull("demo", "q"), s.pull("demo", "r")
	wrong, gone := s.pull("demo", "s"), s.pull("demo", "t")
	do(publishing(one), pushing(demo, pullRef(one, "p")), pushing(demo, pullRef(two, "q")), waiting(time.Minute), publishing(two))
	do(pushing(demo, pullRef(three, "r")), pushing(demo, pullRef(wrong, "x")), publishing(wrong))
	do(publishing(gone), publishing(s.event("bob", 5, nostr.Tag{"e", gone.ID})))
	// A second repository is deleted while it waits; the state of a third one is.
	other := s.state("third", branch("main", "a"))
	do(publishing(s.announcement("second", frailService)), publishing(s.event("alice", 5, nostr.Tag{"a", s.coordinate(repo.KindAnnouncement, "second")})))
	do(publishing(s.announcement("third", frailService)), publishing(other), publishing(s.event("alice", 5, nostr.Tag{"e", other.ID})))
	// Half an hour passes: a fourth one goes to its second phase, is revived and pushed; the third one stays there.
	do(publishing(s.announcement("fourth", frailService)), waiting(31*time.Minute))
	do(publishing(s.state("fourth", branch("main", "e"))), pushing(s.repository("fourth"), branch("main", "e")))
	do(waiting(10 * time.Minute))
	// A served repository is withdrawn and comes back; another one is deleted.
	elsewhere := repo.Service{Host: "elsewhere.example"}
	do(publishing(s.announcement("demo", elsewhere)), publishing(s.announcement("demo", frailService)), publishing(state(branch("main", "a"))))
	do(publishing(s.event("alice", 5, nostr.Tag{"a", s.coordinate(repo.KindAnnouncement, "fourth")})))
	// Everything runs out.
	do(waiting(25*time.Hour), publishing(s.announcement("third", frailService)), waiting(8*24*time.Hour))
	return deeds
}

// play does the deeds and returns what is there after each.
func play(f *frail, deeds []deed, after func(i int)) []string {
	var rests []string
	for i, do := range deeds {
		do(f)
		f.engine.Settle()
		rests = append(rests, f.snapshot())
		if after != nil {
			after(i)
		}
	}
	return rests
}

// A crash right after any point of a history, and a restart, change nothing but that the client has to repeat what it had
// no answer to: after each deed everything is as it is without the crash. So nothing that was acknowledged is lost, and
// what a crash has left half done heals by itself (REF-PURG-15, REF-PURG-16).
func TestCrashAfterEveryPointIsInvisible(t *testing.T) {
	deeds := everything()
	whole := newFrail(sim.Delays{}, nil)
	want := play(whole, deeds, nil)
	t.Logf("%d deeds, %d points", len(deeds), whole.points)
	if whole.points < 150 {
		t.Fatalf("got %d points, want a history with at least 150", whole.points)
	}
	for at := 1; at <= whole.points; at++ {
		f := newFrail(sim.Delays{}, nil, at)
		got := play(f, deeds, nil)
		checkFrail(t, f, got, want)
		if t.Failed() {
			t.Fatalf("crash after point %d (%s)", at, whole.where[at-1])
		}
	}
}

// failer is a test, of the standard library or of rapid.
type failer interface {
	Helper()
	Errorf(format string, args ...any)
}

func checkFrail(t failer, f *frail, got, want []string) {
	t.Helper()
	for i := range want {
		if diff := cmp.Diff(strings.Split(want[i], "\n"), strings.Split(got[i], "\n")); diff != "" {
			t.Errorf("after deed %d (-without the crash +with it):\n%s", i, diff)
			return
		}
	}
	for _, v := range f.monitor.Violations {
		t.Errorf("%s at %s: %s", v, v.At, v.Detail)
	}
}

// With disks that take their time commits are torn, shared by several steps, and orders are half done. Then a client that
// repeats things does so later, but what was acknowledged is there, right after the start.
func TestCrashOnSlowDisksLosesNothingAcknowledged(t *testing.T) {
	slowly := sim.Delays{Journal: 2 * time.Second, Order: time.Second}
	deeds := everything()
	whole := newFrail(slowly, nil)
	rests := play(whole, deeds, nil)
	step := 1
	if testing.Short() {
		step = 5
	}
	for at := 1; at <= whole.points; at += step {
		f := newFrail(slowly, nil, at)
		play(f, deeds, func(i int) {
			for _, id := range slices.Sorted(maps.Keys(f.answers)) {
				short := fmt.Sprintf(" %.8s ", id)
				expected := strings.Contains(rests[i], "stored"+short) || strings.Contains(rests[i], "held"+short)
				if f.answers[id] && expected && !f.kept(id) {
					t.Errorf("after deed %d: event%swas acknowledged and is nowhere", i, short)
				}
			}
		})
		for _, v := range f.monitor.Violations {
			t.Errorf("%s at %s: %s", v, v.At, v.Detail)
		}
		if t.Failed() {
			t.Fatalf("crash after point %d (%s)", at, whole.where[at-1])
		}
	}
}

// An orderly restart between any two deeds is invisible but for the time that passes (REF-PURG-11, INV-25).
func TestOrderlyRestartIsInvisible(t *testing.T) {
	deeds := everything()
	var fine []deed // waits in steps, so that there is a restart in the middle of every life
	for _, d := range deeds {
		fine = append(fine, d, waiting(7*time.Minute))
	}
	want := play(newFrail(sim.Delays{}, nil), fine, nil)
	for at := range fine {
		f := newFrail(sim.Delays{}, nil)
		got := play(f, fine, func(i int) {
			if i == at {
				f.restart()
			}
		})
		checkFrail(t, f, got, want)
		if t.Failed() {
			t.Fatalf("restart after deed %d", at)
		}
	}
	f := newFrail(sim.Delays{}, nil)
	checkFrail(t, f, play(f, fine, func(int) { f.restart() }), want)
}

// Two crashes at one instant, and one inside an orderly restart, are as invisible as one: there is one server afterwards.
func TestCrashesWhileDownAreInvisible(t *testing.T) {
	deeds := everything()
	whole := newFrail(sim.Delays{}, nil)
	want := play(whole, deeds, nil)
	for at := 1; at < whole.points; at++ {
		f := newFrail(sim.Delays{}, nil, at, at+1)
		checkFrail(t, f, play(f, deeds, nil), want)
		if t.Failed() {
			t.Fatalf("crashes after the points %d and %d (%s, %s)", at, at+1, whole.where[at-1], whole.where[at])
		}
	}
	const within = 4 // points that a restart has at least
	for at := range deeds {
		for inside := 1; inside <= within; inside++ {
			f, begin := newFrail(sim.Delays{}, nil), 0
			got := play(f, deeds, func(i int) {
				if i == at {
					begin = f.points
					f.crashAfter(begin + inside)
					f.restart()
				}
			})
			checkFrail(t, f, got, want)
			if t.Failed() {
				t.Fatalf("restart after deed %d, with a crash after its point %d (%s)", at, inside, f.where[begin+inside-1])
			}
		}
	}
}

// Histories made up at random, with several crashes and restarts in each.
func TestRandomHistoriesSurviveCrashes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		deeds := randomDeeds(t)
		whole := newFrail(sim.Delays{}, nil)
		want := play(whole, deeds, nil)
		crashes := rapid.SliceOfN(rapid.IntRange(1, whole.points), 0, 3).Draw(t, "crashes")
		restarts := rapid.SliceOfN(rapid.IntRange(0, len(deeds)-1), 0, 2).Draw(t, "restarts")
		f := newFrail(sim.Delays{}, nil, crashes...)
		got := play(f, deeds, func(i int) {
			if slices.Contains(restarts, i) {
				f.restart()
			}
		})
		checkFrail(t, f, got, want)
	})
}

// randomDeeds makes up a history of two repositories.
func randomDeeds(t *rapid.T) []deed {
	s := newScribe()
	var past []*nostr.Event
	var pulls []*nostr.Event
	say := func(ev *nostr.Event) deed {
		past = append(past, ev)
		return publishing(ev)
	}
	objects := rapid.SampledFrom([]string{"a", "b", "c"})
	branches := rapid.SampledFrom([]string{"main", "dev"})
	var deeds []deed
	for range rapid.IntRange(3, 14).Draw(t, "deeds") {
		in := rapid.SampledFrom([]string{"one", "two"}).Draw(t, "repository")
		switch rapid.IntRange(0, 11).Draw(t, "deed") {
		case 0, 1:
			deeds = append(deeds, say(s.announcement(in, frailService)))
		case 2, 3:
			deeds = append(deeds, say(s.state(in, branch(branches.Draw(t, "branch"), objects.Draw(t, "object")))))
		case 4, 5, 6:
			deeds = append(deeds, pushing(s.repository(in), branch(branches.Draw(t, "branch"), objects.Draw(t, "object"))))
		case 7:
			ev := s.pull(in, objects.Draw(t, "object"))
			pulls = append(pulls, ev)
			if rapid.Bool().Draw(t, "published") {
				deeds = append(deeds, say(ev))
			}
		case 8:
			if len(pulls) > 0 {
				ev := rapid.SampledFrom(pulls).Draw(t, "pull")
				deeds = append(deeds, pushing(s.repository(in), pullRef(ev, objects.Draw(t, "object"))))
			}
		case 9:
			if len(past) > 0 {
				ev := rapid.SampledFrom(past).Draw(t, "deleted")
				by := "alice"
				if ev.Kind == repo.KindPullRequest {
					by = "bob"
				}
				deeds = append(deeds, publishing(s.event(by, 5, nostr.Tag{"e", ev.ID})))
			}
		case 10:
			deeds = append(deeds, say(s.announcement(in, repo.Service{Host: "elsewhere.example"})))
		default:
			deeds = append(deeds, waiting(time.Duration(rapid.IntRange(1, 40).Draw(t, "minutes"))*time.Minute))
		}
	}
	return append(deeds, waiting(time.Minute))
}

// What these tests would find, if it were so.
func TestCrashesFindPlantedMistakes(t *testing.T) {
	deeds := everything()
	whole := newFrail(sim.Delays{}, nil)
	want := play(whole, deeds, nil)
	for name, wrap := range map[string]func(core.Machine) core.Machine{
		"nothing is looked at again": func(m core.Machine) core.Machine { return &incurious{Machine: m} },
		"held events are forgotten":  func(m core.Machine) core.Machine { return &amnesiac{m} },
	} {
		found := false
		for at := 1; at <= whole.points && !found; at++ {
			f := newFrail(sim.Delays{}, wrap, at)
			found = !slices.Equal(play(f, deeds, nil), want)
		}
		if !found {
			t.Errorf("%s: got no difference, want one", name)
		}
	}
}

// incurious is a core that is told at start that every object is missing.
type incurious struct {
	core.Machine

	started bool
	asked   map[core.RequestID][]repo.OID
}

func (c *incurious) Step(now instant.Instant, in core.Input, out *core.Effects) {
	if c.asked == nil {
		c.asked = map[core.RequestID][]repo.OID{}
	}
	if _, message := in.(core.Message); message {
		c.started = true
	}
	if facts, is := in.(core.ObjectFacts); is && c.asked[facts.Request] != nil {
		facts.Missing = c.asked[facts.Request]
		in = facts
	}
	before := len(out.List)
	c.Machine.Step(now, in, out)
	for _, e := range out.List[before:] {
		if ask, is := e.(core.AskObjects); is && !c.started {
			c.asked[ask.Request] = ask.OIDs
		}
	}
}
