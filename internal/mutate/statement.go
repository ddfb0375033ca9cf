package mutate

import (
	"go/ast"
	"go/token"
	"strings"
)

// earlyReturn makes a function do nothing and return zero values.
func (f *finder) earlyReturn(fn *ast.FuncDecl) {
	var values []string
	if fn.Type.Results != nil {
		for _, field := range fn.Type.Results.List {
			if len(field.Names) > 0 {
				values = nil
				break
			}
			t := string(f.source[f.at(field.Type.Pos()):f.at(field.Type.End())])
			values = append(values, "*new("+t+")")
		}
	}
	n := f.add(fn.Pos(), "early return", "func "+f.within, "return zero values")
	f.insert(fn.Body.Lbrace+1, " if mutantIs("+n+") { return "+strings.Join(values, ", ")+" }; ")
}

// guard makes a branch that is never taken, and one that always is.
func (f *finder) guard(n *ast.IfStmt) {
	if !isBool(f.pkg.TypesInfo.TypeOf(n.Cond)) {
		return
	}
	never := f.add(n.Cond.Pos(), "never", "if "+f.show(n.Cond), "if false")
	always := f.add(n.Cond.Pos(), "always", "if "+f.show(n.Cond), "if true")
	f.wrap(n.Cond, "((", ") || mutantIs("+always+")) && !mutantIs("+never+")")
}

// clause drops the values of a case, one by one.
func (f *finder) clause(n *ast.CaseClause) {
	for _, value := range n.List {
		t := f.pkg.TypesInfo.Types[value]
		switch {
		case t.IsType() || t.IsNil():
		case isBool(t.Type):
			number := f.add(value.Pos(), "dropped case", "case "+f.show(value), "nothing")
			f.wrap(value, "(", ") && !mutantIs("+number+")")
		case isInteger(t.Type):
			f.unmatched(value, "mutantNoNumber")
		case isText(t.Type):
			f.unmatched(value, "mutantNoText")
		}
	}
}

// unmatched puts a value that no other has in the place of one that a case names.
func (f *finder) unmatched(value ast.Expr, change string) {
	name, ok := f.typeName(f.pkg.TypesInfo.TypeOf(value))
	if !ok {
		return
	}
	number := f.add(value.Pos(), "dropped case", "case "+f.show(value), "nothing")
	f.wrap(value, change+"("+number+", "+name+"(", "))")
}

// loop makes a loop that looks at nothing, and one that ends after its first turn.
func (f *finder) loop(body *ast.BlockStmt) {
	if len(body.List) == 0 {
		return
	}
	none := f.add(body.Lbrace, "no turn", "loop", "break at once")
	f.insert(body.Lbrace+1, " if mutantIs("+none+") { break }; ")
	switch body.List[len(body.List)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return
	}
	one := f.add(body.Lbrace, "one turn", "loop", "break after the first turn")
	f.insert(body.Rbrace, "; if mutantIs("+one+") { break } ")
}

// dropped leaves out a statement that stands in a list.
func (f *finder) dropped(n ast.Stmt, parent ast.Node) {
	switch parent.(type) {
	case *ast.BlockStmt, *ast.CaseClause:
	default:
		return
	}
	switch n := n.(type) {
	case *ast.ExprStmt:
		if call, ok := n.X.(*ast.CallExpr); !ok || f.spoken(call) {
			return
		}
	case *ast.AssignStmt:
		if n.Tok == token.DEFINE {
			return
		}
	case *ast.IncDecStmt:
	case *ast.BranchStmt:
		if n.Tok != token.CONTINUE && n.Tok != token.BREAK {
			return
		}
	default:
		return
	}
	number := f.add(n.Pos(), "dropped statement", f.show(n), "nothing")
	f.wrap(n, "if !mutantIs("+number+") { ", " }")
}

// tagged reports whether the innermost switch compares with a value.
func (f *finder) tagged(stack []ast.Node) bool {
	for i := len(stack) - 1; i >= 0; i-- {
		if s, ok := stack[i].(*ast.SwitchStmt); ok {
			return s.Tag != nil
		}
	}
	return true
}
