//go:build unix

package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
)

var (
	crashKills = flag.Int("crash.kills", 4, "kill the server under load `N` times")
	crashSeed  = flag.Uint64("crash.seed", 0, "where the draws of that test begin; 0 draws a seed")
)

// Limits of the test.
const (
	crashWorldKills = 10                     // kills after which it goes on with an empty data directory, in the other backend
	crashLoadMax    = 350 * time.Millisecond // from the first request to the kill
	crashTidyMax    = 2 * time.Second        // in some lives: by then a repository is tidied
	crashTidyEnd    = 15 * time.Millisecond  // from when that is seen to have begun to the kill
	crashStartMax   = 150 * time.Millisecond // to the kill of a server that is just starting
	crashLife       = 2 * time.Second        // of an event in purgatory
)

// A server is killed at points that nobody chose, while pushes, events, deletions and expiry go on. Whatever it has
// acknowledged is there after the next start: events are served, or held; deleted, replaced and expired ones are not; refs
// are as the last push that was answered left them, or the one under way; and each repository is sound (REF-PURG-15).
func TestKilledUnderLoad(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git installed")
	}
	seed := *crashSeed
	for seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("again: go test ./cmd/grasp-sim -run '^TestKilledUnderLoad$' -count=1 -args -crash.kills %d -crash.seed %d", *crashKills, seed)
	draw := rand.New(rand.NewPCG(seed, 0))
	var total crashCount
	for n := 0; n < *crashKills && !t.Failed(); n += crashWorldKills {
		backend := []string{backendExec, backendDisk}[n/crashWorldKills%2]
		if *crashKills <= crashWorldKills {
			backend = []string{backendExec, backendDisk}[draw.IntN(2)]
		}
		mode := crashModes[n/crashWorldKills%len(crashModes)]
		if *crashKills <= crashWorldKills {
			mode = crashModes[draw.IntN(len(crashModes))]
		}
		w := newCrashWorld(t, draw, fmt.Sprintf("crash-%d-%d", seed, n), backend, mode)
		for kill := range min(crashWorldKills, *crashKills-n) {
			if w.life(kill); t.Failed() {
				t.Fatalf("kill %d: the data is in %s", n+kill+1, w.keep())
			}
		}
		w.end()
		total.add(w.count)
	}
	t.Logf("%d kills: %s", *crashKills, total)
	if total.events == 0 || total.pushes == 0 {
		t.Errorf("nothing was acknowledged, so nothing was tried: %s", total)
	}
}

// A crashCount says how much has been tried.
type crashCount struct{ events, held, gone, synced, pushes, fscks, starts, tidies int }

func (c *crashCount) add(more crashCount) {
	c.events += more.events
	c.held += more.held
	c.gone += more.gone
	c.synced += more.synced
	c.pushes += more.pushes
	c.fscks += more.fscks
	c.starts += more.starts
	c.tidies += more.tidies
}

func (c crashCount) String() string {
	return fmt.Sprintf("%d looks at an event that must be served, %d at one held, %d at one gone, %d at one of another server; %d times an acknowledged move of refs, "+
		"%d fscks, %d kills while starting, %d while git packed a repository", c.events, c.held, c.gone, c.synced, c.pushes, c.fscks, c.starts, c.tidies)
}

// A crashActor is one client. Only it writes what it writes, so it knows what must be there.
type crashActor interface {
	// work asks for things until there is no answer, which is the kill.
	work(t *testing.T, c *client.Client, r *client.Relay)
	// check compares what is served with what was acknowledged before.
	check(t *testing.T, c *client.Client, r *client.Relay, count *crashCount)
	// touched lists repositories that may have changed since it was asked last, as paths.
	touched() []string
}

// A crashWorld is one data directory and who uses it.
type crashWorld struct {
	t       *testing.T
	draw    *rand.Rand
	data    string
	backend string
	mode    []string // flags of what it does beside
	server  *process
	actors  []crashActor
	count   crashCount
}

func newCrashWorld(t *testing.T, draw *rand.Rand, name, backend string, mode crashMode) *crashWorld {
	t.Helper()
	w := &crashWorld{t: t, draw: draw, data: t.TempDir(), backend: backend}
	if mode != crashAlone {
		peer := spawn(t, "--memory", "--url", "http://peer.example")
		w.mode = mode.args(peer.url)
		w.actors = append(w.actors, newCrashFeeder(name, talk(t, &peer.serving)))
	}
	w.server = spawn(t, w.args()...)
	c := liveClient(t, w.server.url)
	r := w.relay(c)
	defer r.Close()
	mine := func() *rand.Rand { return rand.New(rand.NewPCG(draw.Uint64(), 1)) }
	var first *crashPusher
	for i := range 2 {
		p := newCrashPusher(mine(), client.NewKey(name, fmt.Sprint("pusher", i)), "demo")
		p.announce(t, r)
		for p.acked == 0 {
			p.step(t, c, r)
		}
		if w.actors = append(w.actors, p); first == nil {
			first = p
		}
	}
	w.actors = append(w.actors,
		newCrashTalker(mine(), client.NewKey(name, "talker"), client.RepoAddress(first.key.Pubkey, "demo")),
		newCrashReplacer(client.NewKey(name, "replacer")),
		newCrashHolder(name),
		newCrashRemover(mine(), client.NewKey(name, "remover")),
	)
	return w
}

