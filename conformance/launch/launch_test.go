//go:build unix

package launch_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/launch"
	"github.com/graspkit/graspkit/conformance/target"
)

// fake is the command line of a fake server with a habit.
func fake(habit string) launch.Command {
	return launch.Command{Args: []string{"fake-server", habit, "{addr}", "{data}"}}
}

func start(t *testing.T, c launch.Command) *launch.Server {
	t.Helper()
	s, err := launch.Start(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// ask returns the answer to a GET, or "" if there is none.
func ask(t *testing.T, s target.Target, path string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), http.MethodGet, s.ServiceURL()+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := s.RoundTrip(req)
	if err != nil {
		return ""
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func TestRestartAndKillKeepTheData(t *testing.T) {
	s := start(t, fake("good"))
	if got := ask(t, s, "/"); got != "start " {
		t.Fatalf("first life: got %q, want one start", got)
	}
	addr := s.ServiceURL()
	old, err := net.Dial("tcp", strings.TrimPrefix(addr, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	if err := s.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n, err := old.Read(make([]byte, 1)); err == nil {
		t.Errorf("connection of the old server: read %d bytes, want its end", n)
	}
	if got, want := ask(t, s, "/"), "start end start "; got != want {
		t.Errorf("after Restart: got %q, want %q", got, want)
	}
	if err := s.Kill(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, want := ask(t, s, "/"), "start end start start "; got != want {
		t.Errorf("after Kill: got %q, want %q", got, want)
	}
	if s.ServiceURL() != addr || s.Name() != "fake-server" || s.World() != "live" {
		t.Errorf("got %s, %s, %s, want the same address, the program and live", s.ServiceURL(), s.Name(), s.World())
	}
	if err := s.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	if got := ask(t, s, "/"); got != "" {
		t.Errorf("after Close: got an answer %q, want none", got)
	}
	if err := s.Restart(t.Context()); !errors.Is(err, launch.ErrClosed) {
		t.Errorf("Restart after Close: got %v, want ErrClosed", err)
	}
}

func TestCloseLeavesNothingBehind(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("processes that leave the group are found on Linux only")
	}
	for name, end := range map[string]func(*launch.Server) error{
		"Close": (*launch.Server).Close,
		"Kill":  func(s *launch.Server) error { return s.Kill(context.Background()) },
	} {
		t.Run(name, func(t *testing.T) {
			temp := t.TempDir()
			t.Setenv("TMPDIR", temp)
			s := start(t, fake("forks"))
			found, err := filepath.Glob(filepath.Join(temp, "*", "child"))
			if err != nil || len(found) != 1 {
				t.Fatalf("data directories: got %v, %v, want one", found, err)
			}
			pid, err := os.ReadFile(found[0])
			if err != nil {
				t.Fatal(err)
			}
			stat := filepath.Join("/proc", string(pid), "stat")
			if _, err := os.Stat(stat); err != nil {
				t.Fatalf("child before the end: %v", err)
			}
			if err := end(s); err != nil {
				t.Fatal(err)
			}
			if state, err := os.ReadFile(stat); err == nil && !strings.Contains(string(state), ") Z ") {
				t.Errorf("child of the server: got %s, want it gone", state)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if left, err := os.ReadDir(temp); err != nil || len(left) != 0 {
				t.Errorf("after Close: got %v, %v, want no data directory", left, err)
			}
		})
	}
}

func TestStartSaysWhatIsWrong(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	hurried := fake("never-ready")
	hurried.ReadyWithin = 300 * time.Millisecond
	silent := fake("good")
	silent.Ready, silent.ReadyWithin = regexp.MustCompile(`^no such line$`), 300*time.Millisecond
	occupied := fake("good")
	occupied.URL = "http://" + taken.Addr().String()
	for _, test := range []struct {
		name    string
		command launch.Command
		want    error
		text    []string
	}{
		{"nothing", launch.Command{}, launch.ErrCommand, nil},
		{"no such program", launch.Command{Args: []string{"no-such-program", "{addr}"}}, exec.ErrNotFound, []string{"no-such-program"}},
		{"no address", launch.Command{Args: []string{"fake-server"}}, launch.ErrNowhere, nil},
		{"died", fake("dies"), launch.ErrDied, []string{"exit status 2", "  | fake server, dies", "  | panic: no disk"}},
		{"never ready", hurried, launch.ErrNotReady, []string{"no answer at http://127.0.0.1:", "  | still thinking"}},
		{"no line", silent, launch.ErrNotReady, []string{"no line matches", "  | listening on"}},
		{"occupied", occupied, launch.ErrOccupied, []string{taken.Addr().String()}},
		{"bad URL", launch.Command{Args: []string{"fake-server"}, URL: "ftp://x"}, nil, []string{"ftp"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := launch.Start(t.Context(), test.command)
			if err == nil {
				_ = s.Close()
				t.Fatal("got a server, want an error")
			}
			if test.want != nil && !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
			for _, want := range test.text {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q lacks %q", err, want)
				}
			}
		})
	}
}

func TestReadyLine(t *testing.T) {
	c := fake("good")
	c.Ready = regexp.MustCompile(`^listening on http://`)
	s := start(t, c)
	if err := s.Restart(t.Context()); err != nil { // the line of the first life does not count
		t.Fatal(err)
	}
	if got := strings.Count(s.Output(), "listening on "); got != 2 {
		t.Errorf("output: got %d ready lines, want those of both lives:\n%s", got, s.Output())
	}
}

func TestServerThatDoesNotEnd(t *testing.T) {
	c := fake("ignores-term")
	c.StopWithin = 200 * time.Millisecond
	s := start(t, c)
	if err := s.Restart(t.Context()); !errors.Is(err, launch.ErrNotOrderly) {
		t.Errorf("Restart: got %v, want ErrNotOrderly", err)
	}
	if got, want := ask(t, s, "/"), "start start "; got != want {
		t.Errorf("after it: got %q, want a server again, %q", got, want)
	}
	if err := s.Close(); !errors.Is(err, launch.ErrNotOrderly) {
		t.Errorf("Close: got %v, want ErrNotOrderly", err)
	}
	if got := ask(t, s, "/"); got != "" {
		t.Errorf("after Close: got an answer %q, want none", got)
	}
}

// A command that is not the server itself ends on SIGTERM while the server goes on: that is no restart.
func TestRestartOfAWrapperIsNoRestart(t *testing.T) {
	s := start(t, launch.Command{Args: []string{"sh", "-c", "fake-server good {addr} {data}; true"}})
	if err := s.Restart(t.Context()); !errors.Is(err, launch.ErrSurvived) {
		t.Errorf("Restart: got %v, want ErrSurvived", err)
	}
	if err := s.Kill(t.Context()); err != nil { // that reaches the whole group
		t.Errorf("Kill: %v", err)
	}
	if got := ask(t, s, "/"); got == "" {
		t.Error("after Kill: got no answer, want a server")
	}
}

// A server that has ended by itself is there again behind a restart, which is an error all the same.
func TestServerThatDiedIsStartedAgain(t *testing.T) {
	s := start(t, fake("good"))
	if err := s.Alive(); err != nil {
		t.Fatalf("Alive: got %v, want nil", err)
	}
	for _, c := range []struct {
		name, after string
		do          func(context.Context) error
	}{{"Restart", "start start ", s.Restart}, {"Kill", "start start start ", s.Kill}} {
		ask(t, s, "/die")
		limit := time.Now().Add(10 * time.Second)
		for s.Alive() == nil && time.Now().Before(limit) {
			ask(t, s, "/")
		}
		err := c.do(t.Context())
		if !errors.Is(err, launch.ErrDied) || !strings.Contains(err.Error(), "signal: killed") || !strings.Contains(err.Error(), "  | out of luck") {
			t.Errorf("%s: got %v, want ErrDied with the output", c.name, err)
		}
		if got := ask(t, s, "/"); got != c.after {
			t.Errorf("after %s: got %q, want a server again, %q", c.name, got, c.after)
		}
	}
	if err := s.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
}

func TestStartEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := launch.Start(ctx, fake("never-ready")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want the deadline", err)
	}
}
