package record_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/graspkit/graspkit/conformance/record"
)

// everyMember is a document in which every member has a value.
func everyMember() *record.Document {
	began := time.Date(2026, 11, 25, 1, 30, 0, 0, time.UTC)
	known := &record.Known{Reason: "r", Owner: "o", Link: "https://example.org/7", Expires: "2027-01-31", Stale: true, Expired: true}
	cost := record.Cost{Events: 1, Pushes: 2, Requests: 3, Bytes: 4}
	tally := record.Tally{Total: 6, Verified: 1, Violated: 2, Unverified: 3}
	return &record.Document{
		Schema: record.Schema, Suite: record.Suite{Version: "v1", Commit: "c"}, Spec: record.Spec{Commit: "f", Lineage: "C"}, Written: began, Strict: true,
		Runs: []record.Run{{
			Target: "t", URL: "http://127.0.0.1:1", World: "live", Software: "s 1", Seed: "7", Nonce: "n", Arguments: []string{"--write"}, Began: began, MS: 5,
			Selection: &record.Selection{Profile: "p", ID: "G01", Tags: "@x", Catalogue: 10}, Conformance: record.NonConformant, Claim: record.Claim{Must: tally, Should: tally, Observed: 1}, Exit: record.ExitViolated, ExitReasons: []string{"e"},
			Down: "d", Unreachable: true, Interrupted: true, Facts: []string{"f"}, Causes: []record.Cause{{ID: "G01-PUSH-01", Checks: 1, Reason: "r"}},
			Requirements: []record.Requirement{{
				ID: "G01-PUSH-01", Score: "MUST", Verdict: "FAIL", Section: "s", Text: "t", Reason: "r", Coverage: "check", Checks: 2, Verified: 1, Observations: 1, Known: known,
			}},
			Checks: []record.Check{{
				ID: "G01-PUSH-01", Check: "c", File: "f.feature", Line: 3, Section: "s", Score: "MUST", Tags: []string{"@x"}, Verdict: "FAIL", Reason: "r", Expected: "e",
				Cause: "G01-PUSH-02", Unlock: "u", Findings: []record.Finding{{ID: "G01-PUSH-01", Verdict: "FAIL", Reason: "r"}}, Notes: []string{"n"}, WaitMS: 1, StartMS: 1, MS: 2, Cost: cost, Known: known,
				Steps: []record.Step{{Number: 1, Keyword: "When", Text: "t", Table: [][]string{{"a"}}, Line: 4, Role: "act", Outcome: record.StepFailed}},
				Transcript: []record.Exchange{{
					MS: 1, Step: 1, Channel: "http#1", Direction: record.Sent, Head: "GET /", Headers: []string{"A: b"}, Size: 9, Form: record.FormText, Text: "t",
					Lines: []string{"0000"}, Base64: "AA==", Cut: true,
				}},
				LeftOut: 1, Log: "l",
			}},
			Accounting: record.Accounting{Run: 1, Blocked: 2, NotApplicable: 3, Planned: 4, Catalogue: 10}, Cost: cost,
			Shared: []record.Exchange{{
				MS: 1, Step: 1, Channel: "relay#1", Direction: record.Received, Head: "h", Headers: []string{"A: b"}, Size: 9, Form: record.FormText, Text: "t",
				Lines: []string{"0000"}, Base64: "AA==", Cut: true,
			}},
		}},
	}
}

