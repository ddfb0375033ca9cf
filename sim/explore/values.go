package explore

import (
	"encoding/binary"
	"math/bits"
	"reflect"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/sim/snapshot"
)

// values copies worlds and says which of them are one.
type values struct {
	kit   *snapshot.Kit
	text  []byte
	names map[uint64]uint64
}

// A digest stands for a world. Two worlds of one digest are taken for one; with 128 bits that is wrong once in 10^20 times
// for a billion of them.
type digest [2]uint64

// newValues says what of a world is shared by its copies and what does not count.
//
// Events, effects and inputs are shared because nobody changes one after it is made: the journal, traces and hosts rely on
// that too. Left out of the text is only what no later step reads: what has been counted or is told to people, and the
// scratch of the monitor, which each step begins anew; and when it looks at what is held, for what is held says that.
//
// The numbers of requests are renamed. The core takes the next number for each request and never asks for more than whether two
// are the same, so a world goes on alike whatever its open requests are called, and however many there have been. Their
// names are their places among what is under way: orders sorted by what they are, then those that wait for records, in their
// order. Any names would do: two worlds of one text are then the same but for numbers, and a poor choice merges less, never
// too much. Pushes and connections need no names, since the world numbers them by deeds and actors.
//
// People and repositories are not renamed: the core orders owners by their keys, and of two events of one second the lower id
// wins, so two that do the same are not quite alike.
func newValues() *values {
	return &values{
		names: map[uint64]uint64{},
		kit: snapshot.NewKit(snapshot.Rules{
			Shared:  []reflect.Type{reflect.TypeFor[core.Effect](), reflect.TypeFor[core.Input](), reflect.TypeFor[relay.ClientMessage](), reflect.TypeFor[relay.ServerMessage]()},
			ByID:    reflect.TypeFor[*nostr.Event](),
			Renamed: reflect.TypeFor[core.RequestID](),
			Same:    []string{"world.plot", "world.seen", "Monitor.enabled", "Monitor.checked", "Server.cfg", "order.effect", "order.answer", "Model.Missing"},
			Unsaid: []string{
				"world.plot", "world.seen", "world.broke", "world.passes", "world.round",
				"Monitor.enabled", "Monitor.checked", "Monitor.step", "Monitor.ends", "Monitor.Violations", "Monitor.server", "Monitor.life",
				"Server.cfg", "Server.requests", "order.key",
				"Model.Missing", "Model.Differences", "Model.step", "Model.checks", "journal.log",
				"Host.record",
			},
		}),
	}
}

func (v *values) copied(w *world) *world {
	twin := snapshot.CopyOf(v.kit, w)
	twin.look()
	return twin
}

func (v *values) digest(w *world) digest {
	clear(v.names)
	for i := range w.orders {
		v.names[uint64(w.orders[i].request())] = uint64(len(v.names))
	}
	for _, b := range w.waiting {
		for _, e := range b.effects {
			if id := requestOf(e); id != 0 {
				v.names[uint64(id)] = uint64(len(v.names))
			}
		}
	}
	v.text = snapshot.Append(v.kit, v.text[:0], w, v.names)
	return digestOf(v.text)
}

// digestOf folds a text into two numbers by multiplications of 64 by 64 bits, as wyhash does.
func digestOf(text []byte) digest {
	a, b := uint64(0xa0761d6478bd642f)^uint64(len(text)), uint64(0xe7037ed1a0b428db)
	fold := func(x, y uint64) {
		hi, lo := bits.Mul64(a^x, y^0x8ebc6af09c88c6e3)
		a = hi ^ lo
		hi, lo = bits.Mul64(b^y, x^0x589965cc75374cc3)
		b = hi ^ lo ^ bits.RotateLeft64(b, 23)
	}
	for len(text) >= 16 {
		fold(binary.LittleEndian.Uint64(text), binary.LittleEndian.Uint64(text[8:]))
		text = text[16:]
	}
	var last [16]byte
	copy(last[:], text)
	fold(binary.LittleEndian.Uint64(last[:]), binary.LittleEndian.Uint64(last[8:]))
	fold(a, b)
	return digest{a, b}
}
