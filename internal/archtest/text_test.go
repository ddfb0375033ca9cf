package archtest_test

import (
	"bytes"
	"regexp"
	"strings"
)

// A textRule forbids a pattern in every text file.
type textRule struct {
	name    string
	pattern *regexp.Regexp
	why     string
}

var textRules = []textRule{
	{"machine-path", regexp.MustCompile(`(^|[^\w.$)}\]~*/-])/(work|root|Users)/`), "a path of one machine means nothing on another"},
	{"unfinished", regexp.MustCompile(`\b(FIXME|XXX)\b`), "finish it, or write down what is missing where users look"},
}

// checkText judges every line of every text file. The checksums of modules and what lies under a
// testdata folder are data; this package names what it forbids.
func checkText(tr *tree) []finding {
	var found []finding
	for _, src := range tr.Files {
		if underTestdata(src.Path) || strings.HasSuffix(src.Path, ".sum") || within(src.room(), "internal/archtest") {
			continue
		}
		line := 0
		for text := range bytes.Lines(src.Text) {
			line++
			for _, rule := range textRules {
				if rule.pattern.Match(text) {
					found = append(found, finding{src.Path, line, rule.name, rule.why})
				}
			}
		}
	}
	return found
}
