package main

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
)

// filtersMax bounds the memory that a server has ever taken while six clients open as large filters as they can, in MiB.
const filtersMax = 300

// heldUpMax is how long an event or a count among them may take: it was 22 s once, and is some milliseconds.
const heldUpMax = 5 * time.Second

// Six connections open a hundred subscriptions of 100 and 400 kB, whose one-letter values take far more memory than the
// frame has bytes; each is answered, by EOSE or with a reason. Then an event of 2,400 tags is published among them, and a
// COUNT of 20 lists of 1,000 values goes over it: neither holds anybody up.
func TestLargeFilters(t *testing.T) {
	if testing.Short() {
		t.Skip("a hundred MB of filters")
	}
	server := spawn(t, "--log-level", "error", "--memory")
	h := newHostile(t, server)
	owner := h.connect()
	publish(t, owner, h.announce(h.owner, "demo", nil, ""))
	taken, refused := 0, 0
	for range 6 {
		r := h.connect()
		for i := range 100 {
			sub := fmt.Sprint("sub", i)
			answer := h.exchange(r, `["REQ","`+sub+`",`+wideFilters(i, []int{700, 2450}[i%2])+`]`)
			switch {
			case answer == `["EOSE","`+sub+`"]`:
				taken++
			case strings.HasPrefix(answer, `["CLOSED","`+sub+`","error: `):
				refused++
			default:
				t.Fatalf("subscription %d: got %.200s, want EOSE or CLOSED with a reason", i, answer)
			}
		}
	}
	var tags [][]string
	for i := range 2400 {
		tags = append(tags, []string{"t", fmt.Sprint("unlisted", i)})
	}
	tags = append(tags, []string{"t", "shared"}) // so that every filter is asked
	start := time.Now()
	publish(t, owner, client.Build(h.owner, 10317, tags, "", time.Now().Unix()))
	published := time.Since(start)
	start = time.Now()
	if got, want := h.exchange(owner, `["COUNT","c",`+wideFilters(0, 1000)+`]`), `["COUNT","c",{"count":1}]`; got != want {
		t.Errorf("count: got %.200s, want %s", got, want)
	}
	counted := time.Since(start)
	most := server.memory(t).most
	t.Logf("%d subscriptions taken, %d refused; %d MiB; an event %v, a count %v", taken, refused, most, published, counted)
	if taken == 0 || refused == 0 || most > filtersMax {
		t.Errorf("got %d subscriptions taken, %d refused and %d MiB, want some of both and at most %d MiB", taken, refused, most, filtersMax)
	}
	if published > heldUpMax || counted > heldUpMax {
		t.Errorf("got %v for an event and %v for a count, want at most %v", published, counted, heldUpMax)
	}
	if got := server.signal(t, syscall.SIGTERM); got != "exit status 0" {
		t.Errorf("end of the server: got %s, want exit status 0; stderr %.2000s", got, server.stderr.String())
	}
}

// wideFilters are 20 filters of so many values each, in lists of 1,000 at most.
func wideFilters(salt, values int) string {
	var filters []string
	for f := range 20 {
		var lists []string
		for i, left := 0, values; left > 0; i, left = i+1, left-1000 {
			var list []string
			for v := range min(left, 1000) {
				list = append(list, fmt.Sprintf(`"%x"`, salt<<16|f<<11|v))
			}
			list[len(list)-1] = `"shared"`
			lists = append(lists, fmt.Sprintf(`"#%c":[%s]`, "tuv"[i], strings.Join(list, ",")))
		}
		filters = append(filters, "{"+strings.Join(lists, ",")+"}")
	}
	return strings.Join(filters, ",")
}

// exchange sends a frame and returns the next one of the server.
func (h *hostile) exchange(r *client.Relay, frame string) string {
	h.t.Helper()
	if o := r.SendRaw(h.t.Context(), []byte(frame)); o != nil {
		h.t.Fatal(o)
	}
	raw, o := r.Next(h.t.Context())
	if o != nil {
		h.t.Fatal(o)
	}
	return string(raw)
}
