package scenarios

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/graspkit/graspkit/internal/yamlfile"
)

// SizeMax is the largest scenario file, in bytes.
const SizeMax = 64 << 10

// document parses a file that must hold exactly one YAML document and returns its root node.
func document(file string, data []byte) (ast.Node, error) {
	if len(data) > SizeMax {
		return nil, &Error{File: file, Line: 1, Column: 1, What: fmt.Sprintf("file of %d bytes", len(data)), Hint: fmt.Sprintf("keep it below %d", SizeMax)}
	}
	parsed, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, yamlfile.Syntax(file, err)
	}
	var root ast.Node
	for _, doc := range parsed.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.CommentType {
			continue
		}
		if root != nil {
			return nil, yamlfile.At(file, doc.Body, "second document", "put it into a file of its own")
		}
		root = doc.Body
	}
	if root == nil {
		return nil, &Error{File: file, Line: 1, Column: 1, What: "empty file", Hint: "start with the field name"}
	}
	return root, nil
}

// A field is one key of a mapping: how its value is read and whether it must be there.
type field struct {
	name     string
	required bool
	read     func(n ast.Node) error
}

// mapping reads a mapping that may hold the given fields and nothing else.
func (r *reader) mapping(what string, n ast.Node, fields []field) error {
	var entries []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		entries = n.Values
	case *ast.MappingValueNode:
		entries = []*ast.MappingValueNode{n}
	default:
		return yamlfile.At(r.file, n, fmt.Sprintf("%s is %s", what, yamlfile.Describe(n)), "write a mapping, one \"key: value\" a line")
	}
	seen := map[string]bool{}
	for _, entry := range entries {
		key, ok := entry.Key.(*ast.StringNode)
		if !ok {
			return yamlfile.At(r.file, entry.Key, "key "+entry.Key.String()+" is not a plain word", "use one of "+names(fields))
		}
		f := find(fields, key.Value)
		if f == nil {
			return yamlfile.At(r.file, key, fmt.Sprintf("unknown field %q in %s", key.Value, what), "use one of "+names(fields))
		}
		if seen[f.name] {
			return yamlfile.At(r.file, key, fmt.Sprintf("field %q appears twice", f.name), "keep one of them")
		}
		seen[f.name] = true
		if err := f.read(entry.Value); err != nil {
			return err
		}
	}
	for _, f := range fields {
		if f.required && !seen[f.name] {
			return yamlfile.At(r.file, n, fmt.Sprintf("field %q is missing from %s", f.name, what), "add it")
		}
	}
	return nil
}

func find(fields []field, name string) *field {
	for i := range fields {
		if fields[i].name == name {
			return &fields[i]
		}
	}
	return nil
}

func names(fields []field) string {
	list := make([]string, len(fields))
	for i, f := range fields {
		list[i] = f.name
	}
	return strings.Join(list, ", ")
}
