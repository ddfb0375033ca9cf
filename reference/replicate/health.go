package replicate

import (
	"strings"
	"time"

	"github.com/graspkit/graspkit/reference/instant"
)

const second = time.Second

// health is how well connections to a relay go.
type health struct {
	failures int             // in a row
	since    instant.Instant // of the first of them
	next     instant.Instant // not tried before
	limited  instant.Instant // asked for nothing before
}

// failed counts a connection that ended or did not come, and says when the next may be tried.
func (h *health) failed(now instant.Instant, cfg *Config, why Failure) {
	if h.failures == 0 {
		h.since = now
	}
	h.failures++
	wait := doubled(cfg.BackoffBase, cfg.BackoffMax, h.failures)
	switch {
	case why.naughty():
		wait = cfg.NaughtyLife
	case now.Sub(h.since) >= cfg.DeadAfter:
		wait = cfg.DeadEvery
	}
	h.next = max(now.Add(wait), h.limited)
}

// rest is up to when a relay is let alone.
func (l *link) rest() instant.Instant { return max(l.health.next, l.health.limited) }

// doubled is base for the first of n times, and double for each one after it, up to a limit.
func doubled(base, most time.Duration, n int) time.Duration {
	for ; n > 1 && base < most; n-- {
		base *= 2
	}
	return min(base, most)
}

// limits reports whether a text of a relay says that it is asked too much: whole words, for other texts have them inside
// of theirs (W-85).
func limits(text string) bool {
	if strings.HasPrefix(text, "rate-limited:") {
		return true
	}
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	said := " " + strings.Join(words, " ") + " "
	for _, phrase := range []string{" rate limit ", " rate limited ", " too many ", " slow down ", " throttled "} {
		if strings.Contains(said, phrase) {
			return true
		}
	}
	return false
}

// limited has a relay asked for nothing for a while, and then less at a time and more slowly.
func (m *Machine) limited(now instant.Instant, l *link, text string) {
	l.health.limited = now.Add(m.cfg.Cooldown)
	l.walksMax = max(1, l.walksMax/2)
	l.pace = min(max(second, 2*l.pace), paceMax)
	m.tell(Told{Fact: RelayLimited, URL: l.url, Reason: clip(text)})
	for _, w := range l.walks { // their answers may still come; what does not is asked for again
		w.until = max(w.until, l.health.limited.Add(m.cfg.Answer))
		w.unheard = w.stage != queued
	}
	m.doubt(now, l)
}

// paceMax is the longest time from one request to the next at a relay that says that it is asked too much.
const paceMax = time.Minute

// clip shortens a text of a relay for logs.
func clip(text string) string {
	const most = 200
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "..."
	}
	return text
}
