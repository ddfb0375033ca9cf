package core_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/graspkit/graspkit/reference/core"
)

// huntCommand plays the hosts out there, and time:
//
//	hunt [rate=2]                  starts over with a server that hunts
//	synced state alice demo ...    an event that comes from a peer
//	wait 20s                       time passes, every deadline on its way fires
//	fetched 1 got=(a,b)            ends a fetch with objects, or with missing=(a), failure="not found", after=30s
func (s *shell) huntCommand(d *datadriven.TestData) {
	switch d.Cmd {
	case "hunt":
		rate := 0
		d.MaybeScanArgs(s.t, "rate", &rate)
		s.limit = func(c *core.Config) { c.Hunt.On, c.Hunt.Rate = true, rate } // at every start
		s.fetches = map[core.FetchID]core.StartFetch{}
		s.boot()
	case "synced":
		d.Cmd, d.CmdArgs = d.CmdArgs[0].Key, d.CmdArgs[1:]
		s.step(core.Synced{Event: s.build(d)})
	case "wait":
		wait, err := time.ParseDuration(d.CmdArgs[0].Key)
		if err != nil {
			s.t.Fatal(err)
		}
		s.wait(wait)
	case "fetched":
		s.fetched(d)
	}
}

// wait lets time pass from deadline to deadline, and says when something was seen on the way.
func (s *shell) wait(d time.Duration) {
	from, until := s.now, s.now.Add(d)
	for {
		at, ok := s.server.Deadline()
		if !ok || at > until {
			break
		}
		s.now = max(s.now, at)
		before := s.log.Len()
		s.step(core.TimerFired{})
		if seen := s.log.String()[before:]; seen != "" {
			all := s.log.String()[:before]
			s.log.Reset()
			fmt.Fprintf(&s.log, "%safter %s:\n%s", all, s.now.Sub(from), seen)
		}
	}
	s.now = until
}

// fetchOrdered keeps a fetch open until a command ends it.
func (s *shell) fetchOrdered(e core.Effect) {
	switch e := e.(type) {
	case core.StartFetch:
		s.fetches[e.Fetch] = e
		if s.asks != nil {
			s.asks(e)
		}
		var names []string
		for _, o := range e.OIDs {
			names = append(names, s.symbolic(string(o)))
		}
		slices.Sort(names)
		fmt.Fprintf(&s.log, "fetch %d for %s: %s of %s\n", e.Fetch, s.repoName(e.Repo), strings.Join(names, " "), e.URL)
	case core.CancelFetch:
		s.canceled[e.Fetch] = true
		fmt.Fprintf(&s.log, "cancel fetch %d\n", e.Fetch)
	}
}

var failures = map[string]core.FetchFailure{
	"not found": core.FetchNotFound, "timeout": core.FetchTimeout, "canceled": core.FetchCanceled, "not ours": core.FetchNotOurs,
	"no name": core.FetchNoName, "rate limited": core.FetchRateLimited,
}

func (s *shell) fetched(d *datadriven.TestData) {
	var id int
	if _, err := fmt.Sscan(d.CmdArgs[0].Key, &id); err != nil {
		s.t.Fatal(err)
	}
	order := s.fetches[core.FetchID(id)]
	delete(s.fetches, order.Fetch)
	in := core.FetchDone{Fetch: order.Fetch}
	for _, name := range s.values(d, "got") {
		in.Got = true
		if r := s.repos[order.Repo]; r != nil {
			r.objects[oid(name)] = true
		}
	}
	for _, o := range order.OIDs {
		if in.Got && !slices.ContainsFunc(s.values(d, "got"), func(name string) bool { return oid(name) == o }) {
			in.Missing = append(in.Missing, o)
		}
	}
	for _, name := range s.values(d, "missing") {
		in.Missing = append(in.Missing, oid(name))
	}
	if names := s.values(d, "failure"); len(names) > 0 {
		in.Failure = failures[strings.ReplaceAll(names[0], "-", " ")]
	}
	if d.HasArg("after") {
		var text string
		d.ScanArgs(s.t, "after", &text)
		in.RetryAfter, _ = time.ParseDuration(text)
	}
	s.step(in)
}
