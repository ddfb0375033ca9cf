package core_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// shell is a toy driver: it answers every order at once from a model of objects, and writes down what clients see.
type shell struct {
	t        testing.TB
	server   *core.Server
	now      instant.Instant
	repos    map[repo.ID]*bare
	stored   map[string]*nostr.Event
	held     map[string]core.HeldEvent
	marks    map[string]core.Mark
	names    map[string]string // event id -> symbolic name
	log      strings.Builder
	pushes   core.PushID
	running  map[core.PushID]core.PushOffered
	broken   bool // every order fails and changes nothing
	halves   bool // refs move, and then HEAD does not
	stuck    bool // nothing can be copied
	blind    bool // refs cannot be read
	unread   bool // at the start either
	limit    func(*core.Config)
	fetches  map[core.FetchID]core.StartFetch // open
	canceled map[core.FetchID]bool
	asks     func(core.StartFetch) // looks at every fetch; nil for none
	slow     bool                  // admitted pushes wait for finish
	pool     []repo.OID            // what every pack brings beyond what its commands name
	asked    int                   // questions about objects
	reads    int                   // orders to read refs
	slack    bool                  // repositories are made and removed, and refs moved and read, when carryOn says so
	thinking bool                  // git answers what it is asked when carryOn says so
	undone   []core.Effect         // those that are not yet
	prunes   bool                  // what is tidied loses what neither a ref nor the order names; here nothing names another
	lazy     bool                  // repositories are tidied when the test says so
	untidy   []core.TidyRepository // those that are not yet
	peers    func(core.Effect)     // carries out what is for other relays, and what is for them as clients; nil for none
}

type bare struct {
	refs    map[string]repo.OID
	head    string
	objects map[repo.OID]bool
}

const start = instant.Instant(1_767_225_600 * int64(time.Second)) // 2026-01-01

func newShell(t testing.TB) *shell {
	s := &shell{
		t: t, now: start, repos: map[repo.ID]*bare{}, stored: map[string]*nostr.Event{},
		held: map[string]core.HeldEvent{}, names: map[string]string{}, running: map[core.PushID]core.PushOffered{},
		marks: map[string]core.Mark{}, fetches: map[core.FetchID]core.StartFetch{}, canceled: map[core.FetchID]bool{},
	}
	s.boot()
	return s
}

// boot starts a server on what survived.
func (s *shell) boot() {
	service, err := repo.ParseService("ws://grasp.test")
	if err != nil {
		s.t.Fatal(err)
	}
	cfg := core.Config{Service: service}
	if s.limit != nil {
		s.limit(&cfg)
	}
	s.server = core.New(cfg)
	in := core.Started{}
	for _, id := range sorted(s.stored) {
		in.Stored = append(in.Stored, s.stored[id])
	}
	for _, id := range sorted(s.held) {
		in.Held = append(in.Held, s.held[id])
	}
	for _, name := range sorted(s.marks) {
		in.Marks = append(in.Marks, s.marks[name])
	}
	for id, r := range s.repos {
		in.Repositories = append(in.Repositories, core.RepositoryRefs{ID: id, Refs: r.list(), Unknown: s.unread})
	}
	slices.SortFunc(in.Repositories, func(a, b core.RepositoryRefs) int { return a.ID.Compare(b.ID) })
	s.step(in)
	s.step(core.ConnOpened{Conn: 1})
	s.step(core.ConnOpened{Conn: 2})
	s.step(core.Message{Conn: 2, Msg: relay.Req{Sub: "live", Filters: []relay.Filter{{}}}})
}

