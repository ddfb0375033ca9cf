package repo_test

import (
	"testing"

	"github.com/graspkit/graspkit/reference/repo"
)

func TestModelNames(t *testing.T) {
	for _, m := range []repo.Model{repo.Legacy, repo.Reciprocal} {
		if got, ok := repo.ParseModel(m.String()); !ok || got != m {
			t.Errorf("ParseModel(%q): got %v, %v", m.String(), got, ok)
		}
	}
	if got, ok := repo.ParseModel(""); !ok || got != repo.Legacy {
		t.Errorf("no name: got %v, %v, want legacy", got, ok)
	}
	if _, ok := repo.ParseModel("roles"); ok {
		t.Error("an unknown name: got a model")
	}
}