func schemaOf(t *testing.T) *jsonschema.Schema {
	t.Helper()
	raw, err := jsonschema.UnmarshalJSON(strings.NewReader(record.SchemaText()))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("urn:graspkit:run:1", raw); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("urn:graspkit:run:1")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func generic(t *testing.T, doc *record.Document) any {
	t.Helper()
	var text bytes.Buffer
	if err := record.Write(&text, doc); err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(&text)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func TestSchemaTakesEveryMember(t *testing.T) {
	schema := schemaOf(t)
	if err := schema.Validate(generic(t, everyMember())); err != nil {
		t.Errorf("a document with every member: %v", err)
	}
	bare := everyMember()
	bare.Runs = []record.Run{}
	if err := schema.Validate(generic(t, bare)); err != nil {
		t.Errorf("a document without a run: %v", err)
	}
}

// Each member in its turn is taken out, and given a value of another type.
func TestSchemaWantsEveryMember(t *testing.T) {
	schema := schemaOf(t)
	whole := generic(t, everyMember())
	members := 0
	eachMember(t, reflect.ValueOf(*everyMember()), whole, "", func(path string, object map[string]any, name string, optional bool) {
		members++
		kept := object[name]
		delete(object, name)
		if err := schema.Validate(whole); (err == nil) != optional {
			t.Errorf("%s is missing: got %v, want an error: %v", path, err, !optional)
		}
		for _, other := range []any{nil, map[string]any{"another": "type"}} {
			object[name] = other
			if schema.Validate(whole) == nil {
				t.Errorf("%s is %v: got no error", path, other)
			}
		}
		object[name] = kept
	})
	if members < 90 {
		t.Errorf("got %d members, want all", members)
	}
	if err := schema.Validate(whole); err != nil {
		t.Errorf("whole again: %v", err)
	}
}

// eachMember visits the members of a document, first the outer ones. A member without a value is an error: it would go unseen.
func eachMember(t *testing.T, v reflect.Value, told any, path string, visit func(path string, object map[string]any, name string, optional bool)) {
	t.Helper()
	switch v.Kind() {
	case reflect.Pointer:
		eachMember(t, v.Elem(), told, path, visit)
	case reflect.Slice:
		list, ok := told.([]any)
		if !ok || len(list) != v.Len() || v.Len() == 0 {
			t.Fatalf("%s: got %v, want a list with something in it", path, told)
		}
		eachMember(t, v.Index(0), list[0], path+"/0", visit)
	case reflect.Struct:
		object, ok := told.(map[string]any)
		if !ok {
			if _, isTime := v.Interface().(time.Time); isTime {
				return
			}
			t.Fatalf("%s: got %v, want an object", path, told)
		}
		for i := range v.NumField() {
			name, rest, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			if v.Field(i).IsZero() {
				t.Fatalf("%s/%s has no value in everyMember", path, name)
			}
			visit(path+"/"+name, object, name, rest == "omitempty")
			eachMember(t, v.Field(i), object[name], fmt.Sprintf("%s/%s", path, name), visit)
		}
	default:
	}
}

// Words that the schema does not know are refused.
func TestSchemaKnowsTheWords(t *testing.T) {
	schema := schemaOf(t)
	for name, change := range map[string]func(d *record.Document){
		"schema":      func(d *record.Document) { d.Schema = "graspkit.run/2" },
		"conformance": func(d *record.Document) { d.Runs[0].Conformance = "GOOD" },
		"exit":        func(d *record.Document) { d.Runs[0].Exit = 2 },
		"verdict":     func(d *record.Document) { d.Runs[0].Checks[0].Verdict = "OK" },
		"role":        func(d *record.Document) { d.Runs[0].Checks[0].Steps[0].Role = "other" },
		"direction":   func(d *record.Document) { d.Runs[0].Checks[0].Transcript[0].Direction = "up" },
		"day":         func(d *record.Document) { d.Runs[0].Checks[0].Known.Expires = "soon" },
		"time":        func(d *record.Document) { d.Runs[0].MS = -1 },
		"no list":     func(d *record.Document) { d.Runs[0].Facts = nil },
	} {
		doc := everyMember()
		change(doc)
		if schema.Validate(generic(t, doc)) == nil {
			t.Errorf("%s: got no error", name)
		}
	}
}

func TestReadsWhatItWrites(t *testing.T) {
	var text bytes.Buffer
	if err := record.Write(&text, everyMember()); err != nil {
		t.Fatal(err)
	}
	got, err := record.Read(&text)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, everyMember()) {
		a, _ := json.Marshal(got)
		t.Errorf("got %s", a)
	}
}
