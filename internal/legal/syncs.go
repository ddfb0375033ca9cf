package legal

import (
	"slices"
	"time"

	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
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
	// Rows are the rows that it is judged by: those whose ids begin so.
	Rows string
	// Keys are the secret keys, in hexadecimal, that its judge has.
	Keys []string
	// Unsaid are rows of which a judge cannot say anything because of its ways.
	Unsaid []string
	// Unlisted servers do not do what the rows are about, and say so.
	Unlisted bool

	config func(*core.Config)
	web    func(*web.Config)
	filter func() defect.Filter
	answer func(web.Request, web.Route) web.Route
	scope  []string // of an archive
}

// Syncs returns all such servers that are judged by GRASP-02, sorted by name.
func Syncs() []Sync {
	all := []Sync{
		{
			Name: "sync-by-pages", What: "asks for pages, and never reconciles",
			config: func(c *core.Config) { c.Sync.NoNegentropy = true },
		},
		{
			Name: "sync-by-polling", What: "asks each half hour for everything, and hears of nothing in between", filter: withoutLive,
			config: func(c *core.Config) { c.Sync.DailyMin, c.Sync.DailyMax = 30*time.Minute, 31*time.Minute },
		},
		{
			Name: "sync-by-twos", What: "asks for two things in each filter",
			config: func(c *core.Config) { c.Sync.ValuesMax, c.Sync.LiveMax = 2, 400 },
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
		{Name: "sync-twice", What: "asks for everything that was twice", filter: twice},
		{
			Name: "sync-unlisted", What: "gets nothing from elsewhere, and says so",
			config: func(c *core.Config) { c.Sync.On, c.Hunt.On = false, false },
		},
		{Name: "sync-widely", What: "asks for all events on repositories there are, too", filter: widely},
		{Name: "sync-without-closing", What: "leaves subscriptions open that have been answered", filter: withoutClosing},
	}
	for i := range all {
		all[i].Rows = "G02-"
	}
	return all
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

// widely asks for repositories and what is about any of them in each subscription.
func widely() defect.Filter {
	return asking(func(r relay.Req) []relay.ClientMessage {
		r.Filters = append(slices.Clone(r.Filters), relay.Filter{
			Kinds: []int{policy.KindAnnouncement, policy.KindState, 1617, policy.KindPullRequest, 1621, 1111}, Limit: r.Filters[0].Limit,
		})
		return []relay.ClientMessage{r}
	})
}

// twice makes each request for the past once more.
func twice() defect.Filter {
	return asking(func(r relay.Req) []relay.ClientMessage {
		again := r
		again.Sub += "-again"
		if r.Filters[0].Limit != nil && *r.Filters[0].Limit == 0 {
			return []relay.ClientMessage{r}
		}
		return []relay.ClientMessage{r, again, relay.Close{Sub: again.Sub}}
	})
}

// asking changes what other relays are asked.
func asking(change func(r relay.Req) []relay.ClientMessage) defect.Filter {
	return defect.Filter{Out: func(_ core.Input, effects []core.Effect) []core.Effect {
		var all []core.Effect
		for _, e := range effects {
			send, _ := e.(core.SendPeer)
			r, is := send.Msg.(relay.Req)
			if !is {
				all = append(all, e)
				continue
			}
			for _, msg := range change(r) {
				all = append(all, core.SendPeer{Peer: send.Peer, Msg: msg})
			}
		}
		return all
	}}
}

// withoutClosing ends no subscription.
func withoutClosing() defect.Filter {
	return defect.Filter{Out: func(_ core.Input, effects []core.Effect) []core.Effect {
		return slices.DeleteFunc(slices.Clone(effects), func(e core.Effect) bool {
			send, _ := e.(core.SendPeer)
			_, is := send.Msg.(relay.Close)
			return is
		})
	}}
}

// Open starts the server with nothing in it.
func (s Sync) Open() *simtarget.Target {
	opts := simtarget.Options{Seed: 1, Web: s.web, Answer: s.answer, Config: func(c *core.Config) {
		if len(s.scope) > 0 {
			c.Archive.Scope = scopeOf(s.scope)
		}
		if s.config != nil {
			s.config(c)
		}
	}}
	if s.filter != nil {
		opts.Wrap = defect.Defect{Filter: s.filter}.Machine
	}
	return simtarget.New(opts)
}

// scopeOf is what an archive keeps.
func scopeOf(entries []string) *policy.Scope {
	scope := &policy.Scope{}
	for _, entry := range entries {
		if err := scope.Add(entry); err != nil {
			panic("legal: invariant: own scope: " + err.Error())
		}
	}
	return scope
}
