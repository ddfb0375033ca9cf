package conformance

import (
	"flag"
	"fmt"
	"regexp"
)

// ByID has go test -run ID, where that begins as the id of a requirement does, run the subtests of a test whose ids it fits: -run
// G01-PURG is -run '^TestGRASP$/G01-PURG'. It is called in TestMain before m.Run, with the name of the test that calls [Run]. Any
// other pattern means what it always does: no name of a function has a hyphen, so that an id selects nothing without this.
func ByID(test string) {
	if !flag.Parsed() {
		flag.Parse()
	}
	run := flag.Lookup("test.run")
	if run == nil {
		return
	}
	if err := run.Value.Set(byID(run.Value.String(), test)); err != nil {
		panic(fmt.Sprintf("conformance: invariant: pattern of go test -run: %v", err)) // it takes every text
	}
}

// idForm is how the pattern of an id begins.
var idForm = regexp.MustCompile(`^\^?\(?[A-Z][A-Z0-9]*-`)

// byID puts the test in front of a pattern that is about ids.
func byID(pattern, test string) string {
	if !idForm.MatchString(pattern) {
		return pattern
	}
	if alternatives(pattern) {
		pattern = "(" + pattern + ")" // else only the first one were about the test
	}
	return "^" + test + "$/" + pattern
}
