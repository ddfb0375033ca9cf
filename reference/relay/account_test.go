package relay_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/graspkit/graspkit/reference/relay"
)

// TestAccountCoversTheHeap holds the account of filters against what the heap grows by, for the shapes that take the
// most memory for each byte of a frame. Every text of a frame is one allocation of its own.
func TestAccountCoversTheHeap(t *testing.T) {
	texts := func(from, n int, form string) []string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprintf(form, from+i)
		}
		return list
	}
	for _, c := range []struct {
		name string
		make func(n int) relay.Filter
	}{
		{"nothing asked", func(int) relay.Filter { return relay.Filter{} }},
		{"ids", func(n int) relay.Filter { return relay.Filter{IDs: texts(n*500, 500, "%064x")} }},
		{"short values", func(n int) relay.Filter {
			return relay.Filter{Tags: []relay.TagFilter{{Letter: 'a', Values: texts(n*1000, 1000, "%d")}}}
		}},
		{"nine values", func(n int) relay.Filter { return relay.Filter{Authors: texts(n*9, 9, "%d")} }},
		{"one value", func(n int) relay.Filter { return relay.Filter{Authors: texts(n, 1, "%d")} }},
		{"kinds", func(n int) relay.Filter {
			f := relay.Filter{}
			for i := range 1000 {
				f.Kinds = append(f.Kinds, (n*1000+i)%65536)
			}
			return f
		}},
		{"all letters", func(n int) relay.Filter {
			f := relay.Filter{}
			for i := range 26 {
				f.Tags = append(f.Tags, relay.TagFilter{Letter: byte('a' + i), Values: texts(n*26+i, 1, "%d")})
			}
			return f
		}},
	} {
		a := relay.NewAudience()
		s := a.Join(1, "")
		before := heap()
		for i := range relay.SubscriptionsMax {
			s.Open(fmt.Sprint(i), relay.Compile(c.make(i)))
		}
		grown := heap() - before
		if grown > a.Bytes() || a.Bytes() != s.Bytes() {
			t.Errorf("%s: the heap grew by %d bytes, the account is %d", c.name, grown, a.Bytes())
		}
		t.Logf("%s: heap %d, account %d", c.name, grown, a.Bytes())
		a.Leave(s)
		if a.Bytes() != 0 || s.Bytes() != 0 {
			t.Errorf("%s: %d bytes remain", c.name, a.Bytes())
		}
	}
}

func heap() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
