package replicate

import "github.com/graspkit/graspkit/reference/instant"

// NamedMax is how many relays beside those of the configuration a report names in all the life of a machine: the first ones that a
// connection came about with. URLs come from events, and who writes those is not to decide how much a report takes.
const NamedMax = 100

// A Report is how the machine stands to all relays. What it counts is since its beginning.
type Report struct {
	Relays    []RelayReport // that are named, in the order of their URLs
	Others    Attempts      // at relays that are not
	Tracked   int           // relays that are known
	Connected int           // those that we are connected to
	Dead      int
}

// A RelayReport is how it stands to one relay.
type RelayReport struct {
	URL      string
	Status   Status
	Health   Health
	Failures int // in a row
	Attempts
}

// Attempts counts those at connections by what came of them.
type Attempts struct{ Succeeded, Failed uint64 }

// A Health says how well connections to a relay go. The numbers are those of the metric.
type Health uint8

// The healths. RateLimited comes before all others.
const (
	Healthy      Health = iota + 1 // connected, and no failure is remembered
	NotConnected                   // nor has it failed
	Degraded                       // it fails, or has not been stable for long enough since
	Dead                           // it has failed for so long that it is rarely tried
	RateLimited                    // it says that we ask too much
)

// healthAt judges a relay at an instant.
func (l *link) healthAt(now instant.Instant, cfg *Config) Health {
	h := &l.health
	switch {
	case now < h.limited:
		return RateLimited
	case h.failures > 0 && !l.status.live() && now.Sub(h.since) >= cfg.DeadAfter:
		return Dead
	case h.failures > 0:
		return Degraded
	case l.status.live():
		return Healthy
	}
	return NotConnected
}

// tally counts an attempt at a relay, and names it if it has a right to that.
func (m *Machine) tally(l *link, succeeded bool) {
	of := m.named[l.url]
	if of == nil && (l.bootstrap || succeeded && m.namesGiven < NamedMax) {
		of = &Attempts{}
		m.named[l.url] = of
		if !l.bootstrap {
			m.namesGiven++
		}
	}
	if of == nil {
		of = &m.others
	}
	if succeeded {
		of.Succeeded++
	} else {
		of.Failed++
	}
}

// Report tells how the machine stands to all relays.
func (m *Machine) Report(now instant.Instant) Report {
	r := Report{Others: m.others, Tracked: len(m.byURL)}
	for _, l := range m.byURL {
		health := l.healthAt(now, &m.cfg)
		if l.status.live() {
			r.Connected++
		}
		if health == Dead {
			r.Dead++
		}
		of := m.named[l.url]
		if of == nil && !l.bootstrap {
			continue
		}
		one := RelayReport{URL: l.url, Status: l.status, Health: health, Failures: l.health.failures}
		if of != nil {
			one.Attempts = *of
		}
		r.Relays = append(r.Relays, one)
	}
	return r
}
