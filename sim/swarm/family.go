package swarm

import (
	"fmt"
	"slices"

	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim/workload"
)

// family draws what servers are set to of the further members of the GRASP family: mostly nothing. Worlds of newcomers have no private
// servers, for newcomers are nobody's members.
func (d *drawing) family(hunts bool) {
	if d.Stranger.Every > 0 && d.one(4, "contributors at all") {
		d.contributors()
	}
	if d.Owner.Every > 0 && d.one(6, "archives at all") {
		d.archives()
	}
	if !hunts && d.Owner.Every > 0 && d.one(6, "private servers at all") {
		d.private()
	}
	slices.Sort(d.Invariants)
}

// some draws servers, one at least.
func (d *drawing) some(name string) (list []string) {
	for n := 1; n <= d.Servers; n++ {
		if d.one(2, fmt.Sprintf("%s %d", name, n)) {
			list = append(list, fmt.Sprintf("server%d", n))
		}
	}
	if list == nil {
		list = []string{fmt.Sprintf("server%d", 1+d.below(name, d.Servers))}
	}
	return list
}

// contributors draws servers that have places, and strangers who go there.
func (d *drawing) contributors() {
	d.Rules.Contributors = d.some("contributors")
	if d.People.Stranger == (workload.Weights{}) {
		d.People.Stranger = d.weights("contributor", workload.OpClaim)
		d.People.Stranger[workload.OpLimit] = 0
	}
	d.People.Stranger[workload.OpContribute] = d.pick("contribute", 2, 8, 30)
	if d.one(4, "few refs at places") {
		d.Constants.PlaceholdersMax = d.pick("refs at places", 1, 2, 3)
	}
	d.Invariants = append(slices.Clone(d.Invariants), "INV-42")
}

// archives draws what is kept whatever it lists, by whom, and who of them takes no push.
func (d *drawing) archives() {
	scopes := []string{"all", "owner1", "maintainer1", "stranger1", "repository1", "owner1/repository1", "server1", "repository2"}
	for i, scope := range scopes {
		if d.one(5, "scope "+scope) || i == d.below("scope", len(scopes)) {
			d.Rules.Archive = append(d.Rules.Archive, scope)
		}
	}
	if d.one(2, "archives by name") {
		d.Rules.Archives = d.some("archives")
	}
	d.People.Listing = int64(d.pick("listing of archives", 0, 300_000, 1_000_000))
	for n := 1; n <= d.Servers; n++ {
		if d.Rules.Archived(n) && !scenarios.At(d.Rules.Contributors, n) && d.one(3, fmt.Sprintf("read only %d", n)) {
			d.Rules.ReadOnly = append(d.Rules.ReadOnly, fmt.Sprintf("server%d", n))
		}
	}
	d.Invariants = append(slices.Clone(d.Invariants), "INV-44")
}

// private draws servers for their members alone, and who those are.
func (d *drawing) private() {
	d.Rules.Private = d.some("private")
	for n := 1; n <= d.Repositories; n++ {
		for _, role := range []string{"owner", "maintainer", "stranger"} {
			if who := fmt.Sprintf("%s%d", role, n); role == "owner" && n == 1 || !d.one(4, who+" is no member") {
				d.Rules.Members = append(d.Rules.Members, who)
				if d.one(6, who+" is dismissed") {
					d.Rules.Dismissed = append(d.Rules.Dismissed, who)
				}
			}
		}
	}
	d.Invariants = append(slices.Clone(d.Invariants), "INV-43")
}
