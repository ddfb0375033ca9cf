package gitstore_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// filled is a store with a branch of n commits and a tag of the first.
func filled(tb testing.TB, n int) (*gitstore.Memory, []repo.OID) {
	tb.Helper()
	all, tips := history(n)
	tag := gitstore.NewTag("v1", tips[0], gitstore.Commit, 1_600_000_000, "first")
	m := newMemory(tb, gitstore.Limits{})
	receive(tb, m, packOf(tb, append(all, tag)...), create("refs/heads/main", tips[n-1]), create("refs/tags/v1", tag.OID()))
	if err := m.Update(testID, nil, "refs/heads/main"); err != nil {
		tb.Fatal(err)
	}
	return m, tips
}

func request(lines ...string) string {
	var b bytes.Buffer
	w := gitproto.NewWriter(&b)
	for _, line := range lines {
		switch line {
		case "0000":
			w.Flush()
		case "0001":
			w.Delim()
		default:
			w.Line(line)
		}
	}
	return b.String()
}

func upload(tb testing.TB, m *gitstore.Memory, version int, lines ...string) (string, error) {
	tb.Helper()
	var out bytes.Buffer
	err := m.UploadPack(running{}, testID, version, strings.NewReader(request(lines...)), &out)
	return out.String(), err
}

// Two stores with equal histories give equal bytes, call after call.
func TestUploadPackIsDeterministic(t *testing.T) {
	a, tips := filled(t, 20)
	b, _ := filled(t, 20)
	for _, args := range [][]string{
		{"want " + string(tips[19]), "include-tag", "done"},
		{"want " + string(tips[19]), "have " + string(tips[3]), "done"},
		{"want " + string(tips[19]), "deepen 4", "filter blob:none", "done"},
		{"want " + string(tips[19]), "deepen 2", "shallow " + string(tips[10]), "shallow " + string(tips[12]), "done"},
	} {
		lines := append(append([]string{"command=fetch", "0001"}, args...), "0000")
		first, err := upload(t, a, 2, lines...)
		if err != nil || !strings.Contains(first, "PACK") {
			t.Fatalf("%q: got %.60q, %v", args, first, err)
		}
		for range 3 {
			for _, m := range []*gitstore.Memory{a, b} {
				if again, _ := upload(t, m, 2, lines...); again != first {
					t.Fatalf("%q: got two answers", args)
				}
			}
		}
	}
}

func TestNegotiation(t *testing.T) {
	m, tips := filled(t, 5)
	want, have, none := "want "+string(tips[4]), "have "+string(tips[1]), "have "+strings.Repeat("1", 40)
	unrelated := gitstore.NewCommit(gitstore.NewTree().OID(), nil, 1, "unrelated")
	if err := m.Put(testID, unrelated, gitstore.NewTree()); err != nil {
		t.Fatal(err)
	}
	other := "have " + string(unrelated.OID())
	ack := func(have, word string) string { return "ACK " + have[len("have "):] + word + "\n" }
	const caps = " multi_ack_detailed side-band-64k"
	for _, test := range []struct {
		name    string
		version int
		lines   []string
		want    []string // in this order
		not     string
	}{
		{"v0 clone", 0, []string{want + caps, "0000", "done"}, []string{"0008NAK\n", "PACK"}, "ACK"},
		{"v0 unknown have", 0, []string{want + caps, "0000", none, "0000"}, []string{"0008NAK\n"}, "PACK"},
		{"v0 round", 0, []string{want + caps, "0000", have, none, "0000"}, []string{ack(have, " common"), ack(have, " ready"), "NAK"}, "PACK"},
		{"v0 unrelated", 0, []string{want + caps, "0000", other, "0000"}, []string{ack(other, " common"), "NAK"}, "ready"},
		{"v0 no-done", 0, []string{want + caps + " no-done", "0000", have, "0000"}, []string{ack(have, " common"), ack(have, " ready"), "NAK", ack(have, ""), "PACK"}, "\x02"},
		{"v0 multi_ack", 0, []string{want + " multi_ack", "0000", have, "done"}, []string{ack(have, " continue"), ack(have, ""), "PACK"}, "NAK"},
		{"v0 single", 0, []string{want, "0000", have, "done"}, []string{ack(have, ""), "PACK"}, "NAK"},
		{"v0 deepen", 0, []string{want + caps, "deepen 2", "0000", "done"}, []string{"shallow " + string(tips[3]) + "0000", "NAK", "PACK"}, "unshallow"},
		{"v0 deepen, first request", 0, []string{want + caps, "deepen 2", "0000"}, []string{"shallow " + string(tips[3]) + "0000"}, "NAK"},
		{"v0 probe", 0, []string{"0000"}, nil, "0"},
		{"v2 probe", 2, []string{"0000"}, nil, "0"},
		{"v2 clone", 2, []string{"command=fetch", "0001", want, "done", "0000"}, []string{"000dpackfile\n", "PACK"}, "acknowledgments"},
		{"v2 round", 2, []string{"command=fetch", "0001", want, have, none, "0000"}, []string{"acknowledgments\n", ack(have, ""), "ready\n0001", "packfile"}, "NAK"},
		{"v2 unrelated", 2, []string{"command=fetch", "0001", want, other, "0000"}, []string{"acknowledgments\n", ack(other, ""), "0000"}, "packfile"},
		{"v2 wait", 2, []string{"command=fetch", "0001", want, have, "wait-for-done", "0000"}, []string{ack(have, ""), "0000"}, "packfile"},
		{"v2 deepen", 2, []string{"command=fetch", "0001", want, "deepen 1", "done", "0000"}, []string{"shallow-info\n", "shallow " + string(tips[4]) + "\n0001", "packfile"}, "unshallow"},
		{"v2 ls-refs", 2, []string{"command=ls-refs", "0001", "peel", "symrefs", "0000"}, []string{
			string(tips[4]) + " HEAD symref-target:refs/heads/main\n", " refs/heads/main\n", " refs/tags/v1 peeled:" + string(tips[0]),
		}, "ERR"},
		{"v2 ls-refs of tags", 2, []string{"command=ls-refs", "0001", "ref-prefix refs/tags/", "0000"}, []string{" refs/tags/v1\n0000"}, "HEAD"},
	} {
		got, err := upload(t, m, test.version, test.lines...)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		rest := got
		for _, part := range test.want {
			_, after, ok := strings.Cut(rest, part)
			if !ok {
				t.Errorf("%s: got %.300q, want %q in it", test.name, got, part)
			}
			rest = after
		}
		if head, _, _ := strings.Cut(got, "PACK"); strings.Contains(head, test.not) || test.not == "PACK" && strings.Contains(got, "PACK") {
			t.Errorf("%s: got %.300q, want no %q in it", test.name, got, test.not)
		}
	}
}

