package sim_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/githost"
)

// A forgery changes one thing of one run, once. It reports whether it has found what to change.
type forgery struct {
	name string
	in   string // a scenario; "" is the first one, cut short
	opts func(done *bool) sim.Options
}

// forge is a forgery of the first effect of a type of which a function makes another one.
func forge[E core.Effect](change func(e E) (E, bool)) func(done *bool) sim.Options {
	return func(done *bool) sim.Options {
		return each(func(e core.Effect) []core.Effect {
			if own, is := e.(E); is && !*done {
				if forged, changed := change(own); changed {
					*done = true
					return []core.Effect{forged}
				}
			}
			return []core.Effect{e}
		})
	}
}

// message is a forgery of the first message of a type to a client.
func message[M relay.ServerMessage](change func(m M) M) func(done *bool) sim.Options {
	return forge(func(e core.Send) (core.Send, bool) {
		m, is := e.Msg.(M)
		if is {
			e.Msg = change(m)
		}
		return e, is
	})
}

// record is a forgery of the first journal record of one operation.
func record(op core.Op, change func(r *core.Record)) func(done *bool) sim.Options {
	return forge(func(r core.Record) (core.Record, bool) {
		if r.Op == op {
			change(&r)
		}
		return r, r.Op == op
	})
}

// altered is an event with a change.
func altered(ev *nostr.Event, change func(ev *nostr.Event)) *nostr.Event {
	own := *ev
	own.Tags = slices.Clone(ev.Tags)
	change(&own)
	return &own
}

// event is a forgery of the first event that is sent to a client.
func event(change func(ev *nostr.Event)) func(done *bool) sim.Options {
	return message(func(m relay.EventFor) relay.EventFor {
		m.Event = altered(m.Event, change)
		return m
	})
}

// told is a forgery of what a core is told.
type told struct {
	core.Machine
	change func(in core.Input) core.Input
}

func (m *told) Step(now instant.Instant, in core.Input, out *core.Effects) {
	m.Machine.Step(now, m.change(in), out)
}

// hears is a forgery of the first input of a type of which a function makes another one.
func hears[I core.Input](change func(in I) (core.Input, bool)) func(done *bool) sim.Options {
	return func(done *bool) sim.Options {
		return sim.Options{Wrap: func(_ int, m core.Machine) core.Machine {
			return &told{m, func(in core.Input) core.Input {
				if own, is := in.(I); is && !*done {
					if forged, changed := change(own); changed {
						*done = true
						return forged
					}
				}
				return in
			}}
		}}
	}
}

// liar is a store that does not say what it lacks as it is.
type liar struct {
	sim.Git
	missing func(missing []repo.OID) []repo.OID
}

func (l *liar) Missing(id repo.ID, oids []repo.OID) ([]repo.OID, error) {
	missing, err := l.Git.Missing(id, oids)
	return l.missing(missing), err
}

