package gitproto_test

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/repo"
)

func TestReadFetch(t *testing.T) {
	for _, test := range []struct {
		name  string
		lines []string
		want  gitproto.FetchRequest
	}{
		{"probe", []string{"0000"}, gitproto.FetchRequest{}},
		{"nothing", nil, gitproto.FetchRequest{}},
		{"clone", []string{"want " + oidA + " multi_ack_detailed no-done side-band-64k include-tag agent=git/2\n", "0000", "done\n"}, gitproto.FetchRequest{
			Wants: []repo.OID{oidA}, Acks: gitproto.DetailedAck, NoDone: true, IncludeTag: true, Done: true,
			BandSize: gitproto.SideBand64kMax,
		}},
		{"round of haves", []string{"want " + oidA + " multi_ack side-band\n", "want " + oidB + "\n", "0000", "have " + oidB + "\n", "0000"}, gitproto.FetchRequest{
			Wants: []repo.OID{oidA, oidB}, Haves: []repo.OID{oidB}, Acks: gitproto.MultiAck, BandSize: gitproto.SideBandMax,
		}},
		{"deepen", []string{"want " + oidA + " deepen-relative\n", "shallow " + oidB, "deepen 3\n", "filter blob:limit=2k", "0000"}, gitproto.FetchRequest{
			Wants: []repo.OID{oidA}, Shallow: []repo.OID{oidB}, Deepen: gitproto.Deepen{Depth: 3, Relative: true}, CutShort: true,
			Filter: gitproto.Filter{BlobLimit: gitproto.Bound{Set: true, N: 2048}},
		}},
	} {
		got, err := gitproto.ReadFetch(strings.NewReader(packets(test.lines...)))
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestFetchRefuses(t *testing.T) {
	var bad *gitproto.ProtocolError
	for _, lines := range [][]string{
		{"want x\n", "0000"},
		{"have " + oidA, "0000"},
		{"want " + oidA, "deepen 0", "0000"},
		{"want " + oidA, "deepen x", "0000"},
		{"want " + oidA, "0000", "want " + oidB, "0000"},
		{"want " + oidA, "filter sparse:oid=main", "0000"},
		{"want " + oidA, "0001"},
		{"bogus"},
		{"want " + oidA + " object-format=sha256", "0000"},
	} {
		if got, err := gitproto.ReadFetch(strings.NewReader(packets(lines...))); !errors.As(err, &bad) {
			t.Errorf("%q: got %+v, %v, want a ProtocolError", lines, got, err)
		}
	}
	for _, arg := range []string{"want x", "wants", "deepen-since 0", "filter tree:x", "filter combine:tree:0+%zz"} {
		if got, err := gitproto.ParseFetch([]string{arg}); !errors.As(err, &bad) {
			t.Errorf("%q: got %+v, %v, want a ProtocolError", arg, got, err)
		}
	}
}

func TestParseFilter(t *testing.T) {
	set := func(n int64) gitproto.Bound { return gitproto.Bound{Set: true, N: n} }
	for _, test := range []struct {
		spec string
		want gitproto.Filter
	}{
		{"blob:none", gitproto.Filter{BlobLimit: set(0)}},
		{"blob:limit=10", gitproto.Filter{BlobLimit: set(10)}},
		{"blob:limit=3m", gitproto.Filter{BlobLimit: set(3 << 20)}},
		{"tree:0", gitproto.Filter{TreeDepth: set(0)}},
		{"object:type=commit", gitproto.Filter{Type: "commit"}},
		{"combine:tree:2+blob%3Alimit=5+blob:none", gitproto.Filter{TreeDepth: set(2), BlobLimit: set(0)}},
	} {
		got, err := gitproto.ParseFilter(test.spec)
		if err != nil || got != test.want {
			t.Errorf("%s: got %+v, %v, want %+v", test.spec, got, err, test.want)
		}
	}
}

func TestReadRequestV2(t *testing.T) {
	in := packets("command=ls-refs\n", "agent=git/2\n", "object-format=sha1", "0001", "peel\n", "ref-prefix refs/heads/\n", "0000")
	got, err := gitproto.ReadRequestV2(strings.NewReader(in))
	if err != nil {
		t.Fatal(err)
	}
	want := gitproto.RequestV2{
		Command: "ls-refs", Capabilities: gitproto.Capabilities{"agent=git/2", "object-format=sha1"},
		Args: []string{"peel", "ref-prefix refs/heads/"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
	for _, lines := range [][]string{
		{"command=ls-refs"},
		{"command=a", "command=b", "0000"},
		{"command=a", "0001", "0001", "0000"},
		{"command=a", "0002"},
		{"command=fetch", "object-format=sha256", "0000"},
	} {
		var bad *gitproto.ProtocolError
		if got, err := gitproto.ReadRequestV2(strings.NewReader(packets(lines...))); !errors.As(err, &bad) {
			t.Errorf("%q: got %+v, %v, want a ProtocolError", lines, got, err)
		}
	}
}

func TestVersion(t *testing.T) {
	versions := map[string]int{
		"": 0, "version=0": 0, "version=1": 1, "version=2": 2, "version=3": 0, "version=99": 0, "version=1:version=2": 2,
		"a=b:version=2": 2, "version=2:version=1": 2, "version=": 0, "Version=2": 0, "version=2x": 0,
	}
	for _, header := range slices.Sorted(maps.Keys(versions)) {
		if got := gitproto.Version(header); got != versions[header] {
			t.Errorf("Version(%q): got %d, want %d", header, got, versions[header])
		}
	}
}

func TestStatusRoundTrip(t *testing.T) {
	want := gitproto.Status{Unpack: "ok", Refs: []gitproto.RefStatus{
		{Ref: "refs/heads/a", OK: true}, {Ref: "refs/heads/b", Reason: "not today"},
	}}
	var b bytes.Buffer
	if err := want.Write(&b); err != nil {
		t.Fatal(err)
	}
	got, err := gitproto.ReadStatus(&b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("status (-want +got):\n%s", diff)
	}
	for _, lines := range [][]string{
		{"0000"}, {"unpack ok"}, {"ok refs/heads/a", "0000"}, {"unpack ok", "maybe refs/heads/a", "0000"}, {"unpack ok", "0001"},
	} {
		if got, err := gitproto.ReadStatus(strings.NewReader(packets(lines...))); err == nil {
			t.Errorf("%q: got %+v, want an error", lines, got)
		}
	}
}

func advertised(n int) gitproto.Advertisement {
	a := gitproto.Advertisement{Service: gitproto.UploadPackService, HeadTarget: "refs/heads/main", Head: oidA}
	for i := range n {
		a.Refs = append(a.Refs, gitproto.AdvertisedRef{Ref: repo.Ref{Name: "refs/heads/" + strings.Repeat("x", i%20+1), OID: oidA}})
	}
	return a
}

func TestAdvertisement(t *testing.T) {
	a := advertised(1)
	a.Refs = append(a.Refs, gitproto.AdvertisedRef{Ref: repo.Ref{Name: "refs/tags/v", OID: oidB}, Peeled: oidA})
	var b bytes.Buffer
	if err := a.Write(&b); err != nil {
		t.Fatal(err)
	}
	const start = "001e# service=git-upload-pack\n0000"
	text := b.String()
	for _, want := range []string{
		oidA + " HEAD\x00", " allow-tip-sha1-in-want ", " allow-reachable-sha1-in-want ", " filter ", " symref=HEAD:refs/heads/main ",
		"0039" + oidB + " refs/tags/v\n" + "003c" + oidA + " refs/tags/v^{}\n0000",
	} {
		if !strings.HasPrefix(text, start) || !strings.Contains(text, want) {
			t.Errorf("advertisement: got %q, want it to start with %q and to contain %q", text, start, want)
		}
	}
	for _, test := range []struct {
		a    gitproto.Advertisement
		want string
	}{
		{gitproto.Advertisement{Service: gitproto.UploadPackService}, start + "00f4" + zero + " capabilities^{}\x00"},
		{gitproto.Advertisement{Service: gitproto.UploadPackService, Version: 1}, start + "000eversion 1\n"},
		{gitproto.Advertisement{Service: gitproto.UploadPackService, Version: 2}, "000eversion 2\n"},
		{gitproto.Advertisement{Service: gitproto.ReceivePackService}, "001f# service=git-receive-pack\n000000"},
	} {
		b.Reset()
		if err := test.a.Write(&b); err != nil {
			t.Fatal(err)
		}
		got := b.String()
		if test.a.Version == 0 && test.a.Service == gitproto.UploadPackService {
			got, test.want = got[:len(start)]+got[len(start)+4:], start+test.want[len(start)+4:]
		}
		if !strings.HasPrefix(got, test.want) {
			t.Errorf("advertisement: got %q, want %q first", got, test.want)
		}
		if strings.Contains(got, "push-cert") || strings.Contains(got, "symref") {
			t.Errorf("advertisement: got %q, want neither push-cert nor symref", got)
		}
	}
}

func BenchmarkAdvertisement1000(b *testing.B) {
	a := advertised(1000)
	var out bytes.Buffer
	b.ReportAllocs()
	for b.Loop() {
		out.Reset()
		if err := a.Write(&out); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(out.Len()))
}
