package scenarios_test

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/scenarios"
)

const peopled = `name: peopled
description: "a \"sentence\": it's one, in \u00e9 and # more"
duration: 1h30m
servers: 2
origin: "https://[2001:db8::%d]:8443/git"
repositories: 3
actors: {owner: {every: 5m}, maintainer: {every: 6m}, stranger: {every: 1h0m0.5s}}
people:
  maintainers: 6
  chain: circle
  identifiers: 2
  owners: 1
  keys: 16
  aliases: true
  dated: 30%
  partly: 0.5%
  listing: 100%
  retried: 0.0001%
  team: {work: 5, push_own: 1000}
  stranger: {reconnect: 2}
links: {latency: 20ms, jitter: 1s, tail: 1%, tail_delay: 2s, bandwidth: 1000, loss: 12.5%, duplicate: 0.0001%}
constants: {purgatory_life: 20m, held_max: 1, held_bytes_max: 2, held_per_key_max: 3, held_bytes_per_key_max: 4, stored_max: 5, stored_bytes_max: 6, placeholders_max: 7, tombstones_max: 8, expired_max: 9, search_at_once: 10}
disk: {journal: 1ns, order: 1m}
sync: {bootstrap: ring, bound: 2h}
relays:
  - {name: relay1.example, told: true, listed: 50%, given: 40%, only: 30%, link: {latency: 20ms, jitter: 1s, tail: 1%, tail_delay: 2s, bandwidth: 9, loss: 1%}, delay: 2s, negentropy: unknown, page_max: 5, per_minute: 20, limiting: notice, members: true, challenges: true, trouble: [{mode: drops, from: 1m, until: 1h, period: 2m, delay: 3s, after: 4}, {mode: closes, text: "error: no"}]}
rules: {reciprocal: true, work: 16, authors: [stranger1], blocked: [owner1, repository2], allowed: [owner2/repository1], archive: [maintainer1, repository3], archives: [server1, server2], read_only: [server1], private: [server2], members: [owner1, stranger3], dismissed: [stranger3], contributors: [server2]}
faults: [crash server2 at 10m for 90s, slow server1 by 5 at 1m for 1m, jump server1 by 1s at 2m, restore server1 of 1m at 5m for 1m, part server1 to owner1 at 1m for 1m, fail server1 any at 1m for 1m, crash server1 after update 2 in life 3 for 1s]
seed: 12
only: [owner1/7.0]
invariants: [INV-20, INV-01]
`

func TestFormatIsReadBack(t *testing.T) {
	texts := map[string][]byte{"outside": []byte(outside), "peopled": []byte(peopled)}
	for _, name := range scenarios.Names() {
		texts[name], _ = scenarios.Text(name)
	}
	for name, text := range texts {
		want, err := scenarios.Parse(name, text)
		if err != nil {
			t.Fatal(err)
		}
		written := scenarios.Format(want)
		got, err := scenarios.Parse("written.yaml", written)
		if err != nil {
			t.Fatalf("%s: %v in\n%s", name, err, written)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-first +read back):\n%s\nfrom\n%s", name, diff, written)
		}
	}
}

// A field that is in no text above may be forgotten by the writer.
func TestFormatIsTestedWithEveryField(t *testing.T) {
	one, err := scenarios.Parse("outside.yaml", []byte(outside))
	if err != nil {
		t.Fatal(err)
	}
	two, err := scenarios.Parse("peopled.yaml", []byte(peopled))
	if err != nil {
		t.Fatal(err)
	}
	filled(t, "Scenario", reflect.ValueOf(one), reflect.ValueOf(two))
}

// filled complains of fields that are zero in all values. Of the elements of a list each is a value.
func filled(t *testing.T, path string, values ...reflect.Value) {
	t.Helper()
	var inner []reflect.Value
	for _, v := range values {
		switch {
		case v.Kind() == reflect.Slice:
			for i := range v.Len() {
				inner = append(inner, v.Index(i))
			}
		case v.Kind() == reflect.Array: // weights: any of them
			inner = append(inner, reflect.ValueOf(!v.IsZero()))
		default:
			inner = append(inner, v)
		}
	}
	if len(inner) > 0 && inner[0].Kind() == reflect.Struct {
		for i := range inner[0].NumField() {
			name := inner[0].Type().Field(i).Name
			if name == "Whims" || (path == "Scenario.Hosts.Config.Link" || path == "Scenario.Relays.Link") && name == "Duplicate" { // of searches; HTTP and streams are not doubled
				continue
			}
			fields := make([]reflect.Value, len(inner))
			for k, v := range inner {
				fields[k] = v.Field(i)
			}
			filled(t, path+"."+name, fields...)
		}
		return
	}
	for _, v := range inner {
		if !v.IsZero() {
			return
		}
	}
	t.Errorf("%s: no text of this test has a value for it", path)
}

func TestPeopleAreReadStrictly(t *testing.T) {
	edit := edits(t, peopled)
	for _, c := range []struct{ name, in, want string }{
		{"many maintainers", edit("maintainers: 6", "maintainers: 7"), "value 7 is out of range, write a whole number from 1 to 6"},
		{"unknown chain", edit("chain: circle", "chain: tree"), `value "tree" is not one of line, circle, drawn`},
		{"unknown operation", edit("work: 5", "rest: 5"), `unknown field "rest" in team, use one of announce, work`},
		{"no weight", edit("reconnect: 2", "reconnect: 0"), "value 0 is out of range, write a whole number from 1 to 1000"},
		{"relay twice", edit("relays:\n", "relays:\n  - {name: relay1.example}\n"), "relay relay1.example appears twice, keep one of them"},
		{"relay that is a server", edit("name: relay1.example", "name: server3.example"), "relay server3.example has the name of a server"},
		{"relays that nobody asks", edit("sync: {bootstrap: ring, bound: 2h}\n", ""), "relays without sync, add it"},
		{"relay with a bad way", edit("negentropy: unknown", "negentropy: known"), `value "known" is not one of unknown, declines, ignores`},
		{"trouble of a relay", edit("mode: drops", "mode: hangs"), "the mode drops wants 1 or more, and no other has it, correct it"},
		{"no such server", edit("contributors: [server2]", "contributors: [server9]"), "contributors: there is no server9, name one of 2"},
		{"an archive that takes what it must not", edit("contributors: [server2]", "contributors: [server1]"), "read_only: server1 takes contributions"},
		{"no archive", edit("archives: [server1, server2]", "archives: [server2]"), "read_only: server1 is no archive"},
		{"a rule about nobody", edit("blocked: [owner1,", "blocked: [owner9,"), "rules: there is no owner9, name somebody of 3 repositories"},
		{"private for nobody", edit("members: [owner1, stranger3], dismissed: [stranger3], ", ""), "private servers and members need each other"},
		{"dismissed without a membership", edit("dismissed: [stranger3]", "dismissed: [owner2]"), "dismissed: owner2 is no member"},
		{"nothing to do", edit("{reconnect: 2}", "{}"), "stranger does nothing, name an operation, or leave it out"},
	} {
		t.Run(c.name, func(t *testing.T) { refused(t, c.in, c.want) })
	}
}
