package scenarios

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"github.com/graspkit/graspkit/internal/yamlfile"
)

// A Node is a part of the text of a scenario, for whoever changes one without knowing its fields: a scalar, a list, or a
// mapping if it has keys. Comments are not part of it. Its methods leave it as it is and return changed copies.
type Node struct {
	Text  string   // of a scalar, as in the file, quotes included
	Keys  []string // of a mapping, in the order of the file
	Items []Node   // of a list, or the values of a mapping
	Kind  NodeKind
}

// A NodeKind is what a Node is.
type NodeKind int

// The kinds.
const (
	Scalar NodeKind = iota
	List
	Mapping
)

// ReadNode reads the text of a scenario as a tree. What Parse takes is read whole.
func ReadNode(file string, data []byte) (Node, error) {
	root, err := document(file, data)
	if err != nil {
		return Node{}, err
	}
	return nodeOf(file, root)
}

func nodeOf(file string, n ast.Node) (Node, error) {
	switch n := n.(type) {
	case *ast.MappingNode:
		return mappingOf(file, n.Values)
	case *ast.MappingValueNode:
		return mappingOf(file, []*ast.MappingValueNode{n})
	case *ast.SequenceNode:
		out := Node{Kind: List}
		for _, v := range n.Values {
			item, err := nodeOf(file, v)
			if err != nil {
				return Node{}, err
			}
			out.Items = append(out.Items, item)
		}
		return out, nil
	case *ast.StringNode:
		t := n.GetToken().Type
		if t == token.DoubleQuoteType || t == token.SingleQuoteType || !plainText(n.Value) {
			return Node{Text: strconv.Quote(n.Value)}, nil
		}
		return Node{Text: n.Value}, nil
	case *ast.LiteralNode:
		return Node{Text: strconv.Quote(n.Value.Value)}, nil
	case *ast.IntegerNode, *ast.BoolNode:
		return Node{Text: n.GetToken().Value}, nil
	}
	return Node{}, yamlfile.At(file, n, "value is "+yamlfile.Describe(n), "write a text, a number, true or false, a list or a mapping")
}

func mappingOf(file string, entries []*ast.MappingValueNode) (Node, error) {
	out := Node{Kind: Mapping}
	for _, e := range entries {
		v, err := nodeOf(file, e.Value)
		if err != nil {
			return Node{}, err
		}
		out.Keys = append(out.Keys, e.Key.GetToken().Value)
		out.Items = append(out.Items, v)
	}
	return out, nil
}

// plainText reports whether a text that was written without quotes needs none anywhere else either.
func plainText(s string) bool {
	return s != "" && !strings.ContainsAny(s, "\"'\\,[]{}#&*!|>@`\n")
}

// Field is the value of a key of a mapping; false if it has no such key.
func (n Node) Field(key string) (Node, bool) {
	if i := slices.Index(n.Keys, key); i >= 0 {
		return n.Items[i], true
	}
	return Node{}, false
}

// With sets the value of a key of a mapping. A new key comes before the last one.
func (n Node) With(key string, value Node) Node {
	i := slices.Index(n.Keys, key)
	if i >= 0 {
		return n.Replaced(i, value)
	}
	i = max(0, len(n.Keys)-1)
	n.Keys, n.Items = slices.Insert(slices.Clone(n.Keys), i, key), slices.Insert(slices.Clone(n.Items), i, value)
	return n
}

// Replaced puts another item in the place of one.
func (n Node) Replaced(i int, item Node) Node {
	n.Items = slices.Clone(n.Items)
	n.Items[i] = item
	return n
}

// Without leaves the items from one up to another out.
func (n Node) Without(from, to int) Node {
	n.Items = slices.Delete(slices.Clone(n.Items), from, to)
	if n.Kind == Mapping {
		n.Keys = slices.Delete(slices.Clone(n.Keys), from, to)
	}
	return n
}

// lineMax is how long a line of a written scenario is at most, where there is a choice.
const lineMax = 132

// YAML is the text of a whole scenario, as Parse reads it.
func (n Node) YAML() string {
	var b strings.Builder
	n.block(&b, "")
	return b.String()
}

// block writes a mapping or a list over several lines.
func (n Node) block(b *strings.Builder, indent string) {
	for i, item := range n.Items {
		head := "- "
		if n.Kind == Mapping {
			head = n.Keys[i] + ": "
		}
		line := item.flow()
		if item.Kind == Scalar || len(item.Items) == 0 || len(indent)+len(head)+len(line) <= lineMax {
			fmt.Fprintf(b, "%s%s%s\n", indent, head, line)
			continue
		}
		if words, is := item.words(indent + "  "); is && n.Kind == Mapping {
			fmt.Fprintf(b, "%s%s%s\n", indent, head, words)
			continue
		}
		if n.Kind == Mapping {
			fmt.Fprintf(b, "%s%s\n", indent, strings.TrimRight(head, " "))
			item.block(b, indent+"  ")
			continue
		}
		var inner strings.Builder
		item.block(&inner, indent+"  ")
		fmt.Fprintf(b, "%s- %s", indent, strings.TrimPrefix(inner.String(), indent+"  "))
	}
}

// words is a list of short scalars over several lines; false for anything else.
func (n Node) words(indent string) (string, bool) {
	const short = 80
	if n.Kind != List || slices.ContainsFunc(n.Items, func(item Node) bool { return item.Kind != Scalar || len(item.Text) > short }) {
		return "", false
	}
	var b strings.Builder
	b.WriteString("[")
	room := 0
	for i, item := range n.Items {
		if room -= len(item.Text) + len(", "); room < 0 {
			fmt.Fprintf(&b, "\n%s", indent)
			room = lineMax - len(indent) - len(item.Text) - len(", ")
		}
		b.WriteString(item.Text)
		if i < len(n.Items)-1 {
			b.WriteString(", ")
		}
	}
	return strings.ReplaceAll(b.String(), ", \n", ",\n") + "]", true
}

// flow is the node in one line.
func (n Node) flow() string {
	var parts []string
	for i, item := range n.Items {
		if n.Kind == Mapping {
			parts = append(parts, n.Keys[i]+": "+item.flow())
			continue
		}
		parts = append(parts, item.flow())
	}
	switch n.Kind {
	case Mapping:
		return "{" + strings.Join(parts, ", ") + "}"
	case List:
		return "[" + strings.Join(parts, ", ") + "]"
	case Scalar:
	}
	return n.Text
}
