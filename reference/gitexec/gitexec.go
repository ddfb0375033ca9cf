// Package gitexec is the store of the live server: bare repositories in a folder, worked on by the installed git.
// Commands that git executes are encoded here, never copied from a client, and every git process has a hardened
// configuration, limits and an end. It authorizes nothing and packs nothing together: housekeeping of a repository
// (git gc) is left to its operator.
package gitexec

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/graspkit/graspkit/reference/gitstore"
)

// Options are the settings of an Exec. A zero field means its default.
type Options struct {
	Git      string        // path of the git binary; default: the first on PATH
	Children int64         // git processes of one pool at one time; there are three pools; default 32
	Lifetime time.Duration // of one git process; default 1 h
	PackMax  int64         // bytes of a pack; default 512 MiB
}

func (o Options) withDefaults() Options {
	if o.Git == "" {
		o.Git = "git"
	}
	if o.Children == 0 {
		o.Children = 32
	}
	if o.Lifetime == 0 {
		o.Lifetime = time.Hour
	}
	if o.PackMax == 0 {
		o.PackMax = 512 << 20
	}
	return o
}

// An Exec is a gitstore.Backend that runs git. It is safe for use by many goroutines as far as the Backend contract
// asks: writes to one repository are serialized by the caller. Only one Exec may use a folder.
type Exec struct {
	dir     string
	git     string
	options Options
	env     []string

	// Three pools of git processes: fetches and pushes wait for clients, so that many slow ones must not keep the
	// short queries of the server itself waiting, nor each other.
	queries, uploads, receives *semaphore.Weighted

	// layout is held while folders of repositories are made and removed: two of them may share the owner's folder.
	layout sync.Mutex
}

var _ gitstore.Backend = (*Exec)(nil)

// ErrGit is returned by New when there is no git that can be used.
var ErrGit = errors.New("gitexec: no usable git")

// New opens a folder of repositories, making it if it is not there, and removes what a crash may have left: locks
// and half-received packs. It wraps ErrGit if git is missing or older than 2.31.
func New(dir string, options Options) (*Exec, error) {
	options = options.withDefaults()
	git, err := exec.LookPath(options.Git)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrGit, err)
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, fmt.Errorf("repository folder: %w", err)
	}
	home := filepath.Join(dir, homeName)
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, fmt.Errorf("make repository folder: %w", err)
	}
	e := &Exec{
		dir: dir, git: git, options: options, env: environment(git, home),
		queries:  semaphore.NewWeighted(options.Children),
		uploads:  semaphore.NewWeighted(options.Children),
		receives: semaphore.NewWeighted(options.Children),
	}
	if err := e.checkVersion(); err != nil {
		return nil, err
	}
	return e, e.recover()
}

// contextOf returns a Cancel as the context that it usually is.
func contextOf(c gitstore.Cancel) context.Context {
	if ctx, ok := c.(context.Context); ok {
		return ctx
	}
	return context.Background()
}
