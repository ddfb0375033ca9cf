package suite

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
)

// A memberList is whom the target is for, as far as the run may say so. Checks that are under way at one time share it.
type memberList struct {
	turn  turn
	keys  map[string]bool
	times int // it was changed
}

func newMemberList() memberList { return memberList{turn: newTurn(), keys: make(map[string]bool)} }

// membered is who can tell the target whom it is for; nil where nobody can.
func (r *run) membered() target.Membered {
	if r.cfg.Members != nil {
		return r.cfg.Members
	}
	of, _ := r.target.(target.Membered)
	return of
}

// enlist makes somebody a member, or one no more. Where nobody can say who is one, the tester's keys are those of members.
func (r *run) enlist(ctx context.Context, key string, member bool) error {
	of, m := r.membered(), &r.members
	if of == nil {
		return nil
	}
	m.turn.Lock()
	defer m.turn.Unlock()
	if member {
		m.keys[key] = true
	} else {
		delete(m.keys, key)
	}
	list := slices.Sorted(maps.Keys(m.keys))
	if r.cfg.Members == nil {
		return of.SetMembers(ctx, list)
	}
	m.times++
	herald := r.newKey(numbered("herald", m.times), false)
	if err := of.SetMembers(ctx, append(list, herald.Pubkey)); err != nil {
		return err
	}
	return r.awaitLetIn(ctx, herald)
}

// errNotListed is returned when a server was told whom it is for, and does not go by that.
var errNotListed = errors.New("the server does not go by the list that it was told")

// awaitLetIn waits until somebody is let in who stands on the last list alone: the server goes by that list, and nobody who stands on
// an earlier one had to be asked.
func (r *run) awaitLetIn(ctx context.Context, herald client.Key) error {
	opts := r.clientOptions()
	opts.Door = nil
	outside := client.New(r.target, opts)
	somewhere := outside.RepoPath(herald.Pubkey, r.name("door"))
	for began := r.target.Now(); ; {
		door, _, why := outside.Unlock(ctx, []client.Key{herald}, 1, somewhere)
		switch waited := r.target.Now().Sub(began); {
		case door != nil:
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case why == "":
			return fmt.Errorf("%w: it lets in everybody", errNotListed)
		case waited >= r.long():
			return fmt.Errorf("%w: who is on it is not let in after %v: %s", errNotListed, waited.Round(time.Second), why)
		}
		if o := outside.Wait(ctx, patienceMin); o != nil {
			return fmt.Errorf("%w: %v", errNotListed, o)
		}
	}
}
