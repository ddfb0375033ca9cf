package snapshot

import (
	"fmt"
	"reflect"
	"strings"
	"unsafe"
)

// A Kit copies and writes values of many types many times: what is to be done for a type is worked out once. It is told
// what copies may share and what texts may leave out. It is not safe for concurrent use.
type Kit struct {
	rules  rules
	plans  map[reflect.Type]*plan
	copies map[place]unsafe.Pointer // of the copy under way
	seen   map[place]int            // of the text under way: what is pointed to, in the order of its first appearance
	names  map[uint64]uint64        // of the text under way
	out    []byte
}

// A place is what a pointer points to: a value and its first field are at one address.
type place struct {
	at unsafe.Pointer
	is *plan
}

// Rules say what a Kit leaves out. Fields are named "Monitor.checked", by the name of their struct, for every package.
type Rules struct {
	Shared  []reflect.Type // pointers and interfaces to what nobody changes: copies point to the same
	Same    []string       // fields whose value is one for a value and its copies
	Unsaid  []string       // fields that are in no text: no later behavior depends on them
	Renamed reflect.Type   // a number that stands for something and means nothing else; see Append
	ByID    reflect.Type   // a pointer to a struct with a field ID, by which it is written
}

type rules struct {
	shared  map[reflect.Type]bool
	same    map[string]bool
	unsaid  map[string]bool
	found   map[string]bool // of same and unsaid: the struct has been seen with this field
	renamed reflect.Type
	byID    reflect.Type
}

// NewKit returns a kit that keeps to rules.
func NewKit(r Rules) *Kit {
	k := &Kit{
		plans: map[reflect.Type]*plan{}, copies: map[place]unsafe.Pointer{}, seen: map[place]int{},
		rules: rules{
			shared: map[reflect.Type]bool{}, same: map[string]bool{}, unsaid: map[string]bool{}, found: map[string]bool{},
			renamed: r.Renamed, byID: r.ByID,
		},
	}
	for _, t := range r.Shared {
		k.rules.shared[t] = true
	}
	for _, name := range r.Same {
		k.rules.same[name] = true
	}
	for _, name := range r.Unsaid {
		k.rules.unsaid[name] = true
	}
	return k
}

// Unmet lists the fields that rules name and no value has had that was copied or written.
func (k *Kit) Unmet() []string {
	var list []string
	for _, names := range []map[string]bool{k.rules.same, k.rules.unsaid} {
		for name := range names {
			if !k.rules.found[name] {
				list = append(list, name)
			}
		}
	}
	return list
}

// CopyOf returns a copy of a value with all that it points to. What several point to is one in the copy as well.
func CopyOf[T any](k *Kit, from *T) *T {
	clear(k.copies)
	p := k.plan(reflect.TypeFor[T]())
	to := new(T)
	*to = *from
	k.copies[place{unsafe.Pointer(from), p}] = unsafe.Pointer(to)
	if !p.flat {
		p.deepen(k, unsafe.Pointer(to))
	}
	return to
}

// Append writes a value with all that it points to behind out: two values of one text behave alike from then on, as far as
// what is unsaid has no influence. Maps are written by their sorted keys. A number that Rules.Renamed names is written as its
// name where it has one. It is for machines: nobody can read it.
func Append[T any](k *Kit, out []byte, v *T, names map[uint64]uint64) []byte {
	clear(k.seen)
	k.names = names
	k.out = out
	p := k.plan(reflect.TypeFor[T]())
	p.write(k, unsafe.Pointer(v))
	out, k.out = k.out, nil
	return out
}

// plan returns what is to be done for a type.
func (k *Kit) plan(t reflect.Type) *plan {
	if p := k.plans[t]; p != nil {
		return p
	}
	p := newPlan(t)
	k.plans[t] = p // before its parts: a type may point to itself
	k.fill(p)
	return p
}

func (k *Kit) field(t reflect.Type, f reflect.StructField) (same, unsaid bool) {
	name := t.Name() + "." + f.Name
	if at := strings.IndexByte(name, '['); at >= 0 {
		return false, false // a field of a generic type
	}
	same, unsaid = k.rules.same[name], k.rules.unsaid[name]
	if same || unsaid {
		k.rules.found[name] = true
	}
	return same, unsaid
}

func unknown(t reflect.Type) string {
	return fmt.Sprintf("snapshot: invariant: a %s in what is copied", t)
}
