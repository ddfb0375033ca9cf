package servetarget

import (
	"errors"
	"io"
	"sync/atomic"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/node"
	"github.com/graspkit/graspkit/reference/repo"
)

// errDead is returned for everything that a server tries to keep after its death.
var errDead = errors.New("servetarget: the server is dead")

// A mortal is one life of a server, seen from its disk: from the moment of its death on nothing that the server does
// leaves a trace, as if its process were gone. What it was writing then may be there or not.
type mortal struct {
	dead atomic.Bool
	fuse atomic.Bool // the next push that has moved its refs is the last thing
}

// die ends the life.
func (m *mortal) die() { m.dead.Store(true) }

// A mortalJournal takes nothing from the dead. Closing it gives back its lock, as the system does for a process.
type mortalJournal struct {
	node.Journal

	life *mortal
}

// Write implements node.Journal.
func (j mortalJournal) Write(records []core.Record) error {
	if j.life.dead.Load() {
		return errDead
	}
	return j.Journal.Write(records)
}

// A mortalBackend changes nothing for the dead.
type mortalBackend struct {
	gitstore.Backend

	life *mortal
}

// Create implements gitstore.Backend.
func (b mortalBackend) Create(id repo.ID) error {
	if b.life.dead.Load() {
		return errDead
	}
	return b.Backend.Create(id)
}

// Remove implements gitstore.Backend.
func (b mortalBackend) Remove(id repo.ID) error {
	if b.life.dead.Load() {
		return errDead
	}
	return b.Backend.Remove(id)
}

// Update implements gitstore.Backend.
func (b mortalBackend) Update(id repo.ID, commands []gitproto.Command, head string) error {
	if b.life.dead.Load() {
		return errDead
	}
	return b.Backend.Update(id, commands, head)
}

// Copy implements gitstore.Backend.
func (b mortalBackend) Copy(c gitstore.Cancel, id, from repo.ID, oids []repo.OID) error {
	if b.life.dead.Load() {
		return errDead
	}
	return b.Backend.Copy(c, id, from, oids)
}

// Take implements gitstore.Backend.
func (b mortalBackend) Take(c gitstore.Cancel, id repo.ID, wants []repo.OID, pack io.Reader) (gitstore.Taking, error) {
	if b.life.dead.Load() {
		return gitstore.Taking{}, errDead
	}
	return b.Backend.Take(c, id, wants, pack)
}

// Receive implements gitstore.Backend.
func (b mortalBackend) Receive(c gitstore.Cancel, id repo.ID, push gitstore.Push, pack io.Reader) (gitstore.Report, error) {
	if b.life.dead.Load() {
		return gitstore.Report{}, errDead
	}
	report, err := b.Backend.Receive(c, id, push, pack)
	if b.life.fuse.CompareAndSwap(true, false) {
		b.life.die()
	}
	if b.life.dead.Load() {
		return gitstore.Report{}, errDead
	}
	return report, err
}
