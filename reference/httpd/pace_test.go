package httpd

import (
	"testing"
	"time"
)

// A client is behind by what it has kept the server waiting beyond the worth of its bytes; quick ones are worth nothing later.
func TestStretch(t *testing.T) {
	const floor = 1000
	for _, test := range []struct {
		name   string
		bytes  int // of each second
		quick  int // bytes at once before
		behind time.Duration
	}{
		{"at the floor", 1000, 0, 0},
		{"twice as quick", 2000, 0, 0},
		{"half as quick", 500, 0, 30 * time.Second},
		{"silent", 0, 0, time.Minute},
		{"quick, then silent", 0, 1 << 30, time.Minute},
		{"one byte a second", 1, 0, time.Minute - 60*time.Millisecond},
	} {
		var s stretch
		s.add(test.quick, time.Millisecond, floor)
		for range 60 {
			s.add(test.bytes, time.Second, floor)
		}
		if got := s.behind - min(s.behind, time.Millisecond); got < test.behind-time.Millisecond || got > test.behind {
			t.Errorf("%s: got %v behind, want %v", test.name, s.behind, test.behind)
		}
	}
}
