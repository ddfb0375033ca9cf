//go:build unix

package gitexec_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/graspkit/graspkit/reference/gitexec"
	"github.com/graspkit/graspkit/reference/gitturn"
)

// least is the priority of who lets all others go first.
const least = "19"

// niced is a git that says how nice it is: uploads until they are let go, a line each time they look, in a file of each.
func niced(t *testing.T) (dir, fake string) {
	t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git installed")
	}
	if _, err := exec.LookPath("nice"); err != nil {
		t.Skip("no nice installed, which says what priority a process has")
	}
	dir = t.TempDir()
	fake = filepath.Join(dir, "git")
	script := fmt.Sprintf(`#!/bin/sh
case "$*" in
*upload-pack*) while [ ! -e %[1]s/go ]; do nice >>%[1]s/upload.$$; sleep 0.05; done;;
*pack-objects*) cat >%[1]s/input.$$; nice >%[1]s/pack.$$; exec %[2]s "$@" <%[1]s/input.$$;;
esac
exec %[2]s "$@"
`, dir, git)
	if err := os.WriteFile(fake, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir, fake
}

// nices is what the processes of one kind have said last.
func nices(t *testing.T, dir, kind string) (said []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, kind+".*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if lines := strings.Fields(string(content)); len(lines) > 0 {
			said = append(said, lines[len(lines)-1])
		}
	}
	return said
}

// Who has several processes already gets more of them, and they leave the processor to those of others.
func TestLateProcessesGiveWay(t *testing.T) {
	dir, fake := niced(t)
	e, err := gitexec.New(filepath.Join(dir, "store"), gitexec.Options{Git: fake, Children: 2*gitturn.LateFrom + 2})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Create(testID); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(gitturn.From(t.Context(), "192.0.2.1"), time.Minute)
	defer cancel()
	var all sync.WaitGroup
	defer all.Wait()
	defer os.WriteFile(filepath.Join(dir, "go"), nil, 0o644)
	upload := func() {
		if err := e.UploadPack(ctx, testID, 2, strings.NewReader("0014command=ls-refs\n0000"), io.Discard); err != nil {
			t.Error(err)
		}
	}
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	until := func(what string, there func([]string) bool) {
		t.Helper()
		for !there(nices(t, dir, "upload")) {
			select {
			case <-tick.C:
			case <-ctx.Done():
				t.Fatalf("%s: got %v", what, nices(t, dir, "upload"))
			}
		}
	}
	for range gitturn.LateFrom {
		all.Go(upload)
	}
	until("the first", func(said []string) bool { return len(said) == gitturn.LateFrom })
	first := nices(t, dir, "upload")
	all.Go(upload)
	until("one more gives way", func(said []string) bool {
		return len(said) > gitturn.LateFrom && slices.Contains(said, least)
	})
	if late := nices(t, dir, "upload"); first[0] != least && strings.Count(strings.Join(late, " "), least) != 1 {
		t.Errorf("the priorities are %v, want that of one to be %s", late, least)
	}
}

// Nobody waits for a repository to be tidied, so that it leaves the processor to everything else.
func TestTidyingGivesWay(t *testing.T) {
	dir, fake := niced(t)
	e, err := gitexec.New(filepath.Join(dir, "store"), gitexec.Options{Git: fake})
	if err != nil {
		t.Fatal(err)
	}
	g := newGrowing(t, e)
	g.push(1)
	g.tidy()
	said := nices(t, dir, "pack")
	if len(said) == 0 {
		t.Fatal("nothing was packed")
	}
	for _, nice := range said {
		if nice != least {
			t.Errorf("packing has the priority %s, want the least", nice)
		}
	}
}
