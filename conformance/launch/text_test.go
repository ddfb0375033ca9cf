package launch_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/conformance/launch"
	"github.com/graspkit/graspkit/conformance/target"
)

func TestWords(t *testing.T) {
	for _, test := range []struct {
		in   string
		want []string
		err  error
	}{
		{in: "server", want: []string{"server"}},
		{in: "  server\t--addr {addr}\n", want: []string{"server", "--addr", "{addr}"}},
		{in: `sh -c 'a "b" \c' x`, want: []string{"sh", "-c", `a "b" \c`, "x"}},
		{in: `a "b \" \\ \n 'c'"d`, want: []string{"a", `b " \ \n 'c'd`}},
		{in: `a\ b '' ""`, want: []string{"a b", "", ""}},
		{in: "", err: launch.ErrLine},
		{in: " \t", err: launch.ErrLine},
		{in: "'' x", err: launch.ErrLine},
		{in: "a 'b", err: launch.ErrQuote},
		{in: `a "b\"`, err: launch.ErrQuote},
		{in: `a \`, err: launch.ErrQuote},
		{in: strings.Repeat("a", launch.LineMax+1), err: launch.ErrLine},
	} {
		got, err := launch.Words(test.in)
		if diff := cmp.Diff(test.want, got); diff != "" || !errors.Is(err, test.err) {
			t.Errorf("Words(%.40q): got %q, %v, want %q, %v", test.in, got, err, test.want, test.err)
		}
	}
}

// Words in single quotes are read back as they were.
func FuzzWords(f *testing.F) {
	f.Add("server --addr {addr}")
	f.Add(`a "b \" 'c'"`)
	f.Add("'it'\\''s'")
	f.Fuzz(func(t *testing.T, line string) {
		words, err := launch.Words(line)
		if err != nil {
			return
		}
		var quoted []string
		for _, word := range words {
			quoted = append(quoted, "'"+strings.ReplaceAll(word, "'", `'\''`)+"'")
		}
		joined := strings.Join(quoted, " ")
		if len(joined) > launch.LineMax {
			return
		}
		again, err := launch.Words(joined)
		if diff := cmp.Diff(words, again); diff != "" || err != nil {
			t.Errorf("Words(%q) quoted and read again: %v\n%s", line, err, diff)
		}
	})
}

func TestShown(t *testing.T) {
	if got := launch.Shown("\n"); got != "" {
		t.Errorf("no output: got %q, want nothing", got)
	}
	got := launch.Shown("one\x1b[31m\r\n" + strings.Repeat("x", 500) + "\n")
	if want := "  | one[31m\n  | " + strings.Repeat("x", 400) + "..."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := strings.Count(launch.Shown(strings.Repeat("line\n", 100)), "\n"); got != 19 {
		t.Errorf("100 lines: got %d line ends, want 19", got)
	}
}

func TestTailIsBounded(t *testing.T) {
	var tail launch.Tail
	for range launch.OutputMax / 10 {
		if n, err := tail.Write([]byte("a line of 20 bytes.\n")); n != 20 || err != nil {
			t.Fatalf("Write: got %d, %v, want 20", n, err)
		}
	}
	got := tail.String()
	if len(got) > launch.OutputMax || !strings.HasPrefix(got, "a line") || !strings.HasSuffix(got, "bytes.\n") {
		t.Errorf("got %d bytes from %.30q, want whole lines, at most %d bytes", len(got), got, launch.OutputMax)
	}
}

func TestLogIsCutByMarks(t *testing.T) {
	var tail launch.Tail
	write := func(text string) {
		if _, err := tail.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	begin := tail.Mark()
	write("before\n")
	mark := tail.Mark()
	if got := tail.Since(mark); got != "" {
		t.Errorf("nothing was written since: got %q", got)
	}
	write("one\xff\n")
	write("two\n")
	if got := tail.Since(mark); got != "one?\ntwo\n" {
		t.Errorf("since the mark: got %q, want two lines", got)
	}
	if got := tail.Since(begin); got != "before\none?\ntwo\n" {
		t.Errorf("since the beginning: got %q, want three lines", got)
	}
	for range launch.OutputMax / 10 { // twice what is kept
		write("a line of 20 bytes.\n")
	}
	for name, from := range map[string]target.LogMark{"the beginning": begin, "a mark that is lost": mark} {
		got := tail.Since(from)
		said, lines, _ := strings.Cut(got, "\n")
		want := fmt.Sprintf("(%d bytes before are left out)", int64(tail.Mark()-from)-int64(len(lines)))
		if len(got) > target.LogMax || said != want || !strings.HasPrefix(lines, "a line of") || !strings.HasSuffix(lines, "bytes.\n") {
			t.Errorf("since %s: got %d bytes, %q and then %.20q, want whole lines, at most %d bytes and %q", name, len(got), said, lines, target.LogMax, want)
		}
	}
}
