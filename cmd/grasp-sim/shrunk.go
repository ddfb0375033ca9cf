package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/graspkit/graspkit/internal/cli"
	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim/shrink"
)

// shrunk is the text of the scenario that was found: what it is about, how to run it, and it.
func (r *runner) shrunk(ctx context.Context, f shrinkFlags, result shrink.Result) (string, error) {
	file := fileOf(f)
	scalar := func(text string) scenarios.Node { return scenarios.Node{Text: text} }
	root := result.Scenario.With("name", scalar(r.nameFor(f))).With("seed", scalar(strconv.FormatUint(f.seed, 10))).
		With("description", scalar(strconv.Quote("What is left of "+r.scenario.Name+" where it violates "+result.Outcome.Violation+".")))
	s, err := scenarios.Parse(file, []byte(root.YAML()))
	if err != nil {
		return "", fmt.Errorf("read scenario that is left: %w", err)
	}
	last := *r
	last.scenario.Scenario = s
	o, err := last.run(context.WithoutCancel(ctx), f.seed, nil)
	if err != nil {
		return "", err
	}
	if len(o.Violations) == 0 || firstOf(o.Violations).String() != result.Outcome.Violation {
		return "", fmt.Errorf("shrink %s with seed %d: what was found does not fail from its file", r.scenario.arg, f.seed)
	}
	failed, err := last.fail(context.WithoutCancel(ctx), f.seed, o)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for line := range strings.Lines(failed.violations[0] + "\n") {
		b.WriteString("# " + line)
	}
	fmt.Fprintf(&b, "# Shrunk from %s (sha256 %s) by %s.\n", r.scenario.arg, r.scenario.digest, r.program)
	fmt.Fprintf(&b, "# %q fails until that is mended, and holds from then on.\n", "grasp-sim run "+quoted(file))
	b.WriteString(root.YAML())
	return b.String(), nil
}

// fileOf names the file of the scenario that is left.
func fileOf(f shrinkFlags) string {
	if f.out == "" {
		return "FILE"
	}
	return pathOf(f.out)
}

// nameFor is the name of the scenario that is left: that of its file.
func (r *runner) nameFor(f shrinkFlags) string {
	if f.out == "" {
		return r.scenario.Name
	}
	return strings.TrimSuffix(filepath.Base(f.out), filepath.Ext(f.out))
}

// checkName sees, before there is a search, that the scenario can have the name of its file.
func (r *runner) checkName(f shrinkFlags) error {
	root, err := scenarios.ReadNode(r.scenario.arg, r.scenario.source)
	if err != nil {
		return fmt.Errorf("read scenario again: %w", err)
	}
	named := root.With("name", scenarios.Node{Text: r.nameFor(f)})
	if _, err := scenarios.Parse(fileOf(f), []byte(named.YAML())); err != nil {
		usage := cli.Usagef("%w", err)
		usage.Hint = "the scenario has the name of its file: take one of lower-case letters, digits, dashes and underscores that is no number"
		return usage
	}
	return nil
}

// pathOf is a file as an argument that names no scenario of the program.
func pathOf(file string) string {
	if strings.ContainsAny(file, `./\`) {
		return file
	}
	return "./" + file
}

func writeScenario(path, text string) error {
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil { //nolint:gosec // a scenario is for everybody
		usage := cli.Usagef("%w", err)
		usage.Hint = "name a file in a folder that exists and that you can write to"
		return usage
	}
	return nil
}
