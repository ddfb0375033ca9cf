package explore

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// tell makes the history of a failure again and writes it, move by move.
func tell(p *plot, f *Failure) []string {
	var lines []string
	w := newWorld(p)
	number := 0
	line := func(m Move) {
		number++
		lines = append(lines, fmt.Sprintf("%2d. %s", number, p.move(w, m)))
	}
	w.seen = func(in core.Input, effects []core.Effect) {
		if _, first := in.(core.Started); first {
			lines = append(lines, "      the server starts")
		}
		for _, e := range effects {
			if text := p.effect(e); text != "" {
				lines = append(lines, "      "+text)
			}
		}
	}
	for _, m := range f.Moves {
		line(m)
		w.apply(m)
	}
	if f.Repeats {
		lines = append(lines, "    everybody does everything again until nothing changes")
		w.seen = nil
	}
	return lines
}

// named puts names for what a text speaks of.
func (s *Script) named(text string) string {
	var pairs []string
	for _, long := range slices.Sorted(maps.Keys(s.names)) {
		pairs = append(pairs, long, s.names[long])
		if len(long) == 40 {
			pairs = append(pairs, long[:8], s.names[long])
		}
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// move says what a move is, before it is made.
func (p *plot) move(w *world, m Move) string {
	s := p.script
	about := func(p push) string {
		return fmt.Sprintf("the push of %s to the repository of %s", s.actorName(p.actor), s.name(string(w.repoOf(p).Owner)))
	}
	switch m.Kind {
	case MoveCommit:
		return "what was recorded is durable, and what waited for it leaves"
	case MoveTorn:
		return "what was recorded is durable, and the server crashes before anything else"
	case MoveCrash:
		return "the server crashes"
	case MoveStart:
		return "the server has ended and starts again"
	case MoveExecute:
		return "git does it: " + p.effect(w.orders[m.Index].effect)
	case MoveAnswer:
		return "git answers: " + p.answer(w.orders[m.Index])
	case MovePack:
		return "the pack of " + about(w.pushes[m.Index]) + " is here"
	case MoveHear:
		return "what the relay has said arrives: " + p.heard(w.peer.said[0].input)
	case MoveNoPack:
		return "the pack of " + about(w.pushes[m.Index]) + " will not come"
	case MoveUnpack:
		return about(w.pushes[m.Index]) + " moves refs: " + p.commands(w.pushes[m.Index].commands)
	case MoveBroken:
		return "the pack of " + about(w.pushes[m.Index]) + " cannot be unpacked"
	case MoveReport:
		return "server and client hear of the end of " + about(w.pushes[m.Index])
	case MoveDeed:
		return s.actorName(m.Index) + " " + p.deed(w.deed(m.Index, w.next(m.Index)))
	}
	return "nothing"
}

func (s *Script) actorName(i int) string {
	if i < 0 {
		return "somebody"
	}
	return s.actors[i].name
}

func (p *plot) deed(d Deed) string {
	s := p.script
	switch d.kind {
	case deedPublish:
		return "sends " + s.name(d.event.ID)
	case deedPush:
		var refs []string
		for _, ref := range d.refs {
			refs = append(refs, s.refName(ref.Name)+" to "+s.object0(ref.OID))
		}
		return fmt.Sprintf("pushes %s in the repository of %s", strings.Join(refs, " and "), s.name(string(d.repo.Owner)))
	case deedOffer:
		return "has the relay get " + s.name(d.event.ID)
	case deedCut:
		return "has the connection to the relay end"
	case deedTick:
		return "has time go on to the next deadline"
	case deedPass:
		return fmt.Sprintf("has %s pass", d.pass)
	case deedRestart:
		return "has the server end in order"
	case deedOutage:
		return "has the server crash and stay down until its next deadline has come"
	}
	return "does nothing"
}

func (s *Script) object0(oid repo.OID) string {
	if oid.IsZero() {
		return "nothing"
	}
	return s.name(string(oid))
}

func (p *plot) commands(list []gitproto.Command) string {
	var parts []string
	for _, c := range list {
		parts = append(parts, fmt.Sprintf("%s from %s to %s", p.script.refName(c.Ref), p.script.object0(c.Old), p.script.object0(c.New)))
	}
	if len(parts) == 0 {
		return "no ref"
	}
	return strings.Join(parts, ", ")
}

func (p *plot) oids(list []repo.OID) string {
	var parts []string
	for _, oid := range list {
		parts = append(parts, p.script.name(string(oid)))
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}

// effect says what an effect is; "" for one that is not told.
func (p *plot) effect(effect core.Effect) string {
	s := p.script
	of := func(id repo.ID) string { return "the repository of " + s.name(string(id.Owner)) }
	switch e := effect.(type) {
	case core.Record:
		return "record: " + p.record(e)
	case core.Send:
		if ok, is := e.Msg.(relay.OK); is {
			return fmt.Sprintf("answer: OK %t %s to %s%s", ok.Accepted, s.name(ok.ID), s.actorName(int(e.Conn)-2), reason(ok))
		}
		return fmt.Sprintf("message: %T", e.Msg)
	case core.PushExpected:
		return "push: its pack may come"
	case core.PushAdmitted:
		return "push: admitted"
	case core.PushRefused:
		return "push: refused, " + s.named(e.Ruling.Reason)
	case core.AskObjects:
		return "order: which of " + p.oids(e.OIDs) + " does " + of(e.Repo) + " lack?"
	case core.CopyObjects:
		return "order: copy " + p.oids(e.OIDs) + " from " + of(e.From) + " to " + of(e.Repo)
	case core.CreateRepository:
		return "order: make " + of(e.Repo)
	case core.RemoveRepository:
		return "order: remove " + of(e.Repo)
	case core.ReadRefs:
		return "order: read the refs of " + of(e.Repo)
	case core.UpdateRefs:
		text := "order: in " + of(e.Repo) + " move " + p.commands(e.Commands)
		if e.Head != "" {
			text += ", HEAD to " + s.refName(e.Head)
		}
		return text
	case core.TidyRepository:
		return "order: tidy " + of(e.Repo) + " and keep " + p.oids(e.Keep)
	case core.CancelTidy:
		return "order: end tidying"
	case core.DialPeer:
		return "relay: connect to " + e.URL
	case core.HangUp:
		return "relay: end the connection"
	case core.SendPeer:
		return "relay: " + s.named(string(relay.EncodeClient(e.Msg)))
	}
	return ""
}

func reason(ok relay.OK) string {
	if ok.Text == "" {
		return ""
	}
	return ", " + ok.Text
}

func (p *plot) record(r core.Record) string {
	name := p.script.name(r.ID)
	switch r.Op {
	case core.OpStore:
		return name + " is stored"
	case core.OpUnstore:
		return name + " is stored no more"
	case core.OpHold:
		soft := ""
		if r.Soft {
			soft = ", in its second phase"
		}
		return fmt.Sprintf("%s is held for %s%s", name, r.Deadline.Sub(r.Arrived), soft)
	case core.OpDrop:
		return name + " is held no more"
	case core.OpMark, core.OpUnmark:
		verb := "set"
		if r.Op == core.OpUnmark {
			verb = "taken back"
		}
		about := p.script.name(r.Mark.Event)
		if r.Mark.Repo.Owner != "" {
			about += " in the repository of " + p.script.name(string(r.Mark.Repo.Owner))
		}
		return fmt.Sprintf("mark %d %s: %s", r.Mark.Kind, verb, about)
	}
	return "nothing"
}

// heard says what arrives of the relay.
func (p *plot) heard(in core.Input) string {
	switch in := in.(type) {
	case core.PeerOpened:
		return "the connection is there"
	case core.PeerClosed:
		return "the connection is gone"
	case core.PeerSaid:
		if said, is := in.Msg.(relay.EventFor); is {
			return p.script.name(said.Event.ID) + " for " + said.Sub
		}
		return fmt.Sprintf("%T", in.Msg)
	}
	return "nothing"
}

func (p *plot) answer(o order) string {
	what := p.effect(o.effect)
	switch a := o.answer.(type) {
	case core.ObjectFacts:
		return what + " - missing: " + p.oids(a.Missing)
	case core.RepositoryDone:
		if !a.OK {
			return what + " - it failed"
		}
	}
	return what + " - done"
}
