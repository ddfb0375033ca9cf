// Package gitexec is the store of the live server: bare repositories in a folder, worked on by the installed git. A push of a few
// objects that are written as git writes them, a few refs, and a copy of a few objects are done here, for a process costs more
// than they do; whatever is not plainly right is for git to judge. Commands that git executes are encoded here, never copied from a
// client, and every git process has a hardened configuration, limits and an end. What a method has done is on the disk when it
// returns: git syncs the files that it writes, and the folders that name them are synced here. It authorizes nothing.
package gitexec

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/graspkit/graspkit/reference/gitlayout"
	"github.com/graspkit/graspkit/reference/gitspool"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/gitturn"
	"github.com/graspkit/graspkit/reference/repo"
)

// homeName is the folder beside those of the repositories that is the HOME of git processes; it stays empty.
const homeName = ".home"

// Options are the settings of an Exec. A zero field means its default.
type Options struct {
	Git      string        // path of the git binary; default: the first on PATH
	Children int64         // git processes of one pool at one time; there are four pools; default 32
	Lifetime time.Duration // of one git process; default 1 h
	// Memory and Processor bound one git process where the system can do that (Linux): bytes of its own memory, default 2 GiB,
	// and processor time, default 10 min. One that takes in a pack gets 5 s and a second for every 4 MiB to be unpacked.
	Memory    int64
	Processor time.Duration
	// Limits of a pack. Their defaults are those of gitstore, but for 8,000,000 objects and 64 GiB in all: git keeps
	// neither in memory.
	Limits gitstore.Limits
	// Packs bound those that are held before git gets them, Answers what clients have not taken of their clones and fetches.
	Packs, Answers gitspool.Limits
	// Sync makes durable what is written; default gitlayout.ToDisk. With gitlayout.Unsynced the repositories go with this
	// process: git does not wait for the disk either, and they may be broken after a crash of the machine.
	Sync  gitlayout.Syncer
	Quota gitlayout.Quota // a push beyond it is refused; what the server itself copies is counted and not refused
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
	if o.Memory == 0 {
		o.Memory = 2 << 30
	}
	if o.Processor == 0 {
		o.Processor = 10 * time.Minute
	}
	if o.Limits.ObjectMax == 0 {
		o.Limits.ObjectMax = 8_000_000
	}
	if o.Limits.InflatedMax == 0 {
		o.Limits.InflatedMax = 64 << 30
	}
	o.Limits = o.Limits.WithDefaults()
	return o
}

// An Exec is a gitstore.Backend that runs git. It is safe for use by many goroutines as far as the Backend contract
// asks: writes to one repository are serialized by the caller. Only one Exec may use a folder.
type Exec struct {
	layout  *gitlayout.Layout
	git     string
	minor   int // of the version of git, the one after "2."
	options Options
	env     []string

	// Four pools of git processes: fetches and pushes wait for clients, so that many slow ones must not keep the
	// short queries of the server itself waiting, nor each other. A copy takes one of the fourth and then a query.
	queries, uploads, receives, copies *gitturn.Places

	adverts adverts

	packs, answers *gitspool.Pool
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
	layout, err := gitlayout.New(dir, gitlayout.Options{Sync: options.Sync, Quota: options.Quota})
	if err != nil {
		return nil, err
	}
	home := filepath.Join(layout.Dir(), homeName)
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, fmt.Errorf("make home of git processes: %w", err)
	}
	all := int(options.Children)
	each := (all + 1) / 2 // of those that a client asks for; the others ask within what has a place already
	e := &Exec{
		layout: layout, git: git, options: options, env: environment(git, home, options.Memory),
		queries:  gitturn.New(all, all),
		uploads:  gitturn.New(all, each),
		receives: gitturn.New(all, each),
		copies:   gitturn.New(all, all),
	}
	if err := e.checkVersion(); err != nil {
		return nil, err
	}
	if e.packs, err = gitspool.New(filepath.Join(layout.Dir(), spoolName, "packs"), options.Packs); err != nil {
		return nil, err
	}
	if e.answers, err = gitspool.New(filepath.Join(layout.Dir(), spoolName, "answers"), options.Answers); err != nil {
		return nil, err
	}
	if err := e.openFetches(); err != nil {
		return nil, err
	}
	return e, layout.Recover(e.sweep)
}

// Room fails if the folder of the repositories is not there any more.
func (e *Exec) Room() error { return e.layout.Room() }

// Create implements gitstore.Backend.
func (e *Exec) Create(id repo.ID) error { return e.layout.Create(id) }

// Remove implements gitstore.Backend.
func (e *Exec) Remove(id repo.ID) error { return e.layout.Remove(id) }

// Repositories implements gitstore.Backend. It lists half-made repositories too.
func (e *Exec) Repositories() ([]repo.ID, error) { return e.layout.Repositories() }

// contextOf returns a Cancel as the context that it usually is.
func contextOf(c gitstore.Cancel) context.Context {
	if ctx, ok := c.(context.Context); ok {
		return ctx
	}
	return context.Background()
}
