package mutate

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
)

// truth changes what a condition says: its negation, the other of && and ||, and the edge of a comparison.
func (f *finder) truth(n ast.Expr, parent ast.Node, value types.TypeAndValue) {
	if not, ok := parent.(*ast.UnaryExpr); ok && not.Op == token.NOT {
		return // what is negated is the outer one
	}
	binary, ok := n.(*ast.BinaryExpr)
	if !ok {
		after := "!" + f.show(n)
		switch inner, is := n.(*ast.UnaryExpr); {
		case is:
			after = f.show(inner.X)
		case value.Value != nil:
			after = strconv.FormatBool(!constant.BoolVal(value.Value))
		}
		f.negated(n, after)
		return
	}
	switch binary.Op {
	case token.LAND:
		number := f.add(binary.OpPos, "connective", f.show(n), "|| for &&")
		f.call(binary, "mutantAnd("+number+", ", ", func() bool { return ", " })")
	case token.LOR:
		number := f.add(binary.OpPos, "connective", f.show(n), "&& for ||")
		f.call(binary, "mutantOr("+number+", ", ", func() bool { return ", " })")
	case token.EQL:
		f.negated(n, "!= for ==")
	case token.NEQ:
		f.negated(n, "== for !=")
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		f.edge(binary)
	default: // no operator of truth
	}
}

func (f *finder) negated(n ast.Expr, after string) {
	number := f.add(n.Pos(), "negated", f.show(n), after)
	f.wrap(n, "(mutantIs("+number+") != (", "))")
}

// edge moves the edge of a comparison by one, and turns the comparison around.
func (f *finder) edge(n *ast.BinaryExpr) {
	form := map[token.Token][3]string{
		token.LSS: {"<= for <", "mutantLess(", ">= for <"},
		token.LEQ: {"< for <=", "mutantLessEqual(", "> for <="},
		token.GTR: {">= for >", "mutantGreater(", "<= for >"},
		token.GEQ: {"> for >=", "mutantGreaterEqual(", "< for >="},
	}[n.Op]
	f.negated(n, form[2])
	number := f.add(n.OpPos, "boundary", f.show(n), form[0])
	f.call(n, form[1]+number+", ", ", ", ")")
}

// call puts a call in the place of an operator.
func (f *finder) call(n *ast.BinaryExpr, before, between, after string) {
	f.wrap(n, before, after)
	f.text.replace(f.at(n.X.End()), f.at(n.Y.Pos()), between)
}

// number adds one to a constant or a length, and takes one away. An index stays as it is, for a wrong one is seldom more
// than a panic, and so does what make is told, for nobody sees it.
func (f *finder) number(n ast.Expr, parent ast.Node, stack []ast.Node, value types.TypeAndValue) {
	name, ok := f.typeName(value.Type)
	if !ok || indexes(n, stack) {
		return
	}
	changes := []string{"1", "-1"}
	if _, is := parent.(*ast.RangeStmt); is {
		changes = changes[1:] // one more turn is a panic
	}
	before, after := name+"(", ")"
	for _, by := range changes {
		sign := " + 1"
		if by == "-1" {
			sign = " - 1"
		}
		number := f.add(n.Pos(), "off by one", f.show(n), f.show(n)+sign)
		before, after = "mutantPlus("+number+", "+before, after+", "+by+")"
	}
	f.wrap(n, before, after)
}

// arguments swaps neighbors of one type in a call.
func (f *finder) arguments(call *ast.CallExpr) {
	if called(call, "min") || called(call, "max") {
		return // either order is the same
	}
	signature, ok := f.pkg.TypesInfo.TypeOf(call.Fun).(*types.Signature)
	if !ok || signature.Variadic() || call.Ellipsis.IsValid() {
		return
	}
	for i := 0; i+1 < len(call.Args); i++ {
		a, b := call.Args[i], call.Args[i+1]
		of, and := f.pkg.TypesInfo.Types[a], f.pkg.TypesInfo.Types[b]
		if !simple(a) || !simple(b) || of.Value != nil || and.Value != nil || !types.Identical(of.Type, and.Type) ||
			of.IsNil() || and.IsNil() || f.show(a) == f.show(b) {
			continue
		}
		number := f.add(a.Pos(), "swapped", f.show(call), f.show(b)+", "+f.show(a))
		f.wrap(a, "mutantEither("+number+", ", ", "+f.show(b)+")")
		f.wrap(b, "mutantEither("+number+", ", ", "+f.show(a)+")")
		i++
	}
}

// simple reports whether an expression is a name or a field: to look at it twice changes nothing.
func simple(n ast.Expr) bool {
	switch n := n.(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return simple(n.X)
	}
	return false
}

// indexes reports whether the expression is part of an index, of the bounds of a slice or of what make is told.
func indexes(n ast.Node, stack []ast.Node) bool {
	for i := len(stack) - 1; i >= 0; i-- {
		switch outer := stack[i].(type) {
		case *ast.IndexExpr:
			if outer.Index == n {
				return true
			}
		case *ast.SliceExpr:
			if outer.X != n {
				return true
			}
		case *ast.CallExpr:
			if called(outer, "make") {
				return true
			}
		}
		n = stack[i]
	}
	return false
}

func isLen(n ast.Expr) bool {
	call, ok := n.(*ast.CallExpr)
	return ok && called(call, "len")
}

// called reports whether the call is one of the function that has this name in the universe.
func called(call *ast.CallExpr, name string) bool {
	id, ok := call.Fun.(*ast.Ident)
	return ok && id.Name == name
}
