package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/client"
)

// One key comes from a file or a variable, goes before those of --keys, and its secret is in no message.
func TestOneKey(t *testing.T) {
	const secret = "0101010101010101010101010101010101010101010101010101010101010101"
	const other = "0202020202020202020202020202020202020202020202020202020202020202"
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	t.Setenv("ONE_KEY", secret)
	t.Setenv("NO_KEY", "hello "+other)
	one, err := client.ParseKey("", secret)
	if err != nil {
		t.Fatal(err)
	}
	good, many := file("good", " "+secret+"\n"), file("many", "# keys\n"+other+"\n")
	tests := []struct {
		name string
		opts keyOptions
		keys int
		told string // in the message of the error
	}{
		{"file", keyOptions{nsec: good}, 1, ""},
		{"variable", keyOptions{nsec: "env:ONE_KEY"}, 1, ""},
		{"before others", keyOptions{nsec: "env:ONE_KEY", keys: many}, 2, ""},
		{"twice", keyOptions{nsec: "env:ONE_KEY", keys: good}, 1, ""},
		{"none", keyOptions{}, 0, ""},
		{"on the command line", keyOptions{nsec: secret}, 0, "does not belong on a command line"},
		{"nsec on the command line", keyOptions{nsec: "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5"}, 0, "does not belong on a command line"},
		{"no file", keyOptions{nsec: filepath.Join(dir, "nowhere")}, 0, "nowhere"},
		{"no key in it", keyOptions{nsec: "env:NO_KEY"}, 0, "want one secret key"},
		{"no variable", keyOptions{nsec: "env:GRASP_CHECK_NOWHERE"}, 0, "is not set"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			keys, err := test.opts.read()
			if len(keys) != test.keys || (err != nil) != (test.told != "") || err != nil && !strings.Contains(err.Error(), test.told) {
				t.Fatalf("got %d keys, %v", len(keys), err)
			}
			if test.keys > 0 && keys[0].Pubkey != one.Pubkey {
				t.Errorf("the first key: got %s, want %s", keys[0].Pubkey, one.Pubkey)
			}
			for _, hidden := range []string{secret, other, "nsec1vl0"} {
				if err != nil && strings.Contains(err.Error(), hidden) {
					t.Errorf("the message has a secret in it: %v", err)
				}
			}
		})
	}
}
