package measure

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/graspkit/graspkit/conformance/target"
)

// A SyncResult is what was measured of how a server gets events from other relays. No requirement bounds any of it.
type SyncResult struct {
	Follows bool   // a relay of ours was connected to
	Facts   []Fact // all Recorded or Unseen
	Asks    []string
}

// Events is a unit of facts.
const Events = "events"

// result reads the facts off what relays were asked.
func (s *syncRun) result() *SyncResult {
	r := &SyncResult{Follows: len(s.steady.Visits())+len(s.paged.Visits()) > 0, Asks: s.asks()}
	s.firsts(r)
	s.pages(r)
	s.subscriptions(r)
	s.outage(r)
	return r
}

func (r *SyncResult) add(name, what, unit string, measured int64, seen bool) {
	f := Fact{Name: "sync-" + name, What: what, Unit: unit, Measured: measured, Seen: seen, Verdict: Recorded}
	if !seen {
		f.Measured, f.Verdict = 0, Unseen
	}
	r.Facts = append(r.Facts, f)
}

// firsts are the times until the first connection and the first questions.
func (s *syncRun) firsts(r *SyncResult) {
	var visit, ask, address time.Time
	first := func(at *time.Time, came time.Time) {
		if at.IsZero() || came.Before(*at) {
			*at = came
		}
	}
	for _, relay := range []target.FakeRelay{s.steady, s.paged} {
		for _, v := range relay.Visits() {
			first(&visit, v.At)
		}
		for _, m := range relay.Asked() {
			if len(m.Filters) == 0 {
				continue
			}
			first(&ask, m.At)
			if slices.ContainsFunc(m.Filters, func(f target.RelayFilter) bool { return len(f.Tags["a"]) > 0 }) {
				first(&address, m.At)
			}
		}
	}
	r.add("connected", "from the announcement to the first connection", Milliseconds, visit.Sub(s.begin).Milliseconds(), !visit.IsZero())
	r.add("asked", "from the announcement to the first question", Milliseconds, ask.Sub(s.begin).Milliseconds(), !ask.IsZero())
	r.add("asked-for-repository", "to the first question about the repository", Milliseconds, address.Sub(s.begin).Milliseconds(), !address.IsZero())
}

// pages are how the server reads history.
func (s *syncRun) pages(r *SyncResult) {
	size, turned, compared := int64(-1), int64(0), int64(0)
	lost := s.gone["lost"]
	for _, m := range s.paged.Asked() {
		if !lost.IsZero() && m.At.After(lost) {
			break
		}
		for _, f := range m.Filters {
			if m.Verb != "REQ" || len(f.Tags["a"]) == 0 || waits(f) {
				continue
			}
			if f.Limit != nil {
				size = max(size, int64(*f.Limit))
			}
			if f.Until != nil {
				turned++
			}
		}
	}
	for _, m := range s.steady.Asked() {
		if m.Verb == "NEG-OPEN" {
			compared++
		}
	}
	r.add("page", "limit of a page of the past", Events, size, size >= 0)
	r.add("pages-turned", fmt.Sprintf("pages behind the first, of %d events where a page has %d", pagedIssues, pagedAtATime), Requests, turned, r.Follows)
	r.add("reconciliations", "reconciliations (NIP-77) at a relay that knows them", Requests, compared, r.Follows)
}

// waits reports whether a filter asks for nothing of the past.
func waits(f target.RelayFilter) bool { return f.Limit != nil && *f.Limit == 0 }

// subscriptions are those that are open at the steady relay when it goes away.
func (s *syncRun) subscriptions(r *SyncResult) {
	open := map[string]bool{}
	lost := s.gone["lost"]
	for _, m := range s.steady.Asked() {
		if lost.IsZero() || m.At.After(lost) {
			break
		}
		switch m.Verb {
		case "REQ":
			open[m.Sub] = true
		case "CLOSE":
			delete(open, m.Sub)
		}
	}
	r.add("open", "subscriptions that stay open at one relay", Requests, int64(len(open)), !lost.IsZero())
}

// outage is how the server comes back to a relay that was away, and how far back it asks then.
func (s *syncRun) outage(r *SyncResult) {
	lost, back := s.gone["lost"], s.returned(s.steady)
	last := lost
	n := 0
	for _, v := range s.steady.Visits() {
		if lost.IsZero() || v.At.Before(lost) || v.Taken || n == Reconnects {
			continue
		}
		n++
		r.add(fmt.Sprintf("attempt-%d", n), attempt(n), Milliseconds, v.At.Sub(last).Milliseconds(), true)
		last = v.At
	}
	for n++; n <= Reconnects; n++ {
		r.add(fmt.Sprintf("attempt-%d", n), attempt(n), Milliseconds, 0, false)
	}
	r.add("returned", "from its return to the next connection", Milliseconds, back.Sub(s.gone["back"]).Milliseconds(), !back.IsZero())
	reach, whole := s.reach(s.steady)
	r.add("asked-for-all", "it then asks, or compares, without regard to time (1: yes)", Requests, whole, !back.IsZero())
	paged, wholePages := s.reach(s.paged)
	r.add("asked-for-all-pages", "likewise at a relay that knows pages only", Requests, wholePages, !s.returned(s.paged).IsZero())
	reach = max(reach, paged)
	r.add("looked-back", "by how much more than the outage it then asks for", Milliseconds, reach*1000, reach >= 0)
}

// reach is how many seconds before the loss of a relay those questions begin that the server asks once it is back, -1 if none has a
// beginning, and 1 if one asks for the past without any.
func (s *syncRun) reach(relay target.FakeRelay) (before, whole int64) {
	before = -1
	back := s.returned(relay)
	for _, m := range relay.Asked() {
		if back.IsZero() || m.At.Before(back) {
			continue
		}
		for _, f := range m.Filters {
			switch {
			case waits(f) || len(f.IDs) > 0:
			case f.Since != nil:
				before = max(before, s.gone["lost"].Unix()-*f.Since)
			default:
				whole = 1
			}
		}
	}
	return before, whole
}

func attempt(n int) string {
	if n == 1 {
		return "from the loss of a relay to the first attempt"
	}
	return fmt.Sprintf("from that attempt to attempt %d", n)
}

// asks are the kinds of filters that relays were asked, in words, sorted.
func (s *syncRun) asks() []string {
	var all []string
	for _, relay := range []target.FakeRelay{s.steady, s.paged} {
		for _, m := range relay.Asked() {
			for _, f := range m.Filters {
				all = append(all, shape(f))
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// shape tells of which form a filter is.
func shape(f target.RelayFilter) string {
	var parts []string
	if len(f.Kinds) > 0 {
		kinds := slices.Sorted(slices.Values(f.Kinds))
		parts = append(parts, "kinds "+strings.Trim(fmt.Sprint(kinds), "[]"))
	}
	if len(f.Authors) > 0 {
		parts = append(parts, "authors")
	}
	if len(f.IDs) > 0 {
		parts = append(parts, "ids")
	}
	for _, letter := range slices.Sorted(maps.Keys(f.Tags)) {
		parts = append(parts, "#"+letter)
	}
	if len(parts) == 0 {
		return "everything"
	}
	return strings.Join(parts, ", ")
}
