package simtarget

import (
	"context"
	"slices"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// SetMembers says who the members of a private service are from now on, by their public keys; after a restart, too.
func (t *Target) SetMembers(ctx context.Context, pubkeys []string) (err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	defer t.mourn(&err)
	if err := t.absent(canceled(ctx)); err != nil {
		return err
	}
	var members policy.Members
	for _, key := range slices.Sorted(slices.Values(pubkeys)) {
		members = append(members, repo.PubKey(key))
	}
	t.config.Private.Members = members
	t.node.Step(t.engine.Now(), core.MembersRead{Members: members})
	t.engine.Settle()
	return nil
}
