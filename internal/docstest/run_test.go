//go:build unix

package docstest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/graspkit/graspkit/internal/loopback"
)

// pageLimit is how long one page may take; on an idle machine the longest takes a minute.
const pageLimit = 8 * time.Minute

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A reader carries out one page, in a copy of the tree.
type reader struct {
	dir string
	env []string
}

// TestPages carries out each page from its beginning to its end.
func TestPages(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the programs whole, which the race detector does not see")
	}
	for _, tool := range []string{"bash", "git"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("blocked: no %s on this machine: %v", tool, err)
		}
	}
	root, env := programs(t)
	for _, name := range []string{"judge-my-server.md", "in-ci.md", "report.md", "write-a-check.md"} {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(root, "docs", name))
			if err != nil {
				t.Fatal(err)
			}
			all, err := blocks(freePorts(t, string(text)))
			if err != nil {
				t.Fatalf("docs/%s: %v", name, err)
			}
			r := reader{dir: t.TempDir(), env: env}
			copyTree(t, root, r.dir)
			ctx, cancel := context.WithTimeout(t.Context(), pageLimit)
			defer cancel()
			for _, b := range all {
				if b.reason != "" {
					t.Logf("docs/%s:%d is not run: %s", name, b.line, b.reason)
					continue
				}
				if err := r.carryOut(ctx, t, b); err != nil {
					t.Fatalf("docs/%s:%d: %v", name, b.line, err)
				}
			}
		})
	}
}

// programs builds what pages speak of, and returns the tree and an environment that finds them.
func programs(t *testing.T) (root string, env []string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	env = environment(bin)
	build := exec.CommandContext(t.Context(), "go", "build", "-o", bin, "./cmd/grasp-check", "./cmd/grasp-sim", "./cmd/grasp-wrong")
	build.Dir, build.Env = root, env
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the programs: %v\n%s", err, out)
	}
	return root, env
}

// TestReadersAreNotMisled plants what a page must not have.
func TestReadersAreNotMisled(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skipf("blocked: no bash on this machine: %v", err)
	}
	r := reader{dir: t.TempDir(), env: environment(t.TempDir())}
	for _, c := range []struct{ page, want string }{
		{"```console\n$ echo a\na\n$ false\n$ echo $?\n1\n```\n", ""},
		{"```console\n$ echo a\nb\n```\n", "the page shows"},
		{"```console\n$ false\n```\n", "ends with exit code 1"},
		{"```console\n$ exit 0\n```\n", "the shell ended before it"},
		{"```sh\nfalse\ntrue\n```\n", "exit status 1"},
		{"```diff\n--- a/none\n+++ b/none\n@@ -1 +1 @@\n-x\n+y\n```\n", "none"},
		{"```console background\n$ echo wrong\nlistening\n```\n", "the page shows"},
	} {
		all, err := blocks(c.page)
		if err == nil {
			err = r.carryOut(t.Context(), t, all[0])
		}
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%q: got %v, want %q", c.page, err, c.want)
		}
	}
}

// environment is that of this process, with the programs on the PATH. What is built in one copy of the tree is known in the
// next one: with -trimpath a build does not depend on its folder.
func environment(bin string) []string {
	var env []string
	for _, v := range new(exec.Cmd).Environ() {
		name, value, _ := strings.Cut(v, "=")
		switch {
		case name == "PATH":
			v = "PATH=" + bin + string(os.PathListSeparator) + value
		case strings.HasPrefix(name, "GITHUB_"), strings.HasPrefix(name, "JUDGE_"), strings.HasPrefix(name, "GRASP_"):
			continue
		}
		env = append(env, v)
	}
	return append(env, "GOFLAGS=-trimpath", "CGO_ENABLED=0")
}

