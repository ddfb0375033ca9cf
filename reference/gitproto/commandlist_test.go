package gitproto_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/repo"
)

const (
	zero = "0000000000000000000000000000000000000000"
	oidA = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	oidB = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
)

// packets encodes lines; "0000", "0001" and "0002" stand for the special packets.
func packets(lines ...string) string {
	var b strings.Builder
	for _, line := range lines {
		if line == "0000" || line == "0001" || line == "0002" {
			b.WriteString(line)
		} else {
			fmt.Fprintf(&b, "%04x%s", len(line)+4, line)
		}
	}
	return b.String()
}

func TestReadCommands(t *testing.T) {
	create := gitproto.Command{Old: zero, New: oidA, Ref: "refs/heads/main"}
	remove := gitproto.Command{Old: oidB, New: zero, Ref: "refs/tags/v1"}
	for _, test := range []struct {
		name  string
		lines []string
		want  gitproto.CommandList
	}{
		{"probe", []string{"0000"}, gitproto.CommandList{}},
		{"one, without line feed", []string{zero + " " + oidA + " refs/heads/main", "0000"}, gitproto.CommandList{
			Commands: []gitproto.Command{create},
		}},
		{"two, capabilities with and without leading space", []string{
			zero + " " + oidA + " refs/heads/main\x00 report-status  atomic agent=git/2\n",
			oidB + " " + zero + " refs/tags/v1\n", "0000",
		}, gitproto.CommandList{
			Commands:     []gitproto.Command{create, remove},
			Capabilities: gitproto.Capabilities{"report-status", "atomic", "agent=git/2"},
			Shape:        gitproto.Shape{Atomic: true},
		}},
		{"shallow", []string{"shallow " + oidB + "\n", zero + " " + oidA + " refs/heads/main\x00\n", "0000"}, gitproto.CommandList{
			Commands: []gitproto.Command{create}, Shallow: []repo.OID{oidB}, Shape: gitproto.Shape{Shallow: 1},
			Capabilities: gitproto.Capabilities{},
		}},
		{"options", []string{zero + " " + oidA + " refs/heads/main\x00push-options", "0000", "a=b\n", "c", "0000"}, gitproto.CommandList{
			Commands: []gitproto.Command{create}, Capabilities: gitproto.Capabilities{"push-options"},
			Shape: gitproto.Shape{Options: []string{"a=b", "c"}},
		}},
		{"a deletion without an old value", []string{zero + " " + zero + " refs/heads/main", "0000"}, gitproto.CommandList{
			Commands: []gitproto.Command{{Old: zero, New: zero, Ref: "refs/heads/main"}},
		}},
		{"a name of one component is for others to refuse", []string{zero + " " + oidA + " HEAD", "0000"}, gitproto.CommandList{
			Commands: []gitproto.Command{{Old: zero, New: oidA, Ref: "HEAD"}},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			in := strings.NewReader(packets(test.lines...) + "PACK")
			got, err := gitproto.ReadCommands(in)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("list (-want +got):\n%s", diff)
			}
			if rest, _ := io.ReadAll(in); string(rest) != "PACK" {
				t.Errorf("after the list: got %q left, want PACK", rest)
			}
		})
	}
}

// G01-PUSH-18: nothing of a certificate is read as a command, nor what stands before it.
func TestReadCommandsCertificate(t *testing.T) {
	for _, lines := range [][]string{
		{"push-cert\x00report-status", "certificate version 0.1\n\n" + zero + " " + oidA + " refs/heads/evil\n", "push-cert-end\n", "0000"},
		{zero + " " + oidA + " refs/heads/main\x00report-status", "push-cert", "push-cert-end\n", "0000"},
	} {
		got, err := gitproto.ReadCommands(strings.NewReader(packets(lines...)))
		if err != nil {
			t.Fatal(err)
		}
		want := gitproto.CommandList{
			Capabilities: gitproto.Capabilities{"report-status"}, Shape: gitproto.Shape{Certificate: true},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("list (-want +got):\n%s", diff)
		}
	}
}

