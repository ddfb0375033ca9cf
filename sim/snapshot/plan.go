package snapshot

import (
	"reflect"
	"unsafe"
)

// A plan is what is to be done for values of one type.
type plan struct {
	is   reflect.Type
	box  boxed // a pointer to one, without its address
	flat bool  // an assignment copies it
	// deepen makes an assigned value a copy: what it points to is replaced by its copies.
	deepen func(k *Kit, at unsafe.Pointer)
	// write appends the value to the text.
	write func(k *Kit, at unsafe.Pointer)
}

// A boxed is what an interface is in memory: a type, and for a pointer the pointer. reflect makes one only by looking its
// type up, which costs more than the rest of a copy.
type boxed struct{ is, at unsafe.Pointer }

// value returns the value at a place.
func (p *plan) value(at unsafe.Pointer) reflect.Value {
	b := boxed{p.box.is, at}
	return reflect.ValueOf(*(*any)(unsafe.Pointer(&b))).Elem()
}

func newPlan(t reflect.Type) *plan {
	pointer := reflect.New(t).Interface()
	return &plan{is: t, box: *(*boxed)(unsafe.Pointer(&pointer))}
}

// fill works out a plan. A type that points to itself finds its own plan in the table while that is being filled; such a
// plan is never flat.
func (k *Kit) fill(p *plan) {
	t := p.is
	if t == k.rules.renamed {
		p.flat, p.write = true, writeRenamed
		return
	}
	switch t.Kind() {
	case reflect.Bool, reflect.Int8, reflect.Uint8:
		p.flat, p.write = true, func(k *Kit, at unsafe.Pointer) { k.out = append(k.out, *(*byte)(at)) }
	case reflect.Int16, reflect.Uint16:
		p.flat, p.write = true, func(k *Kit, at unsafe.Pointer) { k.number(uint64(*(*uint16)(at))) }
	case reflect.Int32, reflect.Uint32:
		p.flat, p.write = true, func(k *Kit, at unsafe.Pointer) { k.number(uint64(*(*uint32)(at))) }
	case reflect.Int64, reflect.Uint64:
		p.flat, p.write = true, func(k *Kit, at unsafe.Pointer) { k.number(*(*uint64)(at)) }
	case reflect.Int, reflect.Uint:
		p.flat, p.write = true, func(k *Kit, at unsafe.Pointer) { k.number(uint64(*(*uint)(at))) }
	case reflect.String:
		p.flat, p.write = true, func(k *Kit, at unsafe.Pointer) { k.text(*(*string)(at)) }
	case reflect.Func:
		k.fillFunc(p)
	case reflect.Pointer:
		k.fillPointer(p)
	case reflect.Interface:
		k.fillInterface(p)
	case reflect.Struct:
		k.fillStruct(p)
	case reflect.Array:
		k.fillArray(p)
	case reflect.Slice:
		k.fillSlice(p)
	case reflect.Map:
		k.fillMap(p)
	default:
		panic(unknown(t))
	}
}

// fillFunc: a function is the same in every copy. What a closure holds cannot be seen, so it may not hold what changes.
func (k *Kit) fillFunc(p *plan) {
	p.flat = true
	p.write = func(k *Kit, at unsafe.Pointer) {
		k.out = append(k.out, 'f')
		if *(*unsafe.Pointer)(at) != nil {
			printer := printer{}
			printer.function(p.value(at))
			k.out = append(k.out, printer.out...)
		}
	}
}

func (k *Kit) fillPointer(p *plan) {
	elem := p.is.Elem()
	if p.is == k.rules.byID {
		field, _ := elem.FieldByName("ID")
		p.flat = true
		p.write = func(k *Kit, at unsafe.Pointer) {
			to := *(*unsafe.Pointer)(at)
			if to == nil {
				k.out = append(k.out, 'n')
				return
			}
			k.text(*(*string)(unsafe.Add(to, field.Offset)))
		}
		return
	}
	to := k.plan(elem)
	p.write = func(k *Kit, at unsafe.Pointer) {
		target := *(*unsafe.Pointer)(at)
		if target == nil {
			k.out = append(k.out, 'n')
			return
		}
		x := place{target, to}
		if n, again := k.seen[x]; again {
			k.out = append(k.out, '*')
			k.number(uint64(n))
			return
		}
		k.seen[x] = len(k.seen)
		k.out = append(k.out, '&')
		to.write(k, target)
	}
	if p.flat = k.rules.shared[p.is]; p.flat {
		return
	}
	p.deepen = func(k *Kit, at unsafe.Pointer) {
		from := (*unsafe.Pointer)(at)
		if *from != nil {
			*from = k.pointee(to, *from)
		}
	}
}

