// Package yamlfile says where in a YAML file something is wrong, and what to do about it: for readers that take no field that they do
// not know. What a file may hold is the reader's own matter.
package yamlfile

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// An Error says what is wrong with a file, where, and what to do about it.
type Error struct {
	File         string
	Line, Column int // from 1
	What         string
	Hint         string // what to do, or ""
}

// Error returns "file:line:column: what, what to do".
func (e *Error) Error() string {
	text := fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.What)
	if e.Hint != "" {
		text += ", " + e.Hint
	}
	return text
}

// At is an error about a node.
func At(file string, n ast.Node, what, hint string) error {
	return atToken(file, Start(n), what, hint)
}

// Syntax turns an error of the YAML parser, which prints several lines, into an Error.
func Syntax(file string, err error) error {
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

// Start is the token where a node begins. The parser's own token of a mapping without braces is its first colon.
func Start(n ast.Node) *token.Token {
	switch n := n.(type) {
	case *ast.MappingNode:
		if !n.IsFlowStyle && len(n.Values) > 0 {
			return Start(n.Values[0])
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

// Describe says what a node is, for somebody who wrote it.
func Describe(n ast.Node) string {
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
		return fmt.Sprintf("the %s %s", strings.ToLower(n.Type().String()), shown(n.String()))
	}
}

// shownMax is how much of a value an error tells, in bytes.
const shownMax = 100

// shown is a value for a terminal: cut, and quoted if there is anything in it that a terminal would obey.
func shown(text string) string {
	rest := ""
	if len(text) > shownMax {
		text, rest = text[:shownMax], "..."
	}
	if strings.ContainsFunc(text, func(r rune) bool { return !strconv.IsPrint(r) }) {
		text = strconv.Quote(text)
	}
	return text + rest
}
