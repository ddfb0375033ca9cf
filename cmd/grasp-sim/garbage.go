package main

import (
	"os"
	"runtime/debug"
)

// garbage is how much more memory may be in use than is needed, in per cent: worlds are made and thrown away at a rate that the usual 100
// spends a quarter of its time on.
const garbage = 400

// collectSeldom is for commands that simulate. What GOGC says goes before.
func collectSeldom() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbage)
	}
}
