package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/internal/cli"
	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim/swarm"
)

// A loaded scenario is one with where it came from.
type loaded struct {
	scenarios.Scenario

	arg    string              // as on the command line
	set    []scenarios.Setting // what was changed there
	source []byte              // its text
	digest string              // SHA-256 of that, so that a changed file is noticed

	draw func(seed uint64) scenarios.Scenario // makes the world of each seed, nil where all have one
}

// command is how the scenario is named on a command line.
func (l loaded) command() string {
	text := quoted(l.arg)
	for _, s := range l.set {
		text += " --set " + quoted(s.String())
	}
	return text
}

// A choice is the scenario that a command line names: by its argument, with the fields that --set changes.
type choice struct{ settings []string }

func (c *choice) flag(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&c.settings, "set", nil, "change a field of the scenario, such as hunt.rate=5 or hosts.2.delay=1s")
}

// load reads the scenario. Where nobody names one it is the first.
func (c *choice) load(args []string) (loaded, error) {
	arg := "first"
	if len(args) > 0 {
		arg = args[0]
	}
	s, err := loadScenario(arg)
	if err != nil {
		return s, err
	}
	for _, text := range c.settings {
		setting, err := scenarios.ParseSetting(text)
		if err != nil {
			return s, cli.Usagef("%w", err)
		}
		s.set = append(s.set, setting)
	}
	if s.draw != nil {
		return s, nil // each of its worlds is changed when it is drawn
	}
	return s.changed()
}

// one is load for a command that makes runs of one seed: that of the scenario, unless the flag names another.
func (c *choice) one(cmd *cobra.Command, args []string, seed *uint64) (loaded, error) {
	s, err := c.load(args)
	if err != nil {
		return s, err
	}
	if !cmd.Flags().Changed("seed") {
		*seed = s.Seed
	}
	if s.draw != nil {
		return s.drawn(*seed)
	}
	return s, nil
}

// drawn is the world that the family has for a seed.
func (l loaded) drawn(seed uint64) (loaded, error) {
	s := l.draw(seed)
	world := newLoaded(s, l.arg, scenarios.Format(s))
	world.set = l.set
	return world.changed()
}

// changed carries the settings out.
func (l loaded) changed() (loaded, error) {
	if len(l.set) == 0 {
		return l, nil
	}
	text := l.source
	for _, setting := range l.set {
		changed, err := scenarios.Set(text, setting)
		if err != nil {
			return l, cli.Usagef("%w", err)
		}
		text = changed
	}
	s, err := scenarios.Parse(l.arg+" as it was set", text)
	if err != nil {
		return l, cli.Usagef("%w", err)
	}
	now := newLoaded(s, l.arg, text)
	now.set = l.set
	return now, nil
}

func newLoaded(s scenarios.Scenario, arg string, text []byte) loaded {
	sum := sha256.Sum256(text)
	return loaded{Scenario: s, arg: arg, source: text, digest: hex.EncodeToString(sum[:])}
}

// known lists what may be named in place of a file.
func known() string { return strings.Join(offered(), ", ") }

// offered are the scenarios that people begin with: not those that a bug has left behind, which are many.
func offered() []string {
	var list []string
	for _, name := range append(scenarios.Names(), swarm.Names()...) {
		if !strings.Contains(name, "/") { // those of what has been wrong, or easily is, are found by their folder
			list = append(list, name)
		}
	}
	return list
}

// loadScenario reads the scenario that an argument names: an embedded one, a file if the argument looks like a path, or
// a family of worlds that are drawn.
func loadScenario(arg string) (loaded, error) {
	if draw := swarm.Of(arg); draw != nil { // whose seeds have in common what is checked, and no more
		return loaded{Scenario: scenarios.Scenario{Name: arg, Invariants: swarm.Invariants()}, arg: arg, draw: draw}, nil
	}
	if text, found := scenarios.Text(arg); found {
		s, err := scenarios.Parse(arg+".yaml", text)
		return newLoaded(s, arg, text), err
	}
	if !strings.ContainsAny(arg, `./\`) {
		usage := cli.Usagef("unknown scenario %q", arg)
		usage.Hint = fmt.Sprintf("use %s, or the path of a file such as ./%s.yaml", known(), arg)
		return loaded{}, usage
	}
	text, err := readFile(arg)
	if err != nil {
		usage := cli.Usagef("%w", err)
		usage.Hint = "name a file that you can read, or one of " + known()
		return loaded{}, usage
	}
	s, err := scenarios.Parse(arg, text)
	if err != nil {
		usage := cli.Usagef("%w", err)
		usage.Hint = "the fields of a scenario are described in the package documentation of scenarios"
		return loaded{}, usage
	}
	return newLoaded(s, arg, text), nil
}

// readFile reads a file up to a little more than a scenario may have, so that a wrong name costs no memory.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("scenario file %s does not exist", path)
	}
	if err != nil {
		return nil, fmt.Errorf("open scenario: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, scenarios.SizeMax+1))
	if err != nil {
		return nil, fmt.Errorf("read scenario: %w", err)
	}
	return data, nil
}
