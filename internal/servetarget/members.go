package servetarget

import (
	"context"
	"slices"

	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// SetMembers says who the members of a private service are from now on, by their public keys; after a restart, too.
func (t *Target) SetMembers(ctx context.Context, pubkeys []string) error {
	var members policy.Members
	for _, key := range slices.Sorted(slices.Values(pubkeys)) {
		members = append(members, repo.PubKey(key))
	}
	t.mu.Lock()
	t.opts.Core.Private.Members = members
	t.mu.Unlock()
	return t.current().Node.SetMembers(ctx, members)
}
