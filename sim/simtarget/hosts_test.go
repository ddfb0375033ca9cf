package simtarget_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/simtarget"
)

// A fetching is a server with an empty repository, and a host with two commits, the second on main.
type fetching struct {
	*simtarget.Target
	id            repo.ID
	host          target.GitHost
	first, second repo.OID
	ended         []simtarget.Ended
	last          uint64
}

func newFetching(t *testing.T) *fetching {
	t.Helper()
	s := simtarget.New(simtarget.Options{Seed: 1})
	p := meet(t, s, "owner")
	p.announce()
	host, err := s.NewHost(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	h := client.NewHistory("simtarget")
	first := h.Commit("", map[string]string{"a": "1"}, "first")
	second := h.Commit(first, map[string]string{"a": "2"}, "second")
	host.Put("/r.git", []target.GitRef{{Name: "refs/heads/main", OID: second}}, h.Objects(h.Closure(second)...))
	return &fetching{Target: s, id: p.id(), host: host, first: repo.OID(first), second: repo.OID(second)}
}

func (f *fetching) fetch(oids ...repo.OID) {
	f.last++
	f.Fetch(f.last, f.id, f.host.URL()+"/r.git", oids, &f.ended)
}

func (f *fetching) advance(t *testing.T, d time.Duration) {
	t.Helper()
	if err := f.Advance(t.Context(), d); err != nil {
		t.Fatal(err)
	}
}

// Every way in which a host misbehaves ends a fetch as it ends one over sockets, at its instant.
func TestFetchFromHosts(t *testing.T) {
	tests := []struct {
		b       target.HostBehavior
		failure core.FetchFailure
		after   time.Duration
		status  int
	}{
		{target.HostBehavior{}, 0, 0, 200},
		{target.HostBehavior{Delay: 20 * time.Second}, 0, 20 * time.Second, 200},
		{target.HostBehavior{Delay: 31 * time.Second}, core.FetchTimeout, 30 * time.Second, 200},
		{target.HostBehavior{Mode: target.HostRefuses}, core.FetchUnreachable, 0, 0},
		{target.HostBehavior{Mode: target.HostDrops}, core.FetchUnreachable, 0, 0},
		{target.HostBehavior{Mode: target.HostDenies}, core.FetchNotFound, 0, 401},
		{target.HostBehavior{Mode: target.HostLacks}, core.FetchNotFound, 0, 404},
		{target.HostBehavior{Mode: target.HostLimits, RetryAfter: time.Minute}, core.FetchRateLimited, 0, 429},
		{target.HostBehavior{Mode: target.HostFails}, core.FetchServerError, 0, 500},
		{target.HostBehavior{Mode: target.HostHangs}, core.FetchTimeout, 30 * time.Second, 0},
		{target.HostBehavior{Mode: target.HostDrips, DripBytes: 100}, 0, 5 * time.Second, 200},
		{target.HostBehavior{Mode: target.HostTruncates}, core.FetchBadData, 0, 200},
		{target.HostBehavior{Mode: target.HostCorrupts}, core.FetchBadData, 0, 200},
		{target.HostBehavior{Mode: target.HostCheats}, core.FetchNotFound, 0, 200},
		{target.HostBehavior{Mode: target.HostLies}, core.FetchNotFound, 0, 200},
		{target.HostBehavior{Mode: target.HostFloods}, core.FetchTooLarge, 0, 200},
		{target.HostBehavior{Mode: target.HostRedirects, RedirectTo: "http://git9.example"}, core.FetchForbidden, 0, 302},
		{target.HostBehavior{TipsOnly: true}, core.FetchNotOurs, 0, 200},
		{target.HostBehavior{TipsOnly: true, Version: target.VersionOld}, 0, 0, 200},
	}
	for _, test := range tests {
		t.Run(string(test.b.Mode), func(t *testing.T) {
			f := newFetching(t)
			if err := f.host.Behave(test.b); err != nil {
				t.Fatal(err)
			}
			f.fetch(f.second, f.first)
			if got := f.Now(); !got.Equal(time.Unix(0, int64(sim.Start)).UTC()) {
				t.Errorf("time has passed: got %v", got)
			}
			f.advance(t, time.Hour)
			want := simtarget.Ended{At: sim.Start.Add(test.after), FetchDone: core.FetchDone{
				Got: test.failure == 0, Failure: test.failure, RetryAfter: test.b.RetryAfter,
			}}
			if test.failure == core.FetchNotOurs {
				want.Missing = []repo.OID{f.first}
			}
			if diff := cmp.Diff([]simtarget.Ended{want}, f.ended); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			got := f.host.Requests()
			if len(got) != 1 || got[0].Status != test.status || !got[0].Starts() ||
				!got[0].At.Equal(time.Unix(0, int64(sim.Start))) || got[0].Ended.Sub(got[0].At) != test.after {
				t.Errorf("record: got %+v", got)
			}
		})
	}
}

func TestFetchElsewhere(t *testing.T) {
	f := newFetching(t)
	f.Fetch(1, f.id, "http://nobody.example/r.git", []repo.OID{f.first}, &f.ended)
	f.Fetch(2, f.id, "file:///r.git", []repo.OID{f.first}, &f.ended)
	f.Fetch(3, f.id, "HTTP://x", []repo.OID{f.first}, &f.ended)
	f.Fetch(4, f.id, "http://user@GIT1.example:80/r.git/", []repo.OID{f.first}, &f.ended)
	f.Fetch(5, f.id, "http://git1.example/r.git", []repo.OID{f.first, "1111111111111111111111111111111111111111"}, &f.ended)
	f.Fetch(6, repo.ID{Owner: f.id.Owner, Identifier: "none"}, "http://git1.example/r.git", []repo.OID{f.first}, &f.ended)
	var got []core.FetchFailure
	for _, e := range f.ended {
		got = append(got, e.Failure)
	}
	want := []core.FetchFailure{core.FetchNoName, core.FetchForbidden, core.FetchForbidden, 0, core.FetchNotOurs, core.FetchLocalError}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := f.ended[4].Missing; len(got) != 1 || got[0][0] != '1' {
		t.Errorf("Missing: got %v, want the object that is not there", got)
	}
}

// A canceled fetch ends once; a host that closes breaks what it answers; a server that is gone hears nothing.
func TestFetchesEndOnce(t *testing.T) {
	f := newFetching(t)
	if err := f.host.Behave(target.HostBehavior{Mode: target.HostHangs}); err != nil {
		t.Fatal(err)
	}
	f.fetch(f.first)
	f.fetch(f.first)
	f.advance(t, time.Second)
	f.CancelFetch(1)
	f.CancelFetch(1)
	if len(f.ended) != 1 || f.ended[0].Failure != core.FetchCanceled {
		t.Errorf("got %+v, want one canceled", f.ended)
	}
	if err := f.host.Close(); err != nil {
		t.Fatal(err)
	}
	f.advance(t, time.Hour)
	if len(f.ended) != 2 || f.ended[1].Failure != core.FetchUnreachable {
		t.Errorf("got %+v, want the other broken", f.ended)
	}
	f.fetch(f.first)
	if len(f.ended) != 3 || f.ended[2].Failure != core.FetchNoName {
		t.Errorf("at a host that is gone: got %+v, want lookup", f.ended)
	}
	if most := target.BusiestMoment(f.host.Requests(), 0); most != 2 {
		t.Errorf("under way at once: got %d, want 2", most)
	}
	for i, q := range f.host.Requests() {
		if q.Ended.Sub(q.At) != time.Second {
			t.Errorf("record %d: got %+v", i, q)
		}
	}

	f = newFetching(t)
	if err := f.host.Behave(target.HostBehavior{Mode: target.HostHangs}); err != nil {
		t.Fatal(err)
	}
	f.fetch(f.first)
	if err := f.Kill(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.advance(t, time.Hour)
	if len(f.ended) != 0 || f.host.Requests()[0].Ended.IsZero() {
		t.Errorf("after a kill: got %+v, want nothing, and the request over", f.ended)
	}
}
