package scenarios

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// SizeMax is the largest scenario file, in bytes.
const SizeMax = 64 << 10

// document parses a file that must hold exactly one YAML document and returns its root node.
func document(file string, data []byte) (ast.Node, error) {
	if len(data) > SizeMax {
		return nil, &Error{file, 1, 1, fmt.Sprintf("file of %d bytes", len(data)), fmt.Sprintf("keep it below %d", SizeMax)}
	}
	parsed, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, syntaxError(file, err)
	}
	var root ast.Node
	for _, doc := range parsed.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.CommentType {
			continue
		}
		if root != nil {
			return nil, at(file, doc.Body, "second document", "put it into a file of its own")
		}
		root = doc.Body
	}
	if root == nil {
		return nil, &Error{file, 1, 1, "empty file", "start with the field name"}
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
		return at(r.file, n, fmt.Sprintf("%s is %s", what, describe(n)), "write a mapping, one \"key: value\" a line")
	}
	seen := map[string]bool{}
	for _, entry := range entries {
		key, ok := entry.Key.(*ast.StringNode)
		if !ok {
			return at(r.file, entry.Key, "key "+entry.Key.String()+" is not a plain word", "use one of "+names(fields))
		}
		f := find(fields, key.Value)
		if f == nil {
			return at(r.file, key, fmt.Sprintf("unknown field %q in %s", key.Value, what), "use one of "+names(fields))
		}
		if seen[f.name] {
			return at(r.file, key, fmt.Sprintf("field %q appears twice", f.name), "keep one of them")
		}
		seen[f.name] = true
		if err := f.read(entry.Value); err != nil {
			return err
		}
	}
	for _, f := range fields {
		if f.required && !seen[f.name] {
			return at(r.file, n, fmt.Sprintf("field %q is missing from %s", f.name, what), "add it")
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
