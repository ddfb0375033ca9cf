package gitexec_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/graspkit/graspkit/reference/gitexec"
	"github.com/graspkit/graspkit/reference/gitturn"
	"github.com/graspkit/graspkit/reference/repo"
)

// A client that fetches as often as it can has half of the git processes: while all of its own hang, another one is served.
func TestOneClientLeavesProcessesToOthers(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git installed")
	}
	dir := t.TempDir()
	hold, fake := filepath.Join(dir, "hold"), filepath.Join(dir, "git")
	script := fmt.Sprintf("#!/bin/sh\ncase \"$*\" in *upload-pack*greedy*) echo x >>%s/begun; while [ -e %s ]; do sleep 0.05; done;; esac\nexec %s \"$@\"\n",
		dir, hold, git)
	for name, content := range map[string]string{hold: "", fake: script} {
		if err := os.WriteFile(name, []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	e, err := gitexec.New(filepath.Join(dir, "store"), gitexec.Options{Git: fake, Children: 4})
	if err != nil {
		t.Fatal(err)
	}
	greedy, honest := testID, testID
	greedy.Identifier, honest.Identifier = "greedy", "honest"
	for _, id := range []repo.ID{greedy, honest} {
		if err := e.Create(id); err != nil {
			t.Fatal(err)
		}
	}
	request := "0014command=ls-refs\n0000"
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var all sync.WaitGroup
	defer all.Wait()
	defer os.Remove(hold)
	for range 6 {
		all.Go(func() {
			from := gitturn.From(ctx, "192.0.2.1")
			if err := e.UploadPack(from, greedy, 2, strings.NewReader(request), io.Discard); err != nil {
				t.Errorf("the greedy one: %v", err)
			}
		})
	}
	begun := func() int {
		content, _ := os.ReadFile(filepath.Join(dir, "begun")) // it may not be there yet
		return strings.Count(string(content), "x")
	}
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for begun() < 2 {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatal("no process of the greedy one has begun")
		}
	}
	if err := e.UploadPack(gitturn.From(ctx, "192.0.2.2"), honest, 2, strings.NewReader(request), io.Discard); err != nil {
		t.Errorf("another client: %v", err)
	}
	if got := begun(); got != 2 {
		t.Errorf("got %d processes of the greedy one, want half of four", got)
	}
}
