package servetarget_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/servetarget"
	"github.com/graspkit/graspkit/reference/fetch"
	"github.com/graspkit/graspkit/reference/repo"
)

// A result is how and when a fetch ended.
type result struct {
	fetch.Result
	at time.Time
}

// A fetching is a server with an empty repository, and a host that has what it could fetch.
type fetching struct {
	t      *testing.T
	s      *servetarget.Target
	id     repo.ID
	host   target.GitHost
	commit repo.OID
	last   fetch.ID
}

func newFetching(t *testing.T, s *servetarget.Target) *fetching {
	t.Helper()
	announce(t, s, dial(t, s), "demo")
	host, err := s.NewHost(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	h := client.NewHistory("servetarget")
	oid := h.Commit("", map[string]string{"a": "1"}, "first")
	host.Put("/r.git", []target.GitRef{{Name: "refs/heads/main", OID: oid}}, h.Objects(h.Closure(oid)...))
	return &fetching{
		t: t, s: s, host: host, commit: repo.OID(oid),
		id: repo.ID{Owner: "5cbdf0646e5db4eaa398f365f2ea7a0e3d419b7e0330e39ce92bddedcac4f9bc", Identifier: "demo"},
	}
}

// start begins a fetch and waits until nothing happens any more without more time.
func (f *fetching) start() <-chan result {
	f.t.Helper()
	f.last++
	done := make(chan result, 1)
	f.s.Fetches().Start(f.last, fetch.Request{Repo: f.id, URL: f.host.URL() + "/r.git", OIDs: []repo.OID{f.commit}}, func(r fetch.Result) {
		done <- result{r, f.s.Now()}
	})
	if err := f.s.Advance(f.t.Context(), 0); err != nil {
		f.t.Fatal(err)
	}
	return done
}

func (f *fetching) behave(b target.HostBehavior) {
	f.t.Helper()
	if err := f.host.Behave(b); err != nil {
		f.t.Fatal(err)
	}
}

// Every way in which a host misbehaves has its failure at the fetcher, at its instant.
func TestFetchFromHosts(t *testing.T) {
	tests := []struct {
		b     target.HostBehavior
		want  fetch.Failure
		after time.Duration
	}{
		{target.HostBehavior{Mode: target.HostRefuses}, fetch.Refused, 0},
		{target.HostBehavior{Mode: target.HostDrops}, fetch.Broken, 0},
		{target.HostBehavior{Mode: target.HostDenies}, fetch.Denied, 0},
		{target.HostBehavior{Mode: target.HostLacks}, fetch.NotFound, 0},
		{target.HostBehavior{Mode: target.HostLimits, RetryAfter: time.Minute}, fetch.RateLimited, 0},
		{target.HostBehavior{Mode: target.HostFails}, fetch.ServerError, 0},
		{target.HostBehavior{Mode: target.HostHangs}, fetch.Timeout, 30 * time.Second},
		{target.HostBehavior{Mode: target.HostServes, Delay: 31 * time.Second}, fetch.Timeout, 30 * time.Second},
		{target.HostBehavior{Mode: target.HostDrips, DripBytes: 1}, fetch.None, 0}, // its length in seconds; see below
		{target.HostBehavior{Mode: target.HostTruncates}, fetch.BadData, 0},
		{target.HostBehavior{Mode: target.HostCorrupts}, fetch.BadData, 0},
		{target.HostBehavior{Mode: target.HostCheats}, fetch.None, 0},
		{target.HostBehavior{Mode: target.HostLies}, fetch.None, 0},
		{target.HostBehavior{Mode: target.HostFloods}, fetch.TooLarge, 0},
		{target.HostBehavior{Mode: target.HostRedirects, RedirectTo: "http://127.0.0.1:1"}, fetch.Redirected, 0},
		{target.HostBehavior{Mode: target.HostServes, Delay: 20 * time.Second}, fetch.None, 40 * time.Second},
		{target.HostBehavior{}, fetch.None, 0},
	}
	for _, test := range tests {
		t.Run(string(test.b.Mode), func(t *testing.T) {
			s, err := servetarget.New(t.Context(), servetarget.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			f := newFetching(t, s)
			f.behave(test.b)
			begin := s.Now()
			done := f.start()
			if err := s.Advance(t.Context(), 20*time.Minute); err != nil {
				t.Fatal(err)
			}
			var got result
			select {
			case got = <-done:
			default:
				t.Fatal("the fetch has not ended")
			}
			if got.Failure != test.want || got.RetryAfter != test.b.RetryAfter {
				t.Errorf("got %q, retry after %v (%v), want %q", got.Failure, got.RetryAfter, got.Err, test.want)
			}
			after := got.at.Sub(begin)
			if test.b.Mode == target.HostDrips && after > time.Minute && after < 10*time.Minute {
				after = 0
			}
			if after != test.after {
				t.Errorf("ended after %v, want %v", after, test.after)
			}
			brings := test.want == fetch.None && test.b.Mode != target.HostCheats && test.b.Mode != target.HostLies
			if (len(got.Missing) == 0) != brings {
				t.Errorf("Missing: got %v", got.Missing)
			}
		})
	}
}

// What the host measures is what the fetcher did, to the nanosecond, over all backends.
func TestHostsMeasure(t *testing.T) {
	both(t, func(t *testing.T, s *servetarget.Target) {
		f := newFetching(t, s)
		begin := s.Now()
		f.behave(target.HostBehavior{Delay: time.Second, Mode: target.HostFails, Period: time.Minute})
		failed := f.start()
		if err := s.Advance(t.Context(), time.Minute); err != nil {
			t.Fatal(err)
		}
		if r := <-failed; r.Failure != fetch.ServerError || r.at.Sub(begin) != time.Second {
			t.Errorf("first: got %q after %v, want a server error after 1s", r.Failure, r.at.Sub(begin))
		}
		one, two := f.start(), f.start()
		if err := s.Advance(t.Context(), time.Minute); err != nil {
			t.Fatal(err)
		}
		for _, done := range []<-chan result{one, two} {
			if r := <-done; r.Failure != fetch.None || len(r.Missing) > 0 || r.at.Sub(begin) != 62*time.Second {
				t.Errorf("later: got %q after %v (%v), want success after 1m2s", r.Failure, r.at.Sub(begin), r.Err)
			}
		}
		type row struct {
			At, Took time.Duration
			Service  string
			Status   int
		}
		var got []row
		for _, q := range f.host.Requests() {
			got = append(got, row{q.At.Sub(begin), q.Ended.Sub(q.At), q.Service, q.Status})
		}
		want := []row{
			{0, time.Second, "info/refs", 500},
			{time.Minute, time.Second, "info/refs", 200},
			{time.Minute, time.Second, "info/refs", 200},
			{61 * time.Second, time.Second, "git-upload-pack", 200},
			{61 * time.Second, time.Second, "git-upload-pack", 200},
		}
		most := target.BusiestMoment(f.host.Requests(), 0)
		if diff := cmp.Diff(want, got); diff != "" || most != 2 {
			t.Errorf("in flight: got at most %d, want 2; requests (-want +got):\n%s", most, diff)
		}
	})
}
