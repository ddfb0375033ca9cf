package known

import (
	"fmt"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/graspkit/graspkit/internal/yamlfile"
)

// The limits of a file.
const (
	SizeMax    = 1 << 20 // bytes
	EntriesMax = 2000
)

// Parse reads a list. The file name is used in errors only, which are of type *Error wherever a place is known. An empty file is
// an empty list.
func Parse(file string, data []byte, names Catalogue) (List, error) {
	list := List{File: file}
	root, err := document(file, data)
	if root == nil || err != nil {
		return list, err
	}
	entries, is := root.(*ast.SequenceNode)
	if !is {
		return list, yamlfile.At(file, root, "the file is "+yamlfile.Describe(root), `write a list, one "- id: ID" with its reason for each failure`)
	}
	if len(entries.Values) > EntriesMax {
		return list, yamlfile.At(file, root, fmt.Sprintf("%d entries", len(entries.Values)), fmt.Sprintf("keep it to %d", EntriesMax))
	}
	first := map[string]int{}
	for _, n := range entries.Values {
		e, err := (&reader{file, names}).entry(n)
		if err != nil {
			return list, err
		}
		key := "requirement " + e.Requirement
		if e.Check != "" {
			key = "check " + e.Check
		}
		if before, twice := first[key]; twice {
			return list, yamlfile.At(file, n, fmt.Sprintf("the %s is named twice, first in line %d", key, before), "keep one of them")
		}
		first[key] = e.Line
		list.Entries = append(list.Entries, e)
	}
	return list, nil
}

// document parses a file that must hold one YAML document at most and returns its root node, nil if there is none.
func document(file string, data []byte) (ast.Node, error) {
	if len(data) > SizeMax {
		return nil, &Error{File: file, Line: 1, Column: 1, What: fmt.Sprintf("file of %d bytes", len(data)), Hint: fmt.Sprintf("keep it to %d", SizeMax)}
	}
	parsed, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, yamlfile.Syntax(file, err)
	}
	var root ast.Node
	for _, doc := range parsed.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.CommentType || doc.Body.Type() == ast.NullType {
			continue
		}
		if root != nil {
			return nil, yamlfile.At(file, doc.Body, "second document", "write one list")
		}
		root = doc.Body
	}
	return root, nil
}
