//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/client"
)

// A server whose folder of repositories is taken away under it takes nothing that would need it, says why, and answers what is asked.
// Where the folder is back, everything goes on.
func TestRepositoriesTakenAwayUnderAServer(t *testing.T) {
	for _, backend := range []string{backendDisk, backendExec} {
		t.Run(backend, func(t *testing.T) {
			t.Parallel() // most of it is waiting
			data := t.TempDir()
			s := begin(t, "--data", data, "--url", origin, "--backend", backend)
			defer s.end(t)
			r := talk(t, s)
			held := announcing(origin, "owner", "demo")
			publish(t, r, held)
			folder := filepath.Join(data, "git")
			if err := os.Rename(folder, folder+".elsewhere"); err != nil {
				t.Fatal(err)
			}
			await(t, "a refusal", func() bool { // it is looked at before each turn, and one may be under way
				got, is := r.Publish(t.Context(), announcing(origin, "other", "demo")).(client.OKFrame)
				return is && !got.Accepted && got.Prefix == "error"
			})
			if got, is := r.Publish(t.Context(), announcing(origin, "third", "demo")).(client.OKFrame); !is || got.Accepted || got.Prefix != "error" {
				t.Errorf("an announcement meanwhile: got %v, want a refusal for the moment", got)
			}
			if _, err := os.Stat(folder); err == nil {
				t.Error("another folder was made in its place")
			}
			if _, o := r.Query(t.Context(), client.Filter{Kinds: []int{30617}}); o != nil {
				t.Errorf("a question meanwhile: got %v, want an answer", o)
			}
			if err := os.Rename(folder+".elsewhere", folder); err != nil {
				t.Fatal(err)
			}
			await(t, "a place", func() bool {
				got, is := r.Publish(t.Context(), announcing(origin, "fourth", "demo")).(client.OKFrame)
				return is && got.Accepted
			})
			stillHeld(t, r, held)
			if log := s.stderr.String(); !strings.Contains(log, "was it moved or deleted?") {
				t.Errorf("got %s in the log, want the reason", log)
			}
		})
	}
}
