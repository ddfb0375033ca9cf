package suite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/cucumber/godog"
)

// This file is the only one that knows godog. A check is fed to it as a feature of one scenario, so that
// selection, order, lanes and results are ours; verdicts never travel in errors.

// errEnd makes godog skip the steps behind the one that decided the check.
var errEnd = errors.New("suite: the check has ended")

// runScenario runs the steps of a check and returns the outcome that ended it; a held one if all did.
func runScenario(w *world) outcome {
	end := harnessError("no step ran")
	godog.TestSuite{
		Name: w.check.ID,
		ScenarioInitializer: func(sc *godog.ScenarioContext) {
			for _, d := range w.run.vocabulary {
				sc.Step(d.expr, d.handler(w, &end))
			}
			sc.StepContext().After(func(ctx context.Context, st *godog.Step, status godog.StepResultStatus, err error) (context.Context, error) {
				if status == godog.StepUndefined || status == godog.StepAmbiguous {
					end = harnessError("step without one definition: %s", st.Text)
				}
				return ctx, nil
			})
		},
		Options: &godog.Options{
			Format: "progress", Output: io.Discard, NoColors: true, Strict: true, Concurrency: 1,
			DefaultContext:  w.ctx,
			FeatureContents: []godog.Feature{{Name: w.check.ID, Contents: []byte(w.text())}},
		},
	}.Run()
	return w.finish(end)
}

// handler makes a function of the arity that godog expects for this definition.
func (d definition) handler(w *world, end *outcome) any {
	text := reflect.TypeFor[string]()
	args := make([]reflect.Type, d.expr.NumSubexp())
	for i := range args {
		args[i] = text
	}
	if d.table() {
		args = append(args, reflect.TypeFor[*godog.Table]())
	}
	signature := reflect.FuncOf(args, []reflect.Type{reflect.TypeFor[error]()}, false)
	return reflect.MakeFunc(signature, func(values []reflect.Value) []reflect.Value {
		var words []string
		var table [][]string
		for _, v := range values {
			if given, ok := v.Interface().(*godog.Table); ok {
				table = cells(given)
				continue
			}
			words = append(words, v.String())
		}
		*end = w.step(d, words, table)
		err := reflect.Zero(reflect.TypeFor[error]())
		if !end.held() {
			err = reflect.ValueOf(&errEnd).Elem()
		}
		return []reflect.Value{err}
	}).Interface()
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

// text writes the check out as a feature of its own.
func (w *world) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Feature: %s\n  Scenario: %s\n", w.check.ID, w.check.Title)
	escape := strings.NewReplacer(`\`, `\\`, "|", `\|`, "\n", `\n`)
	for _, s := range w.check.Steps {
		fmt.Fprintf(&b, "    * %s\n", s.Text)
		for _, row := range s.Table {
			b.WriteString("      |")
			for _, cell := range row {
				b.WriteString(" " + escape.Replace(cell) + " |")
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}
