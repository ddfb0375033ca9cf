package snapshot

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"time"
	"unsafe"
)

// A target is what a pointer points to: a value and its first field are at one place.
type target struct {
	at unsafe.Pointer
	is reflect.Type
}

func targetOf(v reflect.Value) target { return target{v.UnsafePointer(), v.Type()} }

// A printer writes values: maps by sorted keys, and of what several point to a number where it comes again. A function
// has to be one with a name, which is the same in every server: what a closure holds cannot be seen.
type printer struct {
	out  []byte
	seen map[target]int // what is pointed to, in the order of its first appearance
}

func (p *printer) print(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Pointer:
		p.pointer(v, depth)
	case reflect.Interface:
		if v.IsNil() {
			p.add("nil")
			return
		}
		p.print(v.Elem(), depth)
	case reflect.Struct:
		p.add(v.Type().Name())
		for i := range v.NumField() {
			p.line(depth, v.Type().Field(i).Name)
			p.print(v.Field(i), depth+1)
		}
	case reflect.Map:
		p.entries(v, depth)
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			p.line(depth, "-")
			p.print(v.Index(i), depth+1)
		}
	case reflect.Func:
		p.function(v)
	default:
		p.add(leaf(v))
	}
}

func (p *printer) pointer(v reflect.Value, depth int) {
	if v.IsNil() {
		p.add("nil")
		return
	}
	if n, again := p.seen[targetOf(v)]; again {
		p.add(fmt.Sprintf("*%d", n))
		return
	}
	p.seen[targetOf(v)] = len(p.seen)
	p.add(fmt.Sprintf("&%d ", len(p.seen)-1))
	p.print(v.Elem(), depth)
}

func (p *printer) function(v reflect.Value) {
	if v.IsNil() {
		p.add("nil")
		return
	}
	name := runtime.FuncForPC(v.Pointer()).Name()
	if strings.Contains(name, ".func") {
		panic("snapshot: invariant: the closure " + name + " in the state of a server")
	}
	p.add(name)
}

func (p *printer) entries(v reflect.Value, depth int) {
	keys := make(map[string]reflect.Value, v.Len())
	names := make([]string, 0, v.Len())
	for _, key := range v.MapKeys() {
		name := keyText(key)
		keys[name] = v.MapIndex(key)
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		p.line(depth, name)
		p.print(keys[name], depth+1)
	}
}

// keyText writes a key of a map. A key that points somewhere has no place in the state of a server.
func keyText(v reflect.Value) string {
	if v.Kind() != reflect.Struct {
		return leaf(v)
	}
	var fields []string
	for i := range v.NumField() {
		fields = append(fields, keyText(v.Field(i)))
	}
	return "{" + strings.Join(fields, " ") + "}"
}

var duration = reflect.TypeFor[time.Duration]()

func leaf(v reflect.Value) string {
	switch v.Kind() { //nolint:exhaustive // the others panic
	case reflect.String:
		return fmt.Sprintf("%q", v.String())
	case reflect.Bool:
		return fmt.Sprint(v.Bool())
	case reflect.Int64:
		if v.Type() == duration {
			return time.Duration(v.Int()).String()
		}
		return fmt.Sprint(v.Int())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32:
		return fmt.Sprint(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return fmt.Sprint(v.Uint())
	case reflect.Array:
		var items []string
		for i := range v.Len() {
			items = append(items, leaf(v.Index(i)))
		}
		return "[" + strings.Join(items, " ") + "]"
	}
	panic("snapshot: invariant: a " + v.Type().String() + " in the state of a server")
}

func (p *printer) add(text string) { p.out = append(p.out, text...) }

func (p *printer) line(depth int, name string) {
	p.add("\n" + strings.Repeat(" ", depth) + name + ": ")
}
