package core_test

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// TestTranscripts replays testdata: each file is one server's life, each command one input with all that follows from
// it. The live subscription of a second client prints as "live <event>".
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt") // what other tests leave beside them is none
	if err != nil || len(files) == 0 {
		t.Fatalf("got %d transcripts, error %v", len(files), err)
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			s := newShell(t)
			datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
				s.t = t
				s.log.Reset()
				s.command(d)
				return s.log.String()
			})
		})
	}
}

func (s *shell) command(d *datadriven.TestData) {
	switch d.Cmd {
	case "announce", "state", "event":
		ev := s.build(d)
		if d.HasArg("draft") {
			return // it has a name, and nobody has seen it
		}
		s.step(core.Message{Conn: 1, Msg: relay.Event{Event: ev, IDOK: !d.HasArg("badid")}, SigOK: !d.HasArg("badsig")})
	case "push":
		s.push(d)
	case "finish":
		var id int
		d.ScanArgs(s.t, "push", &id)
		for _, in := range s.runPush(core.PushID(id)) {
			s.step(in)
		}
	case "pass":
		wait, err := time.ParseDuration(d.CmdArgs[0].Key)
		if err != nil {
			s.t.Fatal(err)
		}
		s.now = s.now.Add(wait)
		if at, ok := s.server.Deadline(); ok && at <= s.now {
			s.step(core.TimerFired{})
		}
	case "expect":
		s.expect(d)
	case "came":
		s.came(d)
	case "set":
		s.broken, s.slow, s.halves, s.blind = d.HasArg("broken"), d.HasArg("slow"), d.HasArg("halves"), d.HasArg("blind")
		s.lazy = d.HasArg("lazy")
	case "restart":
		s.boot()
	case "contributions":
		s.contributions(d)
	case "archive":
		s.archive(d)
	case "limit":
		var packs int
		d.ScanArgs(s.t, "tidy-packs", &packs)
		s.limit = func(c *core.Config) { c.TidyPacks = packs }
		s.prunes = true
		s.boot()
	case "tidied":
		if len(s.untidy) == 0 {
			d.Fatalf(s.t, "nothing is being tidied")
		}
		s.lazy = false
		for _, in := range s.taken(s.untidy[0].Request) {
			s.step(in)
		}
	case "objects":
		s.showObjects()
	case "query":
		s.step(core.Message{Conn: 1, Msg: relay.Req{Sub: "query", Filters: []relay.Filter{{}}}})
	case "marks":
		s.showMarks()
	case "refs":
		s.showRefs(d)
	case "hunt", "fetched", "wait", "synced":
		s.huntCommand(d)
	default:
		d.Fatalf(s.t, "unknown command %s", d.Cmd)
	}
}

// build makes an event: "announce alice demo name=A1 at=10 [maintainers=(bob)] [elsewhere]",
// "state alice demo name=S1 at=20 refs=(heads/main=a,tags/v1=b) [head=main]", "event bob kind=1 name=N at=5 tags=(e=<S1>)".
func (s *shell) build(d *datadriven.TestData) *nostr.Event {
	author := key(d.CmdArgs[0].Key)
	name := d.Cmd
	if d.HasArg("name") {
		d.ScanArgs(s.t, "name", &name)
	}
	at := 0
	if d.HasArg("at") {
		d.ScanArgs(s.t, "at", &at)
	}
	ev := &nostr.Event{PubKey: string(author), CreatedAt: nostr.Timestamp(start.Unix() + int64(at)), Content: name}
	switch d.Cmd {
	case "announce":
		ev.Kind = 30617
		identifier := d.CmdArgs[1].Key
		clone := "https://grasp.test" + (repo.ID{Owner: author, Identifier: identifier}).Path()
		host := "wss://grasp.test"
		if d.HasArg("elsewhere") {
			clone, host = strings.Replace(clone, "grasp", "other", 1), "wss://other.test"
		}
		ev.Tags = nostr.Tags{{"d", identifier}, append(nostr.Tag{"clone", clone}, s.values(d, "clone")...), {"relays", host}}
		maintainers := nostr.Tag{"maintainers"}
		for _, m := range s.values(d, "maintainers") {
			maintainers = append(maintainers, string(key(m)))
		}
		ev.Tags = append(ev.Tags, maintainers)
	case "state":
		ev.Kind = 30618
		ev.Tags = nostr.Tags{{"d", d.CmdArgs[1].Key}}
		for _, ref := range s.values(d, "refs") {
			name, value, _ := strings.Cut(ref, "=")
			ev.Tags = append(ev.Tags, nostr.Tag{"refs/" + name, string(oid(value))})
		}
		if d.HasArg("head") {
			var head string
			d.ScanArgs(s.t, "head", &head)
			ev.Tags = append(ev.Tags, nostr.Tag{"HEAD", "ref: refs/heads/" + head})
		}
	case "event":
		d.ScanArgs(s.t, "kind", &ev.Kind)
		for _, tag := range s.values(d, "tags") {
			name, value, _ := strings.Cut(tag, "=")
			value = s.resolve(value)
			if name == "c" {
				value = string(oid(value))
			}
			ev.Tags = append(ev.Tags, nostr.Tag{name, value})
		}
	}
	ev.ID = ev.GetID()
	s.names[ev.ID] = name
	return ev
}

