package docstest

import (
	"strings"
	"testing"
)

func TestCommandFits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		want, printed string
		fits          bool
	}{
		{"", "", true},
		{"", "surprise\n", false},
		{"ok ...", "ok  \tfeatures\t0.1s\n", true},
		{"ok ...", "FAIL\tfeatures\t0.1s\n", false},
		{"a\n...\nc", "a\nc\n", true},
		{"a\n...\nc", "a\nb\nb\nc\n\n", true},
		{"a\n...\nc", "a\nb\n", false},
		{"a.c", "abc\n", false},
		{"a\n...", "a\nb\n", true},
	} {
		var want []string
		if c.want != "" {
			want = strings.Split(c.want, "\n")
		}
		if got := (command{want: want}).fits(c.printed); got != c.fits {
			t.Errorf("%q shown, %q printed: got %v, want %v", c.want, c.printed, got, c.fits)
		}
	}
}

func TestBlocks(t *testing.T) {
	t.Parallel()
	got, err := blocks("text\n```yaml\na: b\n```\n```console background\n$ x\ny\n```\n```console network: far\n$ z\n```\n")
	if err != nil || len(got) != 2 || !got[0].background || got[0].line != 6 || got[1].reason != "network: far" {
		t.Errorf("got %+v, %v, want a server and a block with a reason", got, err)
	}
	commands, err := got[0].commands()
	if err != nil || len(commands) != 1 || commands[0].text != "x" || len(commands[0].want) != 1 {
		t.Errorf("got %+v, %v, want one command with a line", commands, err)
	}
	for _, page := range []string{"```console\n", "```console network\n```\n"} {
		if _, err := blocks(page); err == nil {
			t.Errorf("%q: got no error", page)
		}
	}
	if _, err := (block{text: "y\n"}).commands(); err == nil {
		t.Error("a line before any command: got no error")
	}
}
