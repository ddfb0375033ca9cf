package scenarios_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim/githost"
)

func set(t *testing.T, name string, texts ...string) (scenarios.Scenario, error) {
	t.Helper()
	data, found := scenarios.Text(name)
	if !found {
		t.Fatalf("no scenario %s", name)
	}
	for _, text := range texts {
		s, err := scenarios.ParseSetting(text)
		if err != nil {
			return scenarios.Scenario{}, err
		}
		if data, err = scenarios.Set(data, s); err != nil {
			return scenarios.Scenario{}, err
		}
	}
	return scenarios.Parse("changed.yaml", data)
}

// Every field of every file can be named by its path, and nothing else changes with it.
func TestSet(t *testing.T) {
	want, err := set(t, "hunt_dead")
	if err != nil {
		t.Fatal(err)
	}
	want.Hunt.Rate, want.Duration, want.Hosts[0].Link.Latency = 5, 3*time.Hour, time.Second
	want.Hosts[1].Trouble[0].Mode, want.Constants.PurgatoryLife, want.Arrivals.Synced = githost.Drops, 0, 250_000
	want.Hosts = append(want.Hosts[:3], want.Hosts[4])
	got, err := set(t, "hunt_dead", "hunt.rate=5", "duration=3h", "hosts.1.link.latency=1s", "hosts.2.trouble.1.mode=drops",
		"constants.purgatory_life=", "arrivals.synced=25%", "hosts.4=")
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("error %v (-want +got):\n%s", err, diff)
	}
	got, err = set(t, "first", "faults=[crash server1 at 1h for 1m]", "constants.held_max=3")
	if err != nil || len(got.Faults) != 1 || got.Constants.HeldMax != 3 {
		t.Errorf("new fields: got %v, %+v and %v", got.Faults, got.Constants, err)
	}
	for _, name := range scenarios.Names() {
		plain, err := set(t, name)
		if err != nil {
			t.Fatal(err)
		}
		same, err := set(t, name, "description=x")
		plain.Description, same.Description = "", ""
		if diff := cmp.Diff(plain, same); diff != "" || err != nil {
			t.Errorf("%s: error %v, and the description changes more:\n%s", name, err, diff)
		}
	}
}

func TestSetRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"hunt.rate": "not of the form", "=5": "not of the form", "hunt.rat=5": `unknown field "rat" in hunt, use one of`,
		"hunt.rate=many": "whole number from 1", "hosts.9.delay=1s": "use a number from 1 to 5", "hosts.x=1": "use a number",
		"name.x=1": "has no fields", "hunt.rate={": "the value of hunt.rate:1:1", "duration=": `field "duration" is missing`,
	} {
		if _, err := set(t, "hunt_dead", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want an error with %s", text, err, want)
		}
	}
}
