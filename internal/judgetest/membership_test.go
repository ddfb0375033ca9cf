package judgetest

import (
	"context"
	"slices"
	"testing"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/defect"
)

// told is a private server of somebody else, whom a command tells whom it is for.
type told struct {
	server target.Membered
	late   bool // it has not read a list yet in which somebody is missing
	last   []string
}

func (m *told) SetMembers(ctx context.Context, pubkeys []string) error {
	missing := slices.ContainsFunc(m.last[:max(0, len(m.last)-1)], func(key string) bool { return !slices.Contains(pubkeys, key) }) // but for the herald
	if m.late && missing {
		return nil
	}
	m.last = pubkeys
	return m.server.SetMembers(ctx, pubkeys)
}

// Where a command says who the members are, the dismissal of one is judged, as at the reference: a good service passes, each mistake
// is caught, and one that does not go by its last list is accused of nothing.
func TestDismissalIsJudgedByACommand(t *testing.T) {
	// accused are the checks that have seen something wrong, held those that have seen that nothing is.
	judged := func(t *testing.T, d defect.Defect, late bool) (accused, held []string) {
		t.Helper()
		d.Private = true
		on := simulated(d)
		members, is := on.(target.Membered)
		if !is {
			t.Fatalf("%T: nobody can say who its members are", on)
		}
		cfg := suite.Config{ID: "G08-14", Write: true, AllowHostile: true, Members: &told{server: members, late: late}}
		for _, c := range judge(t, outside(on, true), cfg).Checks {
			switch {
			case c.Verdict != suite.Observed:
				t.Log(c.Check.ID, c.Verdict, c.Reason)
			case c.Findings[0].Reason != "":
				accused = append(accused, c.Check.ID+" "+c.Findings[0].Reason)
			default:
				held = append(held, c.Check.ID)
			}
		}
		return accused, held
	}
	const checks = 4
	if accused, held := judged(t, defect.Defect{}, false); accused != nil || len(held) != checks {
		t.Errorf("a good service: accused %q, held %q", accused, held)
	}
	if accused, held := judged(t, defect.Defect{}, true); accused != nil || held != nil {
		t.Errorf("one that does not go by its last list: accused %q, held %q", accused, held)
	}
	for _, row := range spec.Defects() {
		if row.Catches != "G08-14" {
			continue
		}
		t.Run(row.Name, func(t *testing.T) {
			d, _ := defect.Lookup(row.Name)
			if accused, held := judged(t, d, false); accused == nil {
				t.Errorf("nothing is seen, held %q", held)
			}
		})
	}
}
