package legal

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
	"github.com/graspkit/graspkit/sim/simtarget"
)

// A Server is one legal server.
type Server struct {
	Name string // in lower-case words joined by hyphens
	What string // what it does otherwise than the reference, in one sentence
	// Owes are the rows that it does not keep, by id, with the reason: a SHOULD that it leaves out, or a bound that it
	// is slower than. A judge is right to say so, of these rows alone.
	Owes map[string]string
	// Near are the ids, or beginnings of ids, of the rows that its way has most to do with.
	Near []string
	// Mortal servers can be stopped and started by their judge.
	Mortal bool
	// Members are the secret keys, in hexadecimal, of those whom the server lets write, if it lets in only whom it knows.
	Members []string
	// Rows are the rows that it is judged by, those whose ids begin so, if not by a share of all: see Kin.
	Rows string
	// Unsaid are rows of which a judge cannot say anything because of its ways.
	Unsaid []string
	// Model is the model of maintainers that the tester states for it; empty means legacy.
	Model string

	base   string        // of the service URL, below the host
	at     string        // service URL, where it is another one
	ahead  time.Duration // of its clock before that of its judge
	config func(*core.Config)
	web    func(*web.Config)
	filter func() defect.Filter
	core   func(core.Machine) core.Machine // goes before filter
	habits func() []habit                  // made anew for each server
}

// All returns all legal servers, sorted by name.
func All() []Server {
	all := slices.Concat(
		held(), late(), paced(), guarded(), spelled(), queried(), besideOthers(), fronted(), answered(), dated(), dressed(), gitwise(), sharing(), worded(), uncommon(), absent(), returned(), measured(), busied(), narrow(), deferred(), packed(),
		queued(), passing(), choosy(), rerouted(), unsteady(), otherwise(),
		scant(), weary(), literal(), usual(), particular(), lettered(),
	)
	slices.SortFunc(all, func(a, b Server) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// Kin returns servers that do, or leave, in their own ways what the documents beside GRASP-01 ask for, sorted by name.
func Kin() []Server {
	all := slices.Concat(contributing(), membered())
	slices.SortFunc(all, func(a, b Server) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// Open starts the server with nothing in it, in the time of a clock.
func (s Server) Open(clk clock.Clock) target.Target {
	at := serviceURL + s.base
	if s.at != "" {
		at = s.at
	}
	service, err := repo.ParseService(at)
	if err != nil {
		panic("legal: invariant: own service: " + err.Error())
	}
	opts := simtarget.Options{
		Seed: 1,
		Config: func(c *core.Config) {
			c.Service, c.Hunt.On, c.Sync.On = service, false, false
			if s.config != nil {
				s.config(c)
			}
		},
		Web: func(c *web.Config) {
			c.Secure = strings.HasPrefix(at, "https:")
			c.Service, c.Name, c.Description = service, "a legal server", "A GRASP server of another make."
			if s.web != nil {
				s.web(c)
			}
		},
	}
	switch {
	case s.core != nil:
		opts.Wrap = s.core
	case s.filter != nil:
		opts.Wrap = defect.Defect{Filter: s.filter}.Machine
	}
	var habits []habit
	if s.habits != nil {
		habits = append(habits, s.habits()...)
	}
	f := newFront(s.Name, at, simtarget.New(opts), clk, habits)
	f.ahead, f.epoch = s.ahead, f.epoch.Add(-s.ahead)
	if s.Mortal {
		return mortal{f}
	}
	return f
}

// mortal is a server that its judge may stop, start and end.
type mortal struct{ *front }

var (
	_ target.Restarter = mortal{}
	_ target.Killer    = mortal{}
)

// Restart implements target.Restarter.
func (m mortal) Restart(ctx context.Context) error {
	for _, h := range m.habits {
		if h.stops > 0 {
			if err := m.Sleep(ctx, h.stops); err != nil {
				return err
			}
		}
	}
	return m.revive(ctx, m.inside.Restart)
}

// Kill implements target.Killer.
func (m mortal) Kill(ctx context.Context) error { return m.revive(ctx, m.inside.Kill) }

func (m mortal) revive(ctx context.Context, again func(context.Context) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.catchUp(ctx); err != nil {
		return err
	}
	err := again(ctx)
	m.pump(ctx)
	for _, h := range m.habits {
		if h.started != nil {
			h.started()
		}
	}
	return err
}
