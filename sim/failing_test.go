package sim_test

import (
	"errors"
	"testing"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim"
)

// failing is a store in which every so many orders fail: before anything is done, when half of it is, or when all is. Half
// of the times the refs cannot be read afterwards.
type failing struct {
	sim.Git
	every int
	count int
	blind bool
}

var errPlanted = errors.New("the disk fails")

// fails counts an order, and says how it goes: 0 well, 1 nothing is done, 2 half of it, 3 all of it, but nobody is told.
func (f *failing) fails() int {
	f.count++
	f.blind = false
	if f.count%f.every != 0 {
		return 0
	}
	n := f.count / f.every
	f.blind = n/3%2 == 0
	return 1 + n%3
}

func (f *failing) Create(id repo.ID) error {
	how := f.fails()
	if how == 1 {
		return errPlanted
	}
	if err := f.Git.Create(id); err != nil || how == 0 {
		return err
	}
	return errPlanted
}

func (f *failing) Remove(id repo.ID) error {
	how := f.fails()
	if how == 1 {
		return errPlanted
	}
	if err := f.Git.Remove(id); err != nil || how == 0 {
		return err
	}
	return errPlanted
}

func (f *failing) Update(id repo.ID, commands []gitproto.Command, head string) error {
	how := f.fails()
	switch how {
	case 1:
		return errPlanted
	case 2:
		commands, head = commands[:len(commands)/2], ""
	}
	if err := f.Git.Update(id, commands, head); err != nil || how == 0 {
		return err
	}
	return errPlanted
}

// Refs cannot be read once, right behind an order that has failed.
func (f *failing) Refs(id repo.ID) (gitstore.Refs, error) {
	if f.blind {
		f.blind = false
		return gitstore.Refs{}, errPlanted
	}
	return f.Git.Refs(id)
}

// Orders that fail, in part or unseen, cost time and nothing else (INV-10, INV-18, INV-22).
func TestFailedOrdersHeal(t *testing.T) {
	for seed := uint64(1); seed <= 40; seed++ {
		s := first(t)
		o := run(t, s, seed, sim.Options{Git: func(_ int, g sim.Git) sim.Git {
			return &failing{Git: g, every: 2 + int(seed%5)}
		}})
		if len(o.Violations) > 0 {
			t.Fatalf("seed %d: %s: %v", seed, o.Reproduce, o.Violations)
		}
	}
}
