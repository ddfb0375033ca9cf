// Package gitclient runs the stock git binary as a user of a server under test does, in folders that are removed
// afterwards, and without anything that the machine or its user has configured.
//
// It speaks no protocol and judges nothing: what git said and how it ended is all that it tells.
package gitclient

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// Limits of one run of git.
const (
	// TimeMax is how long one process may take, in real time.
	TimeMax = time.Minute
	// drainMax is how long what a killed process has started may hold its pipes open.
	drainMax = 5 * time.Second
	// TextBytesMax is how much is kept of what git says on each of its two streams: the beginning.
	TextBytesMax = 64 << 10
	// FileBytesMax bounds a file that Read returns.
	FileBytesMax = 1 << 20
)

// ErrMissing is the reason why nothing can be run.
var ErrMissing = errors.New("there is no git binary here")

// A Git is an installed git binary.
type Git struct {
	path string
}

// Find looks for git where commands are looked for. It returns an error that wraps ErrMissing where there is none that works.
func Find(ctx context.Context) (*Git, error) {
	path, err := exec.LookPath("git")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMissing, err)
	}
	ctx, cancel := context.WithTimeout(ctx, TimeMax)
	defer cancel()
	if err := exec.CommandContext(ctx, path, "version").Run(); err != nil {
		return nil, fmt.Errorf("%w: %s version: %w", ErrMissing, path, err)
	}
	return &Git{path: path}, nil
}

// A Place is a folder in which git works, with a home that holds nothing. It belongs to one goroutine.
type Place struct {
	git  *Git
	root string
	made int // repositories and clones
}

// NewPlace makes an empty place. The caller closes it.
func (g *Git) NewPlace() (*Place, error) {
	root, err := os.MkdirTemp("", "grasp-git-*")
	if err != nil {
		return nil, fmt.Errorf("make place for git: %w", err)
	}
	p := &Place{git: g, root: root}
	if err := os.Mkdir(p.at(home), 0o700); err != nil {
		return nil, errors.Join(fmt.Errorf("make place for git: %w", err), p.Close())
	}
	return p, nil
}

// home is the folder that git takes for its user's.
const home = "home"

// Close removes the place and everything in it.
func (p *Place) Close() error {
	if err := os.RemoveAll(p.root); err != nil {
		return fmt.Errorf("remove place of git: %w", err)
	}
	return nil
}

// New is a name within the place that nothing has yet.
func (p *Place) New() string {
	p.made++
	return fmt.Sprintf("%d.git", p.made)
}

// Read returns a file by its path below the place.
func (p *Place) Read(name string) (string, error) {
	info, err := os.Lstat(p.at(name))
	switch {
	case err != nil:
		return "", fmt.Errorf("read file of git: %w", err)
	case !info.Mode().IsRegular() || info.Size() > FileBytesMax:
		return "", fmt.Errorf("read file of git: %s is no file of at most %d bytes", name, FileBytesMax)
	}
	text, err := os.ReadFile(p.at(name))
	if err != nil {
		return "", fmt.Errorf("read file of git: %w", err)
	}
	return string(text), nil
}

func (p *Place) at(name string) string { return filepath.Join(p.root, name) }