// resolve writes ids and keys in place of names in angle brackets.
func (s *shell) resolve(text string) string {
	for id, known := range s.names {
		text = strings.ReplaceAll(text, "<"+known+">", id)
	}
	for _, who := range people {
		text = strings.ReplaceAll(text, "<"+who+">", string(key(who)))
		text = strings.ReplaceAll(text, "<npub:"+who+">", key(who).Npub())
	}
	return text
}

func (s *shell) values(d *datadriven.TestData, arg string) []string {
	for _, a := range d.CmdArgs {
		if a.Key == arg {
			return a.Vals
		}
	}
	return nil
}

// push offers commands: "push alice demo refs=(heads/main=0:a,nostr/<P1>=0:b)".
func (s *shell) push(d *datadriven.TestData) {
	offer := s.offer(d)
	s.running[offer.Push] = offer
	s.step(offer)
}

func (s *shell) offer(d *datadriven.TestData) core.PushOffered {
	s.pushes++
	offer := core.PushOffered{Push: s.pushes, Repo: s.id(d)}
	for _, command := range s.values(d, "refs") {
		ref, oids, _ := strings.Cut(command, "=")
		old, to, _ := strings.Cut(oids, ":")
		offer.Commands = append(offer.Commands, gitproto.Command{Ref: "refs/" + s.resolve(ref), Old: oid(old), New: oid(to)})
	}
	offer.Shape.Certificate = d.HasArg("certificate")
	return offer
}

// expect asks whether the pack of a push may come: "expect alice demo refs=(heads/main=0:a)"; it comes, or not, by "came 1"
// and "came 1 not".
func (s *shell) expect(d *datadriven.TestData) {
	offer := s.offer(d)
	s.running[offer.Push] = offer
	s.step(core.PushAsked(offer))
}

func (s *shell) came(d *datadriven.TestData) {
	n, err := strconv.ParseUint(d.CmdArgs[0].Key, 10, 64)
	if err != nil {
		s.t.Fatalf("want the number of a push: %v", err)
	}
	if d.HasArg("not") {
		delete(s.running, core.PushID(n))
		s.step(core.PushForgone{Push: core.PushID(n)})
		return
	}
	s.step(s.running[core.PushID(n)])
}

func (s *shell) id(d *datadriven.TestData) repo.ID {
	return repo.ID{Owner: key(d.CmdArgs[0].Key), Identifier: d.CmdArgs[1].Key}
}

func (s *shell) showRefs(d *datadriven.TestData) {
	id := s.id(d)
	view := s.server.Repository(id)
	fmt.Fprintf(&s.log, "exists %s served %s\n", strconv.FormatBool(view.Exists), strconv.FormatBool(view.Served))
	r := s.repos[id]
	if r == nil {
		return
	}
	fmt.Fprintf(&s.log, "HEAD -> %s\n", r.head)
	for _, ref := range r.list().Refs {
		fmt.Fprintf(&s.log, "%s %s\n", s.symbolic(string(ref.OID[:8])), s.symbolic(ref.Name))
	}
}
