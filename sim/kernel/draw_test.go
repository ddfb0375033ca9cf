package kernel_test

import (
	"testing"

	"github.com/graspkit/graspkit/sim/kernel"
)

// The values pin the mixer: if one changes, every recorded seed of every failure is worthless.
func TestDrawsArePinned(t *testing.T) {
	for _, c := range []struct {
		name string
		key  kernel.Key
		want uint64
	}{
		{"purpose alone", kernel.NewKey(0, ""), 0x1c019bffc66917f5},
		{"number", kernel.NewKey(1, "link/latency").With(7), 0x22d0e281efa8e914},
		{"text", kernel.NewKey(1, "link/latency").WithText("server1 to owner1"), 0xcd269cc3b5b73f1b},
	} {
		if got := c.key.Uint64(); got != c.want {
			t.Errorf("%s: got %#x, want %#x", c.name, got, c.want)
		}
	}
}

func TestDrawsDifferByEveryPart(t *testing.T) {
	seen := map[uint64]string{}
	add := func(name string, k kernel.Key) {
		t.Helper()
		v := k.Uint64()
		if other, ok := seen[v]; ok {
			t.Errorf("%s draws the same as %s", name, other)
		}
		seen[v] = name
	}
	add("base", kernel.NewKey(1, "a"))
	add("seed", kernel.NewKey(2, "a"))
	add("purpose", kernel.NewKey(1, "b"))
	add("number", kernel.NewKey(1, "a").With(1))
	add("two numbers", kernel.NewKey(1, "a").With(1).With(2))
	add("two numbers turned", kernel.NewKey(1, "a").With(2).With(1))
	add("ab c", kernel.NewKey(1, "a").WithText("ab").WithText("c"))
	add("a bc", kernel.NewKey(1, "a").WithText("a").WithText("bc"))
	add("nul", kernel.NewKey(1, "a").WithText("x\x00"))
	add("no nul", kernel.NewKey(1, "a").WithText("x"))
}

func TestDrawsAreUniform(t *testing.T) {
	const draws, buckets = 100_000, 10
	var count [buckets]int
	bits := [64]int{}
	for i := range uint64(draws) {
		k := kernel.NewKey(3, "uniform").With(i)
		count[k.Below(buckets)]++
		for b, v := 0, k.Uint64(); b < 64; b++ {
			bits[b] += int(v >> b & 1)
		}
	}
	for i, n := range count {
		if n < draws/buckets*95/100 || n > draws/buckets*105/100 {
			t.Errorf("bucket %d: got %d draws, want about %d", i, n, draws/buckets)
		}
	}
	for b, n := range bits {
		if n < draws*49/100 || n > draws*51/100 {
			t.Errorf("bit %d: set in %d draws, want about %d", b, n, draws/2)
		}
	}
}

func TestChanceAtTheEnds(t *testing.T) {
	for i := range uint64(1000) {
		k := kernel.NewKey(4, "chance").With(i)
		if k.Chance(0) {
			t.Fatalf("draw %d: got true with probability 0", i)
		}
		if !k.Chance(kernel.Million) {
			t.Fatalf("draw %d: got false with probability 1", i)
		}
	}
}

func BenchmarkDraw(b *testing.B) {
	k := kernel.NewKey(1, "link/latency")
	var sum uint64
	b.ReportAllocs()
	for i := uint64(0); b.Loop(); i++ {
		sum += k.With(i).Uint64()
	}
	if sum == 0 {
		b.Fatal("all draws are zero")
	}
}