// pointee returns the copy of what a pointer points to.
func (k *Kit) pointee(p *plan, from unsafe.Pointer) unsafe.Pointer {
	x := place{from, p}
	if known, is := k.copies[x]; is {
		return known
	}
	fresh := reflect.New(p.is)
	to := fresh.UnsafePointer()
	k.copies[x] = to
	fresh.Elem().Set(p.value(from))
	if !p.flat {
		p.deepen(k, to)
	}
	return to
}

func (k *Kit) fillInterface(p *plan) {
	shared := k.rules.shared[p.is]
	p.flat = shared
	p.write = func(k *Kit, at unsafe.Pointer) {
		v := p.value(at)
		if v.IsNil() {
			k.out = append(k.out, 'n')
			return
		}
		v = v.Elem()
		k.text(v.Type().String())
		inside := k.plan(v.Type())
		inside.write(k, held(v).UnsafePointer())
	}
	if shared {
		return
	}
	p.deepen = func(k *Kit, at unsafe.Pointer) {
		v := p.value(at)
		if v.IsNil() {
			return
		}
		inside := k.plan(v.Elem().Type())
		if inside.flat {
			return
		}
		box := held(v.Elem())
		inside.deepen(k, box.UnsafePointer())
		v.Set(box.Elem())
	}
}

// held puts a value where it can be pointed to.
func held(v reflect.Value) reflect.Value {
	box := reflect.New(v.Type())
	box.Elem().Set(v)
	return box
}

// A part of a struct is a field that is copied or written.
type part struct {
	offset uintptr
	plan   *plan
}

func (k *Kit) fillStruct(p *plan) {
	var deep, said []part
	for i := range p.is.NumField() {
		f := p.is.Field(i)
		same, unsaid := k.field(p.is, f)
		if same && unsaid {
			continue
		}
		x := part{f.Offset, k.plan(f.Type)}
		if !same && !x.plan.flat {
			deep = append(deep, x)
		}
		if !unsaid {
			said = append(said, x)
		}
	}
	p.flat = len(deep) == 0
	p.deepen = func(k *Kit, at unsafe.Pointer) {
		for i := range deep {
			deep[i].plan.deepen(k, unsafe.Add(at, deep[i].offset))
		}
	}
	p.write = func(k *Kit, at unsafe.Pointer) {
		for i := range said {
			said[i].plan.write(k, unsafe.Add(at, said[i].offset))
		}
	}
}

func (k *Kit) fillArray(p *plan) {
	elem, n := k.plan(p.is.Elem()), p.is.Len()
	size := p.is.Elem().Size()
	p.flat = elem.flat
	p.deepen = func(k *Kit, at unsafe.Pointer) {
		for i := range n {
			elem.deepen(k, unsafe.Add(at, uintptr(i)*size))
		}
	}
	p.write = func(k *Kit, at unsafe.Pointer) {
		for i := range n {
			elem.write(k, unsafe.Add(at, uintptr(i)*size))
		}
	}
}

func (k *Kit) fillSlice(p *plan) {
	elem, size := k.plan(p.is.Elem()), p.is.Elem().Size()
	p.deepen = func(k *Kit, at unsafe.Pointer) {
		old := p.value(at)
		if old.IsNil() {
			return
		}
		n := old.Len()
		fresh := reflect.MakeSlice(p.is, n, n)
		reflect.Copy(fresh, old)
		old.Set(fresh)
		if elem.flat || n == 0 {
			return
		}
		first := fresh.UnsafePointer()
		for i := range n {
			elem.deepen(k, unsafe.Add(first, uintptr(i)*size))
		}
	}
	p.write = func(k *Kit, at unsafe.Pointer) {
		header := (*[]byte)(at)
		n, first := len(*header), unsafe.Pointer(unsafe.SliceData(*header))
		k.number(uint64(n))
		for i := range n {
			elem.write(k, unsafe.Add(first, uintptr(i)*size))
		}
	}
}
