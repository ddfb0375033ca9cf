package trace

import (
	"encoding/binary"
	"hash"
	"math"
	"reflect"

	"github.com/graspkit/graspkit/reference/relay"
)

// A hasher hashes values whole: every field, exported or not, and what pointers lead to, in the order of declaration. It finds
// the fields by reflection, so a new one counts from its first day and a new type needs no line here. Numbers are written as
// varints, texts and lists with their length, and what is in an interface with the name of its type: of two different values
// none has the form of the other or begins with it. A list that is nil and an empty one are the same.
type hasher struct {
	hash  hash.Hash
	buf   []byte // not hashed yet, bufMax at most
	plans map[reflect.Type]*plan
}

// bufMax is how much is hashed at once, in bytes.
const bufMax = 8 << 10

// A plan is how the values of one type are written, made when the first of them comes.
type plan struct {
	name  string // of the type
	write func(h *hasher, v reflect.Value)
}

// leftOut are fields that are not written, each with the reason why nothing is lost by it.
var leftOut = map[string]string{
	"eventstore.part.lists": "the whole store, as an index has it; what is found in it comes back as an input",
	"relay.Matcher.ids":     "made from Filter",
	"relay.Matcher.authors": "made from Filter",
	"relay.Matcher.kinds":   "made from Filter",
	"relay.Matcher.letters": "made from Filter",
	"relay.Matcher.values":  "made from Filter",
}

// serverMessage is the type of what is written as its client gets it, byte for byte.
var serverMessage = reflect.TypeFor[relay.ServerMessage]()

// any writes a value with the name of its type.
func (h *hasher) any(x any) { h.dynamic(reflect.ValueOf(x)) }

func (h *hasher) dynamic(v reflect.Value) {
	if !v.IsValid() {
		h.text("")
		return
	}
	p := h.plan(v.Type())
	h.text(p.name)
	p.write(h, v)
}

// plan returns how a type is written. It panics on a type whose values have no form that is the same in every run.
func (h *hasher) plan(t reflect.Type) *plan {
	if p, known := h.plans[t]; known {
		if p == nil {
			panic("trace: invariant: the type " + t.String() + " contains itself")
		}
		return p
	}
	h.plans[t] = nil // under way
	p := &plan{name: t.String(), write: h.writing(t)}
	h.plans[t] = p
	return p
}

func (h *hasher) writing(t reflect.Type) func(h *hasher, v reflect.Value) {
	if t == serverMessage {
		return (*hasher).frame
	}
	switch t.Kind() { //nolint:exhaustive // the others panic
	case reflect.String:
		return func(h *hasher, v reflect.Value) { h.text(v.String()) }
	case reflect.Bool:
		return func(h *hasher, v reflect.Value) { h.bool(v.Bool()) }
	case reflect.Int: // of the width of the machine; its limit means none
		return func(h *hasher, v reflect.Value) {
			if n := v.Int(); n != math.MaxInt {
				h.int(n)
				return
			}
			h.int(math.MaxInt64)
		}
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return func(h *hasher, v reflect.Value) { h.int(v.Int()) }
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return func(h *hasher, v reflect.Value) { h.uint(v.Uint()) }
	case reflect.Interface:
		return func(h *hasher, v reflect.Value) { h.dynamic(v.Elem()) }
	case reflect.Pointer:
		elem := h.plan(t.Elem()).write
		return func(h *hasher, v reflect.Value) {
			h.bool(!v.IsNil())
			if !v.IsNil() {
				elem(h, v.Elem())
			}
		}
	case reflect.Struct:
		return h.fields(t)
	case reflect.Slice, reflect.Array:
		elem := h.plan(t.Elem()).write
		return func(h *hasher, v reflect.Value) {
			h.uint(uint64(v.Len()))
			for i := range v.Len() {
				elem(h, v.Index(i))
			}
		}
	}
	panic("trace: invariant: a " + t.String() + " has no form that can be hashed: make it a sorted list, or say in leftOut why it may be left out")
}

// fields writes a structure.
func (h *hasher) fields(t reflect.Type) func(h *hasher, v reflect.Value) {
	type field struct {
		index int
		write func(h *hasher, v reflect.Value)
	}
	var all []field
	for i := range t.NumField() {
		if _, out := leftOut[t.String()+"."+t.Field(i).Name]; !out {
			all = append(all, field{i, h.plan(t.Field(i).Type).write})
		}
	}
	return func(h *hasher, v reflect.Value) {
		for i := range all {
			all[i].write(h, v.Field(all[i].index))
		}
	}
}

// frame writes a message of a server.
func (h *hasher) frame(v reflect.Value) {
	if v.IsNil() {
		h.text("")
		return
	}
	m, _ := v.Interface().(relay.ServerMessage) // it is of that type
	b := relay.Encode(m)
	h.uint(uint64(len(b)))
	h.room(len(b))
	if len(b) > bufMax {
		h.hash.Write(b)
		return
	}
	h.buf = append(h.buf, b...)
}

func (h *hasher) text(s string) {
	if n := len(s); n < 0x80 { // most are: a varint of one byte
		h.room(n + 1)
		h.buf = append(append(h.buf, byte(n)), s...)
		return
	}
	h.uint(uint64(len(s)))
	for len(s) > bufMax {
		h.room(bufMax)
		h.buf = append(h.buf, s[:bufMax]...)
		s = s[bufMax:]
	}
	h.room(len(s))
	h.buf = append(h.buf, s...)
}

func (h *hasher) bool(b bool) {
	if b {
		h.uint(1)
		return
	}
	h.uint(0)
}

func (h *hasher) int(n int64) {
	h.room(binary.MaxVarintLen64)
	h.buf = binary.AppendVarint(h.buf, n)
}

func (h *hasher) uint(n uint64) {
	h.room(binary.MaxVarintLen64)
	h.buf = binary.AppendUvarint(h.buf, n)
}

// room hashes what is there if that and n more bytes are too much at once.
func (h *hasher) room(n int) {
	if len(h.buf)+n > bufMax {
		h.flush()
	}
}

func (h *hasher) flush() {
	h.hash.Write(h.buf)
	h.buf = h.buf[:0]
}
