package sim

import (
	"errors"
	"slices"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/fault"
	"github.com/graspkit/graspkit/sim/model"
	"github.com/graspkit/graspkit/sim/network"
	"github.com/graspkit/graspkit/sim/trace"
)

// stopMax is how long a server that ends in order is waited for.
const stopMax = 30 * time.Second

// ills are what ails a server at present, and what will once a point has come.
type ills struct {
	failing map[string]int // by order: faults that have it fail now
	doubted map[string]int
	full    int
	slowed  []int  // how many times as slow the disk is, by each fault that makes it so
	usual   Delays // of the disk when nothing slows it
	ahead   time.Duration
	ending  bool // the server was asked to end in order, and lets nobody in any more
	due     []*awaited
	backups map[time.Duration]backup // by their time
}

// awaited is a fault that comes after a point.
type awaited struct {
	fault.Counter
	fault fault.Fault
}

// backup is what a disk had.
type backup struct {
	journal *core.Survivors
	model   *Model
	naive   model.Backup
}

// plan schedules the faults of the scenario.
func (w *World) plan() {
	for _, s := range w.servers {
		s.ills = ills{failing: map[string]int{}, doubted: map[string]int{}, usual: s.Delays, backups: map[time.Duration]backup{}}
	}
	for _, f := range w.scenario.Faults {
		s := w.servers[f.Server-1]
		if f.After != (fault.Point{}) {
			s.ills.due = append(s.ills.due, &awaited{fault.Counter{After: f.After}, f})
			s.Heard = s.heard
			continue
		}
		at, key := Start.Add(f.At), s.key.WithText(f.String()).Uint64()
		if f.Do == fault.Part {
			w.part(s, f, at)
			w.engine.At(at.Add(network.StreamPatience), key, then(w.wither))
		}
		if f.Do == fault.Restore {
			w.engine.At(Start.Add(f.Of), key, &saving{s, f.Of})
		}
		w.engine.At(at, key, &striking{s, f})
	}
}

// part has the network let nothing pass.
func (w *World) part(s *server, f fault.Fault, at instant.Instant) {
	here, there := []string{s.Name}, []string{f.With}
	if f.With == fault.Everybody {
		there = nil
	}
	if f.Way != fault.Received {
		w.net.Cut(network.Cut{From: here, To: there, Since: at, Until: at.Add(f.For)})
	}
	if f.Way != fault.Sent {
		w.net.Cut(network.Cut{From: there, To: here, Since: at, Until: at.Add(f.For)})
	}
}

// wither has the connections between servers notice that they are cut.
func (w *World) wither(now instant.Instant) {
	for _, s := range w.servers {
		if s.Up() {
			s.lines.Wither(now)
		}
	}
}

// heard counts a point in the life of the server.
func (s *server) heard(p Point) {
	for _, a := range s.ills.due {
		if !a.Came(p.Kind, p.What, p.Life) {
			continue
		}
		now := s.world.engine.Now()
		if a.fault.Do != fault.Stop {
			(&striking{s, a.fault}).Run(now)
			continue
		}
		s.world.engine.At(now, s.key.WithText(a.fault.String()).Uint64(), &striking{s, a.fault}) // a step runs
	}
}

// saving is the task in which an operator makes a backup.
type saving struct {
	server *server
	at     time.Duration
}

// Run implements Task.
func (b *saving) Run(instant.Instant) {
	s := b.server
	saved := backup{journal: s.Journal.Clone(), model: s.model.Clone()}
	if s.naive != nil {
		saved.naive = s.naive.Saved()
	}
	s.ills.backups[b.at] = saved
}

// striking is the task in which a fault comes.
type striking struct {
	server *server
	fault  fault.Fault
}

// Run implements Task. What ends a server that is down already does nothing.
func (b *striking) Run(now instant.Instant) {
	s, f := b.server, b.fault
	if f.Ends() && !s.Up() {
		return
	}
	switch f.Do { //nolint:exhaustive // the others do not end a life
	case fault.Crash:
		s.fell(now, trace.Record{Fact: "server_crashed"}, f.For)
		return
	case fault.Tear:
		s.fell(now, trace.Record{Fact: "server_torn", Detail: s.tear()}, f.For)
		return
	case fault.Stop:
		s.world.record(trace.Record{At: now, Host: s.Name, Fact: "server_stopping", Count: s.Life()})
		s.open, s.ills.ending = false, true
		s.Stop(now)
		(&stopping{s, s.Life(), now.Add(stopMax), f.For}).Run(now)
		return
	case fault.Restore:
		s.fell(now, trace.Record{Fact: "server_restored"}, f.For)
		b := s.ills.backups[f.Of]
		s.Journal, s.model = b.journal.Clone(), b.model.Clone()
		if s.monitor != nil {
			s.monitor.Restored()
			s.naive.Restored(b.naive)
		}
		return
	}
	s.world.record(trace.Record{At: now, Host: s.Name, Fact: "fault", Detail: f.String()})
	s.ills.turn(s, f, 1)
	if f.Do != fault.Jump {
		s.world.engine.At(now.Add(f.For), s.key.WithText(f.String()).Uint64(), &lifting{s, f})
	}
}

