package containertest

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/launch"
	"github.com/graspkit/graspkit/conformance/launch/container"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/features"
)

// serveArgs run the reference without git, which an image FROM scratch has not, on the container's own file system.
var serveArgs = []string{"serve", "--addr", "{addr}", "--url", "{url}", "--data", container.DataPath, "--backend", "disk"}

func TestContainer(t *testing.T) {
	e := engine(t)
	name := imported(t, e)
	t.Run("restart and kill", func(t *testing.T) { restartAndKill(t, start(t, e, container.Program(name, serveArgs...))) })
	t.Run("failures", func(t *testing.T) { failures(t, e, name) })
	t.Run("core checks", func(t *testing.T) { coreChecks(t, start(t, e, container.Program(name, serveArgs...))) })
}

// restartAndKill sees that each begins a new life: connections end, the server says once more that it listens, and what
// it has acknowledged is there.
func restartAndKill(t *testing.T, s *container.Server) {
	addr := strings.TrimPrefix(s.ServiceURL(), "http://")
	if text := announce(t, s); !strings.HasPrefix(text, "purgatory:") {
		t.Errorf("announcement: got %q, want the word that it waits", text)
	}
	for i, do := range []func(context.Context) error{s.Restart, s.Kill} {
		old, err := s.Dial(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := do(t.Context()); err != nil {
			t.Fatal(err)
		}
		if msg, err := old.Recv(t.Context()); !errors.Is(err, target.ErrClosed) {
			t.Errorf("connection of the old server: got %q, %v, want ErrClosed", msg, err)
		}
		if err := old.Close(); err != nil {
			t.Error(err)
		}
		if got, want := strings.Count(s.Output(), "listening http://"), i+2; got != want {
			t.Errorf("lives in the output: got %d, want %d:\n%s", got, want, s.Output())
		}
		if status := get(t, s); status != http.StatusOK {
			t.Errorf("landing page: got %d, want 200", status)
		}
		if text := announce(t, s); text != "duplicate: in purgatory" {
			t.Errorf("the announcement, sent again: got %q, want that it is held", text)
		}
	}
	if err := s.Alive(); err != nil {
		t.Errorf("Alive: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := net.Dial("tcp", addr); err == nil {
		t.Error("after Close: got a connection, want none")
	}
	if err := s.Restart(t.Context()); !errors.Is(err, launch.ErrClosed) {
		t.Errorf("Restart after Close: got %v, want ErrClosed", err)
	}
}

// announce publishes always the same announcement and returns the text of its OK.
func announce(t *testing.T, s target.Target) string {
	t.Helper()
	c := client.New(s, client.Options{})
	r, o := c.Relay(t.Context())
	if o != nil {
		t.Fatal(o)
	}
	defer r.Close()
	key := client.NewKey("container", "owner")
	ok, is := r.Publish(t.Context(), client.Announce(key, client.AnnounceOpts{
		Identifier: "demo", Clone: []string{c.CloneURL(key.Pubkey, "demo")}, Relays: []string{c.RelayURL()}, CreatedAt: 1_760_000_000,
	})).(client.OKFrame)
	if !is || !ok.Accepted {
		t.Fatalf("announcement: got %v, want OK true", ok)
	}
	return ok.Prefix + ": " + ok.Text
}

func get(t *testing.T, s target.Target) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.ServiceURL()+"/", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := s.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	return resp.StatusCode
}

// failures are told with what the server wrote, and leave nothing behind.
func failures(t *testing.T, e *container.Engine, name string) {
	s, err := e.Start(t.Context(), container.Program(name, "serve", "--no-such-flag"))
	if err == nil {
		_ = s.Close()
		t.Fatal("got a server, want an error")
	}
	if !errors.Is(err, launch.ErrDied) || !strings.Contains(err.Error(), "exit status 2") || !strings.Contains(err.Error(), "  | grasp-sim: unknown flag") {
		t.Errorf("a wrong flag: got %v, want ErrDied, the status and the output", err)
	}
	deaf := container.Program(name, "serve", "--addr", "127.0.0.1:1234", "--memory") // inside, where nobody comes
	deaf.ReadyWithin = time.Second
	s, err = e.Start(t.Context(), deaf)
	if err == nil {
		_ = s.Close()
		t.Fatal("got a server, want an error")
	}
	if !errors.Is(err, launch.ErrNotReady) || !strings.Contains(err.Error(), "  | listening http://127.0.0.1:1234") {
		t.Errorf("a deaf server: got %v, want ErrNotReady and the output", err)
	}
}

// coreChecks runs the suite, with restarts and crashes of the container. What waits longer in real time than a test may is
// blocked; everything else must hold.
func coreChecks(t *testing.T, s *container.Server) {
	if testing.Short() {
		t.Skip("runs the whole suite")
	}
	result, err := suite.Run(t.Context(), s, suite.Config{
		Features: features.FS, Seed: "container", Parallel: 4, Clock: time.Now,
	})
	if err != nil {
		t.Fatal(err)
	}
	passed, blocked, restarts := 0, 0, 0
	for _, c := range result.Checks {
		if c.Check.Has("needs:restart") && c.Verdict.Verified() {
			restarts++
		}
		switch {
		case c.Verdict == suite.Pass:
			passed++
		case c.Verdict == suite.Observed, c.Verdict == suite.NotApplicable, c.Verdict == suite.SimOnly:
		case c.Verdict == suite.Blocked && (c.Check.Wait() > 0 || c.Check.Has("needs:clock") || c.Check.Has("further")):
			blocked++
		default:
			t.Errorf("%s: got %s: %s", c.Check.ID, c.Verdict, c.Reason)
		}
	}
	if result.Down != "" || passed < 70 || restarts == 0 {
		t.Errorf("got %d checks passed, %d with a restart, target down: %q; want at least 70, some, and up", passed, restarts, result.Down)
	}
	t.Logf("%d checks passed in a container, %d blocked by the time that they wait", passed, blocked)
}
