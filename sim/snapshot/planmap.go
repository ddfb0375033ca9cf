package snapshot

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"slices"
	"unsafe"
)

// A mapped is an entry of a map, with its key as it is written.
type mapped struct {
	key   []byte
	value int // its place among the values
}

// A drawer is where the entries of one map are laid out while it is written.
type drawer struct {
	entries []mapped
	keys    []byte
	key     reflect.Value // one of the type of the keys
	values  reflect.Value // a slice of the values
}

// A pair is where an entry is while it is copied.
type pair struct{ key, value reflect.Value }

func (k *Kit) fillMap(p *plan) {
	key, value := k.plan(p.is.Key()), k.plan(p.is.Elem())
	if !key.flat {
		panic(unknown(p.is.Key()))
	}
	var spare []*pair // of maps that are not being copied
	p.deepen = func(k *Kit, at unsafe.Pointer) {
		old := p.value(at)
		if old.IsNil() {
			return
		}
		n := old.Len()
		fresh := reflect.MakeMapWithSize(p.is, n)
		if n > 0 {
			var x *pair
			if last := len(spare) - 1; last >= 0 {
				x, spare = spare[last], spare[:last]
			} else {
				x = &pair{reflect.New(p.is.Key()).Elem(), reflect.New(p.is.Elem()).Elem()}
			}
			for entries := old.MapRange(); entries.Next(); {
				x.key.SetIterKey(entries)
				x.value.SetIterValue(entries)
				if !value.flat {
					value.deepen(k, x.value.Addr().UnsafePointer())
				}
				fresh.SetMapIndex(x.key, x.value)
			}
			spare = append(spare, x)
		}
		old.Set(fresh)
	}
	var free []*drawer // of maps that are not being written: a map may hold others of its type
	size := p.is.Elem().Size()
	p.write = func(k *Kit, at unsafe.Pointer) {
		m := p.value(at)
		n := m.Len()
		k.number(uint64(n))
		if n == 0 {
			return
		}
		var d *drawer
		if last := len(free) - 1; last >= 0 {
			d, free = free[last], free[:last]
		} else {
			d = &drawer{key: reflect.New(p.is.Key())}
		}
		d.lay(k, p, key, m)
		first := d.values.UnsafePointer()
		for _, e := range d.entries {
			k.out = append(k.out, e.key...)
			value.write(k, unsafe.Add(first, uintptr(e.value)*size))
		}
		d.values.Clear()
		free = append(free, d)
	}
}

// lay takes out the entries of a map and sorts them by what is written of their keys.
func (d *drawer) lay(k *Kit, p, key *plan, m reflect.Value) {
	n := m.Len()
	if !d.values.IsValid() || d.values.Len() < n {
		d.values = reflect.MakeSlice(reflect.SliceOf(p.is.Elem()), 2*n, 2*n)
	}
	d.entries, d.keys = d.entries[:0], d.keys[:0]
	ends := make([]int, 0, 16)
	out := k.out
	k.out = d.keys
	i := 0
	for entries := m.MapRange(); entries.Next(); i++ {
		d.key.Elem().SetIterKey(entries)
		d.values.Index(i).SetIterValue(entries)
		key.write(k, d.key.UnsafePointer())
		ends = append(ends, len(k.out))
	}
	k.out, d.keys = out, k.out
	begin := 0
	for i, end := range ends {
		d.entries = append(d.entries, mapped{d.keys[begin:end], i})
		begin = end
	}
	if n > 1 {
		slices.SortFunc(d.entries, func(a, b mapped) int { return bytes.Compare(a.key, b.key) })
	}
}

func (k *Kit) number(n uint64) {
	if n < 0x80 {
		k.out = append(k.out, byte(n))
		return
	}
	k.out = binary.LittleEndian.AppendUint64(append(k.out, 0xff), n)
}

// text writes a string so that no other text begins like it.
func (k *Kit) text(s string) {
	k.number(uint64(len(s)))
	k.out = append(k.out, s...)
}

// writeRenamed writes a number as its name, and so that none is taken for one that has none.
func writeRenamed(k *Kit, at unsafe.Pointer) {
	n := *(*uint64)(at)
	if name, is := k.names[n]; is {
		k.out = append(k.out, 'r')
		k.number(name)
		return
	}
	k.out = append(k.out, 'u')
	k.number(n)
}
