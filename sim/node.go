package sim

import (
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/fault"
)

// A Node is a machine with a GRASP server on it, through all its lives. What outlives a life is the journal and the
// repositories. The exported fields are filled in before the first life and stay.
type Node struct {
	Name    string
	Git     Git
	There   func() ([]repo.ID, error) // the repositories that the store has
	Clients Clients
	Machine func() core.Machine // a new server, for each life
	Remotes func() Remotes      // what it reaches, for each life; nil reaches nobody
	Peers   func() Peers        // which relays it reaches, for each life; nil reaches none
	Sign    Signer              // how it authenticates to them; nil is not at all
	Observe []Observer          // of each life, in order
	Heard   func(p Point)       // is told of every point in a life; nil is not. It may end the life
	Seed    uint64
	Delays  Delays
	Journal *core.Survivors

	engine *Engine
	host   *Host
	life   int // from 1; 0 before the first
	up     bool
	steps  uint64 // of earlier lives
}

// NewNode returns a node without a server on it, with an empty journal.
func NewNode(name string, e *Engine) *Node {
	return &Node{Name: name, engine: e, Journal: core.NewSurvivors()}
}

// Boot begins a life on what survived the last one.
func (n *Node) Boot(now instant.Instant) {
	n.life++
	n.up = true
	life := n.life
	h := NewHost(n.Name, n.engine, n.Seed+uint64(life)-1, n.Delays)
	n.host = h
	h.Git, h.Clients, h.Journal = watchedGit{n.Git, n}, watchedClients{n.Clients, n}, n.Journal
	h.Begun = func() { n.point(fault.AtBegun, "") }
	h.Durable = func() { n.point(fault.AtCommit, "") }
	h.Machine = n.Machine()
	if n.Remotes != nil {
		h.Remotes = n.Remotes()
	}
	if n.Peers != nil {
		h.Peers = n.Peers()
	}
	h.Sign = n.Sign
	h.Observe = append(append([]Observer(nil), n.Observe...), stepPoint{n})
	there, err := n.There()
	if err != nil {
		panic("sim: invariant: repositories of a store: " + err.Error())
	}
	h.Start(now, there)
}

// Crash ends the life that goes on, if one does, without warning.
func (n *Node) Crash() {
	if !n.up {
		return
	}
	n.up = false
	n.steps += n.host.Steps()
	n.host.Crash()
}

// Stop ends the life that goes on, if one does, in order: what the server does at its end is carried out as far as it
// comes at once.
func (n *Node) Stop(now instant.Instant) {
	if n.up {
		n.host.Step(now, core.Shutdown{})
	}
}

// Up reports whether a life goes on.
func (n *Node) Up() bool { return n.up }

// Life is the number of the present life or of the last one, from 1.
func (n *Node) Life() int { return n.life }

// Steps is the number of inputs that servers on the node were given.
func (n *Node) Steps() uint64 {
	if n.up {
		return n.steps + n.host.Steps()
	}
	return n.steps
}

// Step gives the server an input; none if no life goes on.
func (n *Node) Step(now instant.Instant, in core.Input) {
	if n.up {
		n.host.Step(now, in)
	}
}

// Idle reports whether nothing is under way on the server; so it is without one.
func (n *Node) Idle() bool { return !n.up || n.host.Idle() }

// Server is the server of the present life, or of the last one.
func (n *Node) Server() core.Machine { return n.host.Machine }

// PushEnded tells the server what came of a push that it admitted. It reports whether the life went on behind that, so that
// there is somebody who reports it to the client.
func (n *Node) PushEnded(now instant.Instant, id repo.ID, done core.PushDone) bool {
	life := n.life
	n.point(fault.AtRefs, "")
	if !n.goesOn(life) {
		return false
	}
	if !done.Report.Whole() {
		done.Disk = n.host.OnDisk(id)
	}
	n.host.Step(now, done)
	if n.goesOn(life) {
		n.point(fault.AtReport, "")
	}
	return n.goesOn(life)
}

func (n *Node) goesOn(life int) bool { return n.up && n.life == life }
