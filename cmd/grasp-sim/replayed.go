package main

import (
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/internal/cli"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/invariant"
	"github.com/graspkit/graspkit/sim/snapshot"
	"github.com/graspkit/graspkit/sim/trace"
)

// replayed sees a run up to a record, and keeps the last step of each server.
type replayed struct {
	until   uint64 // number of the record; zero is the end
	names   *trace.Names
	record  trace.Record // the last
	servers map[string]*replayedServer
}

// A replayedServer is a server between two steps. Its state is that behind the last one.
type replayedServer struct {
	core.Machine

	server  *core.Server // nil if it is none of ours
	life    int          // from 1
	down    bool         // since it crashed
	steps   int          // of this life
	at      instant.Instant
	in      core.Input
	effects []core.Effect
}

// Step implements core.Machine.
func (s *replayedServer) Step(now instant.Instant, in core.Input, out *core.Effects) {
	from := len(out.List)
	s.steps++
	s.at, s.in, s.effects = now, in, nil
	s.Machine.Step(now, in, out)
	s.effects = slices.Clone(out.List[from:])
}

func newReplayed(until uint64) *replayed {
	return &replayed{until: until, names: trace.NewNames(), servers: map[string]*replayedServer{}}
}

// options are those of a run that is seen, with what its runner wants besides.
func (p *replayed) options(plain func() sim.Options) func() sim.Options {
	return func() sim.Options {
		var opts sim.Options
		if plain != nil {
			opts = plain()
		}
		wrap := opts.Wrap
		opts.Wrap = func(n int, m core.Machine) core.Machine {
			server, _ := m.(*core.Server)
			if wrap != nil {
				m = wrap(n, m)
			}
			life, name := 1, fmt.Sprintf("server%d", n+1)
			if before := p.servers[name]; before != nil {
				life = before.life + 1
			}
			p.servers[name] = &replayedServer{Machine: m, server: server, life: life}
			return p.servers[name]
		}
		return opts
	}
}

// see implements watcher.
func (p *replayed) see(r trace.Record) {
	p.record = r
	if s := p.servers[r.Host]; s != nil && r.EndsLife() {
		s.down = true
	}
	if r.Seq == p.until {
		panic(stopped{})
	}
}

func (p *replayed) name(id, name string) { p.names.Give(id, name) }

// chosen is the server that is looked at.
func (p *replayed) chosen(server string, violations []invariant.Violation) (string, error) {
	name := server
	if name == "" && len(violations) > 0 {
		name = firstOf(violations).Server
	}
	if name == "" {
		name = "server1"
		if p.servers[p.record.Host] != nil {
			name = p.record.Host
		}
	}
	if p.servers[name] == nil {
		usage := cli.Usagef("there is no server %q", name)
		usage.Hint = "name one of " + strings.Join(slices.Sorted(maps.Keys(p.servers)), ", ")
		return "", usage
	}
	return name, nil
}

// tell writes the last step of a server.
func (p *replayed) tell(w io.Writer, name string) {
	s := p.servers[name]
	fmt.Fprintf(w, "step %d of %s in its life %d, at %s:\n", s.steps, name, s.life, s.at.Sub(sim.Start))
	fmt.Fprintf(w, "  given %s\n", named(p.names, snapshot.Brief(s.in)))
	for _, e := range s.effects {
		fmt.Fprintf(w, "  does  %s\n", named(p.names, effectWords(e)))
	}
	if len(s.effects) == 0 {
		fmt.Fprintln(w, "  does  nothing")
	}
	if s.down {
		fmt.Fprintf(w, "%s is down\n", name)
	}
}

// opWords are the operations of the journal.
var opWords = map[core.Op]string{
	core.OpStore: "store", core.OpUnstore: "unstore", core.OpHold: "hold", core.OpDrop: "drop", core.OpMark: "mark", core.OpUnmark: "unmark",
}

// effectWords tells an effect, with a word for the operation of a record.
func effectWords(e core.Effect) string {
	text := snapshot.Brief(e)
	if r, is := e.(core.Record); is {
		text = strings.Replace(text, fmt.Sprintf("Op: %d", r.Op), "Op: "+opWords[r.Op], 1)
	}
	return text
}

// partName begins a line of a state that is a part of it.
var partName = regexp.MustCompile(`^(\w+): `)

// tellState writes the state of a server, or some parts of it.
func (p *replayed) tellState(w io.Writer, name string, parts []string) error {
	s := p.servers[name]
	if s.server == nil {
		return fmt.Errorf("state of %s: it is no server of this program", name)
	}
	var known []string
	wanted := map[string]string{}
	part := ""
	for line := range strings.Lines(named(p.names, snapshot.Text(s.server))) {
		if found := partName.FindStringSubmatch(line); found != nil {
			part = found[1]
			known = append(known, part)
		}
		wanted[part] += line
	}
	for _, part := range parts {
		if !slices.Contains(known, part) {
			usage := cli.Usagef("a state has no part %q", part)
			usage.Hint = "name some of " + strings.Join(known, ", ")
			return usage
		}
	}
	if len(parts) == 0 {
		parts = known
	}
	fmt.Fprintf(w, "state of %s behind it:\n", name)
	for _, part := range parts {
		fmt.Fprint(w, strings.TrimRight(wanted[part], "\n")+"\n")
	}
	return nil
}
