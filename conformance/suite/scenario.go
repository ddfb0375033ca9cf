package suite

import (
	"context"
	"io"
	"io/fs"
	"sync"

	"github.com/cucumber/godog"

	"github.com/graspkit/graspkit/features"
)

// This file is the only one that knows godog. A check is one run of it over its feature file, without the other checks; its
// scenario context calls the registry, and verdicts never travel in errors.

// A line of a feature with a table ends in a colon; godog wants to know which of its functions takes one.
var (
	plainLine  = compiled(`^(.*[^:])$`)
	tabledLine = compiled(`^(.*:)$`)
)

// perform runs the checks of a lane, so many at a time, and files their results.
func (r *run) perform(ctx context.Context, lane []appointment, workers int, file func(appointment, CheckResult)) {
	next := make(chan appointment, len(lane))
	for _, a := range lane {
		next <- a
	}
	close(next)
	var all sync.WaitGroup
	for range min(max(workers, 1), len(lane)) {
		all.Go(func() {
			for a := range next {
				r.runOne(ctx, a, file)
			}
		})
	}
	all.Wait()
}

// runOne runs one check and files its result. What godog keeps of every step is gone with the run: of a lane of a thousand
// checks it was as much as all that they are about.
func (r *run) runOne(ctx context.Context, a appointment, file func(appointment, CheckResult)) {
	text, err := fs.ReadFile(r.cfg.Features, a.check.File)
	if err != nil {
		panic("suite: invariant: feature that was read before: " + err.Error())
	}
	godog.TestSuite{
		Name: "checks",
		ScenarioInitializer: func(sc *godog.ScenarioContext) {
			var p *performance
			sc.Before(func(ctx context.Context, s *godog.Scenario) (context.Context, error) {
				if s.Name != a.check.Title { // the lint sees to it that no two checks of a file share a title
					return ctx, godog.ErrSkip
				}
				p = r.begin(ctx, a)
				return ctx, nil
			})
			step := func(line string, table [][]string) error {
				if p == nil || !p.step(line, table) {
					return godog.ErrSkip // what decided the check is in the performance
				}
				return nil
			}
			sc.Step(plainLine, func(line string) error { return step(line, nil) })
			sc.Step(tabledLine, func(line string, table *godog.Table) error { return step(line, cells(table)) })
			sc.After(func(ctx context.Context, _ *godog.Scenario, _ error) (context.Context, error) {
				if p != nil {
					file(p.appointment, p.finish())
				}
				return ctx, nil
			})
		},
		Options: &godog.Options{
			Format: "progress", Output: io.Discard, NoColors: true, Strict: true, Concurrency: 1, DefaultContext: ctx,
			FeatureContents: []godog.Feature{{Name: a.check.File, Contents: features.Excerpt(text, a.check)}},
		},
	}.Run()
}

func cells(given *godog.Table) [][]string {
	var table [][]string
	for _, row := range given.Rows {
		var line []string
		for _, cell := range row.Cells {
			line = append(line, cell.Value)
		}
		table = append(table, line)
	}
	return table
}

// A performance is one check under way.
type performance struct {
	appointment
	world   *world
	outer   context.Context //nolint:containedctx // the lane's, which outlives the check
	cancel  context.CancelFunc
	end     outcome // what ended the check, or the outcome of its last step
	steps   []bound
	at      int // the step that comes next
	over    bool
	skipped bool // before it began
}

// step performs one line of the check and reports whether the check goes on.
func (p *performance) step(line string, table [][]string) bool {
	if p.over {
		return false
	}
	registry := p.world.run.registry
	b := registry.find(line)
	if p.steps == nil {
		p.steps = registry.of(p.check)
	}
	if registry.looksAhead(p.steps, p.at) {
		p.world.lookBefore()
	}
	p.world.insists = registry.insists(p.steps, p.at)
	if b.fitting != 1 {
		p.end = harnessError("%d forms of steps fit: %s", b.fitting, line)
	} else {
		p.end = p.world.step(b, table)
	}
	if !p.end.held() && p.world.brokenOff() {
		p.end = blockedStopped() // whatever it came to by that
	}
	p.at++
	p.over = !p.end.held()
	return !p.over
}

// showTwins performs the accepted twins that a violation kept from being performed, so that who reads of it sees both sides. Nothing
// is judged by them; from is the index of the first step that was not.
func (w *world) showTwins(from int) {
	steps, violations, pending, notes := w.steps, w.violations, w.pending, w.notes
	for i := from; i < len(w.check.Steps) && w.ctx.Err() == nil; i++ {
		b := w.run.registry.find(w.check.Steps[i].Text)
		if b.fitting != 1 || b.step.role != twin {
			continue
		}
		w.steps = i
		if w.step(b, w.check.Steps[i].Table).held() {
			w.shown = append(w.shown, i+1)
		}
	}
	w.steps, w.violations, w.pending, w.notes = steps, violations, pending, notes
}

// finish is the outcome of the whole check.
func (w *world) finish(end outcome) outcome {
	if end.held() && w.steps < len(w.check.Steps) {
		return harnessError("%d of %d steps ran", w.steps, len(w.check.Steps))
	}
	if end.held() {
		end = w.unharmed()
	}
	end = w.unlessUnshown(end)
	if w.pending != "" && (end.held() || end.verdict == DependencyFail) {
		return outcome{verdict: Inconclusive, reason: w.pending + "; no accepted twin was answered properly"}
	}
	return end
}
