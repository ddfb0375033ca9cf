package report

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/graspkit/graspkit/conformance/record"
)

// An Unlock is something that the user can do, and what that brings.
type Unlock struct {
	Hint         string
	Checks, Must int           // checks that it would let run, and how many of them are about a MUST
	Price        time.Duration // of real time; zero if it takes no longer than others
}

// String tells the hint with what it brings and costs.
func (u Unlock) String() string {
	s := fmt.Sprintf("%s (%d MUST) with: %s", counted(u.Checks, "check", "checks"), u.Must, u.Hint)
	if u.Price > 0 {
		s += fmt.Sprintf(" (%s)", counted(int((u.Price+time.Minute-1)/time.Minute), "minute", "minutes"))
	}
	return s
}

var budget = regexp.MustCompile(`^--time-budget \d+m$`)

// Unlocks lists what would let more checks of a run be judged, what brings most first. A time budget lets all checks run that wait
// less, too: of several, at most three are listed.
func Unlocks(run *record.Run) []Unlock {
	var others, budgets []Unlock
	for _, c := range run.Checks {
		switch {
		case c.Unlock == "":
		case budget.MatchString(c.Unlock):
			budgets = addTo(budgets, c, time.Duration(c.WaitMS)*time.Millisecond)
		default:
			others = addTo(others, c, 0)
		}
	}
	all := slices.Concat(others, steps(budgets))
	slices.SortStableFunc(all, func(a, b Unlock) int { return cmp.Compare(b.Checks, a.Checks) })
	return all
}

// addTo counts a check at its hint.
func addTo(all []Unlock, c record.Check, price time.Duration) []Unlock {
	at := slices.IndexFunc(all, func(u Unlock) bool { return u.Hint == c.Unlock })
	if at < 0 {
		all = append(all, Unlock{Hint: c.Unlock})
		at = len(all) - 1
	}
	u := &all[at]
	u.Checks++
	if c.Score == "MUST" {
		u.Must++
	}
	u.Price = max(u.Price, price)
	return all
}

// steps are budgets with all that cheaper ones bring: the least, the one at which most comes on for its time, and the one for everything.
func steps(budgets []Unlock) []Unlock {
	slices.SortStableFunc(budgets, func(a, b Unlock) int { return cmp.Compare(a.Price, b.Price) })
	most, gain := 0, 0
	for i := range budgets {
		if i == 0 {
			continue
		}
		if budgets[i].Checks > gain && i < len(budgets)-1 {
			most, gain = i, budgets[i].Checks
		}
		budgets[i].Checks += budgets[i-1].Checks
		budgets[i].Must += budgets[i-1].Must
	}
	if len(budgets) <= 3 {
		return budgets
	}
	return []Unlock{budgets[0], budgets[most], budgets[len(budgets)-1]}
}
