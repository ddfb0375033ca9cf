package containertest

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ory/dockertest/v3"
	"github.com/ory/dockertest/v3/docker"

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
	t.Run("death", func(t *testing.T) { death(t, start(t, e, container.Program(name, serveArgs...)), name) })
	t.Run("failures", func(t *testing.T) { failures(t, e, name) })
	t.Run("logs", func(t *testing.T) { logs(t, start(t, e, container.Program(name+":latest", serveArgs...))) })
	t.Run("command line", func(t *testing.T) { commandLine(t, name) })
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
		if got, want := lives(s.Output, i+2), i+2; got != want {
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

// death is told, and no restart: but a server that has ended by itself is started again on what it has written.
func death(t *testing.T, s *container.Server, name string) {
	for _, do := range []func(context.Context) error{s.Restart, s.Kill} {
		announce(t, s)
		end(t, name)
		if err := s.Alive(); !errors.Is(err, launch.ErrDied) {
			t.Fatalf("Alive of a container that was ended: got %v, want ErrDied", err)
		}
		if err := do(t.Context()); !errors.Is(err, launch.ErrDied) {
			t.Errorf("a restart of what had ended: got %v, want ErrDied", err)
		}
		if err := s.Alive(); err != nil {
			t.Fatalf("behind it: got %v, want a server", err)
		}
		if text := announce(t, s); text != "duplicate: in purgatory" {
			t.Errorf("the announcement, sent again: got %q, want that it is held", text)
		}
	}
}

// end kills the containers of an image behind the back of who has started them, and waits for their end.
func end(t *testing.T, name string) {
	t.Helper()
	of, err := containersOf(t, name)
	if err != nil || len(of) == 0 {
		t.Fatalf("containers of %s: got %v, %v, want one", name, of, err)
	}
	pool, err := dockertest.NewPool("")
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Client.HTTPClient.CloseIdleConnections()
	for _, id := range of {
		_ = pool.Client.KillContainer(docker.KillContainerOptions{ID: id, Signal: docker.SIGKILL, Context: t.Context()}) // it may have ended before
		if _, err := pool.Client.WaitContainerWithContext(id, t.Context()); err != nil {
			t.Fatal(err)
		}
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

// logs are cut by marks, by the second.
func logs(t *testing.T, s *container.Server) {
	if got := s.Since(0); !strings.Contains(got, "listening http://") {
		t.Errorf("since the beginning: got %q, want the line of the start", got)
	}
	next := time.NewTimer(time.Until(time.Now().Truncate(time.Second).Add(2 * time.Second)))
	<-next.C // the log goes by whole seconds
	mark := s.Mark()
	if got := s.Since(mark); strings.Contains(got, "listening http://") {
		t.Errorf("nothing was written since: got %q", got)
	}
	if err := s.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := lives(func() string { return s.Since(mark) }, 1); got != 1 {
		t.Errorf("since the mark: got %d starts, want the second one alone:\n%s", got, s.Since(mark))
	}
}

// lives counts the starts in a log, which the engine writes when it comes to it: so many are waited for a while.
func lives(log func() string, want int) int {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for limit := time.Now().Add(10 * time.Second); ; <-tick.C {
		if got := strings.Count(log(), "listening http://"); got >= want || time.Now().After(limit) {
			return got
		}
	}
}

// commandLine judges the image by the flags of grasp-check, with restarts, and is told what is wrong with them.
func commandLine(t *testing.T, name string) {
	program := filepath.Join(t.TempDir(), "grasp-check")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../../cmd/grasp-check").CombinedOutput(); err != nil {
		t.Fatalf("build grasp-check: %v\n%s", err, out)
	}
	const serve = "/program serve --data " + container.DataPath + " --backend disk"
	for _, test := range []struct {
		name string
		args []string
		exit int
		want []string
	}{
		{"judged", []string{"--image-cmd", serve, "--env", "GRASP_ADDR={addr}", "--env", "GRASP_URL={url}", "--id", "G01-PURG-14"}, 0, []string{
			"G01-PURG-14", "(2 of 2 checks)",
		}},
		{"no program", []string{"--image-cmd", "/no-such-program"}, 4, []string{"the engine does not start it", "hint: run the image by itself"}},
		{"dies", []string{"--image-cmd", serve + " --no-such-flag"}, 4, []string{"exit status 2", "  | grasp-sim: unknown flag", "hint: "}},
		{"deaf", []string{"--image-cmd", serve + " --addr 127.0.0.1:1234", "--image-wait", "1s"}, 4, []string{"not ready in time", "hint: see that it listens on 0.0.0.0"}},
	} {
		cmd := exec.CommandContext(t.Context(), program, append([]string{"--quiet", "-v", "--image", name}, test.args...)...)
		out, _ := cmd.CombinedOutput() // its exit code is looked at
		if got := cmd.ProcessState.ExitCode(); got != test.exit {
			t.Errorf("%s: got exit code %d, want %d:\n%s", test.name, got, test.exit, out)
		}
		for _, want := range test.want {
			if !strings.Contains(string(out), want) {
				t.Errorf("%s: %q is not in:\n%s", test.name, want, out)
			}
		}
	}
	if left, err := containersOf(t, name); err != nil || len(left) != 0 {
		t.Errorf("containers behind it: got %v, %v, want none", left, err)
	}
}

// containersOf lists the containers of an image, running or not.
func containersOf(t *testing.T, name string) ([]string, error) {
	t.Helper()
	pool, err := dockertest.NewPool("")
	if err != nil {
		return nil, err
	}
	defer pool.Client.HTTPClient.CloseIdleConnections()
	all, err := pool.Client.ListContainers(docker.ListContainersOptions{All: true})
	var of []string
	for _, c := range all {
		if strings.Contains(c.Image, name) {
			of = append(of, c.ID)
		}
	}
	return of, err
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
