package fetch_test

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/graspkit/graspkit/reference/fetch"
	"github.com/graspkit/graspkit/reference/repo"
)

// start begins a fetch and returns where its result will be.
func start(f *fetch.Fetcher, id fetch.ID, url string) <-chan fetch.Result {
	done := make(chan fetch.Result, 1)
	f.Start(id, fetch.Request{Repo: ours, URL: url, OIDs: []repo.OID{tip(objectsOf("wanted"))}}, func(r fetch.Result) { done <- r })
	return done
}

// settled waits until n fetches wait for bytes and nothing else goes on.
func settled(t *testing.T, f *fetch.Fetcher, n int, read int64) {
	t.Helper()
	for {
		changed := f.Changed()
		waits, all := f.Waiting()
		good := all && len(waits) == n
		for _, w := range waits {
			good = good && w.Read >= read
		}
		if good {
			return
		}
		select {
		case <-changed:
		case <-time.After(time.Millisecond): // bytes that come move no deadline before they are read
		case <-t.Context().Done():
			t.Fatal("the fetches did not settle")
		}
	}
}

// Every part of a fetch has an end, at its very instant (REF-HUNT-24).
func TestTimeouts(t *testing.T) {
	objects := objectsOf("wanted")
	timeouts := fetch.Timeouts{Connect: time.Second, Header: 3 * time.Second, Idle: 5 * time.Second, Whole: 12 * time.Second}
	tests := []struct {
		name string
		// at says whether the request stalls, and what it sends before.
		at    func(r *http.Request) bool
		drips bool
		want  time.Duration
	}{
		{"the advertisement does not begin", func(r *http.Request) bool { return r.Method == http.MethodGet }, false, 3 * time.Second},
		{"the pack does not begin", func(r *http.Request) bool { return r.Method == http.MethodPost }, false, 3 * time.Second},
		{"the pack stalls", func(r *http.Request) bool { return r.Method == http.MethodPost }, true, 5 * time.Second},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			mock := clock.NewMock()
			h := newHost(t)
			h.put(t, "refs/heads/main", objects...)
			release, reached := make(chan struct{}), make(chan struct{}, 1)
			defer close(release)
			h.handle = func(w http.ResponseWriter, r *http.Request) bool {
				if !test.at(r) {
					return false
				}
				if test.drips {
					w.Header().Set("Content-Type", "application/x-git-upload-pack-result")
					_, _ = w.Write([]byte(pkt("packfile\n")))
					w.(http.Flusher).Flush()
				}
				close(reached)
				<-release
				return true
			}
			f := newFetcher(t, fetch.Options{AllowLocal: true, Clock: mock, Timeouts: timeouts})
			begin := mock.Now()
			done := start(f, 1, h.url())
			least := int64(0)
			if test.drips {
				least = 50
			}
			<-reached
			settled(t, f, 1, least)
			waitDeadline(t, f, begin.Add(test.want))
			mock.Set(begin.Add(test.want - 1))
			select {
			case r := <-done:
				t.Errorf("a nanosecond before: got %+v", r)
			default:
			}
			mock.Set(begin.Add(test.want))
			if _, all := f.Waiting(); all && f.InFlight() > 0 {
				t.Error("a fetch whose time is over still waits")
			}
			if r := <-done; r.Failure != fetch.Timeout {
				t.Errorf("got %q (%v), want timeout", r.Failure, r.Err)
			}
		})
	}
}

// waitDeadline waits until the deadline of a fetcher is that instant.
func waitDeadline(t *testing.T, f *fetch.Fetcher, want time.Time) {
	t.Helper()
	for {
		changed := f.Changed()
		at, ok := f.Deadline()
		if ok && at.Equal(want) {
			return
		}
		select {
		case <-changed:
		case <-time.After(5 * time.Second):
			t.Fatalf("Deadline: got %v, want %v", at, want)
		}
	}
}

// A host that sends a byte now and then does not outlast the whole.
func TestDripping(t *testing.T) {
	mock := clock.NewMock()
	h := newHost(t)
	next := make(chan struct{})
	h.handle = func(w http.ResponseWriter, r *http.Request) bool {
		w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
		_, _ = w.Write([]byte(pkt("version 2\n")))
		w.(http.Flusher).Flush()
		for range next {
			_, _ = w.Write([]byte(pkt("x\n")))
			w.(http.Flusher).Flush()
		}
		return true
	}
	f := newFetcher(t, fetch.Options{AllowLocal: true, Clock: mock, Timeouts: fetch.Timeouts{Idle: 4 * time.Second, Whole: 10 * time.Second}})
	begin := mock.Now()
	done := start(f, 1, h.url())
	defer close(next)
	for i := range 3 {
		now := time.Duration(i) * 3 * time.Second
		mock.Set(begin.Add(now))
		if i > 0 {
			next <- struct{}{}
		}
		waitDeadline(t, f, begin.Add(min(now+4*time.Second, 10*time.Second)))
	}
	mock.Set(begin.Add(10 * time.Second))
	if r := <-done; r.Failure != fetch.Timeout {
		t.Errorf("got %q (%v), want timeout", r.Failure, r.Err)
	}
}

