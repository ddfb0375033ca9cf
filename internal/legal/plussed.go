package legal

import (
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
)

// Pluses returns servers that look for what participants have elsewhere (GRASP-03) in their own ways, or do not.
func Pluses() []Sync {
	all := []Sync{
		{Name: "plus-at-once", What: "does what the reference does"},
		{
			Name: "plus-by-pages", What: "asks for pages, and never reconciles",
			config: func(c *core.Config) { c.Sync.NoNegentropy = true },
		},
		{
			Name: "plus-by-polling", What: "asks each half hour for everything, and hears of nothing in between", filter: withoutLive,
			config: func(c *core.Config) { c.Sync.DailyMin, c.Sync.DailyMax = 30*time.Minute, 31*time.Minute },
		},
		{
			Name: "plus-slowly", What: "gathers for ten minutes, and comes back after many",
			config: func(c *core.Config) {
				c.Sync.Window, c.Sync.Answer, c.Sync.BackoffBase, c.Sync.RetryBase = 10*time.Minute, 2*time.Minute, 5*time.Minute, 5*time.Minute
				c.Sync.BackoffMax, c.Sync.RetryMax, c.Sync.Probe = 30*time.Minute, 30*time.Minute, 15*time.Minute
			},
		},
		{
			Name: "plus-from-relays-alone", What: "takes profiles and lists from relays, and from nobody directly", filter: noneDirectly,
			Owes:   map[string]string{"G03-06": "participants may not send their own, which the text leaves open"},
			Unsaid: []string{"G03-02", "G03-03", "G03-04"},
		},
	}
	for i, s := range all {
		all[i].config = func(c *core.Config) {
			c.Sync.Plus.On = true
			if s.config != nil {
				s.config(c)
			}
		}
	}
	all = append(all, Sync{Name: "no-plus", What: "looks nowhere else, and says so", Unlisted: true})
	for i := range all {
		all[i].Rows = "G03-"
	}
	return all
}

// noneDirectly refuses from clients what people say about themselves.
func noneDirectly() defect.Filter {
	aboutItself := func(i core.Input) (core.Message, *nostr.Event) {
		m, _ := i.(core.Message)
		ev := eventOf(m)
		if ev != nil && ev.Kind != 0 && ev.Kind != 10002 && ev.Kind != 10317 {
			ev = nil
		}
		return m, ev
	}
	return defect.Filter{
		In: func(i core.Input) (core.Input, bool) {
			_, ev := aboutItself(i)
			return i, ev == nil
		},
		Out: func(i core.Input, effects []core.Effect) []core.Effect {
			if m, ev := aboutItself(i); ev != nil {
				return append(effects, core.Send{Conn: m.Conn, Msg: relay.OK{ID: ev.ID, Text: "blocked: taken from relays alone"}})
			}
			return effects
		},
	}
}

// eventOf is the event that a message publishes, or nil.
func eventOf(m core.Message) *nostr.Event {
	if e, is := m.Msg.(relay.Event); is && e.IDOK && m.SigOK {
		return e.Event
	}
	return nil
}
