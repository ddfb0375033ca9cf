package swarm

import (
	"fmt"
	"time"

	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim/fault"
	"github.com/graspkit/graspkit/sim/workload"
)

// How much all people of a world do together, whatever its size and duration: this keeps a run short.
const (
	deedsMin = 30
	deedsMax = 400
)

// actors draws who is there and how busy.
func (d *drawing) actors() {
	d.Repositories = d.pick("repositories", 1, 1, 1, 2, 2, 3, 4)
	deeds := deedsMin + d.below("deeds", deedsMax-deedsMin)
	if d.one(4, "short and busy") {
		d.Duration = d.duration("short duration", 20*time.Minute, 40*time.Minute, time.Minute)
	}
	actors := []struct {
		name  string
		actor *scenarios.Actor
		odds  int // of being there, in eighths
	}{{"owner", &d.Owner, 8}, {"maintainer", &d.Maintainer, 6}, {"stranger", &d.Stranger, 5}}
	sum := 0
	parts := make([]int, len(actors))
	for i, a := range actors {
		if d.below(a.name+" at all", 8) < a.odds {
			parts[i] = d.pick(a.name+" part", 1, 1, 2, 4)
			sum += parts[i]
		}
	}
	for i, a := range actors {
		if parts[i] > 0 {
			every := d.Duration * time.Duration(d.Repositories*sum) / time.Duration(deeds*parts[i])
			a.actor.Every = max(every.Round(time.Second), time.Second)
		}
	}
}

// people draws how they behave.
func (d *drawing) people() {
	if d.one(8, "usual people") {
		return
	}
	chains := workload.Chains()
	d.People = workload.Profile{
		Maintainers: d.pick("maintainers", 1, 1, 2, 3, workload.MaintainersMax), Chain: chains[d.below("chain", len(chains))],
		Dated: d.share("dated", 50_000, 300_000, 1_000_000), Partly: d.share("partly", 100_000, 500_000),
		Listing: d.share("listing", 100_000, 500_000), Retried: d.share("retried", 500_000, 1_000_000),
		Aliases: d.one(4, "aliases"),
	}
	if d.one(3, "shared identifiers") {
		d.People.Identifiers = d.pick("identifiers", 1, 1, 2)
	}
	if d.one(3, "shared owners") {
		d.People.Owners = d.pick("owners", 1, 1, 2)
	}
	if !d.one(4, "usual team") {
		d.People.Team = d.weights("team", workload.OpWork)
	}
	if !d.one(4, "usual stranger") {
		d.People.Stranger = d.weights("stranger", workload.OpClaim)
	}
}

// origin draws where the servers are reached: elsewhere than usual in every third world. A hunt asks no addresses.
func (d *drawing) origin(hunts bool) {
	if !d.one(3, "origin at all") {
		return
	}
	forms := []string{
		"https://server%d.example/git", "http://server%d.example:8080", "HTTP://Server%d.Example:80/", "https://server%d.example:443/a/b%20c/",
		"http://server%d.example:443/Git", "http://192.0.2.%d:7334", "http://[2001:db8::%d]/git", "https://[2001:db8::%d]:443",
	}
	if hunts {
		forms = forms[:5]
	}
	d.Origin = forms[d.below("origin", len(forms))]
}

// rules draws what operators ask for: mostly nothing. A hunt finds what everybody may publish.
func (d *drawing) rules(hunts bool) {
	if hunts || !d.one(4, "rules at all") {
		return
	}
	d.Rules.Reciprocal = d.one(2, "reciprocal")
	if d.one(4, "work at all") {
		d.Rules.Work = d.pick("work", 1, 1, 2, 4)
	}
	if d.one(4, "authors kept out") {
		out := d.below("author kept out", 3)
		if out < 2 || d.Repositories > 1 { // with one repository there is one stranger
			d.Rules.Authors = []string{[]string{"stranger1", "maintainer1", "stranger2"}[out]}
		}
	}
}

// weights draws which operations there are at all, and how often each is. Something that makes the rest matter is always
// among them.
func (d *drawing) weights(who string, always workload.Op) (w workload.Weights) {
	odds := 1 + d.below(who+" odds", 3) // in quarters
	for op := range workload.OpEdge {   // what is rarer belongs to scenarios that are made for it
		if name := who + "/" + op.String(); d.below(name+" at all", 4) < odds {
			w[op] = d.pick(name, 1, 1, 2, 4, 8)
		}
	}
	w[always] = max(w[always], 2)
	return w
}

// crashes draws when servers crash and for how long.
func (d *drawing) crashes() {
	if d.one(2, "no crashes") {
		return
	}
	for server := 1; server <= d.Servers; server++ {
		name := func(what string) string { return fmt.Sprintf("crashes of server%d %s", server, what) }
		n := d.below(name("number"), 5)
		if n == 0 {
			continue
		}
		slot := (d.Duration - scenarios.Pause) / time.Duration(n)
		for i := range n {
			key := func(what string) string { return name(what) + string(rune('a'+i)) }
			down := d.duration(key("down"), time.Second, max(slot-2*scenarios.Pause, 2*time.Second), time.Second)
			room := slot - down - scenarios.Pause
			if room <= 0 {
				continue
			}
			at := time.Duration(i)*slot + d.duration(key("at"), time.Second, max(room, 2*time.Second), time.Second)
			d.Faults = append(d.Faults, fault.Fault{Do: fault.Crash, Server: server, At: at, For: down})
		}
	}
}
