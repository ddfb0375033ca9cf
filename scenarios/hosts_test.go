package scenarios_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim/githost"
	"github.com/graspkit/graspkit/sim/network"
)

const outside = `name: out_side
duration: 2h
servers: 1
constants: {held_max: 500}
hosts:
  - name: git1.example
    link: {latency: 20ms, jitter: 1s, tail: 1%, tail_delay: 1s, bandwidth: 9, loss: 12.5%, duplicate: 2%}
    delay: 2s
    lacking: 100%
    late: 10m
    gone: 30m
    back: 50m
    gone_as: git
    per_minute: 28
    retry_after: 30s
    trouble:
      - {mode: drips, from: 1m, until: 1h, period: 5m, well: 20%, slow: 2m, delay: 1s}
      - {mode: redirects, redirect_to: "http://git2.example"}
      - {mode: limits, retry_after: 1m}
    erratic: true
  - {name: "git2.example:8080", absent: true}
hunt: {user_delay: 10s, sync_delay: 20ms, concurrent: 4, rate: 20, bound: 30m}
arrivals: {identifiers: 7, within: 1h, events: 3, later: 1m, apart: 2m, hosts: 2, urls: 5, synced: 100%, pull_requests: 50%, twice: 1%, odd: 2%, moves: 3%}
invariants: [INV-09, INV-40]
`

func TestParseReadsWhatIsOutside(t *testing.T) {
	got, err := scenarios.Parse("outside.yaml", []byte(outside))
	if err != nil {
		t.Fatal(err)
	}
	want := scenarios.Scenario{
		Name: "out_side", Duration: 2 * time.Hour, Servers: 1, Constants: scenarios.Constants{HeldMax: 500},
		Hosts: []scenarios.Host{
			{Config: githost.Config{
				Name: "git1.example", Link: network.Link{
					Latency: 20 * time.Millisecond, Jitter: time.Second, Tail: 10_000, TailDelay: time.Second, Bandwidth: 9,
					Loss: 125_000, Duplicate: 20_000,
				},
				Delay: 2 * time.Second, Lacking: 1_000_000, Late: 10 * time.Minute, PerMinute: 28, RetryAfter: 30 * time.Second, Erratic: true,
				Trouble: []githost.Trouble{
					{
						Mode: githost.Drips, From: time.Minute, Until: time.Hour, Period: 5 * time.Minute, Well: 200_000,
						Slow: 2 * time.Minute, Delay: time.Second,
					},
					{Mode: githost.Redirects, RedirectTo: "http://git2.example"},
					{Mode: githost.Limits, RetryAfter: time.Minute},
				},
			}, Gone: 30 * time.Minute, Back: 50 * time.Minute, GoneAs: "git"},
			{Config: githost.Config{Name: "git2.example:8080"}, Absent: true},
		},
		Hunt: scenarios.Hunt{
			UserDelay: 10 * time.Second, SyncDelay: 20 * time.Millisecond, Concurrent: 4, Rate: 20, Bound: 30 * time.Minute,
		},
		Arrivals: scenarios.Arrivals{
			Identifiers: 7, Within: time.Hour, Events: 3, Later: time.Minute, Apart: 2 * time.Minute, Hosts: 2, URLs: 5,
			Synced: 1_000_000, PullRequests: 500_000, Twice: 10_000, Odd: 20_000, Moves: 30_000,
		},
		Invariants: []string{"INV-09", "INV-40"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("scenario (-want +got):\n%s", diff)
	}
}

func TestParseSaysWhatIsWrongOutside(t *testing.T) {
	edit := edits(t, outside)
	hunt, arrivals := outside[strings.Index(outside, "hunt:"):strings.Index(outside, "arrivals:")],
		outside[strings.Index(outside, "arrivals:"):strings.Index(outside, "invariants:")]
	for _, c := range []struct{ name, in, want string }{
		{"hosts no list", edit("hosts:\n", "hosts: 3\nnothing:\n"), "f.yaml:5:8: hosts is the integer 3, write a list of at most 64"},
		{"host without a name", edit("- name: git1.example\n    link", "- link"), `field "name" is missing from the host, add it`},
		{"host with a bad name", edit("git1.example\n", "Git1/a\n"), "f.yaml:6:5: git host \"Git1/a\": name is not the lower-case host[:port] of a URL, correct it"},
		{"host twice", edit(`"git2.example:8080"`, "git1.example"), "host git1.example appears twice, keep one of them"},
		{"host that is a server", edit("git1.example\n", "server1.example\n"), "host server1.example has the name of a server, call it git1.example"},
		{"absent in a word", edit("absent: true", "absent: maybe"), "value is the string maybe, write true or false"},
		{"absent with a delay", edit("absent: true", "absent: true, delay: 1s"), "is absent and has other fields, give it a name alone"},
		{"lacking too much", edit("100%", "101%"), "f.yaml:9:14: value 101% is out of range, write a share from 0% to 100%"},
		{"loss too large", edit("12.5%", "51%"), "value 51% is out of range, write a share from 0% to 50%"},
		{"no request a minute", edit("per_minute: 28", "per_minute: 0"), "value 0 is out of range, write a whole number from 1 to 1000000"},
		{"unknown mode", edit("mode: drips", "mode: sleeps"), `f.yaml:17:16: value "sleeps" is not one of refuses, drops`},
		{"mode that is none", edit("mode: drips", `mode: ""`), "is not one of refuses, drops"},
		{"trouble that ends first", edit("until: 1h", "until: 1s"), "until 1s is not after from 1m0s, correct it"},
		{"drips at speed", edit(", slow: 2m", ""), "slow belongs to the mode drips"},
		{"unknown inner field", edit("period:", "rhythm:"), `unknown field "rhythm" in the trouble, use one of mode, from`},
		{"hunt without a bound", edit(", bound: 30m", ""), `field "bound" is missing from hunt, add it`},
		{"rate too large", edit("rate: 20", "rate: 100001"), "value 100001 is out of range"},
		{"arrivals without hunt", edit(hunt, ""), "arrivals without hunt, add it"},
		{"arrivals without hosts", "name: a\nduration: 2h\nservers: 1\n" + hunt + arrivals + "invariants: []\n", "arrivals without hosts, add hosts"},
		{"arrivals without a number", edit("identifiers: 7, ", ""), `field "identifiers" is missing from arrivals, add it`},
		{"arrivals at more hosts", edit("hosts: 2", "hosts: 3"), "arrivals list 3 hosts, write at most 2"},
		{"arrivals with many URLs", edit("urls: 5", "urls: 101"), "arrivals list 202 URLs, write at most 200"},
		{"arrivals after the end", edit("within: 1h", "within: 118m"), "arrivals end after the scenario, let within, later and apart fit into 2h"},
		{"nobody at all", edit(arrivals, ""), `field "repositories" is missing from the scenario, add it, or arrivals`},
		{"nobody in repositories", edit(arrivals, "repositories: 3\n"), `field "actors" is missing from the scenario, add it, or arrivals`},
		{"actors without repositories", outside + "actors: {owner: {every: 5m}}\n", "actors without repositories, add repositories"},
		{"repositories without actors", outside + "repositories: 3\n", "repositories without actors, add actors"},
	} {
		t.Run(c.name, func(t *testing.T) { refused(t, c.in, c.want) })
	}
}
