//go:build unix

package judgetest

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/graspkit/graspkit/internal/mutate"
)

var (
	mutantCount   = flag.Int("mutants.n", 0, "judge so many mutants of the reference, and write a report")
	mutantOnly    = flag.String("mutants.only", "", "judge the mutants whose place or key fits this regular expression, and no others")
	mutantBy      = flag.String("mutants.features", "", "judge by the feature files whose name fits this regular expression, and by no others")
	mutantSeed    = flag.String("mutants.seed", "1", "what draws the mutants: another seed, other mutants")
	mutantWorkers = flag.Int("mutants.workers", 2, "mutants at a time")
	mutantTime    = flag.Duration("mutants.time", 40*time.Minute, "after this no other mutant is begun")
	mutantOut     = flag.String("mutants.out", "../../out/mutants", "folder for the report")
)

// mutated are the packages whose decisions a client sees.
var mutated = []string{
	"./reference/policy", "./reference/repo", "./reference/relay",
	"./reference/push", "./reference/eventstore", "./reference/purgatory",
}

// TestMutants draws mutants of the packages that decide, judges each as a server of somebody else, and writes down what was
// found and what was not. It fails only if it cannot do that: the score is for people.
func TestMutants(t *testing.T) {
	if *mutantCount == 0 && *mutantOnly == "" {
		t.Skip("hundreds of servers take many minutes: see make mutants")
	}
	p := buildMutants(t, mutated...)
	reasons := equivalents(t, p.points)
	only, err := regexp.Compile(*mutantOnly)
	if err != nil {
		t.Fatal(err)
	}
	by, err := regexp.Compile(*mutantBy)
	if err != nil {
		t.Fatal(err)
	}
	p.observe(t, slices.DeleteFunc(foreignFeatures(t), func(name string) bool { return !by.MatchString(name) }))
	sample := mutate.Sample(slices.DeleteFunc(slices.Clone(p.points), func(m mutate.Point) bool {
		return reasons[m.Number] != "" || !only.MatchString(m.String()) && !only.MatchString(m.Key())
	}), *mutantSeed, *mutantCount)
	ctx, cancel := context.WithTimeout(t.Context(), *mutantTime)
	defer cancel()
	judged := p.judgeAll(ctx, sample, *mutantWorkers, func(m judgedMutant) {
		t.Logf("%-9s %v (%s %s)", m.End, m.Point, m.Row, m.Check)
	})
	var took time.Duration
	for _, m := range judged {
		took += m.Took
	}
	text := summary(judged, *mutantSeed, len(sample)-len(judged), took)
	t.Log("\n" + text)
	asJSON, err := list(judged)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(*mutantOut, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{
		"mutants.txt": []byte(text), "mutants.tsv": tsv(judged), "mutants.json": asJSON, "unreached.txt": p.unreached(reasons),
	} {
		if err := os.WriteFile(filepath.Join(*mutantOut, name), content, 0o644); err != nil {
			t.Error(err)
		}
	}
}
