package suite

import (
	"testing"
	"time"
)

// The wait for a room begins anew whenever another one comes in its turn, and not where others overtake it.
func TestLastInTurn(t *testing.T) {
	at := func(seconds int) time.Time { return time.Unix(1_700_000_000+int64(seconds), 0) }
	mine := &room{asked: at(10)}
	in, over := made{at(5), at(60)}, made{at(20), at(50)}
	asked := []time.Time{at(4), at(5), at(6), at(7), at(10), at(20)}
	for _, c := range []struct {
		name  string
		slow  time.Duration
		made  []made
		since time.Time
		ahead int
	}{
		{"rooms come at once", 0, []made{in}, at(10), 0},
		{"in its turn", time.Minute, []made{in}, at(60), 2},
		{"overtaken twice", time.Minute, []made{in, over, over}, at(60), 2},
		{"overtaken by most", time.Minute, []made{in, over, over, over}, at(10), 0},
		{"overtaken by fewer than came in their turn", time.Minute, []made{in, in, in, in, over, over, over}, at(60), 2},
	} {
		r := &run{askedFor: asked, made: c.made, rooms: waits{slowest: c.slow, last: at(60)}}
		if since, ahead := r.lastInTurn(mine); !since.Equal(c.since) || ahead != c.ahead {
			t.Errorf("%s: got %v and %d ahead, want %v and %d", c.name, since.Unix(), ahead, c.since.Unix(), c.ahead)
		}
	}
}

// An answer that was waited out twice means that no repository will come, on a server that makes them at once otherwise, and unless one
// ever came behind it.
func TestMeansNever(t *testing.T) {
	const words = "HTTP 400 no such name"
	prompt := waits{rewarded: patienceKnown}
	for _, c := range []struct {
		name  string
		rooms waits
		vain  int
		came  bool
		want  bool
	}{
		{"waited out once", prompt, 1, false, false},
		{"waited out twice", prompt, 2, false, true},
		{"one came behind it since", prompt, 2, true, false},
		{"rooms are slow", waits{rewarded: patienceKnown, slow: 2}, 2, false, false},
		{"one room was slow", waits{rewarded: patienceKnown, slow: 1}, 2, false, true},
		{"little is known", waits{rewarded: 1}, 2, false, false},
	} {
		r := &run{rooms: c.rooms}
		for range c.vain {
			r.neverCame(words)
		}
		if c.came {
			r.cameBehind(words)
			r.neverCame(words)
		}
		if got := r.meansNever(words); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
		if r.meansNever("HTTP 404") {
			t.Errorf("%s: another answer means the same", c.name)
		}
	}
}
