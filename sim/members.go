package sim

import (
	"slices"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/internal/identity"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim/trace"
)

// A private server of a world lets its members in and nobody else (GRASP-08): people show who they are when they connect, with each
// request for git there is a token, and both are wrong at times. Private servers are members of each other.

// members are those of the private servers, at present.
func (w *World) members() policy.Members {
	var list policy.Members
	over := w.engine.Now() >= w.dismissal()
	for _, name := range w.scenario.Rules.Members {
		if key, _ := w.meant(name); !over || !slices.Contains(w.scenario.Rules.Dismissed, name) {
			list = append(list, key)
		}
	}
	for _, name := range w.scenario.Rules.Private {
		list = append(list, repo.PubKey(w.identityOf(name).PubKey))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// dismissal is when some members are none any more.
func (w *World) dismissal() instant.Instant { return Start.Add(w.scenario.Duration / 2) }

func (w *World) identityOf(server string) identity.Identity {
	return w.keys("service of " + server)
}

// private reports whether a server is for its members alone.
func (s *server) private() bool { return scenarios.At(s.world.scenario.Rules.Private, s.index+1) }

// signs authenticates a private server to another one.
func (s *server) signs(now instant.Instant, to core.AnswerPeer) *nostr.Event {
	ev := &nostr.Event{
		Kind: 22242, CreatedAt: nostr.Timestamp(time.Duration(now) / time.Second), Tags: nostr.Tags{{"relay", to.URL}, {"challenge", to.Challenge}},
	}
	s.world.identityOf(s.Name).Stamp(ev)
	return ev
}

// enrolls tells the judges who the members are in the life that begins.
func (s *server) enrolls() {
	if s.private() && s.monitor != nil {
		s.monitor.Members(s.world.members())
		s.naive.Members(s.world.members())
	}
}

// dismissing is the task in which the operator takes members off the list of a server, which reads it anew if it is there.
type dismissing server

// Run implements Task.
func (d *dismissing) Run(now instant.Instant) {
	if s := (*server)(d); s.goesOn(s.Life()) {
		s.Step(now, core.MembersRead{Members: s.world.members()})
	}
}

// dismisses schedules that for all private servers.
func (w *World) dismisses() {
	if w.scenario.Rules.Dismissed == nil {
		return
	}
	for _, s := range w.servers {
		if s.private() {
			w.engine.At(w.dismissal(), s.key.WithText("dismissal").Uint64(), (*dismissing)(s))
		}
	}
}

// tokenMistakes are what somebody does wrong with the token of a request; mostly nothing.
var tokenMistakes = []func(ev *nostr.Event){
	func(ev *nostr.Event) { ev.CreatedAt -= 61 },
	func(ev *nostr.Event) { ev.CreatedAt += 61 },
	func(ev *nostr.Event) { ev.Kind = 22242 },
	func(ev *nostr.Event) { ev.Tags[1][1] = "POST" },
	func(ev *nostr.Event) { ev.Tags = ev.Tags[:1] },
	func(ev *nostr.Event) { ev.Tags = ev.Tags[1:] },
	func(ev *nostr.Event) { ev.Tags[0][1] += "?service=git-upload-pack" },
	func(ev *nostr.Event) { ev.Tags[0][1] = "http://elsewhere.example/" + ev.Tags[0][1] },
	func(ev *nostr.Event) { ev.Tags = append(ev.Tags, nostr.Tag{"u", "http://elsewhere.example"}) },
	func(ev *nostr.Event) { ev.Tags[0][1] = ev.Tags[0][1][:len(ev.Tags[0][1])-len(".git")] + "2.git" },
}

// admitted has a private server judge the token that somebody sends with a request for git. Everybody is admitted elsewhere.
func (a *actor) admitted(now instant.Instant, s *server, id repo.ID) bool {
	if !s.private() {
		return true
	}
	a.tokens++
	key := a.key.WithText("token").WithText(s.Name).With(uint64(a.tokens))
	ev := token(now, s, id)
	if i := int(key.Below(int64(3 * len(tokenMistakes)))); i < len(tokenMistakes) {
		tokenMistakes[i](ev)
	}
	a.project.Sign(a.role, ev)
	if s.admits(now, ev, key.WithText("genuine").Below(12) > 0, id) {
		return true
	}
	a.world.record(trace.Record{At: now, Host: a.name, Fact: "token_refused", Owner: string(id.Owner), Identifier: id.Identifier, Detail: s.Name})
	return false
}

// token is the event that goes with a request (G08-05).
func token(now instant.Instant, s *server, id repo.ID) *nostr.Event {
	return &nostr.Event{
		Kind: 27235, CreatedAt: nostr.Timestamp(time.Duration(now) / time.Second),
		Tags: nostr.Tags{{"u", s.service.CloneURL(id, "http")}, {"method", "GET"}},
	}
}

// admits has the server judge a token, and the monitor the server.
func (s *server) admits(now instant.Instant, ev *nostr.Event, genuine bool, id repo.ID) bool {
	r := s.Server().Admits(now, core.Token{Event: ev, Genuine: genuine, Repo: id})
	if s.monitor != nil {
		s.monitor.Admitted(now, ev, genuine, id, r.Accepted())
		(*judge)(s).Stepped(now, nil, nil)
	}
	return r.Accepted()
}

// admitsServer has it judge the token of another server, which has one if that is private, too.
func (s *server) admitsServer(now instant.Instant, from *server, id repo.ID) bool {
	if !s.private() {
		return true
	}
	ev := token(now, s, id)
	if from.private() {
		s.world.identityOf(from.Name).Stamp(ev)
	} else {
		from.world.identityOf("nobody").Stamp(ev)
	}
	return s.admits(now, ev, true, id)
}

// sayingWho is a client that waits for the answer to its proof.
type sayingWho struct {
	server    *server
	challenge string
}

// shown goes on after an answer to a proof: who was let in asks again, and who made a mistake tries once more.
func (a *actor) shown(now instant.Instant, msg relay.OK) {
	w, waits := a.who[msg.ID]
	if !waits {
		return
	}
	delete(a.who, msg.ID)
	switch {
	case !w.server.open:
	case msg.Accepted:
		a.ask(now, w.server)
	default:
		key := a.key.WithText("prove again").WithText(msg.ID)
		a.world.engine.At(now.Add(proveAgain), key.Uint64(), &proving{a, w})
	}
}

// proving is the task in which a client shows once more who it is.
type proving struct {
	actor *actor
	sayingWho
}

// Run implements Task.
func (p *proving) Run(now instant.Instant) { p.actor.prove(now, p.server, p.challenge) }
