package sim

import (
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/kernel"
	"github.com/graspkit/graspkit/sim/network"
	"github.com/graspkit/graspkit/sim/trace"
)

// What is drawn about a message, an order or a write is drawn by what it says and by how many equal ones came before, and
// never by a number that counts whatever else happens: so one of them more or less leaves the fate of all others alone.

// A tally counts equal things.
type tally map[kernel.Key]uint64

// next is the key of a thing that is distinguished from all equal ones before.
func (t tally) next(content kernel.Key) kernel.Key {
	n := t[content]
	t[content] = n + 1
	return content.With(n)
}

// The beginnings of contents, one for each kind of thing.
var (
	eventContent  = kernel.NewKey(0, "content/event")
	otherContent  = kernel.NewKey(0, "content/other")
	okContent     = kernel.NewKey(0, "content/ok")
	liveContent   = kernel.NewKey(0, "content/live")
	eoseContent   = kernel.NewKey(0, "content/eose")
	pushContent   = kernel.NewKey(0, "content/push")
	orderContent  = kernel.NewKey(0, "content/order")
	fetchContent  = kernel.NewKey(0, "content/fetch")
	recordContent = kernel.NewKey(0, "content/record")
	lineContent   = kernel.NewKey(0, "content/line")
)

// clientContent is what a message of a client says, and how many bytes it has if the way counts them.
func clientContent(d *trace.Digester, w *network.Way, msg relay.ClientMessage) (content kernel.Key, size int) {
	if m, is := msg.(relay.Event); is {
		if w.Counts() {
			size = eventSize(m.Event)
		}
		return eventContent.WithText(m.Event.ID), size
	}
	return otherContent.With(d.Of(msg)), frameSize
}

// clientSize is how many bytes a message to a relay has, about.
func clientSize(msg relay.ClientMessage) int {
	switch m := msg.(type) {
	case relay.Event:
		return eventSize(m.Event)
	case relay.Req:
		size := frameSize
		for _, f := range m.Filters {
			size += f.Bytes()
		}
		return size
	case relay.NegOpen:
		return frameSize + m.Filter.Bytes() + 2*len(m.Message)
	case relay.NegMessage:
		return frameSize + 2*len(m.Message)
	}
	return frameSize
}

// serverContent is what a message of a server says, and how many bytes it has if the way counts them.
func serverContent(w *network.Way, msg relay.ServerMessage) (content kernel.Key, size int) {
	if w.Counts() {
		size = len(relay.Encode(msg))
	}
	switch m := msg.(type) {
	case relay.EventFor:
		return liveContent.WithText(m.Sub).WithText(m.Event.ID), size
	case relay.OK:
		return okContent.WithText(m.ID).WithText(m.Text), size
	case relay.EOSE:
		return eoseContent.WithText(m.Sub), size
	}
	return otherContent.WithText(string(relay.Encode(msg))), size
}

// Sizes of what is not built byte by byte.
const (
	frameSize   = 200 // of a message without an event
	requestSize = 300 // of an HTTP request
	commandSize = 120 // of a ref that is advertised, moved or reported
	objectSize  = 1000
)

func eventSize(ev *nostr.Event) int {
	size := frameSize + len(ev.Content)
	for _, tag := range ev.Tags {
		for _, s := range tag {
			size += len(s) + 3
		}
	}
	return size
}

func repoContent(k kernel.Key, id repo.ID) kernel.Key {
	return k.WithText(string(id.Owner)).WithText(id.Identifier)
}

func oidsContent(k kernel.Key, oids []repo.OID) kernel.Key {
	for _, oid := range oids {
		k = k.WithText(string(oid))
	}
	return k
}

func commandsContent(k kernel.Key, commands []gitproto.Command) kernel.Key {
	for _, c := range commands {
		k = k.WithText(c.Ref).WithText(string(c.Old)).WithText(string(c.New))
	}
	return k
}

// orderedContent is what an order says, whatever its number.
func orderedContent(effect core.Effect) kernel.Key {
	kind := func(n uint64, id repo.ID) kernel.Key { return repoContent(orderContent.With(n), id) }
	switch e := effect.(type) {
	case core.AskObjects:
		return oidsContent(kind(1, e.Repo), e.OIDs)
	case core.CreateRepository:
		return kind(2, e.Repo)
	case core.RemoveRepository:
		return kind(3, e.Repo)
	case core.ReadRefs:
		return kind(4, e.Repo)
	case core.UpdateRefs:
		return commandsContent(kind(5, e.Repo), e.Commands).WithText(e.Head)
	case core.CopyObjects:
		return oidsContent(repoContent(kind(6, e.Repo), e.From), e.OIDs)
	case core.TidyRepository:
		return oidsContent(kind(7, e.Repo), e.Keep)
	case core.SearchEvents: // nobody but one client waits for it
		return orderContent.With(8)
	}
	panic("sim: invariant: not an order")
}
