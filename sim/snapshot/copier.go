package snapshot

import (
	"reflect"
	"unsafe"

	"github.com/nbd-wtf/go-nostr"
)

// A copier copies values with all that they point to. What several point to is one in the copy as well, if it is a value of its
// own and not a field of another. Events and functions are shared: nobody changes them.
type copier struct{ copies map[target]reflect.Value }

// A target is what a pointer points to: a value and its first field are at one place.
type target struct {
	at unsafe.Pointer
	is reflect.Type
}

func targetOf(v reflect.Value) target { return target{v.UnsafePointer(), v.Type()} }

var shared = reflect.TypeFor[*nostr.Event]()

// copied returns a copy of a value.
func (c *copier) copied(v reflect.Value) reflect.Value {
	switch v.Kind() { //nolint:exhaustive // the others are copied by their assignment
	case reflect.Pointer:
		if v.IsNil() || v.Type() == shared {
			return v
		}
		if known, is := c.copies[targetOf(v)]; is {
			return known
		}
		to := reflect.New(v.Type().Elem())
		c.copies[targetOf(v)] = to
		c.into(to.Elem(), v.Elem())
		return to
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		return c.copied(v.Elem())
	case reflect.Map:
		if v.IsNil() {
			return v
		}
		to := reflect.MakeMapWithSize(v.Type(), v.Len())
		for _, key := range v.MapKeys() {
			to.SetMapIndex(c.copied(key), c.copied(v.MapIndex(key)))
		}
		return to
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		to := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			to.Index(i).Set(c.copied(v.Index(i)))
		}
		return to
	case reflect.Struct, reflect.Array:
		to := reflect.New(v.Type()).Elem()
		c.into(to, v)
		return to
	}
	return v
}

// into copies a value to an addressable place of its type.
func (c *copier) into(to, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		if !v.CanAddr() {
			held := reflect.New(v.Type()).Elem()
			held.Set(v)
			v = held
		}
		for i := range v.NumField() {
			open(to.Field(i)).Set(c.copied(open(v.Field(i))))
		}
	case reflect.Array:
		for i := range v.Len() {
			c.into(to.Index(i), v.Index(i))
		}
	default:
		to.Set(c.copied(v))
	}
}

// open lets a field be read and set, whatever its name begins with.
func open(field reflect.Value) reflect.Value {
	return reflect.NewAt(field.Type(), field.Addr().UnsafePointer()).Elem()
}
