package browsertest

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/graspkit/graspkit/conformance/launch"
)

var (
	required = flag.Bool("require-browser", false, "fail where Chromium or the clients are missing, instead of skipping")
	modules  = flag.String("modules", "", "the folder node_modules with what package-lock.json lists")

	screenshots = flag.String("screenshots", "", "save pictures of the report in this folder")
	pictures    = flag.String("pictures", "", "make the pictures of docs/report.md anew, in this folder")
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// browser returns where Chromium is, or ends the test.
func browser(t *testing.T) (chromium string) {
	t.Helper()
	if testing.Short() && !*required {
		t.Skip("a browser takes a minute, and runs nothing of ours that the race detector could see")
	}
	chromium, err := exec.LookPath("chromium")
	missing(t, err)
	return chromium
}

// clients returns where Chromium and the clients are, or ends the test.
func clients(t *testing.T) (chromium, folder string) {
	t.Helper()
	chromium, err := exec.LookPath("chromium")
	if *modules == "" {
		err = errors.Join(err, errors.New("no clients: -modules names no folder"))
	} else if _, missing := os.Stat(filepath.Join(*modules, "isomorphic-git", "package.json")); missing != nil {
		err = errors.Join(err, fmt.Errorf("no clients in -modules: %w", missing))
	}
	missing(t, err)
	return chromium, *modules
}

// missing ends the test if something is.
func missing(t *testing.T, err error) {
	t.Helper()
	switch {
	case err == nil:
	case *required:
		t.Fatalf("a browser is required: %v", err)
	default:
		t.Skipf("blocked: %v; .ci/run browser installs what is missing", err)
	}
}

// serve builds grasp-sim and runs it on a disk until the test ends.
func serve(t *testing.T) *launch.Server {
	t.Helper()
	program := filepath.Join(t.TempDir(), "grasp-sim")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../../cmd/grasp-sim").CombinedOutput(); err != nil {
		t.Fatalf("build grasp-sim: %v\n%s", err, out)
	}
	return started(t, program, "serve", "--addr", "{addr}", "--data", "{data}")
}

// started runs a server until the test ends.
func started(t *testing.T, args ...string) *launch.Server {
	t.Helper()
	s, err := launch.Start(t.Context(), launch.Command{Args: args})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("output of the server:\n%s", s.Output())
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// quietly are the arguments of a headless Chromium that asks nobody for anything and keeps nothing.
func quietly(t *testing.T) []string {
	t.Helper()
	args := []string{
		"--headless=new", "--user-data-dir=" + t.TempDir(), "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage",
		"--disable-background-networking", "--disable-component-update", "--disable-sync",
	}
	if os.Geteuid() == 0 {
		args = append(args, "--no-sandbox") // Chromium's sandbox refuses root
	}
	return args
}

// browse opens a page in a headless Chromium of its own and returns what ends it.
func browse(t *testing.T, chromium, url string) (end func()) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), chromium, append(quietly(t), url)...)
	inGroup(cmd)
	var output launch.Tail
	cmd.Stdout, cmd.Stderr = &output, &output
	cmd.WaitDelay = 10 * time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := cmd.Cancel(); err != nil {
			t.Error(err)
		}
		_ = cmd.Wait() // it was killed
		if t.Failed() {
			t.Logf("output of Chromium:\n%s", launch.Shown(output.String()))
		}
	}
}