var forgeries = []forgery{
	{"the content of an event that is sent", "", event(func(ev *nostr.Event) { ev.Content += "x" })},
	{"its author", "", event(func(ev *nostr.Event) { ev.PubKey = ev.ID })},
	{"its signature", "", event(func(ev *nostr.Event) { ev.Sig += "0" })},
	{"its time", "", event(func(ev *nostr.Event) { ev.CreatedAt++ })},
	{"its tags", "", event(func(ev *nostr.Event) { ev.Tags = append(ev.Tags, nostr.Tag{"t", "x"}) })},
	{"the subscription of an EVENT", "", message(func(m relay.EventFor) relay.EventFor { m.Sub += "x"; return m })},
	{"the subscription of an EOSE", "", message(func(m relay.EOSE) relay.EOSE { m.Sub += "x"; return m })},
	{"the reason of an OK", "", message(func(m relay.OK) relay.OK { m.Text += "x"; return m })},
	{"the connection of a message", "", forge(func(e core.Send) (core.Send, bool) { e.Conn += 1000; return e, true })},
	{"a NOTICE more", "", func(done *bool) sim.Options {
		return effects(func(in core.Input, all []core.Effect) []core.Effect {
			if m, is := in.(core.Message); is && !*done {
				*done = true
				all = append(all, core.Send{Conn: m.Conn, Msg: relay.Notice{Text: "x"}})
			}
			return all
		})
	}},
	{"the reason of a refused push", "", forge(func(e core.PushRefused) (core.PushRefused, bool) { e.Ruling.Reason += "x"; return e, true })},
	{"its prefix", "", forge(func(e core.PushRefused) (core.PushRefused, bool) { e.Ruling.Prefix += "x"; return e, true })},
	{"its requirement", "", forge(func(e core.PushRefused) (core.PushRefused, bool) { e.Ruling.Requirement += "x"; return e, true })},

	{"the deadline of a held event in the journal", "", record(core.OpHold, func(r *core.Record) { r.Deadline++ })},
	{"its arrival", "", record(core.OpHold, func(r *core.Record) { r.Arrived-- })},
	{"its phase", "", record(core.OpHold, func(r *core.Record) { r.Soft = !r.Soft })},
	{"the content of a stored event in the journal", "", record(core.OpStore, func(r *core.Record) {
		r.Event = altered(r.Event, func(ev *nostr.Event) { ev.Content += "x" })
	})},
	{"what a record drops", "", record(core.OpDrop, func(r *core.Record) { r.ID = r.ID[1:] + "0" })},
	{"the end of a mark", "", record(core.OpMark, func(r *core.Record) { r.Mark.Until++ })},
	{"a mark that ends", "", record(core.OpUnmark, func(r *core.Record) { r.Mark.Event += "0" })},

	{"the old value of a command", "", forge(func(e core.UpdateRefs) (core.UpdateRefs, bool) {
		if len(e.Commands) == 0 {
			return e, false
		}
		e.Commands = slices.Clone(e.Commands)
		e.Commands[0].Old = repo.OID(strings.Repeat("f", 40))
		return e, true
	})},
	{"HEAD", "", forge(func(e core.UpdateRefs) (core.UpdateRefs, bool) { e.Head = "refs/heads/forged"; return e, true })},
	{"the objects of a request", "", forge(func(e core.AskObjects) (core.AskObjects, bool) {
		e.OIDs = append(slices.Clone(e.OIDs), e.OIDs[0])
		return e, true
	})},
	{"what tidying keeps", "", forge(func(e core.TidyRepository) (core.TidyRepository, bool) {
		e.Keep = append(slices.Clone(e.Keep), repo.ZeroOID)
		return e, true
	})},
	{"the count of a note", "", forge(func(e core.Note) (core.Note, bool) { e.Count++; return e, true })},
	{"the author in a note", "", forge(func(e core.Note) (core.Note, bool) { e.PubKey += "0"; return e, true })},
	{"what is searched for", "search", forge(func(e core.SearchEvents) (core.SearchEvents, bool) { e.Question = core.Question{}; return e, true })},
	{"what a host is asked for", "hunt_burst", forge(func(e core.StartFetch) (core.StartFetch, bool) {
		e.OIDs = append(slices.Clone(e.OIDs), e.OIDs[0])
		return e, true
	})},

	{"the relay that is dialed", "two", forge(func(e core.DialPeer) (core.DialPeer, bool) { e.URL += "/"; return e, true })},
	{"the number of a connection that is ended", "two", forge(func(e core.HangUp) (core.HangUp, bool) { e.Peer += 1000; return e, true })},
	{"what a relay is asked", "two", forge(func(e core.SendPeer) (core.SendPeer, bool) {
		req, is := e.Msg.(relay.Req)
		req.Sub += "x"
		e.Msg = req
		return e, is
	})},
	{"whether an event of a relay is genuine", "two", hears(func(in core.PeerSaid) (core.Input, bool) {
		_, is := in.Msg.(relay.EventFor)
		in.Good = !in.Good
		return in, is
	})},
	{"what a relay says", "two", hears(func(in core.PeerSaid) (core.Input, bool) {
		said, is := in.Msg.(relay.NegAnswer)
		said.Message = said.Message[:len(said.Message)/2]
		in.Msg = said
		return in, is
	})},
	{"which connection is open", "two", hears(func(in core.PeerOpened) (core.Input, bool) { in.Peer += 1000; return in, true })},

	{"the content of an event that comes", "", func(done *bool) sim.Options {
		return sim.Options{Wrap: func(_ int, m core.Machine) core.Machine {
			return &told{m, func(in core.Input) core.Input {
				if came, is := in.(core.Message); is && !*done {
					if e, is := came.Msg.(relay.Event); is {
						*done = true
						e.Event = altered(e.Event, func(ev *nostr.Event) { ev.Content += "x" })
						came.Msg = e
						return came
					}
				}
				return in
			}}
		}}
	}},
	{"a note of the store for who pushes", "", func(done *bool) sim.Options {
		return sim.Options{Report: func(_ int, in core.PushDone) core.PushDone {
			if !*done {
				*done = true
				in.Report.Notes = append(in.Report.Notes, "x")
			}
			return in
		}}
	}},
	{"what it says of a ref", "", func(done *bool) sim.Options {
		return sim.Options{Report: func(_ int, in core.PushDone) core.PushDone {
			if !*done && len(in.Report.Results) > 0 {
				*done = true
				in.Report.Results = slices.Clone(in.Report.Results)
				in.Report.Results[0].Reason += "x"
			}
			return in
		}}
	}},
	{"an object that the store says twice to lack", "", func(done *bool) sim.Options {
		return sim.Options{Git: func(_ int, g sim.Git) sim.Git {
			return &liar{Git: g, missing: func(missing []repo.OID) []repo.OID {
				if !*done && len(missing) > 0 {
					*done = true
					missing = append(missing, missing[0])
				}
				return missing
			}}
		}}
	}},
}

