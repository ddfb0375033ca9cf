package history

import (
	"encoding/binary"
	"hash/fnv"
	"slices"

	"github.com/anishathalye/porcupine"
)

// A verb is what an input of the search asks of the machine.
type verb uint8

const (
	taken      verb = iota + 1 // a state was taken
	brought                    // something may have been brought, or taken away
	deleted                    // a state was deleted
	done                       // commands were reported as done
	turnedAway                 // a push was refused that nothing was beside
	shown                      // an advertisement
	found                      // a query
	revived                    // a restart
)

// An input is one step of the machine.
type input struct {
	kind     verb
	state    int
	states   uint32 // that may have been taken
	doubted  uint32 // states that may have been deleted
	objects  uint32 // that may have come
	commands []Command
	part     bool // the commands are not all of a push
	refs     Refs
	settled  bool
	served   []int
}

// A Verdict is what a search comes to.
type Verdict uint8

// The verdicts. What takes more than StepsMax steps is Undecided.
const (
	Explained Verdict = iota + 1
	Unexplained
	Undecided
)

// StepsMax bounds one search, in places that the machine was asked about: some seconds.
const StepsMax = 4_000_000

// Check looks for an order that explains a history. Of one that has none it tells why.
func Check(repo Repository, rules Rules, ops []Operation) (Verdict, string) {
	m := newMachine(repo, rules)
	switch verdict := m.search(ops); verdict {
	case Unexplained:
		return verdict, m.explain(ops)
	default:
		return verdict, ""
	}
}

// search looks for an order.
func (m *machine) search(ops []Operation) Verdict {
	for _, o := range ops {
		if o.Stray != "" || o.Unsigned != "" {
			return Unexplained
		}
	}
	m.asked = map[target]bool{}
	for _, o := range ops {
		if o.Kind != Push || o.Result != Unknown {
			continue
		}
		for _, c := range o.Commands {
			m.asked[target{c.Ref, c.New}] = true
		}
	}
	left := StepsMax
	ok := porcupine.CheckOperations(porcupine.Model{
		Init: func() any { return []place{m.begin()} },
		Step: func(state, in, _ any) (bool, any) {
			from, _ := state.([]place)
			what, _ := in.(input)
			if left -= len(from); left < 0 {
				return false, from
			}
			to := m.step(from, what)
			left -= len(to)
			return len(to) > 0, to
		},
		Equal: func(a, b any) bool {
			one, _ := a.([]place)
			other, _ := b.([]place)
			return slices.Equal(one, other)
		},
		Hash: func(state any) uint64 {
			places, _ := state.([]place)
			return hash(places)
		},
	}, m.inputs(ops))
	switch {
	case ok:
		return Explained
	case left < 0:
		return Undecided
	}
	return Unexplained
}

func hash(places []place) uint64 {
	h := fnv.New64a()
	var b []byte
	for _, p := range places {
		b = binary.LittleEndian.AppendUint32(b[:0], p.known)
		b = binary.LittleEndian.AppendUint32(b, p.sure)
		b = append(b, byte(p.floor)) //nolint:gosec // any bits do
		for ref := range p.refs {
			b = append(b, byte(p.refs[ref]), byte(p.shown[ref]))
		}
		_, _ = h.Write(b) // a hash takes everything
	}
	return h.Sum64()
}

// inputs are the operations as the search wants them. What was not answered is put to where it permits most, which is when it was
// asked for: all that it can do is to bring a state or objects, or to take a state away, and a server that has them may do the
// rest by itself. So nothing stays open, and the search is short.
func (m *machine) inputs(ops []Operation) []porcupine.Operation {
	var all []porcupine.Operation
	file := func(o Operation, call, end int64, in input) {
		all = append(all, porcupine.Operation{ClientId: o.Client, Call: call, Return: end, Input: in})
	}
	for _, o := range ops {
		switch {
		case o.Kind == Publish && o.Result == Accepted:
			file(o, o.Call, o.Return, input{kind: taken, state: o.State})
		case o.Kind == Publish && o.Result == Unknown:
			file(o, o.Call, o.Call, input{kind: brought, states: 1 << o.State})
		case o.Kind == Delete && o.Result == Accepted:
			file(o, o.Call, o.Return, input{kind: deleted, state: o.State})
		case o.Kind == Delete && o.Result == Unknown:
			file(o, o.Call, o.Call, input{kind: brought, doubted: 1 << o.State})
		case o.Kind == Push && o.Result == Refused && alone(ops, o):
			file(o, o.Call, o.Return, input{kind: turnedAway, commands: o.Commands, objects: carried(o)})
		case o.Kind == Push:
			moved := o.done()
			if len(moved) < len(o.Commands) {
				file(o, o.Call, o.Call, input{kind: brought, objects: carried(o)})
			}
			var apart [][]Command
			if len(moved) > 0 {
				apart = append(apart, moved)
			}
			if !alone(ops, o) { // something may come between, for git moves one ref after the other
				apart = slices.Collect(slices.Chunk(moved, 1))
			}
			for _, commands := range apart {
				file(o, o.Call, o.Return, input{kind: done, commands: commands, part: len(commands) < len(o.Commands), objects: carried(o)})
			}
		case o.Kind == Read && o.Result == Accepted:
			file(o, o.Call, o.Return, input{kind: shown, refs: o.Refs, settled: o.Settled})
		case o.Kind == Query && o.Result == Accepted:
			if !m.byAndBy(ops, o) {
				file(o, o.Call, o.Return, input{kind: found, served: o.Served})
				continue
			}
			for _, state := range o.Served {
				file(o, o.Call, o.Return, input{kind: found, served: []int{state}})
			}
		case o.Kind == Restart:
			file(o, o.Call, o.Return, input{kind: revived})
		}
	}
	return all
}

// byAndBy reports whether an answer to a query tells of more moments than one: what comes while a server still looks for what is stored
// may be sent before the end of that, behind the older version of it or in front, and so may what stands behind one that was deleted.
func (m *machine) byAndBy(ops []Operation, query Operation) bool {
	several := false
	for i, one := range query.Served {
		for _, later := range query.Served[i+1:] {
			if m.repo.States[one].Author != m.repo.States[later].Author {
				continue
			}
			several = true
			meanwhile := func(o Operation) bool {
				return o.Call < query.Return && (o.Kind == Delete && o.State == one || o.mayServe(one) && (o.Result == Unknown || o.Return > query.Call))
			}
			if m.rank[one] >= m.rank[later] && !slices.ContainsFunc(ops, meanwhile) {
				return false
			}
		}
	}
	return several
}

// mayServe reports whether a state may come to be served by an operation.
func (o Operation) mayServe(state int) bool {
	return o.Kind == Push || o.Kind == Publish && o.State == state
}

func carried(o Operation) uint32 {
	var set uint32
	for _, object := range o.Carries {
		set |= bit(object)
	}
	return set
}

// alone reports whether a push had the server to itself: two at a time may be in each other's way. What was not answered may be
// under way until the end, or until the server was restarted.
func alone(ops []Operation, push Operation) bool {
	return !slices.ContainsFunc(ops, func(o Operation) bool {
		if !o.changes() || o.Call == push.Call || o.Call > push.Return {
			return false
		}
		if o.Result != Unknown || o.Kind == Restart {
			return o.Return >= push.Call
		}
		return !slices.ContainsFunc(ops, func(r Operation) bool {
			return r.Kind == Restart && o.Return <= r.Return && r.Return < push.Call
		})
	})
}
