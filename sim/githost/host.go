// Package githost holds fake remote git hosts as state machines: what they hold and how they misbehave. A fetch that is
// asked for at an instant gets a plan of how it goes, and is recorded. Objects are oids here. The package schedules
// nothing and judges nothing: a world carries the plans out, and whoever wants to judge reads the record.
package githost

import (
	"slices"
	"time"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/kernel"
)

// window is the time in which Config.PerMinute counts.
const window = time.Minute

// A Host is one fake git host. It has no clock: instants arrive as arguments and never decrease.
type Host struct {
	config   Config
	trouble  []Trouble
	since    instant.Instant // what the times of trouble count from
	key      kernel.Key
	choose   kernel.Chooser
	holds    map[string]map[repo.OID]instant.Instant // by path: since when the host has an object
	answered []instant.Instant                       // starts within the window, if there is a limit
	record   record
}

// New returns a host that holds nothing and whose life begins at the instant start. The chooser is asked only if the
// configuration has whims; it may be nil if it has none.
func New(cfg Config, seed uint64, start instant.Instant, choose kernel.Chooser) (*Host, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	return &Host{
		config: cfg, trouble: cfg.Trouble, since: start, choose: choose,
		key:   kernel.NewKey(seed, "githost").WithText(cfg.Name),
		holds: map[string]map[repo.OID]instant.Instant{},
	}, nil
}

// Name is the authority of the host in URLs.
func (h *Host) Name() string { return h.config.Name }

// Put gives the host objects of the repository at a path, such as "/alice/demo.git", which exists from then on. What it
// lacks by its configuration it does not keep, and it has the rest only when it is due.
func (h *Host) Put(now instant.Instant, path string, oids ...repo.OID) {
	held := h.holds[path]
	if held == nil {
		held = map[repo.OID]instant.Instant{}
		h.holds[path] = held
	}
	for _, oid := range oids {
		if _, there := held[oid]; there || h.key.WithText("lacking").WithText(path).WithText(string(oid)).Chance(h.config.Lacking) {
			continue
		}
		held[oid] = now.Add(h.config.Late)
	}
}

// Drop takes a repository away.
func (h *Host) Drop(path string) { delete(h.holds, path) }

// Has reports whether the host has an object at the instant, whatever it would answer.
func (h *Host) Has(now instant.Instant, path string, oid repo.OID) bool {
	from, there := h.holds[path][oid]
	return there && from <= now
}

// Trouble replaces the host's troubles; their times count from now on. It returns the error of the first that makes no
// sense, and then changes nothing.
func (h *Host) Trouble(now instant.Instant, all ...Trouble) error {
	for _, t := range all {
		if err := t.Validate(); err != nil {
			return err
		}
	}
	h.trouble, h.since = slices.Clone(all), now
	return nil
}

// Heal ends all trouble, whims, lateness and losses, as the quiet phase of a run does: afterwards the host serves all
// that it keeps.
func (h *Host) Heal() {
	h.trouble, h.config.Whims, h.config.PerMinute = nil, nil, 0
	h.config.Link = h.config.Link.Healed()
}

// Ask begins a fetch of objects from the repository at a path, over the host's own link. The exchange is under way at the
// host until End is called with the number that Ask returns: exactly once, when the plan ends or the asker gives up.
func (h *Host) Ask(now instant.Instant, path string, oids []repo.OID) (number uint64, plan Plan) {
	key := h.asked(h.record.last + 1)
	at, n := h.config.Link.Arrivals(key.WithText("there"), now)
	if n == 0 {
		at[0] = Never
	}
	number, plan = h.Take(now, at[0], path, oids, key)
	if plan.Begins != Never {
		back, n := h.config.Link.Arrivals(key.WithText("back"), plan.Begins)
		plan = plan.Travel(back[0], n > 0)
	}
	return number, plan
}

// Take is Ask for a request that somebody else carries: it was sent at one instant and arrives at another, Never if it is
// lost. The instants of the plan are those at the host, and what is drawn about the request is drawn by the key.
func (h *Host) Take(sent, arrives instant.Instant, path string, oids []repo.OID, key kernel.Key) (number uint64, plan Plan) {
	number = h.record.next()
	plan = unanswered
	if arrives != Never {
		plan = h.answer(arrives, path, oids, key)
	}
	h.record.begin(Request{Number: number, Sent: sent, At: arrives, Path: path, OIDs: slices.Clone(oids), Mode: plan.Mode})
	return number, plan
}

