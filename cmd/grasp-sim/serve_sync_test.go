package main

import (
	"reflect"
	"testing"
	"time"

	"github.com/graspkit/graspkit/reference/repo"
)

// Every duration and number of the replication (D-40) has a flag, a variable of the environment and a line of the help, and is what was
// set.
func TestSyncSettingsAreComplete(t *testing.T) {
	f, flags := serveFlagSet()
	given := 0
	for name, text := range map[string]string{
		"sync-window": "11s", "sync-short-gap": "12s", "sync-margin": "13s", "sync-pass-min": "14s", "sync-pass-max": "15s",
		"sync-connect-wait": "16s", "sync-leave-wait": "17s", "sync-answer-wait": "18s", "sync-probe": "19s", "sync-backoff": "20s",
		"sync-backoff-max": "21s", "sync-stable": "22s", "sync-dead-after": "23s", "sync-dead-every": "24s", "sync-naughty-life": "25s",
		"sync-cooldown": "26s", "sync-retry": "27s", "sync-retry-max": "28s", "sync-hot-life": "29s", "sync-cold-life": "30s",
		"sync-page": "31", "sync-values": "32", "sync-ids": "33", "sync-questions": "34", "sync-subscriptions": "35", "sync-relays": "36",
		"sync-connections": "37", "sync-relays-per-repository": "38", "sync-answers": "39",
	} {
		if unknown, err := fromEnvironment(flags, []string{environmentName(name) + "=" + text}); err != nil || len(unknown) > 0 {
			t.Errorf("%s=%s: %v, unknown %v", environmentName(name), text, err, unknown)
		}
		if f := flags.Lookup(name); f == nil || f.Usage == "" || !f.Changed {
			t.Errorf("--%s: got %+v, want a line of the help and what was set", name, f)
		}
		given++
	}
	cfg := reflect.ValueOf(f.core.Sync.Config)
	seen := map[int64]bool{}
	for i := range cfg.NumField() {
		field := cfg.Type().Field(i)
		if field.Name == "Seed" || !cfg.Field(i).CanInt() {
			continue
		}
		value := cfg.Field(i).Int()
		if field.Type == reflect.TypeFor[time.Duration]() {
			value /= int64(time.Second)
		}
		if value < 11 || value > 39 || seen[value] {
			t.Errorf("%s: got %v, want what one flag says", field.Name, cfg.Field(i))
		}
		seen[value] = true
	}
	if len(seen) != given {
		t.Errorf("got %d settings of %d flags", len(seen), given)
	}
	if err := f.checkSync(); err != nil {
		t.Error(err)
	}
	o := settings{service: repo.Service{Host: "own.test"}, flags: *f}.options(serveDisk{}, nil, nil)
	if o.Peers.Timeouts.Dial != 16*time.Second || o.Peers.Limits.Open < 37 || o.Core.Sync.Cooldown != 26*time.Second {
		t.Errorf("settings of connections: got %+v, want what was set", o.Peers)
	}
}
