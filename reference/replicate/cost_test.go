package replicate_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/replicate"
)

// costly is a server with so many repositories, each at all of so many relays and with ten issues, after its first sync.
func costly(t testing.TB, repositories, relays int) *world {
	w := newWorld(t, replicate.Config{})
	var urls []string
	for i := range relays {
		url := fmt.Sprintf("ws://relay%d.test", i)
		w.relay(url)
		urls = append(urls, url)
	}
	w.m.Start(w.now)
	for i := range repositories {
		a := announcement(fmt.Sprintf("a%d", i), fmt.Sprintf("x%d", i), urls...)
		a.PubKey = fmt.Sprintf("%064x", i+1)
		w.store(a)
		for j := range 10 {
			issue := event(fmt.Sprintf("issue%d-%d", i, j), 1621, int64(j), nostr.Tag{"a", coordinate(a)})
			issue.PubKey = fmt.Sprintf("%064x", 1_000_000+i)
			w.store(issue)
		}
	}
	for _, ev := range w.have {
		for _, f := range w.relays {
			f.events = append(f.events, ev)
		}
	}
	w.until(10 * time.Minute)
	return w
}

// traffic is how much went to all relays and came from them, in bytes, with what a frame of the WebSocket takes beside its text.
func (w *world) traffic() (messages, n int) {
	const frame = 8
	for _, f := range w.relays {
		messages += len(f.said)
		n += f.heard
		for _, msg := range f.said {
			n += len(relay.EncodeClient(msg)) + frame
		}
	}
	return messages, n
}

// silence forgets what went to relays and came from them.
func (w *world) silence() {
	for _, f := range w.relays {
		f.said, f.saidAt, f.heard = nil, nil, 0
	}
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// BenchmarkQuiet is what syncing costs a server when nothing is new: the first pass over relays that have nothing that it lacks, an
// hour after that, and a day with its one pass over all.
func BenchmarkQuiet(b *testing.B) {
	for _, size := range []struct{ repositories, relays int }{{100, 1}, {100, 10}, {1000, 1}, {1000, 10}, {1000, 20}} {
		if testing.Short() {
			size.repositories = 10
		}
		b.Run(fmt.Sprintf("repositories=%d/relays=%d", size.repositories, size.relays), func(b *testing.B) {
			for b.Loop() {
				w, each := costly(b, size.repositories, size.relays), float64(size.relays)
				subs := 0
				for _, f := range w.relays {
					subs += len(f.subs)
				}
				messages, first := w.traffic()
				w.silence()
				w.until(70 * time.Minute)
				_, hour := w.traffic()
				w.silence()
				w.until(25*time.Hour + 10*time.Minute)
				_, day := w.traffic()
				b.ReportMetric(float64(subs)/each, "subscriptions/relay")
				b.ReportMetric(float64(messages)/each, "first-messages/relay")
				b.ReportMetric(float64(first)/each/1000, "first-kB/relay")
				b.ReportMetric(float64(hour)/each/1000, "hour-kB/relay")
				b.ReportMetric(float64(day)/each/1000, "day-kB/relay")
				w.silence()
				with := heap()
				runtime.KeepAlive(w)
				w.m = nil
				b.ReportMetric(float64(with-heap())/(1<<20), "MiB")
			}
		})
	}
}

// BenchmarkNewIssue is one issue that comes to such a server, and what it asks for then.
func BenchmarkNewIssue(b *testing.B) {
	w := costly(b, 1000, 10)
	f := w.relays["ws://relay0.test"]
	at := w.now.Sub(start)
	n := 0
	for b.Loop() {
		n++
		ev := event(fmt.Sprintf("new%d", n), 1621, 5, about("x0"))
		ev.Tags = nostr.Tags{{"a", "30617:" + fmt.Sprintf("%064x", 1) + ":x0"}}
		w.publish(f, ev)
		at += 10 * time.Second
		w.until(at)
	}
}
