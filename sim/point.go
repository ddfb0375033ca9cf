package sim

import (
	"fmt"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/fault"
)

// A Point is a moment in the life of a server at which it may end.
type Point struct {
	Kind fault.Kind
	What string // the step, the message, the order: "core.Message", "update"
	Life int    // from 1
}

func (n *Node) point(k fault.Kind, what string) {
	if n.up && n.Heard != nil {
		n.Heard(Point{Kind: k, What: what, Life: n.life})
	}
}

// stepPoint makes a point of every step.
type stepPoint struct{ node *Node }

// Stepped implements Observer.
func (s stepPoint) Stepped(_ instant.Instant, in core.Input, _ []core.Effect) {
	if s.node.Heard != nil {
		s.node.point(fault.AtStep, fmt.Sprintf("%T", in))
	}
}

// watchedClients make points of what leaves the server.
type watchedClients struct {
	Clients
	node *Node
}

// Sent implements Clients.
func (c watchedClients) Sent(now instant.Instant, conn core.ConnID, msg relay.ServerMessage) {
	c.Clients.Sent(now, conn, msg)
	if c.node.Heard != nil {
		c.node.point(fault.AtMessage, fmt.Sprintf("%T", msg))
	}
}

// PushExpected implements Clients.
func (c watchedClients) PushExpected(now instant.Instant, push core.PushID) {
	c.Clients.PushExpected(now, push)
	c.node.point(fault.AtAnswer, "expected")
}

// PushAdmitted implements Clients.
func (c watchedClients) PushAdmitted(now instant.Instant, push core.PushID) {
	c.Clients.PushAdmitted(now, push)
	c.node.point(fault.AtAnswer, "admitted")
}

// PushRefused implements Clients.
func (c watchedClients) PushRefused(now instant.Instant, push core.PushID, ruling policy.Ruling) {
	c.Clients.PushRefused(now, push, ruling)
	c.node.point(fault.AtAnswer, "refused")
}

// watchedGit makes points of what changes a store.
type watchedGit struct {
	Git
	node *Node
}

func (g watchedGit) changed(what string, err error) error {
	g.node.point(fault.AtOrder, what)
	return err
}

// Create implements Git.
func (g watchedGit) Create(id repo.ID) error { return g.changed("create", g.Git.Create(id)) }

// Remove implements Git.
func (g watchedGit) Remove(id repo.ID) error { return g.changed("remove", g.Git.Remove(id)) }

// Update implements Git.
func (g watchedGit) Update(id repo.ID, commands []gitproto.Command, head string) error {
	return g.changed("update", g.Git.Update(id, commands, head))
}

// Copy implements Git.
func (g watchedGit) Copy(c gitstore.Cancel, id, from repo.ID, oids []repo.OID) error {
	return g.changed("copy", g.Git.Copy(c, id, from, oids))
}

// Tidy implements Git.
func (g watchedGit) Tidy(c gitstore.Cancel, id repo.ID, keep []repo.OID) error {
	return g.changed("tidy", g.Git.Tidy(c, id, keep))
}
