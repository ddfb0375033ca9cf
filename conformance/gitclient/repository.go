package gitclient

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// bareConfig is all that the repositories of a place configure.
const bareConfig = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"

// Make makes a bare repository by its name, without a process, with no object and the refs given.
func (p *Place) Make(name string, refs map[string]string) error {
	for _, folder := range []string{"objects/pack", "refs"} {
		if err := os.MkdirAll(p.at(filepath.Join(name, folder)), 0o700); err != nil {
			return fmt.Errorf("make repository: %w", err)
		}
	}
	var packed strings.Builder
	for _, ref := range slices.Sorted(maps.Keys(refs)) {
		fmt.Fprintf(&packed, "%s %s\n", refs[ref], ref)
	}
	for file, text := range map[string]string{
		"HEAD": "ref: refs/heads/main\n", "config": bareConfig, "packed-refs": packed.String(),
	} {
		if err := os.WriteFile(p.at(filepath.Join(name, file)), []byte(text), 0o600); err != nil {
			return fmt.Errorf("make repository: %w", err)
		}
	}
	return nil
}

// Add puts the objects of a pack into a repository of the place.
func (p *Place) Add(ctx context.Context, name string, pack []byte) error {
	a := p.Run(ctx, Command{In: name, Args: []string{"index-pack", "--stdin"}, Input: pack})
	if !a.Well() {
		return fmt.Errorf("add objects to repository: %v", a)
	}
	return nil
}
