package sim_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/internal/identity"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/fault"
	"github.com/graspkit/graspkit/sim/invariant"
)

// frail is a node with one client, which crashes right after chosen points of its life and starts again at once.
type frail struct {
	*sim.Node
	engine  *sim.Engine
	model   *sim.Model
	monitor *invariant.Monitor

	points  int
	crashes []*fault.Counter
	where   []string // what each point is

	answers map[string]bool                 // event id to OK true or false, as the client has it
	ended   map[core.PushID]bool            // pushes whose end the client has heard of
	running map[core.PushID]frailPush       // pushes that were offered
	told    map[repo.ID]map[string]repo.OID // refs that were reported ok, as the last report has them
	pushes  core.PushID
}

type frailPush struct {
	life     int
	repo     repo.ID
	commands []gitproto.Command
}

func newFrail(delays sim.Delays, wrap func(core.Machine) core.Machine, crashes ...int) *frail {
	engine := sim.NewEngine(1, sim.Start)
	f := &frail{
		Node: sim.NewNode("frail", engine), engine: engine, model: sim.NewModel(),
		monitor: invariant.New("frail", frailService, core.PurgatoryLife, nil),
		answers: map[string]bool{}, ended: map[core.PushID]bool{},
		running: map[core.PushID]frailPush{}, told: map[repo.ID]map[string]repo.OID{},
	}
	f.Git, f.Clients, f.Delays, f.Seed, f.Observe = f.model, f, delays, 1, []sim.Observer{f.monitor}
	f.There = func() ([]repo.ID, error) { return f.model.Repositories(), nil }
	f.Machine = func() core.Machine {
		var m core.Machine = core.New(core.Config{Service: frailService})
		if wrap != nil {
			m = wrap(m)
		}
		return m
	}
	f.Heard = f.heard
	for _, at := range crashes {
		f.crashAfter(at)
	}
	f.boot()
	f.engine.Settle()
	return f
}

var frailService = repo.Service{Host: "frail.example"}

// crashAfter has the server crash after a point, which is yet to come.
func (f *frail) crashAfter(point int) {
	f.crashes = append(f.crashes, &fault.Counter{After: fault.Point{Kind: "point", N: point - f.points}})
}

// boot begins a life.
func (f *frail) boot() {
	f.Boot(f.engine.Now())
	f.Step(f.engine.Now(), core.ConnOpened{Conn: core.ConnID(f.Life())})
}

// heard crashes the server after the points that were chosen.
func (f *frail) heard(p sim.Point) {
	f.points++
	f.where = append(f.where, fmt.Sprintf("%s %s", p.Kind, p.What))
	for _, c := range f.crashes {
		if c.Came(p.Kind, p.What, p.Life) && f.Up() {
			f.Crash()
			f.engine.At(f.engine.Now(), uint64(p.Life), &revival{f, p.Life})
		}
	}
}

// revival is the task that starts the server again after a life, unless somebody else has done so.
type revival struct {
	f    *frail
	life int
}

// Run implements sim.Task.
func (r *revival) Run(instant.Instant) {
	if r.life == r.f.Life() {
		r.f.boot()
	}
}

// restart ends the server in order and starts it again. Half of the first starts fail: they have read what was saved, and
// end before anything else.
func (f *frail) restart() {
	f.Stop(f.engine.Now())
	f.engine.Settle()
	f.Crash()
	if f.Life()%2 == 0 {
		f.boot()
		f.Crash()
	}
	f.boot()
	f.engine.Settle()
}

// Sent implements sim.Clients.
func (f *frail) Sent(_ instant.Instant, conn core.ConnID, msg relay.ServerMessage) {
	if ok, is := msg.(relay.OK); is && conn == core.ConnID(f.Life()) {
		f.answers[ok.ID] = ok.Accepted
		if ok.Accepted {
			f.monitor.Acknowledged(ok.ID)
		}
	}
}

// Closed implements sim.Clients.
func (f *frail) Closed(instant.Instant, core.ConnID) {}

// PushRefused implements sim.Clients.
func (f *frail) PushRefused(_ instant.Instant, id core.PushID, _ policy.Ruling) { f.ended[id] = true }

// PushExpected implements sim.Clients: no pack takes its time here.
func (f *frail) PushExpected(instant.Instant, core.PushID) {}

// PushAdmitted implements sim.Clients.
func (f *frail) PushAdmitted(now instant.Instant, id core.PushID) {
	f.engine.At(now, uint64(id), &reception{f, id})
}

// reception is the task in which a pack comes and refs move.
type reception struct {
	f  *frail
	id core.PushID
}

// Run implements sim.Task.
func (r *reception) Run(now instant.Instant) {
	f, p := r.f, r.f.running[r.id]
	if !f.Up() || f.Life() != p.life {
		return // the connection ended with the server
	}
	report := f.model.Receive(p.repo, p.commands, false)
	if !f.PushEnded(now, p.repo, core.PushDone{Push: r.id, Report: report}) {
		return
	}
	f.ended[r.id] = true
	for i, result := range report.Results {
		if f.told[p.repo] == nil {
			f.told[p.repo] = map[string]repo.OID{}
		}
		if result.OK {
			f.told[p.repo][result.Ref] = p.commands[i].New
		}
	}
}

// A deed is one thing that the client does, and does again until it has been answered.
type deed func(f *frail)

// attempts bounds how often a deed is done.
const attempts = 4