func sorted[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func (b *bare) list() gitstore.Refs {
	refs := gitstore.Refs{Head: b.head}
	for _, name := range sorted(b.refs) {
		refs.Refs = append(refs.Refs, repo.Ref{Name: name, OID: b.refs[name]})
	}
	return refs
}

func (b *bare) apply(commands []gitproto.Command) {
	for _, c := range commands {
		if c.New.IsZero() {
			delete(b.refs, c.Ref)
		} else {
			b.refs[c.Ref] = c.New
		}
	}
}

// step feeds an input and carries out what follows, answers included.
func (s *shell) step(in core.Input) {
	inputs := []core.Input{in}
	for len(inputs) > 0 {
		var out core.Effects
		s.server.Step(s.now, inputs[0], &out)
		inputs = inputs[1:]
		for _, e := range out.List {
			if r, ok := e.(core.Record); ok {
				s.record(r)
			}
		}
		for _, e := range out.List {
			inputs = append(inputs, s.carryOut(e)...)
		}
	}
}

func (s *shell) record(r core.Record) {
	s.fits(r)
	switch r.Op {
	case core.OpStore:
		s.stored[r.ID] = r.Event
		delete(s.held, r.ID)
	case core.OpUnstore:
		delete(s.stored, r.ID)
	case core.OpHold:
		s.held[r.ID] = core.HeldEvent{Event: r.Event, Arrived: r.Arrived, Deadline: r.Deadline, Soft: r.Soft}
	case core.OpDrop:
		delete(s.held, r.ID)
	case core.OpMark:
		s.marks[r.Mark.Name()] = r.Mark
	case core.OpUnmark:
		delete(s.marks, r.Mark.Name())
	}
}

// fits reports a record that a journal could not keep.
func (s *shell) fits(r core.Record) {
	name := r.ID
	if r.Op == core.OpMark || r.Op == core.OpUnmark {
		name = r.Mark.Name()
		if name != r.Mark.LongName() {
			s.t.Errorf("mark %.100q is kept under a digest: its names have no bound", name)
		}
	}
	if name == "" || len(name) > core.MarkNameMax || r.Event != nil && r.Event.ID != r.ID {
		s.t.Errorf("record of operation %d has the name %.100q, which no journal keeps", r.Op, name)
	}
}

// carryOn carries out what waits for it.
func (s *shell) carryOn() {
	undone := s.undone
	s.undone, s.slack, s.thinking = nil, false, false
	for _, e := range undone {
		for _, in := range s.carryOut(e) {
			s.step(in)
		}
	}
}

func (s *shell) carryOut(e core.Effect) []core.Input {
	switch e.(type) {
	case core.CreateRepository, core.RemoveRepository, core.UpdateRefs, core.ReadRefs:
		if s.slack {
			s.undone = append(s.undone, e)
			return nil
		}
	case core.AskObjects:
		if s.thinking {
			s.undone = append(s.undone, e)
			return nil
		}
	}
	if s.peers != nil {
		s.peers(e)
	}
	switch e := e.(type) {
	case core.Send:
		s.sent(e)
	case core.SearchEvents:
		return []core.Input{core.EventsFound{Request: e.Request, Found: e.Question.Find()}}
	case core.CreateRepository:
		if !s.broken {
			s.repos[e.Repo] = &bare{refs: map[string]repo.OID{}, head: repo.HeadNew, objects: map[repo.OID]bool{}}
		}
		return []core.Input{core.RepositoryDone{Request: e.Request, OK: !s.broken, Disk: s.onDisk(e.Repo)}}
	case core.RemoveRepository:
		if s.broken {
			fmt.Fprintf(&s.log, "kept %s\n", s.repoName(e.Repo))
			return []core.Input{core.RepositoryDone{Request: e.Request, Disk: s.onDisk(e.Repo)}}
		}
		delete(s.repos, e.Repo)
		fmt.Fprintf(&s.log, "removed %s\n", s.repoName(e.Repo))
		return []core.Input{core.RepositoryDone{Request: e.Request, OK: true}}
	case core.TidyRepository:
		fmt.Fprintf(&s.log, "tidy %s keep %s\n", s.repoName(e.Repo), s.symbolicAll(e.Keep))
		if s.lazy {
			s.untidy = append(s.untidy, e)
			return nil
		}
		return s.tidied(e)
	case core.CancelTidy:
		fmt.Fprintf(&s.log, "end to tidy\n")
		return s.taken(e.Request)
	case core.ReadRefs:
		s.reads++
		disk := s.onDisk(e.Repo)
		return []core.Input{core.RepositoryDone{Request: e.Request, OK: disk != nil, Disk: disk}}
	case core.UpdateRefs:
		if s.broken {
			return []core.Input{core.RepositoryDone{Request: e.Request, Disk: s.onDisk(e.Repo)}}
		}
		r := s.repos[e.Repo]
		r.apply(e.Commands)
		if s.halves {
			return []core.Input{core.RepositoryDone{Request: e.Request, Disk: s.onDisk(e.Repo)}}
		}
		if e.Head != "" {
			r.head = e.Head
		}
		return []core.Input{core.RepositoryDone{Request: e.Request, OK: true}}
	case core.AskObjects:
		s.asked++
		var missing []repo.OID
		for _, oid := range e.OIDs {
			if !s.repos[e.Repo].objects[oid] {
				missing = append(missing, oid)
			}
		}
		return []core.Input{core.ObjectFacts{Request: e.Request, Missing: missing}}
	case core.CopyObjects:
		for _, oid := range e.OIDs {
			if s.stuck || !s.repos[e.From].objects[oid] {
				return []core.Input{core.ObjectFacts{Request: e.Request, Missing: e.OIDs}}
			}
		}
		for _, oid := range e.OIDs {
			s.repos[e.Repo].objects[oid] = true
		}
		return []core.Input{core.ObjectFacts{Request: e.Request}}
	case core.StartFetch, core.CancelFetch:
		s.fetchOrdered(e)
	case core.PushExpected:
		fmt.Fprintf(&s.log, "push %d expected\n", e.Push)
	case core.PushAdmitted:
		if s.slow {
			fmt.Fprintf(&s.log, "push %d admitted\n", e.Push)
			return nil
		}
		return s.runPush(e.Push)
	case core.PushRefused:
		delete(s.running, e.Push)
		fmt.Fprintf(&s.log, "push %d refused: %s (%s)\n", e.Push, s.symbolic(e.Ruling.Reason), e.Ruling.Requirement)
	}
	return nil
}

// onDisk is what a shell finds behind something that failed.
func (s *shell) onDisk(id repo.ID) *core.OnDisk {
	if s.blind {
		return nil
	}
	r := s.repos[id]
	if r == nil {
		return &core.OnDisk{}
	}
	return &core.OnDisk{There: true, Refs: r.list()}
}

// runPush moves refs and brings the objects, as a backend does.
func (s *shell) runPush(id core.PushID) []core.Input {
	offer := s.running[id]
	delete(s.running, id)
	r := s.repos[offer.Repo]
	report := gitstore.Report{Unpack: "ok"}
	for _, c := range offer.Commands {
		report.Results = append(report.Results, gitstore.Result{Ref: c.Ref, OK: true})
		if !c.New.IsZero() {
			r.objects[c.New] = true
		}
	}
	for _, oid := range s.pool {
		r.objects[oid] = true
	}
	r.apply(offer.Commands)
	fmt.Fprintf(&s.log, "push %d done\n", id)
	return []core.Input{core.PushDone{Push: id, Report: report}}
}

func (s *shell) sent(e core.Send) {
	switch m := e.Msg.(type) {
	case relay.OK:
		fmt.Fprintf(&s.log, "ok %s %t %q\n", s.names[m.ID], m.Accepted, s.symbolic(m.Text))
	case relay.EventFor:
		fmt.Fprintf(&s.log, "%s %s\n", m.Sub, s.names[m.Event.ID])
	case relay.Challenge:
		fmt.Fprintf(&s.log, "challenge %s\n", m.Text)
	case relay.Closed, relay.Notice:
		fmt.Fprintf(&s.log, "%T\n", m)
	}
}

var people = []string{"alice", "bob", "carol", "mallory"}

// key and oid make values out of short names.
func key(name string) repo.PubKey {
	sum := sha256.Sum256([]byte("key " + name))
	return repo.PubKey(hex.EncodeToString(sum[:]))
}

func oid(name string) repo.OID {
	if name == "0" {
		return repo.ZeroOID
	}
	sum := sha256.Sum256([]byte("oid " + name))
	return repo.OID(hex.EncodeToString(sum[:20]))
}

// symbolic writes names in place of what a text says of keys and oids.
func (s *shell) symbolic(text string) string {
	for _, name := range people {
		text = strings.ReplaceAll(text, string(key(name)), "<"+name+">")
	}
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		text = strings.ReplaceAll(text, string(oid(name)), "<"+name+">")
		text = strings.ReplaceAll(text, string(oid(name))[:8], "<"+name+">")
	}
	for id, name := range s.names {
		text = strings.ReplaceAll(text, id, "<"+name+">")
	}
	return text
}

func (s *shell) repoName(id repo.ID) string {
	return s.symbolic("<"+nameOf(id.Owner)+">") + "/" + id.Identifier
}

func nameOf(k repo.PubKey) string {
	for _, name := range people {
		if key(name) == k {
			return name
		}
	}
	return "somebody"
}

func (s *shell) showMarks() {
	for _, name := range sorted(s.marks) {
		m := s.marks[name]
		fmt.Fprintf(&s.log, "%d %s %s", m.Kind, s.names[m.Event], s.repoName(m.Repo))
		if m.Until != 0 {
			fmt.Fprintf(&s.log, " until %s", m.Until.Sub(s.now))
		}
		fmt.Fprintln(&s.log)
	}
}
