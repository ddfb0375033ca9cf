package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/report"
)

// An element is what the schema of JUnit wants of one. There is no one published schema, and no module that brings one and the means
// to hold a document against it, so this is a table of what the two that servers use demand together: junit-10.xsd of Jenkins
// (attributes and order of elements) and that of Surefire 3 (file, line and properties of a case, skipped of the whole).
type element struct {
	needs, may []string          // attributes
	holds      []string          // elements, in this order
	once       []string          // of these, what may not be repeated
	forms      map[string]string // of attributes, by name
	oneOf      []string          // of these elements, one at most
	text       bool              // it may have text
}

var number, moments = `^[0-9]+$`, `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}$`

func junitElements() map[string]element {
	seconds := `^[0-9]+\.[0-9]{3}$`
	message := element{may: []string{"message", "type"}, text: true}
	counts := map[string]string{"tests": number, "failures": number, "errors": number, "skipped": number, "time": seconds, "timestamp": moments}
	return map[string]element{
		"testsuites": {needs: []string{"tests", "failures", "errors", "time"}, may: []string{"name", "skipped"}, holds: []string{"testsuite"}, forms: counts},
		"testsuite": {
			needs: []string{"name", "tests", "failures", "errors", "time", "timestamp", "hostname"}, may: []string{"skipped"},
			holds: []string{"properties", "testcase", "system-out", "system-err"}, once: []string{"properties", "system-out", "system-err"}, forms: counts,
		},
		"properties": {holds: []string{"property"}},
		"property":   {needs: []string{"name", "value"}},
		"testcase": {
			needs: []string{"name", "classname", "time"}, may: []string{"file", "line"}, holds: []string{"properties", "skipped", "error", "failure", "system-out", "system-err"},
			once: []string{"properties", "skipped", "error", "failure", "system-out", "system-err"}, forms: map[string]string{"time": seconds, "line": number},
			oneOf: []string{"skipped", "error", "failure"},
		},
		"skipped": message, "error": message, "failure": message, "system-out": {text: true}, "system-err": {text: true},
	}
}

// A node is an element of a document.
type node struct {
	name  string
	attrs map[string]string
	below []*node
	text  string
}

func parsed(r io.Reader) (*node, error) {
	root := &node{}
	open := []*node{root}
	for dec := xml.NewDecoder(r); ; {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("no XML: %w", err)
		}
		last := open[len(open)-1]
		switch token := token.(type) {
		case xml.StartElement:
			n := &node{name: token.Name.Local, attrs: map[string]string{}}
			for _, a := range token.Attr {
				n.attrs[a.Name.Local] = a.Value
			}
			last.below = append(last.below, n)
			open = append(open, n)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			last.text += string(token)
		}
	}
	if len(root.below) != 1 {
		return nil, fmt.Errorf("got %d roots", len(root.below))
	}
	return root.below[0], nil
}

// check holds a node against the schema.
func (n *node) check(path string) (wrong []string) {
	want, known := junitElements()[n.name]
	path += "/" + n.name
	if !known {
		return []string{path + ": unknown"}
	}
	for _, name := range want.needs {
		if _, ok := n.attrs[name]; !ok {
			wrong = append(wrong, path+"@"+name+": missing")
		}
	}
	for name, value := range n.attrs {
		if !slices.Contains(want.needs, name) && !slices.Contains(want.may, name) {
			wrong = append(wrong, path+"@"+name+": unknown")
		}
		if form := want.forms[name]; form != "" && !regexp.MustCompile(form).MatchString(value) {
			wrong = append(wrong, fmt.Sprintf("%s@%s: got %q", path, name, value))
		}
	}
	if !want.text && strings.TrimSpace(n.text) != "" {
		wrong = append(wrong, path+": text")
	}
	at, outcomes, seen := 0, 0, map[string]int{}
	for _, b := range n.below {
		place := slices.Index(want.holds, b.name)
		if place < at {
			wrong = append(wrong, path+"/"+b.name+": not here")
		}
		at = max(at, place)
		if seen[b.name]++; seen[b.name] == 2 && slices.Contains(want.once, b.name) {
			wrong = append(wrong, path+"/"+b.name+": twice")
		}
		if slices.Contains(want.oneOf, b.name) {
			outcomes++
		}
		wrong = append(wrong, b.check(path)...)
	}
	if outcomes > 1 {
		wrong = append(wrong, path+": more than one outcome")
	}
	return wrong
}

func TestJUnitSchema(t *testing.T) {
	several := bad(t)
	several.Runs = append(several.Runs, made(t, nil).Runs[0], record.Run{Target: "down", Down: "refused", Exit: record.ExitUnreachable, ExitReasons: []string{"refused"}})
	docs := map[string]*record.Document{"good": made(t, nil), "several": several, "nothing": {}}
	for i, text := range nasty() {
		docs[fmt.Sprintf("hostile %d", i)] = hostileDocument(t, text)
	}
	for name, doc := range docs {
		var out bytes.Buffer
		if err := report.JUnit(&out, doc); err != nil {
			t.Fatal(err)
		}
		root, err := parsed(&out)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		wrong := root.check("")
		if len(wrong) > 0 {
			t.Errorf("%s: %d wrong, such as %s", name, len(wrong), wrong[0])
		}
		names := map[string]bool{}
		for _, s := range root.below {
			if names[s.attrs["name"]] {
				t.Errorf("%s: two suites named %.40q", name, s.attrs["name"])
			}
			names[s.attrs["name"]] = true
		}
	}
}

// What the schema does not know is seen.
func TestJUnitSchemaBites(t *testing.T) {
	for _, text := range []string{
		`<testsuites tests="1" failures="0" errors="0"/>`, `<testsuites tests="x" failures="0" errors="0" time="0.000"/>`,
		`<testsuites tests="1" failures="0" errors="0" time="0.000" more="1"/>`, `<testsuites tests="1" failures="0" errors="0" time="0.000"><testcase/></testsuites>`,
		`<testcase name="n" classname="c" time="0.001"><failure/><error/></testcase>`, `<testcase name="n" classname="c" time="0.001"><failure/><properties/></testcase>`,
		`<testcase name="n" classname="c" time="1"/>`, `<testcase name="n" classname="c" time="0.001">text</testcase>`, `<properties><property name="n"/></properties>`,
		`<testcase name="n" classname="c" time="0.001"><skipped/><skipped/></testcase>`,
	} {
		root, err := parsed(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if len(root.check("")) == 0 {
			t.Errorf("%s: got no complaint", text)
		}
	}
}