func TestUploadPackRefuses(t *testing.T) {
	m, tips := filled(t, 2)
	none := strings.Repeat("1", 40)
	for _, test := range []struct {
		version int
		lines   []string
		want    string
	}{
		{0, []string{"want " + none, "0000", "done"}, "upload-pack: not our ref " + none},
		{2, []string{"command=fetch", "0001", "want " + none, "done", "0000"}, "upload-pack: not our ref " + none},
		{2, []string{"command=steal", "0001", "0000"}, `invalid command "steal"`},
		{2, []string{"command=fetch", "0001", "want " + string(tips[1]), "deepen-not none", "done", "0000"}, `deepen-not is not a ref: "none"`},
		{2, []string{"command=fetch", "0001", "want " + string(tips[1]), "deepen-since 9999999999", "done", "0000"}, "no commits selected for shallow requests"},
		{2, []string{"command=fetch", "0001", "bogus", "0000"}, `unexpected line "bogus "`},
	} {
		_, err := upload(t, m, test.version, test.lines...)
		var refused *gitproto.ProtocolError
		if !errors.As(err, &refused) || refused.What != test.want {
			t.Errorf("%q: got %v, want %q", test.lines, err, test.want)
		}
	}
}

func TestUnbornHead(t *testing.T) {
	m := newMemory(t, gitstore.Limits{})
	got, err := upload(t, m, 2, "command=ls-refs", "0001", "symrefs", "unborn", "0000")
	if want := request("unborn HEAD symref-target:refs/heads/master", "0000"); err != nil || got != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

func TestUploadPackStops(t *testing.T) {
	m, tips := filled(t, 2)
	var out bytes.Buffer
	in := strings.NewReader(request("command=fetch", "0001", "want "+string(tips[1]), "done", "0000"))
	if err := m.UploadPack(stopped{}, testID, 2, in, &out); !errors.Is(err, errStopped) {
		t.Errorf("got %v, want %v", err, errStopped)
	}
}

func BenchmarkAdvertise1000Refs(b *testing.B) {
	m, tips := filled(b, 10)
	var commands []gitproto.Command
	for i := range 1000 {
		commands = append(commands, create(fmt.Sprintf("refs/heads/branch-%04d", i), tips[i%10]))
	}
	if err := m.Update(testID, commands, ""); err != nil {
		b.Fatal(err)
	}
	var out bytes.Buffer
	b.ReportAllocs()
	for b.Loop() {
		out.Reset()
		if err := m.Advertise(running{}, testID, gitproto.UploadPackService, 0, &out); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(out.Len()))
}

func BenchmarkClone100Commits(b *testing.B) {
	m, tips := filled(b, 100)
	in := request("command=fetch", "0001", "want "+string(tips[99]), "done", "0000")
	var out bytes.Buffer
	for b.Loop() {
		out.Reset()
		if err := m.UploadPack(running{}, testID, 2, strings.NewReader(in), &out); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(out.Len()))
}