func (w *crashWorld) args() []string {
	return append([]string{
		"--url", origin, "--data", w.data, "--backend", w.backend, "--log-level", "warn", "--purgatory-life", crashLife.String(),
		"--tidy-packs", "1", "--tidy-interval", "1s", "--tidy-grace", "1s",
	}, w.mode...)
}

func (w *crashWorld) relay(c *client.Client) *client.Relay {
	w.t.Helper()
	r, o := c.Relay(w.t.Context())
	if o != nil {
		w.t.Fatalf("connect: %v; stderr %s", o, w.server.stderr.String())
	}
	return r
}

// life loads the server that runs, kills it and looks at the next one.
func (w *crashWorld) life(n int) {
	w.t.Helper()
	var working sync.WaitGroup
	for _, a := range w.actors {
		c := liveClient(w.t, w.server.url)
		r := w.relay(c)
		working.Go(func() {
			defer r.Close()
			a.work(w.t, c, r)
		})
	}
	if w.draw.IntN(4) == 0 {
		w.awaitTidy()
		w.pause(crashTidyEnd)
	} else {
		w.pause(crashLoadMax)
	}
	w.server.signal(w.t, os.Kill)
	working.Wait()
	if w.tidying() { // the next start removes what it has left
		w.count.tidies++
	}
	for w.draw.IntN(5) == 0 {
		w.killStarting()
	}
	w.server = spawn(w.t, w.args()...)
	w.check(n)
}

// tidying reports whether git packs a repository, or did so when it was killed.
func (w *crashWorld) tidying() bool {
	begun, _ := filepath.Glob(filepath.Join(w.data, "git", ".fetch", "tidy-*")) // the pattern is right
	return len(begun) > 0
}

// awaitTidy waits until git packs a repository, for a while at most.
func (w *crashWorld) awaitTidy() {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	late := time.After(crashTidyMax)
	for !w.tidying() {
		select {
		case <-tick.C:
		case <-late:
			return
		}
	}
}

// pause waits for a time that is drawn.
func (w *crashWorld) pause(most time.Duration) {
	<-time.After(time.Duration(w.draw.Int64N(int64(most))))
}

// killStarting kills a server that may not have looked at its data yet.
func (w *crashWorld) killStarting() {
	w.t.Helper()
	w.count.starts++
	p := exec.CommandContext(w.t.Context(), "grasp-sim", append([]string{"serve", "--addr", "127.0.0.1:0"}, w.args()...)...)
	if err := p.Start(); err != nil {
		w.t.Fatal(err)
	}
	w.pause(crashStartMax)
	if err := p.Process.Kill(); err != nil {
		w.t.Errorf("kill a server that starts: %v", err)
	}
	_ = p.Wait() // it was killed
}

func (w *crashWorld) check(n int) {
	w.t.Helper()
	c := liveClient(w.t, w.server.url)
	r := w.relay(c)
	defer r.Close()
	var paths []string
	for _, a := range w.actors {
		a.check(w.t, c, r, &w.count)
		paths = append(paths, a.touched()...)
	}
	w.fsck(paths)
	if w.t.Failed() {
		w.t.Logf("life %d with --backend %s %v; stderr of the server:\n%s", n+1, w.backend, w.mode, w.server.stderr.String())
	}
}

// fsck lets git look at repositories. One that is gone meanwhile is no matter of git: the server takes a repository away while git is
// in it, and what git says then is looked at again.
func (w *crashWorld) fsck(paths []string) {
	var looking sync.WaitGroup
	turn := make(chan struct{}, 4)
	for _, path := range paths {
		dir := w.data + "/git" + path
		if _, err := os.Stat(dir); err != nil {
			continue
		}
		w.count.fscks++
		looking.Go(func() {
			turn <- struct{}{}
			defer func() { <-turn }()
			var broken [2]string
			for i := range broken {
				if broken[i] = w.broken(dir); broken[i] == "" {
					return
				}
				if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
					return
				}
			}
			w.t.Errorf("git fsck of %s: got %s, then %s, want no error", path, broken[0], broken[1])
		})
	}
	looking.Wait()
}

// broken is what git finds wrong with a repository, "" for nothing.
func (w *crashWorld) broken(dir string) string {
	stdout, stderr, err := git(w.t, dir, "fsck", "--strict", "--no-dangling", "--no-progress")
	if err == nil && !strings.Contains(stderr, "error") {
		return ""
	}
	return fmt.Sprintf("%v, %q and %q", err, stdout, stderr)
}

// end ends the last server in order.
func (w *crashWorld) end() {
	w.t.Helper()
	if got := w.server.signal(w.t, os.Interrupt); got != "exit status 0" {
		w.t.Errorf("the end in order: got %q, want exit status 0", got)
	}
	_ = os.RemoveAll(w.data) // a thousand kills need not keep it all
}

// keep saves the data from the end of the test.
func (w *crashWorld) keep() string {
	kept, err := os.MkdirTemp("", "grasp-crash-")
	if err == nil {
		err = os.CopyFS(kept, os.DirFS(w.data))
	}
	return fmt.Sprintf("%s (copied: %v)", kept, err)
}
