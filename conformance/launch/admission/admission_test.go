//go:build unix

package admission_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/launch"
	"github.com/graspkit/graspkit/conformance/launch/admission"
)

// The command gets the list, which is gone behind it, and what else there is to fill in.
func TestSetMembers(t *testing.T) {
	into := filepath.Join(t.TempDir(), "members")
	c := &admission.Command{
		Words: []string{"sh", "-c", "cat {file} >{into}; echo {file} >>{into}"},
		Fill: func(words []string) []string {
			filled := make([]string, len(words))
			for i, word := range words {
				filled[i] = strings.ReplaceAll(word, "{into}", into)
			}
			return filled
		},
	}
	for _, members := range [][]string{{"aa", "bb"}, nil} {
		if err := c.SetMembers(t.Context(), members); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(into)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Fields(string(text))
		if want := strings.Join(members, " "); strings.Join(got[:len(got)-1], " ") != want {
			t.Errorf("got %q, want %q and a path", got, want)
		}
		if _, err := os.Stat(got[len(got)-1]); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the list is there behind the command: %v", err)
		}
	}
}

// A command that fails, or that does not end, is an error.
func TestSetMembersFails(t *testing.T) {
	for line, want := range map[string]error{"exit 3": launch.ErrFailed, "sleep 1000": launch.ErrEndless} {
		c := &admission.Command{Words: []string{"sh", "-c", line}, Within: time.Second}
		if err := c.SetMembers(t.Context(), []string{"aa"}); !errors.Is(err, want) {
			t.Errorf("%s: got %v, want %v", line, err, want)
		}
	}
}
