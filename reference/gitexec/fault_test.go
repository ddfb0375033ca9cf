package gitexec_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/graspkit/graspkit/reference/gitexec"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
)

// A git process that is killed, dies or hangs in the middle of a push moves no ref and leaves nothing half done: the report
// says so, and with a git that works the same push is taken.
func TestReceiveWhereGitFails(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git installed")
	}
	for name, fault := range map[string]string{
		"killed":               "kill -9 $$",
		"killed with the pack": `head -c 400 >"$GIT_DIR/objects/tmp_x"; kill -9 $$`,
		"fails":                "echo 'fatal: write error: No space left on device' >&2; exit 128",
		"hangs":                "exec sleep 1000",
	} {
		t.Run(name, func(t *testing.T) {
			fake := filepath.Join(t.TempDir(), "git")
			script := fmt.Sprintf("#!/bin/sh\ncase \"$*\" in *receive-pack*) %s;; esac\nexec %s \"$@\"\n", fault, git)
			if err := os.WriteFile(fake, []byte(script), 0o755); err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			broken, err := gitexec.New(dir, gitexec.Options{Git: fake, Lifetime: time.Second})
			if err != nil {
				t.Fatal(err)
			}
			if err := broken.Create(testID); err != nil {
				t.Fatal(err)
			}
			pack, tips := chain(t, 10) // with fewer objects no process is asked
			push := gitstore.Push{Commands: []gitproto.Command{create("refs/heads/main", tips[9])}}
			report, err := broken.Receive(t.Context(), testID, push, bytes.NewReader(pack))
			if err == nil || len(report.Results) != 1 || report.Results[0].OK || report.Results[0].Reason == "" {
				t.Errorf("push: got %+v, %v, want it refused with a reason and an error for the log", report, err)
			}
			if refs, err := broken.Refs(testID); err != nil || len(refs.Refs) > 0 {
				t.Errorf("refs: got %v, %v, want none", refs, err)
			}
			if missing, err := broken.Missing(testID, tips); err != nil || len(missing) != len(tips) {
				t.Errorf("missing: got %v, %v, want all", missing, err)
			}
			report, err = open(t, dir).Receive(t.Context(), testID, push, bytes.NewReader(pack))
			if err != nil || !report.Results[0].OK {
				t.Errorf("the same push again: got %+v, %v", report, err)
			}
		})
	}
}