// G01-PUSH-20: what git might read otherwise is refused.
func TestReadCommandsRefuses(t *testing.T) {
	long := strings.Repeat("a", repo.RefNameMax)
	good := zero + " " + oidA + " refs/heads/main"
	many := make([]string, 0, gitproto.CommandMax+2)
	for i := range gitproto.CommandMax + 1 {
		many = append(many, fmt.Sprintf("%s %s refs/heads/%d", zero, oidA, i))
	}
	cases := map[string][]string{
		"no flush":                    {good},
		"nothing":                     {},
		"delimiter":                   {good, "0001"},
		"response end":                {"0002"},
		"empty line":                  {"", "0000"},
		"upper-case id":               {zero + " " + strings.ToUpper(oidA) + " refs/heads/main", "0000"},
		"short id":                    {zero + " " + oidA[1:] + " refs/heads/main", "0000"},
		"64 digits":                   {strings.Repeat("0", 64) + " " + strings.Repeat("a", 64) + " refs/heads/main", "0000"},
		"no ref":                      {zero + " " + oidA, "0000"},
		"empty ref":                   {zero + " " + oidA + " ", "0000"},
		"two spaces":                  {zero + "  " + oidA + " refs/heads/main", "0000"},
		"space in ref":                {good + " x", "0000"},
		"space after ref":             {good + " \x00report-status", "0000"},
		"line feed in ref":            {good + "\nx", "0000"},
		"two line feeds":              {good + "\n\n", "0000"},
		"tab":                         {good + "\t", "0000"},
		"dots":                        {good + "/..", "0000"},
		"long ref":                    {zero + " " + oidA + " refs/" + long, "0000"},
		"twice":                       {good, oidA + " " + zero + " refs/heads/main", "0000"},
		"NUL in the second line":      {good, zero + " " + oidA + " refs/heads/b\x00atomic", "0000"},
		"two NULs":                    {good + "\x00a\x00b", "0000"},
		"shallow after a command":     {good, "shallow " + oidA, "0000"},
		"shallow without id":          {"shallow x", "0000"},
		"other object format":         {good + "\x00object-format=sha256", "0000"},
		"too many":                    append(many, "0000"),
		"too long":                    {"shallow " + oidA, strings.Repeat("x", 65000), "0000"},
		"options without flush":       {good + "\x00push-options", "0000", "a"},
		"options missing":             {good + "\x00push-options", "0000"},
		"option with a line feed":     {good + "\x00push-options", "0000", "a\nb", "0000"},
		"too long an option":          {good + "\x00push-options", "0000", strings.Repeat("x", 5000), "0000"},
		"too many options":            append(append([]string{good + "\x00push-options", "0000"}, many[:65]...), "0000"),
		"options with a delimiter":    {good + "\x00push-options", "0000", "0001", "0000"},
		"certificate by another name": {"push-cert ", "0000"},
	}
	for _, name := range slices.Sorted(maps.Keys(cases)) {
		list, err := gitproto.ReadCommands(strings.NewReader(packets(cases[name]...)))
		var bad *gitproto.ProtocolError
		if !errors.As(err, &bad) {
			t.Errorf("%s: got %+v, %v, want a ProtocolError", name, list, err)
		} else if bad.What == "" || strings.ContainsAny(bad.What, "\n\x00") || len(bad.What) > 300 {
			t.Errorf("%s: got the text %q", name, bad.What)
		}
	}
}

func TestReadCommandsIsBounded(t *testing.T) {
	endless := io.MultiReader(strings.NewReader(packets(zero+" "+oidA+" refs/heads/main\x00push-options", "0000")), &repeating{text: packets(strings.Repeat("o", 4000))})
	var bad *gitproto.ProtocolError
	if _, err := gitproto.ReadCommands(endless); !errors.As(err, &bad) {
		t.Errorf("endless options: got %v, want a ProtocolError", err)
	}
	shallow := &repeating{text: packets("shallow " + oidA)}
	if _, err := gitproto.ReadCommands(shallow); !errors.As(err, &bad) {
		t.Errorf("endless shallow lines: got %v, want a ProtocolError", err)
	}
	if shallow.read > gitproto.CommandListMax+100 {
		t.Errorf("read: got %d bytes, want at most %d", shallow.read, gitproto.CommandListMax)
	}
}

// repeating is an endless input.
type repeating struct {
	text string
	read int
}

func (r *repeating) Read(p []byte) (int, error) {
	n := copy(p, r.text[r.read%len(r.text):])
	r.read += n
	return n, nil
}

// What is executed is what was judged: a list that was read and encoded again is read as the same list.
func FuzzReadCommands(f *testing.F) {
	f.Add([]byte(packets(zero+" "+oidA+" refs/heads/main\x00report-status push-options", oidB+" "+zero+" refs/tags/v\n", "0000", "opt\n", "0000")))
	f.Add([]byte(packets("shallow "+oidB, zero+" "+oidA+" HEAD", "0000")))
	f.Add([]byte(packets("push-cert\x00 atomic", "0000")))
	f.Add([]byte("0000"))
	f.Fuzz(func(t *testing.T, input []byte) {
		list, err := gitproto.ReadCommands(bytes.NewReader(input))
		if err != nil || list.Shape.Certificate {
			if len(list.Commands) > 0 {
				t.Fatalf("refused list has commands: %+v", list)
			}
			return
		}
		var again bytes.Buffer
		if err := gitproto.WriteCommands(&again, list); err != nil {
			t.Fatal(err)
		}
		second, err := gitproto.ReadCommands(&again)
		if err != nil {
			t.Fatalf("read again: %v", err)
		}
		if len(list.Commands) == 0 {
			second.Capabilities, list.Capabilities = nil, nil // they stand in the first command
		}
		if len(list.Capabilities) == 0 && len(second.Capabilities) == 0 {
			second.Capabilities, list.Capabilities = nil, nil
		}
		if diff := cmp.Diff(list, second); diff != "" {
			t.Fatalf("list (-first +second):\n%s", diff)
		}
		for _, c := range list.Commands {
			if !gitproto.CheckRefName("x/" + c.Ref) {
				t.Fatalf("bad ref name %q was let in", c.Ref)
			}
		}
	})
}
