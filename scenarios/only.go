package scenarios

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/goccy/go-yaml/ast"

	"github.com/graspkit/graspkit/internal/yamlfile"
)

// OnlyMax is how many operations a scenario names at most.
const OnlyMax = 4096

// operationName is the form of the names of operations. The package sim gives them.
var operationName = regexp.MustCompile(`^[a-z]{1,32}[0-9]{1,9}/[a-z0-9.]{1,32}$`)

// only reads the names of the operations that happen, each at most once. An empty list is not the same as none.
func (r *reader) only(out *[]string) func(ast.Node) error {
	const rule = `the name of an operation, such as "owner1/7.0"`
	return func(n ast.Node) error {
		*out = []string{}
		return r.list("only", OnlyMax, func(n ast.Node) error {
			var name string
			if err := r.text(&name, 80, rule, operationName.MatchString)(n); err != nil {
				return err
			}
			if slices.Contains(*out, name) {
				return yamlfile.At(r.file, n, "operation "+name+" appears twice", "keep one of them")
			}
			*out = append(*out, name)
			return nil
		})(n)
	}
}

// seed reads a whole number of 64 bits.
func (r *reader) seed(out *uint64) func(ast.Node) error {
	const rule = "a whole number from 0 to 18446744073709551615"
	return func(n ast.Node) error {
		integer, ok := n.(*ast.IntegerNode)
		if !ok {
			return yamlfile.At(r.file, n, "value is "+yamlfile.Describe(n), "write "+rule)
		}
		v, err := strconv.ParseUint(integer.GetToken().Value, 10, 64)
		if err != nil {
			return yamlfile.At(r.file, n, "value "+integer.GetToken().Value+" is out of range", "write "+rule)
		}
		*out = v
		return nil
	}
}
