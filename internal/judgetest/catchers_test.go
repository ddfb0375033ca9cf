package judgetest

import (
	"bufio"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/features"
)

// catchersFile has a line for each planted mistake: its name, and the checks of its own row that it is judged by. Together they are one
// mistake for each check, and one check for each mistake. It saves time and decides nothing: what it does not name is judged as if it were not there.
const catchersFile = "testdata/catchers.txt"

// rowShare is of how many mistakes one is judged by all checks of its row without -full, other ones with each seed.
const rowShare = 16

var catchersInto = flag.String("catchers", "", "judge every mistake by all checks of its row, and write into this `file` which of them it is judged by from then on")

// readCatchers reads which tags of checks a mistake is judged by, and which checks are named at all, also by the list of killers.
var readCatchers = sync.OnceValues(func() (of map[string][]string, named map[string]bool) {
	of, named = make(map[string][]string), make(map[string]bool)
	for _, name := range []string{catchersFile, killersFile} {
		text, err := os.ReadFile(name)
		if err != nil {
			panic(fmt.Sprintf("judgetest: invariant: the lists of this package: %v", err))
		}
		for lines := bufio.NewScanner(strings.NewReader(string(text))); lines.Scan(); {
			words := strings.Fields(lines.Text())
			switch {
			case len(words) < 2 || words[0] == "#":
			case name == killersFile:
				named[words[0]] = true
			default:
				of[words[0]] = words[1:]
				for _, check := range words[1:] {
					named[check] = true
				}
			}
		}
	}
	return of, named
})

// judgedAlone judges a mistake by those checks of its row that are known to see it, and by those that the lists do not know. Where that
// shows nothing, where chance says so, and with -full, it is judged by the whole row.
func judgedAlone(t *testing.T, row spec.Defect, cfg suite.Config, judged func(suite.Config) *suite.Result) *suite.Result {
	t.Helper()
	of, named := readCatchers()
	if *full || *catchersInto != "" || len(of[row.Name]) == 0 || drawnOf(rowShare, seedOfRun(), row.Name) {
		return judged(cfg)
	}
	checks, err := features.Load(features.FS)
	if err != nil {
		t.Fatal(err)
	}
	var tags []string
	for _, c := range checks {
		ofRow := slices.ContainsFunc(c.Requirements, func(id string) bool { return strings.HasPrefix(id, row.Catches) })
		if tag := tagOf(c); ofRow && (slices.Contains(of[row.Name], c.ID) || !named[c.ID]) && !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	if len(tags) > 0 {
		some := cfg
		some.Tags = strings.Join(tags, " or ")
		if r := judged(some); verdicts(r)[row.Catches].Verdict.Violated() {
			return r
		}
	}
	return judged(cfg)
}

// choose writes a mistake for each check that is violated in its own row, one that needs no socket if there is one, and a check for each mistake.
func (k *killing) choose(t *testing.T, into string) {
	t.Helper()
	k.mu.Lock()
	defer k.mu.Unlock()
	chosen := make(map[string][]string)
	for _, check := range slices.Sorted(maps.Keys(k.own)) {
		mistakes := slices.Sorted(slices.Values(k.own[check]))
		at := slices.IndexFunc(mistakes, func(m string) bool { return !slices.Contains(onSockets, m) })
		best := mistakes[max(at, 0)]
		chosen[best] = append(chosen[best], check)
	}
	for _, check := range slices.Sorted(maps.Keys(k.own)) {
		for _, m := range k.own[check] {
			if len(chosen[m]) == 0 {
				chosen[m] = []string{check}
			}
		}
	}
	text := "# A planted mistake, and the checks of its own row that it is judged by (make catchers).\n"
	for _, m := range slices.Sorted(maps.Keys(chosen)) {
		text += m + " " + strings.Join(chosen[m], " ") + "\n"
	}
	if err := os.WriteFile(into, []byte(text), 0o600); err != nil {
		t.Error(err)
	}
}
