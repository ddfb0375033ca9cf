package known

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
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
		return list, at(file, root, "the file is "+describe(root), `write a list, one "- id: ID" with its reason for each failure`)
	}
	if len(entries.Values) > EntriesMax {
		return list, at(file, root, fmt.Sprintf("%d entries", len(entries.Values)), fmt.Sprintf("keep it to %d", EntriesMax))
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
			return list, at(file, n, fmt.Sprintf("the %s is named twice, first in line %d", key, before), "keep one of them")
		}
		first[key] = e.Line
		list.Entries = append(list.Entries, e)
	}
	return list, nil
}

// document parses a file that must hold one YAML document at most and returns its root node, nil if there is none.
func document(file string, data []byte) (ast.Node, error) {
	if len(data) > SizeMax {
		return nil, &Error{file, 1, 1, fmt.Sprintf("file of %d bytes", len(data)), fmt.Sprintf("keep it to %d", SizeMax)}
	}
	parsed, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, syntaxError(file, err)
	}
	var root ast.Node
	for _, doc := range parsed.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.CommentType || doc.Body.Type() == ast.NullType {
			continue
		}
		if root != nil {
			return nil, at(file, doc.Body, "second document", "write one list")
		}
		root = doc.Body
	}
	return root, nil
}

// syntaxError turns an error of the YAML parser, which prints several lines, into one of ours.
func syntaxError(file string, err error) error {
	var parsed yaml.Error
	if !errors.As(err, &parsed) || parsed.GetToken() == nil {
		return fmt.Errorf("parse %s: %w", file, err)
	}
	hint := "correct the YAML"
	if strings.Contains(parsed.GetMessage(), "already defined") {
		hint = "keep one of them"
	}
	return atToken(file, parsed.GetToken(), parsed.GetMessage(), hint)
}

func at(file string, n ast.Node, what, hint string) error { return atToken(file, start(n), what, hint) }

// start is the token where a node begins. The parser's own token of a mapping without braces is its first colon.
func start(n ast.Node) *token.Token {
	switch n := n.(type) {
	case *ast.MappingNode:
		if !n.IsFlowStyle && len(n.Values) > 0 {
			return start(n.Values[0])
		}
	case *ast.MappingValueNode:
		return n.Key.GetToken()
	}
	return n.GetToken()
}

func atToken(file string, t *token.Token, what, hint string) error {
	e := &Error{File: file, Line: 1, Column: 1, What: what, Hint: hint}
	if t != nil && t.Position != nil {
		e.Line, e.Column = t.Position.Line, t.Position.Column
	}
	return e
}

// describe says what a node is, for somebody who wrote it.
func describe(n ast.Node) string {
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a mapping"
	case *ast.SequenceNode:
		return "a list"
	case *ast.NullNode:
		return "empty"
	case *ast.AnchorNode, *ast.AliasNode, *ast.MergeKeyNode, *ast.TagNode:
		return "an anchor, alias or YAML tag"
	default:
		return fmt.Sprintf("the %s %s", strings.ToLower(n.Type().String()), n.String())
	}
}
