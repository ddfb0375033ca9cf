package model_test

import (
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

const reference = "github.com/graspkit/graspkit/reference/"

// words are the constants of the server that the model may name: they say which claim a record makes,
// and what has become of a request.
var words = []string{
	"core.OpStore", "core.OpUnstore", "core.OpHold", "core.OpDrop", "core.OpMark", "core.OpUnmark",
	"core.FetchNoName", "core.FetchNoTrust", "core.FetchNoGit", "core.FetchRateLimited", "core.FetchNotOurs",
}

// What judges the server must not repeat its mistakes: the model names types and fields of its values, and nothing that
// computes or decides anything.
func TestTheModelSharesNothingButValues(t *testing.T) {
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax}, "github.com/graspkit/graspkit/sim/model")
	if err != nil || len(pkgs) != 1 || len(pkgs[0].Errors) > 0 {
		t.Fatalf("load the model: %v, %v", err, pkgs)
	}
	used := map[string]bool{}
	for id, object := range pkgs[0].TypesInfo.Uses {
		pkg := object.Pkg()
		if pkg == nil || !strings.HasPrefix(pkg.Path(), reference) {
			continue
		}
		name := pkg.Name() + "." + object.Name()
		used[pkg.Path()] = true
		switch object := object.(type) {
		case *types.TypeName:
		case *types.Var:
			if !object.IsField() {
				t.Errorf("%s: the variable %s of the server is used", pkgs[0].Fset.Position(id.Pos()), name)
			}
		case *types.Const:
			if !slices.Contains(words, name) {
				t.Errorf("%s: the constant %s of the server is used", pkgs[0].Fset.Position(id.Pos()), name)
			}
		default:
			t.Errorf("%s: %s of the server is used: %v", pkgs[0].Fset.Position(id.Pos()), name, object)
		}
	}
	want := []string{
		reference + "core", reference + "gitproto", reference + "gitstore", reference + "instant", reference + "policy",
		reference + "relay", reference + "repo",
	}
	if got := slices.Sorted(maps.Keys(used)); !slices.Equal(got, want) {
		t.Errorf("got words of %v, want of %v", got, want)
	}
}
