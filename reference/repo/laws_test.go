package repo_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/graspkit/graspkit/reference/repo"
)

// A graph says whom the announcement of each key lists; a key that is not in it has none.
type graph map[repo.PubKey][]repo.PubKey

func (g graph) announcement(key repo.PubKey) (repo.Announcement, bool) {
	list, ok := g[key]
	return repo.Announcement{ID: repo.ID{Owner: key, Identifier: "demo"}, Maintainers: list}, ok
}

func (g graph) set(model repo.Model, owner repo.PubKey) []repo.PubKey {
	return repo.MaintainerSet(model, owner, "demo", g.announcement)
}

func TestMaintainerSet(t *testing.T) {
	type keys = []repo.PubKey
	for _, c := range []struct {
		name       string
		graph      graph
		legacy     keys
		reciprocal keys
	}{
		{"no announcement", graph{"M": {"O"}}, nil, nil},
		{"alone", graph{"O": nil}, keys{"O"}, keys{"O"}},
		{"lists itself", graph{"O": {"O"}}, keys{"O"}, keys{"O"}},
		{"one-sided", graph{"O": {"M"}}, keys{"O", "M"}, keys{"O"}},
		{"mutual", graph{"O": {"M"}, "M": {"O"}}, keys{"O", "M"}, keys{"O", "M"}},
		{"chain", graph{"O": {"M"}, "M": {"R", "O"}, "R": {"M"}}, keys{"O", "M", "R"}, keys{"O", "M", "R"}},
		{"chain that breaks", graph{"O": {"M"}, "M": {"R", "O"}, "R": nil}, keys{"O", "M", "R"}, keys{"O", "M"}},
		{"cycle", graph{"O": {"M"}, "M": {"R"}, "R": {"O"}}, keys{"O", "M", "R"}, keys{"O"}},
		{"forged", graph{"O": nil, "X": {"O"}}, keys{"O"}, keys{"O"}},
		{"level by level", graph{"O": {"B", "A"}, "B": {"C"}, "A": {"D"}}, keys{"O", "B", "A", "C", "D"}, keys{"O"}},
	} {
		if diff := cmp.Diff(c.legacy, c.graph.set(repo.Legacy, "O")); diff != "" {
			t.Errorf("%s, legacy: %s", c.name, diff)
		}
		if diff := cmp.Diff(c.reciprocal, c.graph.set(repo.Reciprocal, "O")); diff != "" {
			t.Errorf("%s, reciprocal: %s", c.name, diff)
		}
	}
}

func TestMaintainerSetBound(t *testing.T) {
	g := graph{}
	for i := range 1000 {
		key := repo.PubKey(fmt.Sprint(i))
		g[key] = []repo.PubKey{repo.PubKey(fmt.Sprint(i + 1)), repo.PubKey(fmt.Sprint(i - 1))}
	}
	for _, model := range []repo.Model{repo.Legacy, repo.Reciprocal} {
		if got := len(g.set(model, "0")); got != repo.MaintainersMax {
			t.Errorf("model %d: got %d keys, want %d", model, got, repo.MaintainersMax)
		}
	}
}

func TestMaintainerSetOfAnotherIdentifier(t *testing.T) {
	g := graph{"O": {"M"}}
	if got := repo.MaintainerSet(repo.Legacy, "O", "other", g.announcement); got != nil {
		t.Errorf("got %v, want nothing", got)
	}
}

var genGraph = rapid.Custom(func(t *rapid.T) graph {
	g := graph{}
	for _, key := range "OABCDEF" {
		if key == 'O' || rapid.Bool().Draw(t, "announces") {
			g[repo.PubKey(key)] = rapid.SliceOfNDistinct(genKey, 0, 7, rapid.ID[repo.PubKey]).Draw(t, "list")
		}
	}
	return g
})

var genKey = rapid.Map(rapid.SampledFrom(strings.Split("OABCDEF", "")), func(s string) repo.PubKey { return repo.PubKey(s) })

// TestMaintainerSetLaws: the set begins with the owner, has each key once, does not shrink when an announcement
// lists one key more, and the reciprocal one is part of the legacy one.
func TestMaintainerSetLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := genGraph.Draw(t, "graph")
		legacy, reciprocal := g.set(repo.Legacy, "O"), g.set(repo.Reciprocal, "O")
		checkPart(t, reciprocal, legacy)
		key := genKey.Draw(t, "announcer")
		g[key] = append(slices.Clone(g[key]), genKey.Draw(t, "listed"))
		checkPart(t, legacy, g.set(repo.Legacy, "O"))
		checkPart(t, reciprocal, g.set(repo.Reciprocal, "O"))
	})
}

// TestMaintainerSetIsTheClosure compares the legacy set with repeated passes over all edges.
func TestMaintainerSetIsTheClosure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := genGraph.Draw(t, "graph")
		want := []repo.PubKey{"O"}
		for range 10 {
			for _, key := range slices.Clone(want) {
				want = append(want, g[key]...)
			}
			slices.Sort(want)
			want = slices.Compact(want)
		}
		if diff := cmp.Diff(want, slices.Sorted(slices.Values(g.set(repo.Legacy, "O")))); diff != "" {
			t.Fatal(diff)
		}
	})
}

func checkPart(t *rapid.T, part, whole []repo.PubKey) {
	for i, key := range part {
		if !slices.Contains(whole, key) || slices.Contains(part[:i], key) {
			t.Fatalf("%v is no part of %v", part, whole)
		}
	}
	if part[0] != "O" || whole[0] != "O" {
		t.Fatalf("%v and %v do not begin with the owner", part, whole)
	}
}
