package archtest_test

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// specPath is the catalogue. The server may cite its ids, so that a ruling names its requirement, but
// must not read timings, levels or wording from it: what it does is judged by them.
const specPath = module + "conformance/spec"

// checkSpecUse judges what a package of the server takes from the catalogue.
func checkSpecUse(pkg *packages.Package, root, catalogue string) []finding {
	j := &pureJudge{pkg: pkg, root: root}
	for _, file := range pkg.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			obj := pkg.TypesInfo.Uses[id]
			if obj == nil || obj.Pkg() == nil || obj.Pkg().Path() != catalogue || isSpecID(obj, catalogue) {
				return true
			}
			j.at(id.Pos(), "spec-ids-only", "spec.%s: the server takes ids from the catalogue, never timings or levels", obj.Name())
			return true
		})
	}
	return j.found
}

// isSpecID reports whether the object is the type ID of the catalogue, a value of that type or one of
// its methods.
func isSpecID(obj types.Object, catalogue string) bool {
	t := obj.Type()
	switch obj := obj.(type) {
	case *types.PkgName:
		return true
	case *types.Func:
		if obj.Signature().Recv() == nil {
			return false
		}
		t = obj.Signature().Recv().Type()
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == "ID" && named.Obj().Pkg().Path() == catalogue
}
