package main

import (
	"testing"
	"time"
)

// await waits for something that comes soon.
func await(t *testing.T, what string, done func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	late := time.After(time.Minute) // of a machine that is busy with other things
	for !done() {
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("%s: it did not come", what)
		}
	}
}