// freePorts puts free ports in the place of those that the page uses, which somebody else may have.
func freePorts(t *testing.T, page string) string {
	t.Helper()
	var pairs []string
	for _, port := range []string{"7334", "7335"} {
		addr, err := loopback.Free(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		pairs = append(pairs, port, strings.TrimPrefix(addr, "127.0.0.1:"))
	}
	return strings.NewReplacer(pairs...).Replace(page) // at once: one of the ports may have another one's digits in it
}

// copyTree copies what a clone has: all but what git and builds keep there.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		switch {
		case err != nil:
			return err
		case name == ".git" || name == "out" || name == "bin":
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, name), 0o755)
		case !d.Type().IsRegular():
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), text, info.Mode().Perm())
	})
	if err != nil {
		t.Fatalf("copy the tree: %v", err)
	}
}

// carryOut does what a block says.
func (r reader) carryOut(ctx context.Context, t *testing.T, b block) error {
	t.Helper()
	switch b.kind {
	case "diff":
		_, err := r.shell(ctx, "git apply -", b.text)
		return err
	case "sh":
		_, err := r.shell(ctx, "set -e\n"+b.text, "")
		return err
	}
	commands, err := b.commands()
	if err != nil {
		return err
	}
	if b.background {
		return r.serve(ctx, t, commands)
	}
	return r.console(ctx, commands)
}

// shell runs a script and returns what it wrote on stdout.
func (r reader) shell(ctx context.Context, script, stdin string) (string, error) {
	cmd := exec.CommandContext(ctx, "bash", "-c", script)
	var stderr bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stderr, cmd.WaitDelay = r.dir, r.env, strings.NewReader(stdin), &stderr, time.Second
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%w\n%s%s", err, out, stderr.Bytes())
	}
	return string(out), nil
}

// over stands behind the output of a command, with its exit code.
const over = "\x1e"

// console runs commands one after the other in one shell, and compares what each of them prints. One that fails has to be
// followed by a look at its exit code, or the page hides that from its readers.
func (r reader) console(ctx context.Context, commands []command) error {
	var script strings.Builder
	script.WriteString("exec 2>&3\n")
	for _, c := range commands {
		fmt.Fprintf(&script, "%s\nended=$?; printf '%s%%d%s' $ended; (exit $ended)\n", c.text, over, over)
	}
	script.WriteString("exit 0\n")
	stderr, err := os.CreateTemp(r.dir, "stderr-*")
	if err != nil {
		return fmt.Errorf("keep stderr: %w", err)
	}
	defer stderr.Close()
	printed, err := r.shell(ctx, "exec 3>'"+stderr.Name()+"'\n"+script.String(), "")
	told, readErr := os.ReadFile(stderr.Name())
	if err = errors.Join(err, readErr); err != nil {
		return fmt.Errorf("%w\n%s", err, told)
	}
	parts := strings.Split(printed, over)
	for i, c := range commands {
		if 2*i+1 >= len(parts) {
			return fmt.Errorf("%s: the shell ended before it\n%s", c.text, told)
		}
		if out := parts[2*i]; !c.fits(out) {
			return fmt.Errorf("%s: prints\n%s%s\nand the page shows\n%s", c.text, out, told, strings.Join(c.want, "\n"))
		}
		shown := i+1 < len(commands) && commands[i+1].text == "echo $?"
		if parts[2*i+1] != "0" && !shown {
			return fmt.Errorf("%s: ends with exit code %s, which the page does not show\n%s", c.text, parts[2*i+1], told)
		}
	}
	return nil
}

// serve starts a server that goes on until the page ends, and waits until it has printed what the page shows.
func (r reader) serve(ctx context.Context, t *testing.T, commands []command) error {
	t.Helper()
	if len(commands) != 1 || len(commands[0].want) != 1 {
		return errors.New("a server is one command with the one line that says that it is ready")
	}
	c := commands[0]
	cmd := exec.CommandContext(ctx, "bash", "-c", c.text)
	var stderr bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stderr, cmd.WaitDelay = r.dir, r.env, &stderr, 10*time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // go run starts a process of its own
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.text, err)
	}
	lines := bufio.NewScanner(out)
	lines.Scan()
	end := func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
		_ = cmd.Wait() // that it was ended is no news
	}
	if first := lines.Text() + "\n"; !c.fits(first) {
		end()
		return fmt.Errorf("%s: prints\n%s%s\nand the page shows\n%s", c.text, first, stderr.Bytes(), c.want[0])
	}
	t.Cleanup(end)
	return nil
}
