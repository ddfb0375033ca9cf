package legal

import (
	"time"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/web"
	"github.com/graspkit/graspkit/sim/simtarget"
)

// A Sync is a server that breaks no rule and gets events from other relays in its own way, or not at all. Its time is that of
// a simulated world, in which relays can be had.
type Sync struct {
	Name string // in lower-case words joined by hyphens
	What string // what it does otherwise than the reference, in one sentence
	// Owes are the rows that it does not keep, as those of a Server.
	Owes map[string]string

	config func(*core.Config)
	web    func(*web.Config)
	filter func() defect.Filter
}

// Syncs returns all such servers, sorted by name.
func Syncs() []Sync {
	return []Sync{
		{
			Name: "sync-by-pages", What: "asks for pages, and never reconciles",
			config: func(c *core.Config) { c.Sync.NoNegentropy = true },
		},
		{
			Name: "sync-by-polling", What: "asks each half hour for everything, and hears of nothing in between", filter: withoutLive,
			config: func(c *core.Config) { c.Sync.DailyMin, c.Sync.DailyMax = 30*time.Minute, 31*time.Minute },
		},
		{
			Name: "sync-in-haste", What: "waits for nobody for more than a few seconds, and comes back soon",
			config: func(c *core.Config) {
				c.Sync.Answer, c.Sync.Window, c.Sync.Probe = 4*time.Second, 200*time.Millisecond, 20*time.Second
				c.Sync.BackoffBase, c.Sync.BackoffMax, c.Sync.RetryBase = time.Second, 10*time.Minute, 10*time.Second
			},
		},
		{
			Name: "sync-in-small-steps", What: "asks for a few events at a time, and for one thing after the other",
			config: func(c *core.Config) {
				c.Sync.PageLimit, c.Sync.ByIDMax, c.Sync.ValuesMax, c.Sync.WalksMax, c.Sync.LiveMax = 40, 10, 3, 1, 12
			},
		},
		{
			Name: "sync-slowly", What: "gathers for ten minutes, and comes back after many",
			config: func(c *core.Config) {
				c.Sync.Window, c.Sync.Answer, c.Sync.BackoffBase, c.Sync.RetryBase = 10*time.Minute, 2*time.Minute, 5*time.Minute, 5*time.Minute
				c.Sync.BackoffMax, c.Sync.RetryMax, c.Sync.Probe = 30*time.Minute, 30*time.Minute, 15*time.Minute
			},
		},
		{
			Name: "sync-unlisted", What: "gets nothing from elsewhere, and says so",
			config: func(c *core.Config) { c.Sync.On, c.Hunt.On = false, false },
		},
	}
}

// withoutLive asks for no event that is still to come.
func withoutLive() defect.Filter {
	return defect.Filter{Out: func(_ core.Input, effects []core.Effect) []core.Effect {
		var all []core.Effect
		for _, e := range effects {
			send, _ := e.(core.SendPeer)
			if r, is := send.Msg.(relay.Req); is && r.Filters[0].Limit != nil && *r.Filters[0].Limit == 0 {
				continue
			}
			all = append(all, e)
		}
		return all
	}}
}

// Open starts the server with nothing in it.
func (s Sync) Open() target.Target {
	opts := simtarget.Options{Seed: 1, Config: s.config, Web: s.web}
	if s.filter != nil {
		opts.Wrap = defect.Defect{Filter: s.filter}.Machine
	}
	return simtarget.New(opts)
}
