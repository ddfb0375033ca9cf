package history

import "testing"

// A push that was not answered takes a ref away once a state comes that has none, of which nothing else is here: whoever judges refs one by
// one may do that.
func TestAPushThatIsLateIsExplained(t *testing.T) {
	repo := Repository{
		Refs: []string{"refs/heads/main", "refs/heads/dev"}, Authors: []string{"owner", "maintainer"}, Objects: []string{"first", "second", "third"},
		States: []State{{ID: "a", Refs: Refs{3, 1}}, {ID: "b", Date: 1, Refs: Refs{2}}},
	}
	ops := []Operation{
		{Kind: Push, Call: 1, Return: 1, Commands: []Command{{Ref: 1, Old: 1}}},
		{Kind: Publish, Call: 3, Return: 3, Result: Accepted, State: 1},
		{Kind: Read, Call: 4, Return: 4, Result: Accepted, Refs: Refs{3}},
	}
	for _, rules := range []Rules{{}, {Latest: true, Deleted: true}} {
		if verdict, why := Check(repo, rules, ops); verdict != Explained {
			t.Errorf("%+v: got %v: %s", rules, verdict, why)
		}
	}
	ops = ops[1:]
	if verdict, _ := Check(repo, Rules{}, ops); verdict != Unexplained {
		t.Errorf("without that push: got %v, want that nothing explains it", verdict)
	}
}
