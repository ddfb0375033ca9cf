package replicate_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/replicate"
)

// A relay that fails is degraded, and dead after a day; one that is back is degraded until it has been stable; one that says that
// it is asked too much is told as that for a while (REF-SYNC-16, D-36, D-37).
func TestReportOfOneRelay(t *testing.T) {
	w := newWorld(t, replicate.Config{Bootstrap: []string{peer}})
	f := w.relay(peer)
	w.m.Start(w.now)
	is := func(when string, want replicate.RelayReport) {
		t.Helper()
		want.URL = peer
		r := w.m.Report(w.now)
		if len(r.Relays) != 1 || r.Relays[0] != want {
			t.Errorf("%s: got %+v, want %+v", when, r.Relays, want)
		}
		connected, dead := 0, 0
		if want.Status == replicate.Connected {
			connected = 1
		}
		if want.Health == replicate.Dead {
			dead = 1
		}
		if r.Tracked != 1 || r.Connected != connected || r.Dead != dead {
			t.Errorf("%s: got %d relays, %d connected and %d dead, want 1, %d and %d", when, r.Tracked, r.Connected, r.Dead, connected, dead)
		}
	}
	is("before anything", replicate.RelayReport{Status: replicate.Connecting, Health: replicate.NotConnected})
	w.until(time.Minute)
	one := replicate.Attempts{Succeeded: 1}
	is("connected", replicate.RelayReport{Status: replicate.Connected, Health: replicate.Healthy, Attempts: one})
	w.m.Said(w.now, f.peer, relay.Notice{Text: "slow down"}, true)
	w.settle()
	is("limited", replicate.RelayReport{Status: replicate.Connected, Health: replicate.RateLimited, Attempts: one})
	w.until(time.Minute + replicate.Cooldown)
	is("not limited any more", replicate.RelayReport{Status: replicate.Connected, Health: replicate.Healthy, Attempts: one})

	f.down = true
	w.drop(f)
	is("dropped", replicate.RelayReport{Health: replicate.Degraded, Failures: 1, Attempts: one})
	w.until(10 * time.Hour)
	r := w.m.Report(w.now).Relays[0]
	is("down for hours", replicate.RelayReport{
		Health: replicate.Degraded, Failures: r.Failures, Attempts: replicate.Attempts{Succeeded: 1, Failed: uint64(r.Failures - 1)},
	})
	if r.Failures < 15 {
		t.Errorf("got %d failures in ten hours, want some more", r.Failures)
	}
	w.until(25 * time.Hour)
	if got := w.m.Report(w.now); got.Relays[0].Health != replicate.Dead || got.Dead != 1 {
		t.Errorf("down for a day: got %+v, want a dead relay", got)
	}
	f.down = false
	for at := 25 * time.Hour; w.m.Report(w.now).Relays[0].Succeeded == 1; at += time.Minute {
		w.until(at)
	}
	if got := w.m.Report(w.now); got.Relays[0].Health != replicate.Degraded || got.Dead != 0 {
		t.Errorf("just back: got %+v, want it degraded and not dead", got)
	}
	f.down = true
	w.until(100 * time.Hour)
	back := w.m.Report(w.now).Relays[0]
	if back.Health != replicate.Healthy || back.Failures != 0 || back.Succeeded != 2 {
		t.Errorf("back and stable: got %+v, want a healthy relay", back)
	}
}

// A relay that is back counts as degraded until it has been stable.
func TestReportOfAProbation(t *testing.T) {
	w := newWorld(t, replicate.Config{Bootstrap: []string{peer}})
	f := w.relay(peer)
	f.down = true
	w.m.Start(w.now)
	w.until(time.Second)
	f.down = false
	w.until(replicate.BackoffBase + replicate.Stable - time.Second)
	if got := w.m.Report(w.now).Relays[0]; got.Health != replicate.Degraded || got.Status != replicate.Connected || got.Failures != 1 {
		t.Errorf("on probation: got %+v, want it connected and degraded", got)
	}
	w.until(replicate.BackoffBase + replicate.Stable + time.Second)
	if got := w.m.Report(w.now).Relays[0]; got.Health != replicate.Healthy {
		t.Errorf("stable: got %+v, want it healthy", got)
	}
}

// Who writes announcements does not decide how much a report takes: so many relays are named, whatever comes and goes; what is of the
// configuration always is. Attempts at all others are in the sum.
func TestReportIsBounded(t *testing.T) {
	w := newWorld(t, replicate.Config{Bootstrap: []string{"ws://zz.test"}, PerRepoMax: 5})
	w.m.Start(w.now)
	const relays = 300
	seen := map[string]bool{}
	for n := range relays / 5 {
		var urls []string
		for i := range 5 {
			url := fmt.Sprintf("ws://relay%03d.test", n*5+i)
			urls = append(urls, url)
			if (n*5+i)%3 != 0 { // others never answer
				w.relay(url)
			}
		}
		w.store(announcement("announcement", "x", urls...)) // the last ones are not wanted any more
		w.until(time.Duration(n+1) * time.Minute)
		for _, r := range w.m.Report(w.now).Relays {
			seen[r.URL] = true
		}
	}
	if len(seen) != replicate.NamedMax+1 || !seen["ws://zz.test"] {
		t.Errorf("got %d relays named, want %d and the one of the configuration", len(seen), replicate.NamedMax)
	}
	if got := w.m.Report(w.now); got.Others.Succeeded != relays*2/3-replicate.NamedMax || got.Others.Failed < relays/3 || got.Tracked > 12 {
		t.Errorf("got %+v of %d known relays, want the attempts at others", got.Others, got.Tracked)
	}
}