// turn begins a fault of the disk or of the clock, by 1, or ends it, by -1.
func (i *ills) turn(s *server, f fault.Fault, by int) {
	now := s.world.engine.Now()
	switch f.Do { //nolint:exhaustive // the others end lives, or are the network's
	case fault.Fail:
		i.failing[f.Order] += by
	case fault.Doubt:
		i.doubted[f.Order] += by
	case fault.Fill:
		i.full += by
		s.host.Fill(now, i.full > 0)
	case fault.Slow:
		if by > 0 {
			i.slowed = append(i.slowed, f.Times)
		} else if at := slices.Index(i.slowed, f.Times); at >= 0 {
			i.slowed = slices.Delete(i.slowed, at, at+1)
		}
		s.slow()
	case fault.Jump:
		i.set(s, now, f.By)
	case fault.Drift:
		if by > 0 {
			(&drifting{s, f, now.Add(f.For)}).Run(now)
		}
	}
}

// set has the time of day be so much later than it was at the start.
func (i *ills) set(s *server, now instant.Instant, ahead time.Duration) {
	i.ahead = ahead
	s.Step(now, core.ClockSet{Ahead: ahead})
}

// slow has the disk be as slow as the worst fault makes it.
func (s *server) slow() {
	i := &s.ills
	times := time.Duration(1)
	for _, n := range i.slowed {
		times = max(times, time.Duration(n))
	}
	s.Delays = Delays{Journal: i.usual.Journal * times, Order: i.usual.Order * times}
	s.host.delays = s.Delays
}

// booted has a new life suffer what the last one did.
func (i *ills) booted(s *server, now instant.Instant) {
	i.ending = false
	s.host.Fill(now, i.full > 0)
	if i.ahead != 0 {
		s.Step(now, core.ClockSet{Ahead: i.ahead})
	}
}

// lifting is the task in which a fault is over.
type lifting struct {
	server *server
	fault  fault.Fault
}

// Run implements Task.
func (l *lifting) Run(instant.Instant) { l.server.ills.turn(l.server, l.fault, -1) }

// fell ends a life, and begins the next one some time later. The record says why.
func (s *server) fell(now instant.Instant, why trace.Record, down time.Duration) {
	why.At, why.Host, why.Count = now, s.Name, s.Life()
	s.world.record(why)
	if s.monitor != nil && (why.Fact != "server_stopped" || !s.Idle()) {
		s.monitor.Crashed()
	}
	s.end(now)
	s.world.engine.At(now.Add(down), s.key.With(uint64(s.Life())).Uint64(), &restart{s, s.Life()})
}

// stopping is the task that waits for the end of a server that ends in order.
type stopping struct {
	server *server
	life   int
	until  instant.Instant
	down   time.Duration
}

// Run implements Task.
func (t *stopping) Run(now instant.Instant) {
	s := t.server
	switch {
	case !s.goesOn(t.life): // it crashed meanwhile
	case s.Idle() || now >= t.until:
		s.fell(now, trace.Record{Fact: "server_stopped"}, t.down)
	default:
		s.world.engine.At(now.Add(admissionEvery), s.key.With(uint64(t.life)).Uint64(), t)
	}
}

// restart is the task that starts a server again after a life.
type restart struct {
	server *server
	life   int
}

// Run implements Task.
func (r *restart) Run(now instant.Instant) {
	if s := r.server; !s.Up() && s.Life() == r.life {
		s.boot(now)
	}
}

// healed ends all that ails servers, and starts those that are down.
func (s *server) healed(now instant.Instant) {
	s.ills.due, s.Heard = nil, nil
	clear(s.ills.failing)
	clear(s.ills.doubted)
	s.ills.full, s.ills.slowed = 0, nil
	s.slow()
	s.host.Fill(now, false)
	if !s.Up() {
		s.boot(now)
	}
}

// ailing is the store of a server as its host reaches it, faults included.
type ailing struct{ server *server }

// errFault is what a store says that a fault has struck.
var errFault = errors.New("sim: input/output error")

// ordered carries an order out, unless it fails.
func (a ailing) ordered(what string, carryOut func(m *Model) error) error {
	i := &a.server.ills
	if i.failing[what] > 0 || i.failing["any"] > 0 {
		return errFault
	}
	err := carryOut(a.server.model)
	if i.doubted[what] > 0 || i.doubted["any"] > 0 {
		return errFault
	}
	return err
}

// Create implements Git.
func (a ailing) Create(id repo.ID) error {
	return a.ordered("create", func(m *Model) error { return m.Create(id) })
}

// Remove implements Git.
func (a ailing) Remove(id repo.ID) error {
	return a.ordered("remove", func(m *Model) error { return m.Remove(id) })
}

// Refs implements Git.
func (a ailing) Refs(id repo.ID) (refs gitstore.Refs, err error) {
	err = a.ordered("refs", func(m *Model) error {
		refs, err = m.Refs(id)
		return err
	})
	return refs, err
}

// Missing implements Git.
func (a ailing) Missing(id repo.ID, oids []repo.OID) ([]repo.OID, error) {
	return a.server.model.Missing(id, oids)
}

// Update implements Git.
func (a ailing) Update(id repo.ID, commands []gitproto.Command, head string) error {
	return a.ordered("update", func(m *Model) error { return m.Update(id, commands, head) })
}

// Copy implements Git.
func (a ailing) Copy(c gitstore.Cancel, id, from repo.ID, oids []repo.OID) error {
	return a.ordered("copy", func(m *Model) error { return m.Copy(c, id, from, oids) })
}

// Tidy implements Git.
func (a ailing) Tidy(c gitstore.Cancel, id repo.ID, keep []repo.OID) error {
	return a.ordered("tidy", func(m *Model) error { return m.Tidy(c, id, keep) })
}
