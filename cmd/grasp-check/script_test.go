package main

import (
	"context"
	"os"
	"os/exec"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"grasp-check": func() { os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// buildSim builds grasp-sim and grasp-wrong, and returns the folder that they are in.
func buildSim(t *testing.T) string {
	t.Helper()
	bin := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "build", "-o", bin, "../grasp-sim", "../grasp-wrong")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the servers: %v\n%s", err, out)
	}
	return bin
}

// The scripts find both on their PATH, as servers to launch. With -short, which the race detector is run with, it is those of which several
// things happen at a time; the others are about words.
func TestScripts(t *testing.T) {
	t.Parallel() // it waits for servers, as those do that are beside it
	bin := buildSim(t)
	scripts := testscript.Params{Dir: "testdata/script", Setup: func(e *testscript.Env) error {
		e.Setenv("PATH", bin+string(os.PathListSeparator)+e.Getenv("PATH"))
		return nil
	}}
	if testing.Short() {
		scripts.Dir = ""
		for _, name := range []string{"cleanup", "gate", "launch", "measure", "operated"} {
			scripts.Files = append(scripts.Files, "testdata/script/"+name+".txtar")
		}
	}
	testscript.Run(t, scripts)
}