func publishing(ev *nostr.Event) deed {
	return func(f *frail) {
		for range attempts {
			if _, answered := f.answers[ev.ID]; answered {
				return
			}
			f.Step(f.engine.Now(), core.Message{
				Conn: core.ConnID(f.Life()), Msg: relay.Event{Event: ev, IDOK: true}, SigOK: true,
			})
			f.engine.Settle()
		}
	}
}

// pushing moves refs to where they are wanted; the zero object deletes one.
func pushing(to repo.ID, want ...repo.Ref) deed {
	return func(f *frail) {
		for range attempts {
			refs, err := f.model.Refs(to)
			if err != nil {
				return
			}
			var commands []gitproto.Command
			for _, ref := range want {
				c := gitproto.Command{Ref: ref.Name, Old: repo.ZeroOID, New: ref.OID}
				for _, there := range refs.Refs {
					if there.Name == ref.Name {
						c.Old = there.OID
					}
				}
				if c.Old != c.New {
					commands = append(commands, c)
				}
			}
			if len(commands) == 0 {
				return
			}
			f.pushes++
			id := f.pushes
			f.running[id] = frailPush{f.Life(), to, commands}
			f.Step(f.engine.Now(), core.PushOffered{Push: id, Repo: to, Commands: commands})
			f.engine.Settle()
			if f.ended[id] {
				return
			}
		}
	}
}

func waiting(d time.Duration) deed {
	return func(f *frail) {
		f.engine.RunUntil(f.engine.Now().Add(d))
		f.engine.Settle()
	}
}

// snapshot is everything that a client could find out, now or later, and everything that is kept.
func (f *frail) snapshot() string {
	var b strings.Builder
	for _, ev := range f.Journal.Stored() {
		fmt.Fprintf(&b, "stored %.8s kind %d\n", ev.ID, ev.Kind)
	}
	for _, h := range f.Journal.Held() {
		fmt.Fprintf(&b, "held %.8s kind %d arrived %d until %d soft %t\n", h.Event.ID, h.Event.Kind, h.Arrived, h.Deadline, h.Soft)
	}
	for _, m := range f.Journal.Marks() {
		if m.Until != 0 && m.Until <= f.engine.Now() {
			continue // it counts for nothing, and goes with the next step
		}
		fmt.Fprintf(&b, "mark %d %.8s %s at %d until %d\n", m.Kind, m.Event, m.Repo.Identifier, m.At, m.Until)
	}
	for _, id := range f.model.Repositories() {
		refs, err := f.model.Refs(id)
		view := f.Server().Repository(id)
		fmt.Fprintf(&b, "repository %s exists %t served %t HEAD %s %v\n", id.Identifier, view.Exists, view.Served, refs.Head, err)
		for _, ref := range refs.Refs {
			fmt.Fprintf(&b, "  %.8s %.20s\n", ref.OID, ref.Name)
		}
	}
	return b.String()
}

// kept reports whether an event is stored or held.
func (f *frail) kept(id string) bool {
	return slices.ContainsFunc(f.Journal.Stored(), func(ev *nostr.Event) bool { return ev.ID == id }) ||
		slices.ContainsFunc(f.Journal.Held(), func(h core.HeldEvent) bool { return h.Event.ID == id })
}

// A scribe makes the events of a history.
type scribe struct {
	at     int64
	people map[string]identity.Identity
}

func newScribe() *scribe {
	s := &scribe{at: sim.Start.Unix(), people: map[string]identity.Identity{}}
	for _, name := range []string{"alice", "bob"} {
		s.people[name] = identity.New(1, name)
	}
	return s
}

// event makes an event that is a second newer than the one before.
func (s *scribe) event(by string, kind int, tags ...nostr.Tag) *nostr.Event {
	s.at++
	ev := &nostr.Event{Kind: kind, CreatedAt: nostr.Timestamp(s.at), Tags: tags}
	who := s.people[by]
	who.Stamp(ev)
	return ev
}

func (s *scribe) repository(identifier string) repo.ID {
	return repo.ID{Owner: repo.PubKey(s.people["alice"].PubKey), Identifier: identifier}
}

// announcement is alice's; a server that it does not name is one that she leaves.
func (s *scribe) announcement(identifier string, on repo.Service) *nostr.Event {
	return s.event("alice", repo.KindAnnouncement,
		nostr.Tag{"d", identifier}, nostr.Tag{"clone", on.CloneURL(s.repository(identifier), "http")}, nostr.Tag{"relays", on.RelayURL("ws")})
}

func (s *scribe) state(identifier string, refs ...repo.Ref) *nostr.Event {
	tags := []nostr.Tag{{"d", identifier}, {"HEAD", "ref: refs/heads/main"}}
	for _, ref := range refs {
		tags = append(tags, nostr.Tag{ref.Name, string(ref.OID)})
	}
	return s.event("alice", repo.KindState, tags...)
}

func (s *scribe) pull(identifier, commit string) *nostr.Event {
	return s.event("bob", repo.KindPullRequest, nostr.Tag{"a", s.coordinate(repo.KindAnnouncement, identifier)}, nostr.Tag{"c", string(object(commit))})
}

func (s *scribe) coordinate(kind int, identifier string) string {
	return fmt.Sprintf("%d:%s:%s", kind, s.people["alice"].PubKey, identifier)
}

func object(name string) repo.OID {
	sum := sha256.Sum256([]byte(name))
	return repo.OID(hex.EncodeToString(sum[:20]))
}

func branch(name, at string) repo.Ref { return repo.Ref{Name: "refs/heads/" + name, OID: object(at)} }

func pullRef(ev *nostr.Event, at string) repo.Ref {
	return repo.Ref{Name: repo.PullRequestPrefix + ev.ID, OID: object(at)}
}
