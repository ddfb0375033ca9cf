package known

import (
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode"

	"github.com/goccy/go-yaml/ast"

	"github.com/graspkit/graspkit/internal/nearest"
	"github.com/graspkit/graspkit/internal/yamlfile"
)

// The limits of texts, in bytes.
const (
	reasonMax = 1000
	ownerMax  = 200
	linkMax   = 1000
)

// A reader reads the entries of one file.
type reader struct {
	file  string
	names Catalogue
}

// fields are the keys of an entry, in the order in which entries are written.
func fields() []string { return []string{"id", "check", "reason", "owner", "link", "expires", "flaky"} }

// entry reads one entry.
func (r *reader) entry(n ast.Node) (Entry, error) {
	var pairs []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		pairs = n.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{n}
	default:
		return Entry{}, yamlfile.At(r.file, n, "the entry is "+yamlfile.Describe(n), `write "id: ID" and "reason: TEXT"`)
	}
	e := Entry{Line: yamlfile.Start(n).Position.Line}
	for _, pair := range pairs {
		key, plain := pair.Key.(*ast.StringNode)
		if !plain {
			return e, yamlfile.At(r.file, pair.Key, "key "+pair.Key.String()+" is not a plain word", "use one of "+strings.Join(fields(), ", "))
		}
		if err := r.field(&e, key, pair.Value); err != nil {
			return e, err
		}
	}
	switch {
	case e.Name() == "":
		return e, yamlfile.At(r.file, n, "the entry names nothing", `add "id: ID", of a requirement or a check`)
	case e.Reason == "":
		return e, yamlfile.At(r.file, n, "the entry of "+e.Name()+" has no reason", `add "reason: TEXT": why the failure is expected`)
	}
	return e, nil
}

// field reads one value of an entry.
func (r *reader) field(e *Entry, key *ast.StringNode, value ast.Node) (err error) {
	switch key.Value {
	case "id", "check":
		if e.Name() != "" {
			return yamlfile.At(r.file, key, "the entry has an id and a check", "make two entries of it")
		}
		return r.name(e, key.Value, value)
	case "reason":
		e.Reason, err = r.text(key.Value, value, reasonMax)
	case "owner":
		e.Owner, err = r.text(key.Value, value, ownerMax)
	case "link":
		if e.Link, err = r.text(key.Value, value, linkMax); err == nil && !isLink(e.Link) {
			err = yamlfile.At(r.file, value, fmt.Sprintf("link %q is no URL", e.Link), "write one that begins with https:// or http://")
		}
	case "expires":
		if e.Expires, err = r.text(key.Value, value, len(DayForm)); err != nil {
			return err
		}
		if _, wrong := time.Parse(DayForm, e.Expires); wrong != nil {
			return yamlfile.At(r.file, value, fmt.Sprintf("expires %q is no day", e.Expires), "write the last day on which the failure is expected, such as 2027-01-31")
		}
	case "flaky":
		flaky, is := value.(*ast.BoolNode)
		if !is {
			return yamlfile.At(r.file, value, "flaky is "+yamlfile.Describe(value), "write true or false")
		}
		e.Flaky = flaky.Value
	default:
		return yamlfile.At(r.file, key, fmt.Sprintf("unknown field %q", key.Value), "the nearest are "+strings.Join(nearest.To(key.Value, fields()), ", "))
	}
	return err
}

// name reads what the entry names: id is a requirement, or else a check; check is a check.
func (r *reader) name(e *Entry, key string, value ast.Node) error {
	id, err := r.text(key, value, ownerMax)
	switch {
	case err != nil:
		return err
	case key == "id" && r.names.isRequirement(id):
		e.Requirement = id
	case r.names.isCheck(id):
		e.Check = id
	case key == "check":
		return yamlfile.At(r.file, value, fmt.Sprintf("no check has the id %q", id), "the nearest are "+strings.Join(nearest.To(id, r.names.checks), ", "))
	default:
		known := r.names.requirements
		if strings.Contains(id, ".") {
			known = r.names.checks
		}
		return yamlfile.At(r.file, value, fmt.Sprintf("no requirement and no check has the id %q", id), "the nearest are "+strings.Join(nearest.To(id, known), ", "))
	}
	return nil
}

// text reads a text that has something in it, of at most so many bytes; line breaks become spaces.
func (r *reader) text(what string, n ast.Node, limit int) (string, error) {
	s := ""
	switch n := n.(type) {
	case *ast.StringNode:
		s = n.Value
	case *ast.LiteralNode:
		s = n.Value.Value
	default:
		return "", yamlfile.At(r.file, n, what+" is "+yamlfile.Describe(n), "write a text, in quotes if it looks like a number")
	}
	s = strings.Join(strings.Fields(s), " ")
	switch {
	case s == "":
		return "", yamlfile.At(r.file, n, what+" is empty", "write a text, or leave the field out")
	case len(s) > limit:
		return "", yamlfile.At(r.file, n, fmt.Sprintf("%s of %d bytes", what, len(s)), fmt.Sprintf("keep it to %d", limit))
	case strings.ContainsFunc(s, unicode.IsControl):
		return "", yamlfile.At(r.file, n, what+" has a control character in it", "take it out")
	}
	return s, nil
}

func isLink(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
}