// stalled is a host that answers nothing until the test ends, and counts the requests under way.
func stalled(t *testing.T) (h *host, most *atomic.Int64) {
	t.Helper()
	h = newHost(t)
	var now atomic.Int64
	most = &atomic.Int64{}
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	h.handle = func(http.ResponseWriter, *http.Request) bool {
		n := now.Add(1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		<-release
		return true
	}
	return h, most
}

// A fetch that may start does not wait for its turn, and one that was canceled waits for nothing, whenever its goroutine
// gets to know.
func TestWhoseTurnItIsDoesNotWait(t *testing.T) {
	h, _ := stalled(t)
	const rounds = 100
	f := newFetcher(t, fetch.Options{AllowLocal: true, Clock: clock.NewMock(), Limits: fetch.Limits{Fetches: 1}})
	for id := range fetch.ID(rounds) {
		done := start(f, id, h.url())
		for {
			on, all := f.Waiting()
			if all && len(on) == 0 {
				t.Fatalf("round %d: a fetch that may start waits for its turn", id)
			}
			if all {
				break
			}
		}
		next := start(f, rounds+id, h.url())
		f.Cancel(id)
		for ended := false; !ended; {
			select {
			case <-done:
				ended = true
			default:
				if on, all := f.Waiting(); all && len(on) == 0 {
					t.Fatalf("round %d: nobody goes on, and a turn has come", id)
				} else if all && f.InFlight() == 2 {
					t.Fatalf("round %d: a fetch that was canceled waits", id)
				}
			}
		}
		f.Cancel(rounds + id)
		<-next
	}
}

// No more fetches run than may, and the others wait without a deadline.
func TestHardCap(t *testing.T) {
	h, most := stalled(t)
	f := newFetcher(t, fetch.Options{AllowLocal: true, Clock: clock.NewMock(), Limits: fetch.Limits{Fetches: 3, Waiting: 8}})
	var results []<-chan fetch.Result
	for i := range 8 {
		results = append(results, start(f, fetch.ID(i), h.url()))
	}
	if r := <-start(f, 8, h.url()); r.Failure != fetch.Canceled {
		t.Errorf("one too many: got %q, want canceled", r.Failure)
	}
	if r := <-start(f, 7, h.url()); r.Failure != fetch.Canceled {
		t.Errorf("a number twice: got %q, want canceled", r.Failure)
	}
	settled(t, f, 3, 0)
	if got := f.InFlight(); got != 8 {
		t.Errorf("InFlight: got %d, want 8", got)
	}
	f.Cancel(2)
	f.Cancel(77)
	if r := <-results[2]; r.Failure != fetch.Canceled || len(r.Missing) != 1 {
		t.Errorf("got %+v, want canceled", r)
	}
	f.Close()
	for i, result := range results {
		if i == 2 {
			continue
		}
		select {
		case r := <-result:
			if r.Failure != fetch.Canceled {
				t.Errorf("fetch %d: got %q, want canceled", i, r.Failure)
			}
		default:
			t.Errorf("fetch %d has not ended when Close returns", i)
		}
	}
	if r := <-start(f, 9, h.url()); r.Failure != fetch.Canceled {
		t.Errorf("after Close: got %q, want canceled", r.Failure)
	}
	if got := most.Load(); got > 4 { // a canceled one may be noticed late
		t.Errorf("requests at one time: got %d, want at most 3 and the canceled one", got)
	}
	f.Close()
}

func FuzzAnswers(f *testing.F) {
	f.Add([]byte("001e# service=git-upload-pack\n0000000eversion 2\n0000"), []byte("000dpackfile\n0005\x010000"))
	f.Add([]byte("00000000"), []byte("0008NAK\n"))
	f.Add([]byte(pkt(fmt.Sprintf("%s refs/heads/main\x00side-band-64k", tip(objectsOf("wanted"))))+"0000"), []byte("0008NAK\nPACK"))
	f.Fuzz(func(t *testing.T, advertisement, pack []byte) {
		h := newHost(t)
		defer h.Close()
		h.handle = func(w http.ResponseWriter, r *http.Request) bool {
			body, kind := advertisement, "advertisement"
			if r.Method == http.MethodPost {
				body, kind = pack, "result"
			}
			w.Header().Set("Content-Type", "application/x-git-upload-pack-"+kind)
			_, _ = w.Write(body)
			return true
		}
		fetcher := newFetcher(t, fetch.Options{AllowLocal: true})
		if r := fetched(t, fetcher, h.url(), tip(objectsOf("wanted"))); len(r.Missing) != 1 {
			t.Errorf("got %+v, want the object missing", r)
		}
	})
}
