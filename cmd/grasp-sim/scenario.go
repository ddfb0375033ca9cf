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

	"github.com/graspkit/graspkit/internal/cli"
	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim/swarm"
)

// A loaded scenario is one with where it came from.
type loaded struct {
	scenarios.Scenario

	arg    string // as on the command line
	source []byte // its text
	digest string // SHA-256 of that, so that a changed file is noticed
}

func newLoaded(s scenarios.Scenario, arg string, text []byte) loaded {
	sum := sha256.Sum256(text)
	return loaded{s, arg, text, hex.EncodeToString(sum[:])}
}

// loadScenario reads the scenario that an argument names: an embedded one, a file if the argument looks like a path, or
// the swarm.
func loadScenario(arg string) (loaded, error) {
	if arg == swarm.Name { // whose seeds have in common what is checked, and no more
		return loaded{Scenario: scenarios.Scenario{Name: swarm.Name, Invariants: swarm.Invariants()}, arg: arg}, nil
	}
	if text, found := scenarios.Text(arg); found {
		s, err := scenarios.Parse(arg+".yaml", text)
		return newLoaded(s, arg, text), err
	}
	if !strings.ContainsAny(arg, `./\`) {
		usage := cli.Usagef("unknown scenario %q", arg)
		usage.Hint = fmt.Sprintf("use %s, or the path of a file such as ./%s.yaml", strings.Join(append(scenarios.Names(), swarm.Name), ", "), arg)
		return loaded{}, usage
	}
	text, err := readFile(arg)
	if err != nil {
		usage := cli.Usagef("%w", err)
		usage.Hint = "name a file that you can read, or one of " + strings.Join(scenarios.Names(), ", ")
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
