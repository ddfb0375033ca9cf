package archtest_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// loadTyped type-checks the packages that match the patterns, without their tests.
func loadTyped(t *testing.T, root string, patterns ...string) []*packages.Package {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax | packages.NeedModule, Dir: root}, patterns...)
	if err != nil {
		t.Fatalf("load packages: %v", err)
	}
	return pkgs
}

// A pureJudge looks at the typed syntax of one pure room.
type pureJudge struct {
	pkg   *packages.Package
	root  string // absolute path of the module
	git   bool   // the room is pureGit
	found []finding
}

// checkPure returns the findings of one type-checked package, judged as a pure room.
func checkPure(pkg *packages.Package, root string, git bool) []finding {
	j := &pureJudge{pkg: pkg, root: root, git: git}
	for _, file := range pkg.Syntax {
		sorted := sortedCalls(pkg.TypesInfo, file)
		ast.Inspect(file, func(n ast.Node) bool {
			j.statement(n)
			j.arithmetic(n)
			if id, ok := n.(*ast.Ident); ok {
				j.mention(id, sorted)
			}
			return true
		})
	}
	return j.found
}

func (j *pureJudge) at(pos token.Pos, rule, why string, args ...any) {
	place := j.pkg.Fset.Position(pos)
	name, err := filepath.Rel(j.root, place.Filename)
	if err != nil {
		name = place.Filename
	}
	j.found = append(j.found, finding{filepath.ToSlash(name), place.Line, rule, fmt.Sprintf(why, args...)})
}

// statement judges concurrency, map order and package variables.
func (j *pureJudge) statement(n ast.Node) {
	switch n := n.(type) {
	case *ast.GoStmt:
		j.at(n.Pos(), "pure-go", "a goroutine runs when it likes")
	case *ast.SelectStmt:
		j.at(n.Pos(), "pure-select", "select picks at random")
	case *ast.ChanType:
		j.at(n.Pos(), "pure-chan", "what is passed on is returned or appended, not sent")
	case *ast.SendStmt:
		j.at(n.Pos(), "pure-chan", "what is passed on is returned or appended, not sent")
	case *ast.RangeStmt:
		if isMap(j.pkg.TypesInfo.TypeOf(n.X)) {
			j.at(n.Pos(), "pure-map-range", "map order differs from run to run: range over slices.Sorted(maps.Keys(m))")
		}
	case *ast.AssignStmt:
		for _, lhs := range n.Lhs {
			j.assigned(lhs)
		}
	case *ast.IncDecStmt:
		j.assigned(n.X)
	}
}

// assigned judges the target of an assignment.
func (j *pureJudge) assigned(target ast.Expr) {
	for {
		switch x := target.(type) {
		case *ast.ParenExpr:
			target = x.X
			continue
		case *ast.StarExpr:
			target = x.X
			continue
		case *ast.IndexExpr:
			target = x.X
			continue
		case *ast.SelectorExpr:
			if v, ok := j.pkg.TypesInfo.Uses[x.Sel].(*types.Var); ok && !v.IsField() {
				j.at(x.Pos(), "pure-global", "package variables never change")
				return
			}
			target = x.X
			continue
		case *ast.Ident:
			if v, ok := j.pkg.TypesInfo.Uses[x].(*types.Var); ok && v.Parent() == j.pkg.Types.Scope() {
				j.at(x.Pos(), "pure-global", "package variables never change")
			}
		}
		return
	}
}

// arithmetic judges floating-point arithmetic that is left to run time.
func (j *pureJudge) arithmetic(n ast.Node) {
	const why = "x*y + z may be one instruction or two, with different results: use integers"
	info := j.pkg.TypesInfo
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if n.Op != token.EQL && isFloat(info.TypeOf(n)) && info.Types[n].Value == nil {
			j.at(n.OpPos, "pure-float", why)
		}
	case *ast.AssignStmt:
		if n.Tok != token.ASSIGN && n.Tok != token.DEFINE && isFloat(info.TypeOf(n.Lhs[0])) {
			j.at(n.TokPos, "pure-float", why)
		}
	case *ast.IncDecStmt:
		if isFloat(info.TypeOf(n.X)) {
			j.at(n.TokPos, "pure-float", why)
		}
	case *ast.CallExpr:
		if fn := calledFunc(info, n); fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "math" && isFloat(info.TypeOf(n)) && !strings.HasSuffix(fn.Name(), "frombits") {
			j.at(n.Pos(), "pure-float", "math.%s may differ in the last bit between machines", fn.Name())
		}
	}
}