// answer is the plan of an exchange at the host, for a request that arrives at the instant.
func (h *Host) answer(at instant.Instant, path string, oids []repo.OID, key kernel.Key) Plan {
	t := h.mode(at, key)
	begins := at.Add(h.config.Delay + t.Delay)
	plan := Plan{Mode: t.Mode, Begins: begins, Ends: begins}
	switch t.Mode {
	case Refuses:
		plan.Begins, plan.Ends = at, at
	case Hangs:
		plan.Begins, plan.Ends = Never, Never
	case Floods:
		plan.Ends = Never
	case Limits:
		if plan.RetryAfter = t.RetryAfter; h.config.Erratic && key.WithText("sooner").Chance(kernel.Million/2) {
			plan.RetryAfter = (t.RetryAfter / 4).Round(time.Second)
		}
	case Redirects:
		plan.RedirectTo = t.RedirectTo
	case Serves, Drips:
		held, there := h.holds[path]
		if !there {
			plan.Mode = Lacks
			break
		}
		plan.Ends = begins.Add(t.Slow)
		plan.Objects = make([]repo.OID, 0, len(oids))
		for _, oid := range oids {
			if from, has := held[oid]; has && from <= at {
				plan.Objects = append(plan.Objects, oid)
			} else {
				plan.Lacks = append(plan.Lacks, oid)
			}
		}
		if n := len(plan.Lacks); n > 1 && h.config.Erratic {
			first := int(key.WithText("names").Below(int64(n)))
			plan.Lacks[0], plan.Lacks[first] = plan.Lacks[first], plan.Lacks[0]
		}
	default: // no object comes
	}
	return plan
}

// Refuses reports whether the host takes no connection at the instant. It is for who must know before there is a
// request, and says the same as the plan of one that comes next.
func (h *Host) Refuses(at instant.Instant) bool {
	t, ill := h.ill(at, h.asked(h.record.last+1))
	return ill && t.Mode == Refuses
}

// asked is the key of the request with that number.
func (h *Host) asked(number uint64) kernel.Key { return h.key.WithText("ask").With(number) }

// ill returns the trouble that was told for a request at the instant.
func (h *Host) ill(at instant.Instant, key kernel.Key) (Trouble, bool) {
	since := at.Sub(h.since)
	for i, t := range slices.Backward(h.trouble) {
		if t.applies(since, key.WithText("trouble").With(uint64(i))) {
			return t, true
		}
	}
	return Trouble{}, false
}

// mode is the trouble that a request meets; the zero Trouble is none.
func (h *Host) mode(at instant.Instant, key kernel.Key) Trouble {
	if t, ill := h.ill(at, key); ill {
		return t
	}
	if h.overLimit(at) {
		return Trouble{Mode: Limits, RetryAfter: h.config.RetryAfter}
	}
	if len(h.config.Whims) == 0 {
		return Trouble{}
	}
	picked := h.choose.Choose("githost/"+h.config.Name, len(h.config.Whims)+1)
	if picked == 0 {
		return Trouble{}
	}
	mode := h.config.Whims[picked-1]
	return Trouble{Mode: mode, Slow: whimSlow}
}

// whimSlow is how slow a whim to drip is.
const whimSlow = time.Minute

// overLimit reports whether the host has answered as many requests in the last minute as it answers, and counts this
// one if not.
func (h *Host) overLimit(at instant.Instant) bool {
	if h.config.PerMinute == 0 {
		return false
	}
	h.answered = slices.DeleteFunc(h.answered, func(start instant.Instant) bool { return start.Add(window) <= at })
	if len(h.answered) >= h.config.PerMinute {
		return true
	}
	h.answered = append(h.answered, at)
	return false
}

// End says that an exchange is over for the asker, at an instant not before it was asked for. It panics if the number is
// not that of an exchange under way.
func (h *Host) End(now instant.Instant, number uint64) { h.record.end(now, number) }

// Requests returns what was asked so far, in order, those under way included; of a long run the latest RequestsMax.
func (h *Host) Requests() []Request { return slices.Clone(h.record.kept) }

// Measured returns what the host has seen of its askers since its start.
func (h *Host) Measured() Measure { return h.record.measure }
