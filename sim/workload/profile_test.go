package workload_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/kernel"
	"github.com/graspkit/graspkit/sim/workload"
)

// only is a profile in which everybody does one thing, beside announcing at first.
func only(op workload.Op) (p workload.Profile) {
	p.Team[op], p.Stranger[op] = 1, 1
	return p
}

func TestEveryOperationDoesSomething(t *testing.T) {
	for op := range workload.Ops {
		if parsed, ok := workload.ParseOp(op.String()); !ok || parsed != op {
			t.Errorf("%s: got %v and %v when it is read back", op, parsed, ok)
		}
		p := workload.New(workload.Keys(1), 1, services, only(op), nil)
		for i := range 3 {
			now := instant.FromUnix(int64(1000 + i))
			for _, r := range []workload.Role{workload.Owner, workload.Maintainer} {
				p.Next(r, now, kernel.NewSeeded(1))
			}
		}
		done := 0
		for i := range 20 {
			done += len(p.Next(workload.Owner, instant.FromUnix(int64(2000+i)), kernel.NewSeeded(uint64(i))))
		}
		if done == 0 && op != workload.OpMeddle { // which needs a pull request of somebody
			t.Errorf("%s: got no operation", op)
		}
	}
	if _, ok := workload.ParseOp("sleep"); ok {
		t.Error("sleep: got an operation, want none")
	}
}

// What a profile does not name never happens.
func TestProfileSwitchesOperationsOff(t *testing.T) {
	for _, op := range perform(workload.New(workload.Keys(1), 1, services, only(workload.OpQuery), nil), kernel.NewSeeded(1), 100) {
		if op.Say == nil && (op.Publish == nil || op.Publish.Kind != repo.KindAnnouncement) {
			t.Fatalf("got %+v, want first announcements and questions alone", op)
		}
	}
}

// maintainers are the names of those whom the last announcement of each lists.
func maintainers(profile workload.Profile) map[string][]string {
	names := map[string]string{}
	p := workload.New(workload.Keys(1), 1, services, profile, func(id, name string) { names[id] = name })
	lists := map[string][]string{}
	for _, op := range perform(p, kernel.NewSeeded(1), 200) {
		if op.Publish == nil {
			continue
		}
		a, reason := repo.ParseAnnouncement(op.Publish)
		if op.Publish.Kind != repo.KindAnnouncement || reason != "" {
			continue
		}
		listed := []string{}
		for _, m := range a.Maintainers {
			listed = append(listed, names[string(m)])
		}
		lists[names[op.Publish.PubKey]] = listed
	}
	return lists
}

func TestChains(t *testing.T) {
	for _, c := range []struct {
		chain workload.Chain
		want  map[string]string
	}{
		{workload.Star, map[string]string{
			"owner1": "[maintainer1 maintainer1.2 maintainer1.3]", "maintainer1": "[owner1]", "maintainer1.3": "[owner1]",
		}},
		{workload.Line, map[string]string{
			"owner1": "[maintainer1]", "maintainer1": "[maintainer1.2]", "maintainer1.2": "[maintainer1.3]", "maintainer1.3": "[]",
		}},
		{workload.Circle, map[string]string{"owner1": "[maintainer1]", "maintainer1.3": "[owner1]"}},
	} {
		profile := only(workload.OpAnnounce)
		profile.Maintainers, profile.Chain = 3, c.chain
		got := maintainers(profile)
		for who, want := range c.want {
			if fmt.Sprint(got[who]) != want {
				t.Errorf("chain %q: %s lists %v, want %s", c.chain, who, got[who], want)
			}
		}
	}
}

