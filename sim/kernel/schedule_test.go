package kernel_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/sim/kernel"
)

func drain[T any](s *kernel.Schedule[T]) (ats []instant.Instant, values []T) {
	for s.Len() > 0 {
		at, v := s.Pop()
		ats = append(ats, at)
		values = append(values, v)
	}
	return ats, values
}

func TestScheduleOrdersByInstant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOf(rapid.Int64Range(-5, 50)).Draw(t, "instants")
		s := kernel.NewSchedule[int](7)
		for i, at := range want {
			s.Push(instant.Instant(at), uint64(i), i)
		}
		ats, values := drain(s)
		if !slices.IsSorted(ats) {
			t.Fatalf("instants %v: got %v, want sorted", want, ats)
		}
		for i, v := range values {
			if int64(ats[i]) != want[v] {
				t.Fatalf("event %d: got instant %d, want %d", v, ats[i], want[v])
			}
		}
		slices.Sort(values)
		for i, v := range values {
			if i != v {
				t.Fatalf("got events %v, want each of %d once", values, len(want))
			}
		}
	})
}

func ties(seed uint64, identities []uint64) []uint64 {
	s := kernel.NewSchedule[uint64](seed)
	for _, id := range identities {
		s.Push(3, id, id)
	}
	_, values := drain(s)
	return values
}

func TestScheduleShufflesTies(t *testing.T) {
	in := []uint64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	first := ties(1, in)
	if slices.Equal(first, in) {
		t.Errorf("ties of seed 1: got the order of insertion %v, want them shuffled", first)
	}
	if slices.Equal(first, ties(2, in)) {
		t.Errorf("ties of seeds 1 and 2: got %v twice, want different orders", first)
	}
	reversed := slices.Clone(in)
	slices.Reverse(reversed)
	if diff := cmp.Diff(first, ties(1, reversed)); diff != "" {
		t.Errorf("ties depend on the order of insertion (-forward +reversed):\n%s", diff)
	}
	without := slices.DeleteFunc(slices.Clone(first), func(id uint64) bool { return id == 4 })
	if diff := cmp.Diff(without, ties(1, slices.DeleteFunc(in, func(id uint64) bool { return id == 4 }))); diff != "" {
		t.Errorf("an event less moves the others (-want +got):\n%s", diff)
	}
}

func TestScheduleKeepsOrderOfEqualIdentities(t *testing.T) {
	s := kernel.NewSchedule[int](1)
	for i := range 20 {
		s.Push(3, 42, i)
	}
	_, values := drain(s)
	if !slices.IsSorted(values) {
		t.Errorf("got %v, want the order of insertion", values)
	}
}

func TestScheduleAllocatesNothing(t *testing.T) {
	s := kernel.NewSchedule[[2]uint64](1)
	for i := range 100 {
		s.Push(instant.Instant(i), uint64(i), [2]uint64{})
	}
	got := testing.AllocsPerRun(1000, func() {
		at, v := s.Pop()
		s.Push(at+100, v[0], v)
	})
	if got != 0 {
		t.Errorf("got %v allocations an event, want 0", got)
	}
}

func TestPopFromEmptySchedulePanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("got no panic, want one")
		}
	}()
	kernel.NewSchedule[int](1).Pop()
}

func BenchmarkSchedule(b *testing.B) {
	for _, pending := range []int{16, 4096, 100_000} {
		b.Run(strconv.Itoa(pending), func(b *testing.B) {
			s := kernel.NewSchedule[uint64](1)
			key := kernel.NewKey(1, "bench")
			for i := range pending {
				s.Push(instant.Instant(key.With(uint64(i)).Below(1_000_000)), uint64(i), uint64(i))
			}
			b.ReportAllocs()
			for b.Loop() {
				at, v := s.Pop()
				s.Push(at+instant.Instant(key.With(v).With(uint64(at)).Below(1_000_000)), v, v)
			}
		})
	}
}
