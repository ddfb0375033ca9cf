package node

import (
	"context"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/web"
)

// Admits judges the token of a git request to a private service, by the list and the time of now: who reads goes on to where nothing
// can be written, and a token counts no longer there.
func (n *Node) Admits(ctx context.Context, t web.Token) (policy.Ruling, error) {
	answer := make(chan policy.Ruling, 1)
	if err := n.do(ctx, func() { answer <- n.machine.Admits(n.time.glance(), t) }); err != nil {
		return policy.Ruling{}, err
	}
	r := <-answer
	if !r.Accepted() {
		n.counts.add("token_refused")
	}
	return r, nil
}

// SetMembers says who the members of a private service are from now on. When it returns, who is none any more has lost what was open.
func (n *Node) SetMembers(ctx context.Context, members policy.Members) error {
	done := make(chan struct{})
	if err := n.put(ctx, item{input: core.MembersRead{Members: members}, done: done}); err != nil {
		return err
	}
	return n.await(ctx, done)
}
