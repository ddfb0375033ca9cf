package hunt

import (
	"slices"
	"time"

	"github.com/graspkit/graspkit/reference/instant"
)

// A host is one normalized authority with its budget of requests and the identifiers that wait for it.
type host struct {
	name   string
	flying int               // requests in flight
	starts []instant.Instant // the latest starts, at most Rate, from oldest on as a ring
	oldest int
	paused instant.Instant // it limits the rate: no request before
	broken instant.Instant // it is listed as broken: no request before
	ready  *waitlist       // in the order of their turns
	dirty  bool            // in launches
	wake   instant.Instant
	forget instant.Instant
	waking int // place in wakes
	idling int // place in idle
}

// A listing says until when a host was listed as broken.
type listing struct {
	host  *host
	until instant.Instant
}

func (x *host) wakePlace() *int { return &x.waking }
func (x *host) idlePlace() *int { return &x.idling }

func (x *host) wakesBefore(y *host) bool {
	return x.wake < y.wake || x.wake == y.wake && x.name < y.name
}

func (x *host) idleBefore(y *host) bool {
	return x.forget < y.forget || x.forget == y.forget && x.name < y.name
}

// capacity reports whether one more request may start now: within the budget of those in flight and of those that start
// within the window, by one rule for both paths (REF-HUNT-08, REF-HUNT-09).
func (h *Hunt) capacity(x *host, now instant.Instant) bool {
	return x.flying < h.cfg.Concurrent && h.frees(x) <= now
}

// frees is the instant from which the host may be asked as far as time alone decides.
func (h *Hunt) frees(x *host) instant.Instant {
	at := max(x.paused, x.broken)
	if len(x.starts) >= h.cfg.Rate {
		at = max(at, x.starts[x.oldest].Add(h.cfg.Window))
	}
	return at
}

// take uses up capacity for one request.
func (h *Hunt) take(x *host, now instant.Instant) {
	if !h.capacity(x, now) {
		panic("hunt: invariant: a request beyond the capacity of " + x.name)
	}
	x.flying++
	if len(x.starts) < h.cfg.Rate {
		x.starts = append(x.starts, now)
		return
	}
	x.starts[x.oldest] = now
	x.oldest = (x.oldest + 1) % len(x.starts)
}

// recent counts the starts that the budget still feels.
func (h *Hunt) recent(x *host, now instant.Instant) int {
	n := 0
	for _, at := range x.starts {
		if at.Add(h.cfg.Window) > now {
			n++
		}
	}
	return n
}

// Asked says that requests have started at a host before the hunt was there to order them, none later than at. All count
// as of that instant, so that the host never sees more than Rate within Window. It is called before the first Next.
func (h *Hunt) Asked(now instant.Instant, name string, requests int, at instant.Instant) {
	if x := h.host(now, name); x != nil {
		x.starts = slices.Repeat([]instant.Instant{at}, min(requests, h.cfg.Rate))
	}
}

// last is the instant of the latest start.
func (x *host) last() instant.Instant {
	if len(x.starts) == 0 {
		return 0
	}
	return x.starts[(x.oldest+len(x.starts)-1)%len(x.starts)]
}

// host returns the record of a host, a new one if there is none, or nil if there is no room for one more.
func (h *Hunt) host(now instant.Instant, name string) *host {
	if x := h.hosts[name]; x != nil {
		return x
	}
	for {
		old, ok := h.idle.first()
		if !ok || old.forget > now {
			break
		}
		h.idle.remove(old)
		delete(h.hosts, old.name)
	}
	if len(h.hosts) >= HostsMax {
		return nil
	}
	x := &host{ready: &waitlist{}, name: name}
	h.hosts[name] = x
	h.touch(x)
	return x
}

// touch has Next look whether the host can be asked for what waits there.
func (h *Hunt) touch(x *host) {
	if !x.dirty {
		x.dirty = true
		h.wakes.remove(x)
		h.idle.remove(x)
		h.launches.push(x)
	}
}

// rest ends the look at a host: what could start has started. What waits for an instant is woken at it (REF-HUNT-10).
func (h *Hunt) rest(now instant.Instant, x *host) {
	x.dirty = false
	switch {
	case x.ready.n > 0 && x.flying < h.cfg.Concurrent:
		x.wake = h.frees(x)
		h.wakes.push(x)
	case x.ready.n == 0 && x.flying == 0:
		x.forget = max(x.last().Add(h.cfg.Window), x.paused, x.broken, now)
		h.idle.push(x)
	}
}

// isBroken reports whether the host is listed as broken.
func (h *Hunt) isBroken(name string, now instant.Instant) bool {
	x := h.hosts[name]
	return x != nil && x.broken > now
}

// list marks a host as broken for a while. What waits there waits no more: the next attempts pass it by (REF-HUNT-25).
func (h *Hunt) list(x *host, now instant.Instant) {
	if x.broken > now {
		return // from the first sighting on
	}
	for {
		old, ok := h.broken.front()
		if !ok || old.until > now && h.listed < BrokenMax {
			break
		}
		h.broken.pop()
		h.listed--
		if old.until > now {
			old.host.broken = 0
			h.touch(old.host)
		}
	}
	x.broken = now.Add(h.cfg.BrokenLife)
	h.broken.push(listing{x, x.broken})
	h.listed++
	for p := x.ready.first; p != nil; p = x.ready.first {
		x.ready.remove(p)
		p.queued = false
	}
}

// pause leaves a host alone that limits the rate, for as long as it asks within reason.
func (h *Hunt) pause(x *host, now instant.Instant, wait time.Duration) {
	if wait <= 0 {
		wait = PauseDefault
	}
	x.paused = max(x.paused, now.Add(min(wait, PauseMax)))
}