// mention judges what an identifier stands for.
func (j *pureJudge) mention(id *ast.Ident, sorted map[*ast.Ident]bool) {
	switch obj := j.pkg.TypesInfo.Uses[id].(type) {
	case *types.TypeName:
		if obj.Pkg() != nil && obj.Pkg().Path() == "time" && slices.Contains([]string{"Time", "Timer", "Ticker", "Location"}, obj.Name()) {
			j.at(id.Pos(), "pure-time", "time.%s: %s (instant.Instant)", obj.Name(), noClock)
		}
	case *types.Var:
		if obj.Pkg() != nil && obj.Pkg().Path() == "time" && obj.Name() == "Local" && !obj.IsField() {
			j.at(id.Pos(), "pure-time", "time.Local is the zone of the machine")
		}
	case *types.Func:
		name := obj.Origin().FullName()
		ofTime := obj.Pkg() != nil && obj.Pkg().Path() == "time" && obj.Signature().Recv() == nil
		switch why, banned := bannedFuncs[name]; {
		case banned:
			j.at(id.Pos(), "pure-func", "%s: %s", name, why)
		case ofTime && !slices.Contains(timeFuncs, obj.Name()) && (!j.git || !slices.Contains(gitTimeFuncs, obj.Name())):
			j.at(id.Pos(), "pure-time", "%s: %s", name, noClock)
		case mapOrder(name) && !sorted[id]:
			j.at(id.Pos(), "pure-map-order", "%s stands only as the direct argument of slices.Sorted, SortedFunc or SortedStableFunc", name)
		}
	case *types.Builtin:
		if obj.Name() == "print" || obj.Name() == "println" {
			j.at(id.Pos(), "pure-func", "%s: return the text", obj.Name())
		}
	}
}

// sortedCalls returns the identifiers of functions whose call is the first argument of slices.Sorted*.
func sortedCalls(info *types.Info, file *ast.File) map[*ast.Ident]bool {
	sorted := map[*ast.Ident]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		if fn := calledFunc(info, call); fn == nil || !sorts(fn.Origin().FullName()) {
			return true
		}
		if arg, ok := ast.Unparen(call.Args[0]).(*ast.CallExpr); ok {
			if id := calledIdent(arg); id != nil {
				sorted[id] = true
			}
		}
		return true
	})
	return sorted
}

// calledIdent returns the identifier that names the function of a call, or nil.
func calledIdent(call *ast.CallExpr) *ast.Ident {
	fun := ast.Unparen(call.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	switch x := fun.(type) {
	case *ast.Ident:
		return x
	case *ast.SelectorExpr:
		return x.Sel
	}
	return nil
}

func calledFunc(info *types.Info, call *ast.CallExpr) *types.Func {
	id := calledIdent(call)
	if id == nil {
		return nil
	}
	fn, _ := info.Uses[id].(*types.Func)
	return fn
}

// isMap reports whether ranging over a value of the type may follow map order.
func isMap(t types.Type) bool {
	if t == nil {
		return false
	}
	if param, ok := types.Unalias(t).(*types.TypeParam); ok {
		return anyTerm(param, isMap)
	}
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// isFloat reports whether arithmetic on the type may be in floating point.
func isFloat(t types.Type) bool {
	if t == nil {
		return false
	}
	if param, ok := types.Unalias(t).(*types.TypeParam); ok {
		return anyTerm(param, isFloat)
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsFloat|types.IsComplex) != 0
}

// anyTerm reports whether a term of the type parameter's constraint satisfies is.
func anyTerm(param *types.TypeParam, is func(types.Type) bool) bool {
	constraint, ok := param.Constraint().Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for embedded := range constraint.EmbeddedTypes() {
		union, ok := types.Unalias(embedded).(*types.Union)
		if !ok {
			if !types.IsInterface(embedded) && is(embedded) {
				return true
			}
			continue
		}
		for term := range union.Terms() {
			if is(term.Type()) {
				return true
			}
		}
	}
	return false
}
