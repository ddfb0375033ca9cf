//go:build unix

package findtest

import (
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/internal/mutate"
)

var (
	findCount   = flag.Int("find.n", 0, "try so many mutants, and the planted defects, and write a report")
	findOnly    = flag.String("find.only", "", "try the mutants whose place or key, and the defects whose name, fits this regular expression, and no others")
	findSeed    = flag.String("find.seed", "1", "what draws the mutants: another seed, other mutants; several with commas between them draw so many each")
	findWorkers = flag.Int("find.workers", 2, "mistakes at a time")
	findMax     = flag.Duration("find.cpu", time.Minute, "processor time that a mistake may live through")
	findOut     = flag.String("find.out", "../../out/find", "folder for the report, and for what an interrupted run has done")
	findWorlds  = flag.String("find.worlds", "", "make the runs of the worlds whose name fits this regular expression, and no others")
	findTable   = flag.String("find.table", "", "write the scores, and what is not seen with its reason, to this file as well")
)

// decisive are the packages whose mutants are tried.
var decisive = []string{
	"./reference/core", "./reference/purgatory", "./reference/push", "./reference/policy", "./reference/repo", "./reference/hunt",
	"./reference/replicate", "./reference/eventstore",
}

// The lists of what no client, host or journal can tell from the honest server, each with the reason: mutants by key, and planted
// defects by name. They are read when they are needed: what is kept of runs stays good when they change.
const (
	unseenMutants = "testdata/unseen_mutants.txt"
	unseenDefects = "testdata/unseen_defects.txt"
)