// forgedIn is the scenario of a forgery.
func forgedIn(t *testing.T, name string) scenarios.Scenario {
	t.Helper()
	s := short(t)
	switch name {
	case "":
		s.Duration = 2 * time.Hour
	case "search":
		s.Constants.SearchAtOnce = 1
	default:
		s = affordable(embedded(t, name))
	}
	s.Invariants = []string{} // a run that ends early has another hash anyway
	return s
}

// What a client, a host or the journal sees of a server, what notes say and what it is told: nothing of it can be forged with
// the hash of the run staying as it was.
func TestNoForgeryLeavesTheHash(t *testing.T) {
	honest := map[string]string{}
	for _, f := range forgeries {
		t.Run(f.name, func(t *testing.T) {
			s := forgedIn(t, f.in)
			if honest[f.in] == "" {
				honest[f.in] = run(t, s, 1, sim.Options{}).Trace
				if again := run(t, s, 1, sim.Options{}).Trace; again != honest[f.in] {
					t.Fatalf("got hashes %s and %s of one run, want one", honest[f.in], again)
				}
			}
			done := false
			forged := run(t, s, 1, alone(f.opts(&done)))
			held(t, forged)
			if !done {
				t.Fatal("there was nothing to forge")
			}
			if forged.Trace == honest[f.in] {
				t.Error("the hash is that of the honest run")
			}
		})
	}
}

// What a host says counts even where the server makes the same of it: it is told the origin of no redirect.
func TestNoForgeryOfAHostLeavesTheHash(t *testing.T) {
	hash := func(to string) string {
		s := forgedIn(t, "hunt_burst")
		s.Hosts = slices.Clone(s.Hosts)
		s.Hosts[0].Trouble = []githost.Trouble{{Mode: githost.Redirects, RedirectTo: to}}
		return run(t, s, 1, sim.Options{}).Trace
	}
	if a, b := hash("http://a.example"), hash("http://b.example"); a == b {
		t.Errorf("got hash %s for two origins, want two", a)
	}
}
