//go:build unix

package judgetest

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"sync"
	"testing"

	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/reference/core"
)

var (
	contextsOf   = flag.String("contexts", "", "judge the plain mistakes in contexts whose names match this `regexp`")
	contextsInto = flag.String("contexts-into", "", "write what became of each to this `file`")
)

// reachedBy are the feature files that come by each mistake, with how often.
func reachedBy(t *testing.T, all []defect.Contextual, names []string) map[string]map[string]int {
	t.Helper()
	reached := map[string]map[string]int{}
	before := map[string]int{}
	for _, name := range names {
		watch := defect.Defect{Core: func(m core.Machine) core.Machine {
			for _, c := range all {
				m = c.Harmless.Machine(m)
			}
			return m
		}}
		if verdict := judgeByOn(t, name, watch); verdict.End != endSurvived {
			t.Errorf("%s: got %+v of a server without a mistake", name, verdict)
		}
		for _, c := range all {
			if n := c.Met() - before[c.Name]; n > 0 {
				if reached[c.Name] == nil {
					reached[c.Name] = map[string]int{}
				}
				reached[c.Name][name] = n
			}
			before[c.Name] = c.Met()
		}
	}
	return reached
}

// Tells of plain mistakes that are made in one context alone what becomes of them: what survives and what is not reached shows where the
// suite looks at a rule only as it is usually met. It fails where a server that makes none of them is accused. Minutes for those of
// pushes, half an hour for all of them; see Contextuals.
func TestMistakesInContexts(t *testing.T) {
	if *contextsOf == "" || *contextsInto == "" {
		t.Skip("it takes long, and wants -contexts and -contexts-into")
	}
	want := regexp.MustCompile(*contextsOf)
	all := slices.DeleteFunc(defect.Contextuals(), func(c defect.Contextual) bool { return !want.MatchString(c.Name) })
	reached := reachedBy(t, all, foreignFeatures(t))
	out, err := os.Create(*contextsInto)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	var mu sync.Mutex
	var wg sync.WaitGroup
	queue := make(chan defect.Contextual)
	for range 2 {
		wg.Go(func() {
			for c := range queue {
				files := make([]string, 0, len(reached[c.Name]))
				for name := range reached[c.Name] {
					files = append(files, name)
				}
				slices.SortFunc(files, func(a, b string) int {
					return cmp.Or(reached[c.Name][b]-reached[c.Name][a], cmp.Compare(a, b))
				})
				verdict := judgement{End: endSurvived}
				if len(files) == 0 {
					verdict.End = endUnreached
				}
				for _, name := range files {
					next := judgeByOn(t, name, c.Defect)
					if next.End != endSurvived && verdict.End == endSurvived || next.End == endFound || next.End == endPanic {
						verdict = next
					}
					if verdict.End == endFound || verdict.End == endPanic {
						break
					}
				}
				mu.Lock()
				fmt.Fprintf(out, "%s\t%s\t%v\t%s\t%s\t%s\t%s\n", verdict.End, c.Name, reached[c.Name], verdict.Feature, verdict.Check, verdict.Row, firstLine(verdict.Reason))
				mu.Unlock()
			}
		})
	}
	for _, c := range all {
		queue <- c
	}
	close(queue)
	wg.Wait()
}
