package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/graspkit/graspkit/internal/cli"
	"github.com/graspkit/graspkit/reference/gitdisk"
	"github.com/graspkit/graspkit/reference/gitexec"
	"github.com/graspkit/graspkit/reference/gitlayout"
	"github.com/graspkit/graspkit/reference/gitlock"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/node"
)

// A serveDisk is where a server keeps events and repositories.
type serveDisk struct {
	dir     string // "" in memory
	journal node.Journal
	backend gitstore.Backend
}

// openServeDisk opens a data directory, or memory if dir is "". Unless a backend is named, repositories are kept by the
// installed git, and where there is none by ourselves.
func openServeDisk(dir string, f serveFlags, logger *slog.Logger) (serveDisk, error) {
	backend, packs := f.backend, gitstore.Limits{PackMax: f.exec.Limits.PackMax}
	if dir == "" {
		return serveDisk{
			journal: node.NewMemoryJournal(),
			backend: gitlock.New(gitstore.NewMemory(packs), packs.PackMax),
		}, nil
	}
	d := serveDisk{dir: dir}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return d, failed("name a directory instead", "data directory %s: it is a file", dir)
	}
	if err := gitlayout.MakeDir(gitlayout.ToDisk{}, dir); err != nil {
		return d, d.explain(err)
	}
	// The lock of the journal comes first: nobody else may be working on the repositories.
	journal, err := node.OpenJournal(d.events())
	if err != nil {
		return d, d.explain(err)
	}
	d.journal = journal
	if backend != backendDisk {
		d.backend, err = gitexec.New(d.git(), f.exec)
	}
	if backend == "" && errors.Is(err, gitexec.ErrGit) {
		logger.LogAttrs(context.Background(), slog.LevelWarn, "no git to use, repositories are kept without one", slog.Any("reason", err))
		backend = backendDisk
	}
	if backend == backendDisk {
		d.backend, err = gitdisk.New(d.git(), gitdisk.Options{Limits: packs, Quota: f.exec.Quota})
	}
	if err != nil {
		return d, errors.Join(d.explain(err), journal.Close())
	}
	return d, nil
}

func (d serveDisk) git() string { return filepath.Join(d.dir, "git") }

func (d serveDisk) events() string { return filepath.Join(d.dir, "events.db") }

// explain says what an error of the disk means for who has started the server, and what can be done.
func (d serveDisk) explain(err error) error {
	switch {
	case errors.Is(err, node.ErrJournalLocked):
		return failed("stop the other server, or give this one a data directory of its own",
			"data directory %s: another server is running on it", d.dir)
	case errors.Is(err, node.ErrJournalVersion):
		return failed("start the version that wrote it, or move the file away to begin anew", "%s: %w", d.events(), err)
	case errors.Is(err, node.ErrJournalCorrupt):
		return failed("bring back a copy of the file and its logs, or move them away to begin anew; nothing was touched",
			"%s: %w", d.events(), err)
	case errors.Is(err, gitexec.ErrGit):
		return failed("install git 2.31 or newer, or use --backend disk", "%w", err)
	case errors.Is(err, fs.ErrPermission):
		return failed("make it writable for the user who runs the server, or name another one",
			"data directory %s: no permission to write: %w", d.dir, err)
	default:
		return failed("name a folder by --data that is there, or can be made, and that takes writes", "data directory %s: %w", d.dir, err)
	}
}

func failed(hint, format string, args ...any) error {
	return &cli.ExitError{Code: cli.ExitHarness, Err: fmt.Errorf(format, args...), Hint: hint}
}
