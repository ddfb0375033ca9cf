package workload_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/kernel"
	"github.com/graspkit/graspkit/sim/workload"
)

var services = []repo.Service{{Host: "one.example"}, {Host: "two.example"}}

// perform lets everybody decide n times, ten seconds apart, and returns all operations.
func perform(p *workload.Project, c kernel.Chooser, n int) (ops []workload.Operation) {
	for i := range n {
		now := instant.FromUnix(int64(1000 + 10*i))
		for _, role := range []workload.Role{workload.Owner, workload.Maintainer, workload.Stranger} {
			ops = append(ops, p.Next(role, now, c)...)
		}
	}
	return ops
}

func describe(ops []workload.Operation) (lines []string) {
	for _, op := range ops {
		switch {
		case op.Publish != nil:
			lines = append(lines, fmt.Sprintf("%v publish %s", op.After, op.Publish.ID))
		case op.Push != nil:
			lines = append(lines, fmt.Sprintf("%v push %+v", op.After, *op.Push))
		default:
			lines = append(lines, fmt.Sprintf("%v ask", op.After))
		}
	}
	return lines
}

func TestWorkIsAFunctionOfSeedAndDecisions(t *testing.T) {
	one := describe(perform(workload.New(workload.Keys(1), 1, services, workload.Profile{}, nil), kernel.NewSeeded(1), 100))
	two := describe(perform(workload.New(workload.Keys(1), 1, services, workload.Profile{}, nil), kernel.NewSeeded(1), 100))
	if diff := cmp.Diff(one, two); diff != "" {
		t.Errorf("the same work twice (-first +second):\n%s", diff)
	}
	if cmp.Equal(one, describe(perform(workload.New(workload.Keys(1), 1, services, workload.Profile{}, nil), kernel.NewSeeded(2), 100))) {
		t.Error("other decisions: got the same work, want other work")
	}
}

func TestEventsAreWellFormed(t *testing.T) {
	names := map[string]string{}
	p := workload.New(workload.Keys(1), 1, services, workload.Profile{}, func(id, name string) { names[id] = name })
	kinds, withdrawn, several := map[int]int{}, 0, 0
	for _, op := range perform(p, kernel.NewSeeded(1), 300) {
		ev := op.Publish
		if ev == nil {
			continue
		}
		kinds[ev.Kind]++
		if !ev.CheckID() {
			t.Errorf("event %s: the id is not its hash", ev.ID)
		}
		if names[ev.ID] == "" || names[ev.PubKey] == "" {
			t.Errorf("event %s by %s: got names %q and %q, want both", ev.ID, ev.PubKey, names[ev.ID], names[ev.PubKey])
		}
		switch ev.Kind {
		case repo.KindAnnouncement:
			a, reason := repo.ParseAnnouncement(ev)
			if len(a.Clone) == 1 && strings.Contains(a.Clone[0], "elsewhere.example") {
				withdrawn++
				continue
			}
			if reason != "" || len(a.Clone) != len(services) || len(a.Maintainers) != 1 {
				t.Errorf("announcement %s: got %q with %d clone URLs and %d maintainers", ev.ID, reason, len(a.Clone), len(a.Maintainers))
			}
			for _, s := range services {
				if clone, relays := s.ListedIn(a); !clone || !relays {
					t.Errorf("announcement %s: does not list %s", ev.ID, s.Host)
				}
			}
		case repo.KindPullRequest, repo.KindPullRequestUpdate:
			if pr, reason := repo.ParsePullRequest(ev); reason != "" || len(pr.Repos) == 0 {
				t.Errorf("pull request %s: got %q and repositories %v", ev.ID, reason, pr.Repos)
			} else {
				several += btoi(len(pr.Repos) > 1)
			}
		case repo.KindState:
			if _, reason := repo.ParseState(ev); reason != "" {
				t.Errorf("state %s: got %q, want a state", ev.ID, reason)
			}
		}
	}
	for _, kind := range []int{repo.KindAnnouncement, repo.KindState, 1621, repo.KindPullRequest, repo.KindPullRequestUpdate, 5} {
		if kinds[kind] == 0 {
			t.Errorf("kind %d: got none, want some", kind)
		}
	}
	if several == 0 {
		t.Error("got no pull request to several repositories, want some")
	}
	if withdrawn == 0 {
		t.Error("got no announcement that withdraws the service, want some")
	}
}

func TestWorkHasEveryKindOfPush(t *testing.T) {
	var stale, twice, planted, early int
	for _, op := range perform(workload.New(workload.Keys(1), 1, services, workload.Profile{}, nil), kernel.NewSeeded(1), 500) {
		if op.After < 0 || op.After > 2*time.Minute {
			t.Errorf("got an operation after %v, want at most two minutes", op.After)
		}
		if p := op.Push; p != nil {
			stale += btoi(p.Stale)
			twice += btoi(p.Twice)
			planted += btoi(strings.HasPrefix(p.Plant, "refs/"))
			early += btoi(op.After == 0)
		}
	}
	for name, n := range map[string]int{"stale": stale, "twice": twice, "planted": planted, "early": early} {
		if n == 0 {
			t.Errorf("%s pushes: got none, want some", name)
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestOwnerEndsWithAPushOfWhatIsDeclared(t *testing.T) {
	p := workload.New(workload.Keys(1), 2, services, workload.Profile{}, nil)
	perform(p, kernel.NewSeeded(1), 20)
	ops := p.Close(instant.FromUnix(9999), kernel.NewSeeded(2))
	if len(ops) != 3 || ops[0].Publish == nil || ops[1].Publish == nil || ops[2].Push == nil {
		t.Fatalf("got %v, want an announcement, a state and a push", describe(ops))
	}
	s, reason := repo.ParseState(ops[1].Publish)
	if reason != "" {
		t.Fatal(reason)
	}
	if diff := cmp.Diff(s.Refs, ops[2].Push.Want); diff != "" {
		t.Errorf("refs (-declared +pushed):\n%s", diff)
	}
	if _, ok := s.Lookup(s.Head); !ok {
		t.Errorf("HEAD: got %s, want a declared branch", s.Head)
	}
}

// The maintainer of every fourth project lists the service nowhere: only the owner vouches for that announcement.
func TestSomeMaintainersListNoService(t *testing.T) {
	for n, want := range map[int]bool{3: true, 4: false} {
		p := workload.New(workload.Keys(1), n, services, workload.Profile{}, nil)
		a, reason := repo.ParseAnnouncement(p.Next(workload.Maintainer, instant.FromUnix(1), kernel.NewSeeded(1))[0].Publish)
		if reason != "" {
			t.Fatal(reason)
		}
		if clone, relays := services[0].ListedIn(a); clone != want || relays != want {
			t.Errorf("project %d: got listed %v and %v, want %v", n, clone, relays, want)
		}
	}
}
