package actiontest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// jobLimit is how long one script may take; on an idle machine it is a second.
const jobLimit = 2 * time.Minute

func TestMain(m *testing.M) { goleak.VerifyTestMain(tidy{m}) }

// A tidy run of the tests leaves no programs behind.
type tidy struct{ m *testing.M }

func (t tidy) Run() int {
	if built.dir, built.err = os.MkdirTemp("", "graspkit-action-"); built.err == nil {
		defer func() { _ = os.RemoveAll(built.dir) }() // it is in the folder for what is temporary
	}
	return t.m.Run()
}

// A job is the environment of a script: a folder of its own, and the programs.
type job struct {
	dir string
	env []string
}

// newJob is a job on a runner that has grasp-check, grasp-sim and grasp-wrong on its PATH.
func newJob(t *testing.T) *job {
	t.Helper()
	bin := programs(t)
	j := &job{dir: t.TempDir()}
	for _, v := range new(exec.Cmd).Environ() {
		name, value, _ := strings.Cut(v, "=")
		switch {
		case name == "PATH":
			v = "PATH=" + bin + string(os.PathListSeparator) + value
		case strings.HasPrefix(name, "GITHUB_"), strings.HasPrefix(name, "JUDGE_"), strings.HasPrefix(name, "GRASP_"), name == "RUNNER_TEMP":
			continue // these tests may run on such a runner
		}
		j.env = append(j.env, v)
	}
	return j
}

func (j *job) path(name string) string { return filepath.Join(j.dir, name) }

// file returns what is in a file of the job, "" if it is not there.
func (j *job) file(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(j.path(name))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return string(text)
}

// run runs a program in the job, and returns its exit code and what it wrote.
func (j *job) run(t *testing.T, env []string, name string, args ...string) (code int, out string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), jobLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = j.dir, slices.Concat(j.env, env), time.Second
	text, err := cmd.CombinedOutput()
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		t.Fatalf("%s: %v\n%s", name, err, text)
	}
	return cmd.ProcessState.ExitCode(), string(text)
}

// root is the folder of the module.
func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

var built struct {
	sync.Once

	dir string
	err error
}

// programs builds the programs once, and returns the folder that they are in.
func programs(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skipf("the scripts are for bash: %v", err)
	}
	built.Do(func() {
		if built.err != nil {
			return
		}
		build := exec.Command("go", "build", "-o", built.dir, "./cmd/grasp-check", "./cmd/grasp-sim", "./cmd/grasp-wrong")
		build.Dir = root(t)
		if out, err := build.CombinedOutput(); err != nil {
			built.err = fmt.Errorf("build the programs: %w\n%s", err, out)
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return built.dir
}

// serve runs a server of the job until the test ends, and returns its URL.
func (j *job) serve(t *testing.T, name string, args ...string) string {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, filepath.Join(programs(t), name), append(args, "--addr", "127.0.0.1:0")...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = j.dir, j.env, jobLimit
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		stop()
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	lines.Scan()
	t.Cleanup(func() {
		stop()
		_ = cmd.Wait() // that it was interrupted is no news
	})
	url, found := strings.CutPrefix(lines.Text(), "listening ")
	if !found {
		t.Fatalf("%s: got %q, want where it listens", name, lines.Text())
	}
	return url
}
