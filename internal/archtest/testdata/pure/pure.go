// Package pure is a plant: a line with a mark earns exactly the findings named there, every other line none.
package pure

import (
	"cmp"
	"io"
	"iter"
	"maps"
	"math"
	"net/netip"
	"net/url"
	"reflect"
	"slices"
	"time"
)

var (
	table = map[string]int{"a": 1}
	count int
	half  = 1.0 / 2
)

type state struct {
	names map[string]int
	ratio float64
	wait  time.Duration
	addr  netip.Addr
	at    *url.URL
	out   io.Writer
}

func concurrency(ch chan int) { // want: pure-chan
	go concurrency(nil) // want: pure-go
	select {            // want: pure-select
	case ch <- 1: // want: pure-chan
	default:
	}
}

func order[M ~map[string]int](s *state, m M) []string {
	for range s.names { // want: pure-map-range
	}
	for name := range m { // want: pure-map-range
		return []string{name}
	}
	for range maps.Keys(s.names) { // want: pure-map-order
	}
	_ = slices.Collect(maps.Values(s.names)) // want: pure-map-order
	all := maps.All(s.names)                 // want: pure-map-order
	for range all {
	}
	keys := maps.Keys[map[string]int] // want: pure-map-order
	_ = keys
	_ = slices.SortedFunc(maps.Values(s.names), cmp.Compare[int])
	for _, name := range slices.Sorted(maps.Keys(s.names)) {
		_ = name
	}
	for range []string{"a"} {
	}
	return slices.Sorted(maps.Keys(m))
}

func reflection(v reflect.Value, seq iter.Seq[int], seq2 iter.Seq2[int, int]) {
	_ = v.MapKeys()  // want: pure-func
	_ = v.MapRange() // want: pure-func
	v.Seq()          // want: pure-func
	v.Seq2()         // want: pure-func
	iter.Pull(seq)   // want: pure-func
	iter.Pull2(seq2) // want: pure-func
}

func arithmetic[F ~float32 | ~float64](s *state, x F) bool {
	s.ratio = s.ratio * 2 // want: pure-float
	s.ratio += 1          // want: pure-float
	s.ratio++             // want: pure-float
	_ = x + x             // want: pure-float
	_ = math.Sqrt(4)      // want: pure-float
	s.ratio = math.Float64frombits(1)
	_ = int64(3) * math.MaxInt32
	return s.ratio < half
}

func clock(s *state) bool {
	var t time.Time                      // want: pure-time
	_ = time.Now                         // want: pure-time
	time.Sleep(s.wait)                   // want: pure-time
	_ = time.Unix(1, 0)                  // want: pure-time
	_ = t.In(time.Local)                 // want: pure-func pure-time
	_, _ = time.ParseDuration("1s")      // a duration is no instant
	return s.wait.Round(time.Second) > 0 // nor is this
}

func globals(s *state) {
	table["b"] = 2 // want: pure-global
	count++        // want: pure-global
	s.names["b"] = 2
	table := map[string]int{}
	table["c"] = 3
	println(len(table)) // want: pure-func
}
