package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/internal/cli"
)

// keysMax bounds the keys of a file.
const keysMax = 64

// readKeys reads secret keys, one a line; empty lines and those that begin with # are none. No path gives no keys. What is
// wrong with a line is told by its number: no secret is printed.
func readKeys(path string) ([]client.Key, error) {
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, &cli.ExitError{Code: cli.ExitUsage, Err: fmt.Errorf("--keys: %w", err), Hint: "name a file with secret keys, hexadecimal or nsec, one a line"}
	}
	var keys []client.Key
	for i, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, err := client.ParseKey(fmt.Sprint("key ", len(keys)+1), line)
		if err != nil || len(keys) == keysMax {
			return nil, cli.Usagef("--keys %s, line %d: want at most %d secret keys, each of 64 hexadecimal digits or an nsec", path, i+1, keysMax)
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, cli.Usagef("--keys %s: no key", path)
	}
	return keys, nil
}
