package mutate

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A finder finds the points of one file and writes down what it takes to switch them.
type finder struct {
	pkg    *packages.Package
	file   *ast.File
	source []byte
	path   string
	next   int    // the number of the next point
	within string // the function that is looked at

	points []Point
	text   rewriting
}

// find looks at the body of every function. What is worked out before a function runs is left alone.
func (f *finder) find() {
	for _, decl := range f.file.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || fn.Body == nil || len(fn.Body.List) == 0 {
			continue
		}
		f.within = nameOf(fn)
		f.earlyReturn(fn)
		ast.PreorderStack(fn.Body, []ast.Node{fn}, f.visit)
	}
}

// visit looks at one node, outer ones first, and says whether to look inside.
func (f *finder) visit(n ast.Node, stack []ast.Node) bool {
	parent := stack[len(stack)-1]
	switch n := n.(type) {
	case *ast.GenDecl:
		return n.Tok != token.CONST
	case *ast.KeyValueExpr:
		return true
	case ast.Stmt:
		f.statement(n, parent)
		return true
	case ast.Expr:
		return f.expression(n, parent, stack)
	}
	return true
}

func (f *finder) statement(n ast.Stmt, parent ast.Node) {
	switch n := n.(type) {
	case *ast.IfStmt:
		f.guard(n)
	case *ast.CaseClause:
		f.clause(n)
	case *ast.RangeStmt:
		f.loop(n.Body)
	case *ast.ForStmt:
		if n.Cond != nil {
			f.loop(n.Body)
		}
	}
	f.dropped(n, parent)
}

// expression looks at one expression and says whether to look inside.
func (f *finder) expression(n ast.Expr, parent ast.Node, stack []ast.Node) bool {
	switch p := parent.(type) {
	case *ast.KeyValueExpr:
		if p.Key == n {
			return false
		}
	case *ast.SelectorExpr:
		if p.Sel == n {
			return false
		}
	case *ast.CaseClause:
		if f.tagged(stack) {
			return false // its values are not what they are added to
		}
	}
	if _, ok := n.(*ast.ParenExpr); ok {
		return true
	}
	value := f.pkg.TypesInfo.Types[n]
	if value.IsType() || f.spoken(n) {
		return false
	}
	if !value.IsValue() || placed(n, parent) {
		return true
	}
	if isBool(value.Type) {
		f.truth(n, parent, value)
		return true
	}
	if isInteger(value.Type) && (value.Value != nil || isLen(n)) {
		f.number(n, parent, stack, value)
		return value.Value == nil
	}
	if call, ok := n.(*ast.CallExpr); ok {
		f.arguments(call)
	}
	return true
}

// placed reports whether the expression stands where it is written to, or where only itself may stand.
func placed(n ast.Expr, parent ast.Node) bool {
	switch p := parent.(type) {
	case *ast.AssignStmt:
		for _, left := range p.Lhs {
			if left == n {
				return true
			}
		}
	case *ast.RangeStmt:
		return p.Key == n || p.Value == n
	case *ast.UnaryExpr:
		return p.Op == token.AND
	case *ast.IncDecStmt, *ast.ExprStmt, *ast.DeferStmt, *ast.GoStmt, *ast.ValueSpec:
		_, spec := p.(*ast.ValueSpec)
		_, name := n.(*ast.Ident)
		return !spec || name
	}
	return false
}

// spoken reports whether the expression makes text for people: a joined string, or what a call prints or panics with.
func (f *finder) spoken(n ast.Expr) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		t, ok := f.pkg.TypesInfo.TypeOf(n).Underlying().(*types.Basic)
		return ok && n.Op == token.ADD && t.Info()&types.IsString != 0
	case *ast.CallExpr:
		name := f.source[f.at(n.Fun.Pos()):f.at(n.Fun.End())]
		return string(name) == "panic" || strings.HasPrefix(string(name), "fmt.")
	}
	return false
}

// add notes a point and returns its number as it stands in a call.
func (f *finder) add(at token.Pos, operator, before, after string) string {
	f.points = append(f.points, Point{
		Number: f.next, Package: strings.TrimSuffix(f.path, "/"+f.path[strings.LastIndex(f.path, "/")+1:]), File: f.path,
		Line: f.pkg.Fset.Position(at).Line, Func: f.within, Operator: operator, Before: before, After: after,
	})
	f.next++
	return fmt.Sprint(f.next - 1)
}

// wrap puts texts around a node.
func (f *finder) wrap(n ast.Node, before, after string) {
	f.text.wrap(f.at(n.Pos()), f.at(n.End()), before, after)
}

// insert puts a text before a position.
func (f *finder) insert(at token.Pos, text string) { f.text.replace(f.at(at), f.at(at), text) }

func (f *finder) at(pos token.Pos) int { return f.pkg.Fset.Position(pos).Offset }

// shownMax bounds what a report shows of a source, in bytes.
const shownMax = 90

// show is what stands at a node, on one line.
func (f *finder) show(n ast.Node) string {
	text := strings.Join(strings.Fields(string(f.source[f.at(n.Pos()):f.at(n.End())])), " ")
	if len(text) > shownMax {
		text = text[:shownMax] + "..."
	}
	return text
}

// nameOf is the name of a function, with the type of its receiver.
func nameOf(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return fn.Name.Name
	}
	receiver := fn.Recv.List[0].Type
	if star, ok := receiver.(*ast.StarExpr); ok {
		receiver = star.X
	}
	return types.ExprString(receiver) + "." + fn.Name.Name
}
