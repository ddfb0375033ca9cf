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

// bytes is how much was sent to a relay.
func (f *fake) bytes() (n int) {
	for _, msg := range f.said {
		n += len(relay.EncodeClient(msg))
	}
	return n
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// BenchmarkQuietHour is an hour in which nothing is new, of a server with 1,000 repositories at 10 relays.
func BenchmarkQuietHour(b *testing.B) {
	w := costly(b, 1000, 10)
	first, subs, messages := 0, 0, 0
	for _, f := range w.relays {
		first += f.bytes()
		subs += len(f.subs)
		messages += len(f.said)
		f.said, f.saidAt = nil, nil
	}
	hours := 0
	for b.Loop() {
		hours++
		w.until(10*time.Minute + time.Duration(hours)*time.Hour)
	}
	quiet := 0
	for _, f := range w.relays {
		quiet += f.bytes()
	}
	b.ReportMetric(float64(subs)/10, "subscriptions/relay")
	b.ReportMetric(float64(messages)/10, "first-messages/relay")
	b.ReportMetric(float64(first)/10, "first-bytes/relay")
	b.ReportMetric(float64(quiet)/float64(hours)/10, "bytes/relay/h")
	with := heap()
	runtime.KeepAlive(w)
	w.m = nil
	b.ReportMetric(float64(with-heap())/(1<<20), "MiB")
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