func TestSharesOfAProfile(t *testing.T) {
	count := func(change func(*workload.Profile)) (dated, partly, single, again, all int) {
		var profile workload.Profile
		change(&profile)
		p := workload.New(workload.Keys(1), 1, services, profile, nil)
		for i := range 300 {
			now := instant.FromUnix(int64(1000 + 10*i))
			for _, op := range p.Next(workload.Owner, now, kernel.NewSeeded(uint64(i))) {
				if op.Not != 0 {
					partly++
				}
				if op.At(0) == op.At(1) && op.Not != 0 || op.Not > 3 {
					t.Fatalf("got %b of two servers", op.Not)
				}
				if op.Publish == nil {
					continue
				}
				all++
				if op.Again {
					again++
				}
				if op.Publish.CreatedAt.Time().Unix() != now.Unix() {
					dated++
				}
				if a, reason := repo.ParseAnnouncement(op.Publish); reason == "" && len(a.Clone) == 1 {
					single++
				}
			}
		}
		return dated, partly, single, again, all
	}
	plain := func(*workload.Profile) {}
	before, partly, single, again, _ := count(plain)
	if partly != 0 || again != 0 {
		t.Errorf("the usual: got %d for some servers and %d again, want none", partly, again)
	}
	if dated, _, _, _, _ := count(func(p *workload.Profile) { p.Dated = 1_000_000 }); dated <= before {
		t.Errorf("dated: got %d, want more than the %d that are sent again", dated, before)
	}
	if _, partly, _, _, _ := count(func(p *workload.Profile) { p.Partly = 1_000_000 }); partly == 0 {
		t.Error("partly: got none")
	}
	if _, _, some, _, _ := count(func(p *workload.Profile) { p.Listing = 1_000_000 }); some <= single {
		t.Errorf("listing: got %d announcements of one server, want more than %d", some, single)
	}
	if _, _, _, again, all := count(func(p *workload.Profile) { p.Retried = 1_000_000 }); again != all {
		t.Errorf("retried: got %d of %d, want all", again, all)
	}
}

func TestProjectsShareIdentifiersAndPeople(t *testing.T) {
	ids := map[repo.ID]bool{}
	identifiers := map[string]bool{}
	for n := 1; n <= 4; n++ {
		p := workload.New(workload.Keys(1), n, services, workload.Profile{Identifiers: 2, Owners: 1, Aliases: true}, nil)
		ids[p.ID(workload.Owner)], identifiers[p.Identifier] = true, true
	}
	if len(ids) != 2 || len(identifiers) != 2 {
		t.Errorf("got repositories %v and identifiers %v, want two of each", ids, identifiers)
	}
}

func TestQueriesAreOfManyForms(t *testing.T) {
	var closes, counts, since, ids, limits int
	subs := map[string]bool{}
	for _, op := range perform(workload.New(workload.Keys(1), 1, services, only(workload.OpQuery), nil), kernel.NewSeeded(1), 200) {
		var filters []relay.Filter
		switch m := op.Say.(type) {
		case relay.Close:
			closes++
		case relay.Count:
			counts++
			filters = m.Filters
		case relay.Req:
			if !strings.HasPrefix(m.Sub, "many") { // those are one each, so that they are many
				subs[m.Sub] = true
			}
			filters = m.Filters
		}
		since += btoi(slices.ContainsFunc(filters, func(f relay.Filter) bool { return f.Since != nil }))
		ids += btoi(slices.ContainsFunc(filters, func(f relay.Filter) bool { return len(f.IDs) > 1 }))
		limits += btoi(slices.ContainsFunc(filters, func(f relay.Filter) bool { return f.Limit != nil }))
	}
	if closes == 0 || counts == 0 || since == 0 || ids == 0 || limits == 0 || len(subs) != 3 {
		t.Errorf("got %d CLOSE, %d COUNT, %d since, %d ids, %d limits and names %v, want some of each and three names",
			closes, counts, since, ids, limits, subs)
	}
}

func TestProfileIsValidated(t *testing.T) {
	for name, p := range map[string]workload.Profile{
		"maintainers": {Maintainers: 7}, "chain": {Chain: "tree"}, "share": {Dated: 1_000_001}, "owners": {Owners: -1},
		"weight": {Team: workload.Weights{-1}},
	} {
		if p.Validate() == nil {
			t.Errorf("%s: got no error for %+v", name, p)
		}
	}
}
