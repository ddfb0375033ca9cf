package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/graspkit/graspkit/internal/cli"
)

// environmentPrefix begins the name of every setting in the environment.
const environmentPrefix = "GRASP_"

// environmentName returns what a flag is called in the environment.
func environmentName(flag string) string {
	return environmentPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// overruled lists by flag the ones that exclude it: where one of these is on the command line, the first one is not read
// from the environment.
var overruled = map[string][]string{
	"data":    {"memory"},
	"memory":  {"data"},
	"backend": {"data", "memory"},
}

// fromEnvironment sets the flags that are not on the command line and that the environment, of the form NAME=value, has
// a value for. An empty value is none. It returns the names that begin as a setting does and are none, in order.
func fromEnvironment(flags *pflag.FlagSet, environ []string) (unknown []string, err error) {
	given := map[string]string{}
	for _, entry := range environ {
		if name, value, _ := strings.Cut(entry, "="); strings.HasPrefix(name, environmentPrefix) && value != "" {
			given[name] = value
		}
	}
	line := map[string]bool{}
	flags.Visit(func(f *pflag.Flag) { line[f.Name] = true })
	flags.VisitAll(func(f *pflag.Flag) {
		name := environmentName(f.Name)
		value, ok := given[name]
		delete(given, name)
		if !ok || line[f.Name] || f.Name == "help" || slices.ContainsFunc(overruled[f.Name], func(by string) bool { return line[by] }) {
			return
		}
		if wrong := f.Value.Set(value); wrong != nil {
			if f.Value.Type() == "bool" {
				err = cli.Usagef("%s=%q in the environment: want true or false", name, value)
			} else {
				err = cli.Usagef("%s=%q in the environment: %w", name, value, wrong)
			}
		}
		f.Changed = true
	})
	return slices.Sorted(maps.Keys(given)), err
}
