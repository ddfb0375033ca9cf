package explore_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/sim/explore"
)

// small are families of which every history can be looked at by itself.
func small() []explore.Family {
	return []explore.Family{
		{
			Name: "a push", Lost: 1, Broken: 1, Same: true,
			Script: func(s *explore.Script) {
				s.Before(explore.Publish(s.Announcement("owner", 1)))
				s.Actor("owner", explore.Publish(s.State("owner", 2, s.Branch("main", "A"))))
				s.Actor("owner's git", explore.Push(s.Repository("owner"), s.Branch("main", "A")))
			},
		},
		{
			Name: "two owners at a time", Crashes: 1,
			Script: func(s *explore.Script) {
				s.Actor("owner", explore.Publish(s.Announcement("owner", 1, "maintainer")))
				s.Actor("maintainer", explore.Publish(s.Announcement("maintainer", 2, "owner")))
			},
		},
		{
			Name: "time and a deletion", Crashes: 1,
			Script: func(s *explore.Script) {
				announcement := s.Announcement("owner", 1)
				s.Before(explore.Publish(announcement))
				s.Actor("owner", explore.Publish(s.State("owner", 2, s.Branch("main", "A"))))
				s.Actor("owner's second client", explore.Publish(s.Deletion("owner", 3, announcement)))
				s.Actor("time", explore.Tick())
			},
		},
	}
}

// A search that takes worlds for one finds all that one finds which looks at every history by itself: what is served in the
// end, and what is broken.
func TestMergingLosesNothing(t *testing.T) {
	wraps := map[string]func(core.Machine) core.Machine{
		"as it is": nil,
		"hasty":    func(m core.Machine) core.Machine { return &hasty{Machine: m} },
		"timeless": func(m core.Machine) core.Machine { return &timeless{Machine: m} },
		"curious":  func(m core.Machine) core.Machine { return &incurious{Machine: m} },
	}
	merged := 0
	for name, wrap := range wraps {
		for _, f := range small() {
			t.Run(f.Name+", "+name, func(t *testing.T) {
				f.Wrap = wrap
				one := explore.Explore(f, explore.Options{All: true, States: 1_000_000})
				all := explore.Explore(f, explore.Options{All: true, Apart: true, States: 1_000_000})
				t.Logf("%d states, %d of them distinct, and %d apart", one.States, one.Distinct, all.States)
				if !one.Complete || !all.Complete {
					t.Fatalf("complete: %t merged and %t apart, want both", one.Complete, all.Complete)
				}
				if diff := cmp.Diff(all.Served, one.Served); diff != "" {
					t.Errorf("served in the end (-apart +merged):\n%s", diff)
				}
				if diff := cmp.Diff(all.Found, one.Found); diff != "" {
					t.Errorf("broken (-apart +merged):\n%s", diff)
				}
				merged += one.Merged()
			})
		}
	}
	if merged == 0 {
		t.Error("nothing was merged")
	}
}

// The same search finds the same.
func TestSearchesAreDeterministic(t *testing.T) {
	for _, f := range explore.Families()[:3] {
		a, b := explore.Explore(f, explore.Options{States: 3000}), explore.Explore(f, explore.Options{States: 3000})
		if diff := cmp.Diff(a, b); diff != "" {
			t.Errorf("%s, twice:\n%s", f.Name, diff)
		}
	}
}
