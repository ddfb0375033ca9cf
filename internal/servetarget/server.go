package servetarget

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/graspkit/graspkit/reference"
	"github.com/graspkit/graspkit/reference/fetch"
	"github.com/graspkit/graspkit/reference/gitdisk"
	"github.com/graspkit/graspkit/reference/gitexec"
	"github.com/graspkit/graspkit/reference/gitlayout"
	"github.com/graspkit/graspkit/reference/gitlock"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/node"
	"github.com/graspkit/graspkit/reference/peer"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
)

// A server is a node and its HTTP server, from start to stop.
type server struct {
	*reference.Server
	life *mortal
	end  chan error // what Serve returned
}

func openDisk(opts Options) (*disk, error) {
	d := &disk{dir: opts.Dir, kind: opts.Backend}
	switch opts.Backend {
	case "", BackendMemory:
		d.dir = ""
		d.journal = node.NewMemoryJournal()
		d.backend = gitlock.New(gitstore.NewMemory(gitstore.Limits{}), 0)
		return d, nil
	case BackendExec, BackendDisk:
	default:
		return nil, fmt.Errorf("no backend %q: want %s, %s or %s", opts.Backend, BackendMemory, BackendExec, BackendDisk)
	}
	if d.dir == "" {
		dir, err := os.MkdirTemp(scratch(), "graspkit-serve-")
		if err != nil { // a folder that is not ours to write to
			dir, err = os.MkdirTemp("", "graspkit-serve-")
		}
		if err != nil {
			return nil, fmt.Errorf("data directory: %w", err)
		}
		d.dir, d.own = dir, true
	}
	return d, nil
}

// open opens the journal and the repositories, as a server that starts does. What Close removes is not waited for: a life
// of the server ends in this process, so that all it has written is there for the next one, synced or not.
func (d *disk) open() (node.Journal, gitstore.Backend, error) {
	if d.dir == "" {
		return d.journal, d.backend, nil
	}
	var backend gitstore.Backend
	var err error
	var sync gitlayout.Syncer // nil is to the disk
	if d.own {
		sync = gitlayout.Unsynced{}
	}
	if git := filepath.Join(d.dir, "git"); d.kind == BackendExec {
		backend, err = gitexec.New(git, gitexec.Options{Sync: sync})
	} else {
		backend, err = gitdisk.New(git, gitdisk.Options{Sync: sync})
	}
	if err != nil {
		return nil, nil, err
	}
	journal, err := node.OpenJournal(filepath.Join(d.dir, "events.db"))
	if err != nil {
		return nil, nil, err
	}
	if d.own {
		journal.Unsynced()
	}
	return journal, backend, nil
}

// start starts a server on a listener, which it closes.
func (t *Target) start(l net.Listener) (*server, error) {
	service, err := repo.ParseService("http://" + t.addr)
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	journal, backend, err := t.disk.open()
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	life := &mortal{}
	o := reference.Options{
		Core: t.opts.Core, Key: t.opts.Key, Backend: backend, Journal: mortalJournal{journal, life},
		Pages: web.Config{
			Service: service, Name: "graspkit reference server", Description: "The reference server of graspkit, on loopback.",
			Grasps: []string{"GRASP-01", "GRASP-02"}, NIPs: web.NIPs(),
		},
		Fetches: fetch.Options{Resolver: unasked, Limits: fetch.Limits{Pack: packMax, Narrow: -1}},
		Peers:   peer.Options{Resolver: unasked, Timeouts: peer.Timeouts{Quiet: unpinged}},
		Clock:   t.clock, Logger: t.opts.Logger,
	}
	o.Core.Hunt.On, o.Core.Hunt.AllowPrivate = true, true // fake hosts are on loopback
	o.Core.Sync.On, o.Core.Sync.AllowPrivate = true, true
	if o.Core.Sync.Plus.On {
		o.Pages.Grasps = append(o.Pages.Grasps, web.GraspSyncPlus)
	}
	if o.Core.Private.On {
		o.Pages.Grasps = append(o.Pages.Grasps, web.GraspPrivate)
	}
	t.opts.Defect.Plant(&o)
	o.Backend = mortalBackend{stalling{o.Backend, t}, life}
	open, err := reference.Open(o)
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	s := &server{life: life, Server: open, end: make(chan error, 1)}
	go func() { s.end <- s.Serve(l) }()
	return s, nil
}

// unpinged is no time that a run lasts: a clock that jumps would not wait for the answer to a ping.
const unpinged = 1000 * time.Hour

// unasked knows no name: those that checks make up are nobody's business outside, and an answer would take real time.
var unasked = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
	return nil, errors.New("no name server is asked")
}}

// stop ends the server in an orderly way. Again is harmless.
func (s *server) stop(ctx context.Context) error {
	err := s.Close(ctx)
	served := <-s.end
	s.end <- nil
	return errors.Join(err, served)
}

// replay reads an answer to its end, so that what follows from the exchange can be waited for. What is beyond replayMax
// stays in the socket, and what follows a switch to another protocol is no answer, and has no end.
func replay(resp *http.Response) error {
	if resp.StatusCode == http.StatusSwitchingProtocols {
		return nil
	}
	var read bytes.Buffer
	_, err := io.Copy(&read, io.LimitReader(resp.Body, replayMax))
	resp.Body = replayed{io.MultiReader(&read, failing{err}, resp.Body), resp.Body}
	return err
}

// A replayed is a body of which the beginning was read before.
type replayed struct {
	io.Reader
	io.Closer
}

// A failing reader repeats the error of an earlier read, or is empty.
type failing struct{ err error }

// Read fails.
func (f failing) Read([]byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	return 0, io.EOF
}
