package fault_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/sim/fault"
)

func TestParse(t *testing.T) {
	const hour = time.Hour
	for text, want := range map[string]fault.Fault{
		"crash  server12 at 1h30m for 500ms": {Do: fault.Crash, Server: 12, At: 90 * time.Minute, For: 500 * time.Millisecond},
		"crash server1 after commit 17 for 1h": {
			Do: fault.Crash, Server: 1, After: fault.Point{Kind: fault.AtCommit, N: 17}, For: hour,
		},
		"stop server1 after update 2 in life 3 for 1h": {
			Do: fault.Stop, Server: 1, After: fault.Point{Kind: "update", N: 2, Life: 3}, For: hour,
		},
		"restore server1 of 1h at 2h for 1h": {Do: fault.Restore, Server: 1, Of: hour, At: 2 * hour, For: hour},
		"part server2 to git1.example at 1h for 1h": {
			Do: fault.Part, Server: 2, Way: fault.Sent, With: "git1.example", At: hour, For: hour,
		},
		"doubt server1 update at 1h for 1h": {Do: fault.Doubt, Server: 1, Order: "update", At: hour, For: hour},
		"slow server1 by 50 at 1h for 1h":   {Do: fault.Slow, Server: 1, Times: 50, At: hour, For: hour},
		"jump server1 by -30s at 1h":        {Do: fault.Jump, Server: 1, By: -30 * time.Second, At: hour},
	} {
		got, err := fault.Parse(text)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: error %v (-want +got):\n%s", text, err, diff)
		}
	}
	for _, form := range fault.Forms() {
		if _, err := fault.Parse(form); err != nil {
			t.Error(err)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"": `"" is no fault`, "crash": `"" names no server`, "crash server1 at 1m": `want "for" in place of ""`,
		"crash server1 at 1m for": `"" is no duration`, "crash server1 in 1m for 1m": `want "at" in place of "in"`,
		"freeze server1 at 1m for 1m": `"freeze" is no fault: use crash, tear`, "crash host1 at 1m for 1m": `"host1" names no server`,
		"crash server at 1m for 1m": "names no server", "crash server0 at 1m for 1m": "names no server",
		"crash server01 at 1m for 1m": "names no server", "crash server+1 at 1m for 1m": "names no server",
		"crash server1 at soon for 1m": `"soon" is no duration`, "crash server1 at 0s for 1m": "no positive duration",
		"crash server1 at 1m for -1s": "no positive duration", "crash server1 at 1m for 1m then": `"then" is too much`,
		"crash server1 after lunch 1 for 1m": `"lunch" is no point: use step`, "crash server1 after commit 0 for 1m": "no number from 1 on",
		"crash server1 after commit 1 in 2 for 1m": `want "life" in place of "2"`, "part server1 with x at 1m for 1m": "no way",
		"part server1 and": "names no other node", "fill server1 after commit 1 for 1m": `want "at"`, "restore server1 of 1m after commit 1 for 1m": `want "at"`,
		"fail server1 push at 1m for 1m": `"push" is no order`, "jump server1 at 1m": `want "by"`,
	} {
		if got, err := fault.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %+v and %v, want an error with %s", text, got, err, want)
		}
	}
}

func TestCounter(t *testing.T) {
	type came struct {
		kind fault.Kind
		what string
		life int
	}
	points := []came{
		{fault.AtStep, "core.Started", 1},
		{fault.AtCommit, "", 1},
		{fault.AtOrder, "create", 1},
		{fault.AtOrder, "update", 1},
		{fault.AtStep, "core.Started", 2},
		{fault.AtCommit, "", 2},
		{fault.AtOrder, "update", 2},
		{fault.AtOrder, "update", 2},
	}
	for _, test := range []struct {
		after fault.Point
		want  int // index of the point
	}{
		{fault.Point{Kind: fault.AtCommit, N: 1}, 1},
		{fault.Point{Kind: fault.AtCommit, N: 2}, 5},
		{fault.Point{Kind: "update", N: 2}, 6},
		{fault.Point{Kind: "update", N: 2, Life: 2}, 7},
		{fault.Point{Kind: "start", N: 2}, 4},
		{fault.Point{Kind: "point", N: 4}, 3},
		{fault.Point{Kind: "order", N: 1}, 2},
		{fault.Point{Kind: "tidy", N: 1}, -1},
	} {
		c := fault.Counter{After: test.after}
		got := -1
		for i, p := range points {
			if c.Came(p.kind, p.what, p.life) {
				if got >= 0 {
					t.Errorf("%+v: due twice", test.after)
				}
				got = i
			}
		}
		if got != test.want {
			t.Errorf("%+v: due at point %d, want %d", test.after, got, test.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("crash server9 at 1ns for 2562047h")
	for _, form := range fault.Forms() {
		f.Add(form)
	}
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
