package history

import "testing"

// An answer that comes by and by holds a state and the one that has replaced it meanwhile, whichever of them was sent first, and so do two
// such answers at once. If nothing has replaced it meanwhile there is one version.
func TestAnAnswerThatComesByAndByIsExplained(t *testing.T) {
	repo := Repository{
		Refs: []string{"refs/heads/main"}, Authors: []string{"owner"}, Objects: []string{"first", "second"},
		States: []State{{ID: "a", Refs: Refs{1}}, {ID: "b", Date: 1, Refs: Refs{2}}, {ID: "c", Date: 2, Refs: Refs{1}}},
	}
	published := []Operation{
		{Kind: Publish, Call: 3, Return: 4, Result: Accepted, State: 1},
		{Kind: Push, Call: 5, Return: 6, Result: Accepted, Commands: []Command{{Ref: 0, Old: 1, New: 2, OK: true}}, Carries: []Object{2}},
		{Kind: Publish, Call: 7, Return: 8, Result: Accepted, State: 2},
	}
	query := func(client int, from, to int64, served ...int) Operation {
		return Operation{Kind: Query, Client: client, Call: from, Return: to, Result: Accepted, Served: served}
	}
	deleted := Operation{Kind: Delete, Client: 3, Call: 9, Return: 10, Result: Accepted, State: 2}
	for name, c := range map[string]struct {
		ops  []Operation
		want Verdict
	}{
		"by and by":                    {[]Operation{query(1, 1, 20, 0, 1, 2), query(2, 2, 19, 0, 1, 2)}, Explained},
		"one of them later":            {[]Operation{query(1, 1, 20, 0, 1, 2), query(2, 5, 19, 1, 2)}, Explained},
		"the newer one first":          {[]Operation{query(1, 1, 20, 2, 1), query(2, 2, 19, 2, 0, 1)}, Explained},
		"the newer one, there before":  {[]Operation{query(1, 9, 20, 2, 1)}, Unexplained},
		"behind what was deleted":      {[]Operation{deleted, query(1, 5, 20, 2, 1), query(2, 5, 20, 2, 1)}, Explained},
		"an older one, behind a newer": {[]Operation{query(1, 9, 10, 2), query(1, 11, 20, 1, 2)}, Unexplained},
		"one that was replaced before": {[]Operation{query(1, 11, 12, 2), query(1, 13, 20, 1)}, Unexplained},
	} {
		if verdict, why := Check(repo, Rules{}, append(c.ops, published...)); verdict != c.want {
			t.Errorf("%s: got %v, want %v: %s", name, verdict, c.want, why)
		}
	}
}
