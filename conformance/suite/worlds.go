package suite

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"sync"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/features"
)

// dealt is how many checks one of several equal targets is judged by: few enough that it stays small, for a restart reads all
// that was written before, and many enough that its lighthouse is worth its while.
const dealt = 40

// deal shares the checks out among equal targets, in their order. Each of those that leave much behind has a target of its own,
// never the first one, which is there until the end. Where there is one target alone, it gets all; but those of a folder
// that a target can be opened for have that, behind all others.
func deal(checks []features.Check, alone bool, targets map[string]fresh) (hands [][]appointment) {
	var large [][]appointment
	var others []appointment
	apart := make(map[string][]appointment)
	for i, c := range checks {
		a := appointment{index: i, check: c}
		switch {
		case targets[folderOf(c)] != nil:
			apart[folderOf(c)] = append(apart[folderOf(c)], a)
		case isLarge(c) && !alone:
			large = append(large, []appointment{a})
		default:
			others = append(others, a)
		}
	}
	defer func() {
		for _, folder := range slices.Sorted(maps.Keys(apart)) {
			hands = append(hands, apart[folder])
		}
	}()
	if alone {
		return [][]appointment{others}
	}
	for hand := range slices.Chunk(others, dealt) {
		hands = append(hands, hand)
	}
	if len(hands) == 0 {
		hands = append(hands, nil) // rows without a check are judged all the same
	}
	return slices.Insert(hands, 1, large...)
}

// A fresh target is one more that is equal to the one that is judged and independent of it. The function returned ends it.
type fresh = func(context.Context) (target.Target, func() error, error)

// openers open targets: those that are equal to the first one, and those for the checks of some folders.
type openers struct {
	fresh fresh
	apart map[string]fresh
}

// of returns who opens the target of a hand.
func (o openers) of(hand []appointment) fresh {
	if folder := apartOf(hand, o.apart); folder != "" {
		return o.apart[folder]
	}
	return o.fresh
}

// apartOf is the folder of a hand that has a target of its own, or "".
func apartOf(hand []appointment, targets map[string]fresh) string {
	if len(hand) == 0 || targets[folderOf(hand[0].check)] == nil {
		return ""
	}
	return folderOf(hand[0].check)
}

// folderOf is the folder of a check, with what of it has a target of its own.
func folderOf(c features.Check) string {
	if c.Has("needs:read-only-archive") {
		return readOnlyArchive
	}
	return path.Dir(c.File)
}

// play judges the first target by the first hand, and a fresh one by each of the others, so many at a time. It returns what
// the runs have found out, in the order of the hands. One of those at work takes the hands of large checks, one after the other
// and before all else: there is one such check at a time, and nobody has to stand by while it is under way.
func play(ctx context.Context, first target.Target, open openers, hands [][]appointment, atOnce int, judge func(target.Target, []appointment) *run) ([]*run, error) {
	runs, errs := make([]*run, len(hands)), make([]error, len(hands))
	var large []int
	next := make(chan int, len(hands))
	for i, hand := range hands {
		if len(hands) > 1 && len(hand) == 1 && isLarge(hand[0].check) {
			large = append(large, i)
		} else {
			next <- i
		}
	}
	close(next)
	take := func(i int) {
		if i == 0 {
			runs[i] = judge(first, hands[i])
		} else {
			runs[i], errs[i] = playFresh(ctx, open.of(hands[i]), hands[i], judge)
		}
	}
	var all sync.WaitGroup
	for worker := range max(atOnce, 1) {
		all.Go(func() {
			if worker == 0 {
				for _, i := range large {
					take(i)
				}
			}
			for i := range next {
				take(i)
			}
		})
	}
	all.Wait()
	return runs, errors.Join(errs...)
}

func playFresh(ctx context.Context, open fresh, hand []appointment, judge func(target.Target, []appointment) *run) (*run, error) {
	on, end, err := open(ctx)
	if err != nil {
		return nil, fmt.Errorf("open a fresh target: %w", err)
	}
	r := judge(on, hand)
	r.target, r.client, r.lighthouse = nil, nil, nil // what is over holds no target
	if err := end(); err != nil {
		return nil, fmt.Errorf("end a fresh target: %w", err)
	}
	return r, nil
}

// join takes over what other runs, which have ended, have found out about targets equal to this one.
func (r *run) join(others []*run) {
	for _, other := range others {
		if r.down == "" {
			r.down = other.down
		}
		if r.prose == "" {
			r.prose = other.prose
		}
		for requirement, why := range other.accused {
			r.accuseOf(requirement, why)
		}
		if other.apart != "" {
			other.told = []string{"checks of " + other.apart + ": judged at a target of their own, which offers what they are about"}
		}
		for _, fact := range other.told {
			if !slices.Contains(r.told, fact) {
				r.told = append(r.told, fact)
			}
		}
		for kind, found := range other.holds {
			if r.holds[kind] == holdingUnknown {
				r.holds[kind] = found
			}
		}
		r.livesAgain += other.livesAgain
		r.hearsay.join(other.hearsay)
	}
	r.told = slices.Concat(tell(r.holds), r.told)
	if r.livesAgain > 0 {
		r.told = append(r.told, fmt.Sprintf("the target died, or answered nobody any more, and was started again; that was done %d times", r.livesAgain))
	}
	r.told = append(r.told, r.limits()...)
}

// learned lists the facts of a run.
func (r *run) learned() []string {
	return slices.Concat(r.facts.notJudged(), r.findings())
}

// join adds what another witness has told: what either saw was seen.
func (h *hearsay) join(other hearsay) {
	for id, said := range other.told {
		before := h.told[id]
		h.told[id] = target.Testimony{
			ID: id, Observations: before.Observations + said.Observations, Violations: slices.Concat(before.Violations, said.Violations),
		}
	}
	for id, check := range other.during {
		if len(h.during[id]) == 0 {
			h.during[id] = check
		}
	}
}