// reviewed reads one of the lists.
func reviewed(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A judged is a mistake with its end.
type judged struct {
	verdict

	Package  string   `json:"package"` // "defect" for a planted one
	What     string   `json:"what"`    // the place and the mistake, or the name of the defect
	Key      string   `json:"key"`
	Operator string   `json:"operator,omitempty"` // what kind of mistake a mutant is
	Drawn    []string `json:"drawn,omitempty"`    // by which seeds
	Reason   string   `json:"reason,omitempty"`   // why nobody can tell, if somebody has looked
}

// seeds are what draws the mutants.
func seeds() []string { return strings.Split(*findSeed, ",") }

// TestFind draws mutants of the packages that decide, runs each in the simulated world until the first violation, does the
// same with the planted defects, and writes down what was seen and what was not. It fails only if it cannot do that, or if a
// run of the honest server is violated: the score is for people.
func TestFind(t *testing.T) {
	if *findCount == 0 && *findOnly == "" {
		t.Skip("hundreds of mistakes take many minutes: see make find")
	}
	only, err := regexp.Compile(*findOnly)
	if err != nil {
		t.Fatal(err)
	}
	among, err := regexp.Compile(*findWorlds)
	if err != nil {
		t.Fatal(err)
	}
	p := buildMutants(t, decisive...)
	reasons, err := mutate.Reviewed(reviewed(t, unseenMutants), p.points)
	if err != nil {
		t.Error(err)
	}
	p.observe(t, *findWorkers, slices.DeleteFunc(slices.Clone(worlds), func(s setting) bool { return !among.MatchString(s.name) }))
	sample, drawn := draw(p.points, only)
	all := make([]judged, len(sample))
	tell := teller(t)
	each(*findWorkers, len(sample), func(i int) {
		m := sample[i]
		all[i] = judged{
			verdict: verdict{End: endUnreached}, Package: m.Package, What: m.String(), Key: m.Key(), Operator: m.Operator,
			Drawn: drawn[m.Number], Reason: reasons[m.Number],
		}
		if runs := p.reach[m.Number]; len(runs) > 0 {
			all[i].verdict = p.run(t.Context(), "", m.Number, errand{runs, *findMax})
		}
		tell(all[i])
	})
	why, err := mutate.ReviewedKeys(reviewed(t, unseenDefects), onSeams())
	if err != nil {
		t.Error(err)
	}
	wrong := buildWrong(t, p.runs)
	names := slices.DeleteFunc(onSeams(), func(name string) bool { return !only.MatchString(name) })
	defects := make([]judged, len(names))
	each(*findWorkers, len(names), func(i int) {
		v := wrong.run(t.Context(), names[i], 0, errand{wrong.runs, *findMax})
		defects[i] = judged{verdict: v, Package: "defect", What: names[i], Key: names[i], Reason: why[names[i]]}
		tell(defects[i])
	})
	for _, j := range slices.Concat(all, defects) {
		if j.seen() && j.Reason != "" {
			t.Errorf("%s is seen (%s in %s), and the list of what nobody can tell has it: take it out", j.Key, j.Violation, j.Run)
		}
	}
	writeReport(t, p, all, defects)
}

// draw draws the mutants of each seed, among those that are asked for. They come in the order of their numbers, with their seeds.
func draw(points []mutate.Point, only *regexp.Regexp) (sample []mutate.Point, drawn map[int][]string) {
	points = slices.DeleteFunc(slices.Clone(points), func(m mutate.Point) bool {
		return !only.MatchString(m.String()) && !only.MatchString(m.Key())
	})
	drawn = map[int][]string{}
	for _, seed := range seeds() {
		for _, m := range mutate.Sample(points, seed, *findCount) {
			drawn[m.Number] = append(drawn[m.Number], seed)
		}
	}
	return slices.DeleteFunc(points, func(m mutate.Point) bool { return drawn[m.Number] == nil }), drawn
}

// onSeams are the names of the planted defects on seams that the world has.
func onSeams() (names []string) {
	for _, d := range defect.All() {
		if onSeam(d) {
			names = append(names, d.Name)
		}
	}
	return names
}

// teller tells of mistakes as they end.
func teller(t *testing.T) func(judged) {
	t.Helper()
	var mu sync.Mutex
	n := 0
	return func(j judged) {
		mu.Lock()
		defer mu.Unlock()
		n++
		t.Logf("%4d %-9s %s (%s %s, %v)", n, j.End, j.What, j.Violation, j.Run, j.Took.Round(time.Millisecond))
	}
}

// buildWrong builds the program with the mistakes of the source that have names, which does the given runs.
func buildWrong(t *testing.T, runs []oneRun) *program {
	t.Helper()
	p := newProgram(t, "defects")
	p.runs = runs
	var changes []mutate.Change
	for _, e := range defect.Edits() {
		changes = append(changes, mutate.Change(e))
	}
	overlay, err := mutate.Plant("../..", p.dir, changes)
	if err != nil {
		t.Fatal(err)
	}
	p.build(t, overlay)
	return p
}

// onSeam reports whether the world has a seam for a defect: the settings of a core, its inputs and its effects. It has none
// for bytes: HTTP, frames and packs. A mistake that needs one of these beside a seam of the world is one of theirs, for it is
// they that bring it about or show it. No service of its runs is private.
func onSeam(d defect.Defect) bool {
	if d.Private || d.Archive || d.ReadOnly || d.Answer != nil || d.Backend != nil || d.Body != nil || d.Front != nil || d.AtDoor() {
		return false
	}
	if d.Config != nil || d.Core != nil {
		return true
	}
	if d.Filter == nil {
		return false
	}
	f := d.Filter()
	return f.In != nil || f.Out != nil || f.Early != nil || f.Also != nil
}

// Every mutant of the reviewed list is one that there is, and has a reason.
func TestReviewedMutantsAreCurrent(t *testing.T) {
	_, points, err := mutate.Build("../..", t.TempDir(), decisive...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mutate.Reviewed(reviewed(t, unseenMutants), points); err != nil {
		t.Error(err)
	}
}

// Every planted defect of the reviewed list is one on a seam that the world has, and has a reason.
func TestReviewedDefectsAreCurrent(t *testing.T) {
	if _, err := mutate.ReviewedKeys(reviewed(t, unseenDefects), onSeams()); err != nil {
		t.Error(err)
	}
}
