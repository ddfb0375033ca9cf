package fault_test

import (
	"testing"
	"time"

	"github.com/graspkit/graspkit/sim/fault"
)

func TestParse(t *testing.T) {
	got, err := fault.Parse("crash  server12 at 1h30m for 500ms")
	want := fault.Crash{Server: 12, At: 90 * time.Minute, Down: 500 * time.Millisecond}
	if got != want || err != nil {
		t.Errorf("got %+v and error %v, want %+v", got, err, want)
	}
	for _, text := range []string{
		"", "crash", "crash server1 at 1m", "crash server1 at 1m for", "crash server1 in 1m for 1m", "freeze server1 at 1m for 1m",
		"crash host1 at 1m for 1m", "crash server at 1m for 1m", "crash server0 at 1m for 1m", "crash server01 at 1m for 1m",
		"crash server+1 at 1m for 1m", "crash server1 at soon for 1m", "crash server1 at 0s for 1m", "crash server1 at 1m for -1s",
		"crash server1 at 1m for 1m then",
	} {
		if got, err := fault.Parse(text); err == nil {
			t.Errorf("%q: got %+v, want an error", text, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("crash server1 at 45m for 2m")
	f.Add("crash server9 at 1ns for 2562047h")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := fault.Parse(text)
		if err != nil {
			return
		}
		if again, err := fault.Parse(c.String()); err != nil || again != c {
			t.Errorf("%q: got %+v (%v) from %q, want %+v", text, again, err, c, c)
		}
	})
}
