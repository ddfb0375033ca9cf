package main

import (
	"context"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"grasp-sim": func() { os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// With -short, which the race detector is run with, one script has worlds run side by side; the others have one at a time, on one thread.
func TestScripts(t *testing.T) {
	scripts := testscript.Params{Dir: "testdata/script"}
	if testing.Short() {
		scripts = testscript.Params{Files: []string{"testdata/script/sweep.txtar"}}
	}
	testscript.Run(t, scripts)
}
