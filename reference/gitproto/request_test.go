package gitproto_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/repo"
)

const wanted = "0123456789012345678901234567890123456789"

// lined frames lines as a request has them; "0000" and "0001" stand for themselves.
func lined(lines ...string) []byte {
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
	return b.Bytes()
}

// judgeFetch checks what every request that is taken must keep.
func judgeFetch(t *testing.T, input []byte, q gitproto.FetchRequest) {
	t.Helper()
	for _, list := range [][]repo.OID{q.Wants, q.Haves, q.Shallow} {
		if slices.ContainsFunc(list, func(oid repo.OID) bool { return !repo.IsOID(string(oid)) || len(oid) != 40 }) {
			t.Errorf("%q: got %v, want object ids", input, list)
		}
	}
	if q.Deepen.Depth < 0 || q.Deepen.Depth > gitproto.InfiniteDepth || q.Deepen.Since < 0 {
		t.Errorf("%q: got %+v", input, q.Deepen)
	}
	judgeFilter(t, string(input), q.Filter)
}

func judgeFilter(t *testing.T, spec string, f gitproto.Filter) {
	t.Helper()
	for _, bound := range []gitproto.Bound{f.BlobLimit, f.TreeDepth} {
		if bound.N < 0 || !bound.Set && bound.N != 0 {
			t.Errorf("%q: got %+v", spec, f)
		}
	}
	if !slices.Contains([]string{"", "commit", "tree", "blob", "tag", "none"}, f.Type) && f.Type != "" {
		t.Errorf("%q: got the type %q", spec, f.Type)
	}
}

// notTaken checks that what is refused is the client's fault.
func notTaken(t *testing.T, input []byte, err error) {
	t.Helper()
	var fault *gitproto.ProtocolError
	if !errors.As(err, &fault) && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		t.Errorf("%q: got %v, want a ProtocolError", input, err)
	}
	if fault != nil && strings.ContainsAny(fault.What, "\x00\n\r\x1b") {
		t.Errorf("%q: got the words %q", input, fault.What)
	}
}

// FuzzReadFetch checks requests of versions 0 and 1.
func FuzzReadFetch(f *testing.F) {
	f.Add(lined("want "+wanted+" multi_ack_detailed no-done side-band-64k filter deepen-since", "shallow "+wanted, "deepen 3", "filter tree:0", "0000", "have "+wanted, "done"))
	f.Add(lined("want "+wanted, "deepen-since 1", "deepen-not refs/tags/v1", "0000"))
	f.Add([]byte("0000"))
	f.Fuzz(func(t *testing.T, input []byte) {
		q, err := gitproto.ReadFetch(bytes.NewReader(input))
		if err != nil {
			notTaken(t, input, err)
			return
		}
		judgeFetch(t, input, q)
	})
}

// FuzzReadRequestV2 checks requests of version 2 and the arguments of both their commands.
func FuzzReadRequestV2(f *testing.F) {
	f.Add(lined("command=fetch", "agent=x", "object-format=sha1", "0001", "want "+wanted, "have "+wanted, "deepen-relative", "deepen 1", "filter combine:blob:none+tree:3", "wait-for-done", "done", "0000"))
	f.Add(lined("command=ls-refs", "0001", "peel", "symrefs", "unborn", "ref-prefix refs/heads/", "0000"))
	f.Add([]byte("0002"))
	f.Fuzz(func(t *testing.T, input []byte) {
		request, err := gitproto.ReadRequestV2(bytes.NewReader(input))
		if err != nil {
			notTaken(t, input, err)
			return
		}
		if l := gitproto.ParseLsRefs(request.Args); len(l.Prefixes) > len(request.Args) {
			t.Errorf("%q: got %d prefixes of %d arguments", input, len(l.Prefixes), len(request.Args))
		}
		q, err := gitproto.ParseFetch(request.Args)
		if err != nil {
			notTaken(t, input, err)
			return
		}
		judgeFetch(t, input, q)
	})
}

func FuzzParseFilter(f *testing.F) {
	for _, spec := range []string{"blob:none", "blob:limit=1k", "tree:0", "object:type=tag", "combine:blob%3Anone+tree:3", "combine:", "sparse:oid=x"} {
		f.Add(spec)
	}
	f.Fuzz(func(t *testing.T, spec string) {
		got, err := gitproto.ParseFilter(spec)
		if err != nil {
			notTaken(t, []byte(spec), err)
			return
		}
		judgeFilter(t, spec, got)
	})
}

// FuzzReadStatus checks that a report that is read is written again as it was read.
func FuzzReadStatus(f *testing.F) {
	f.Add(lined("unpack ok", "ok refs/heads/main", "ng refs/heads/a not now", "0000"))
	f.Add(lined("unpack the pack is broken", "0000"))
	f.Fuzz(func(t *testing.T, input []byte) {
		s, err := gitproto.ReadStatus(bytes.NewReader(input))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := s.Write(&b); err != nil {
			return // a line that is too long with its reason
		}
		again, err := gitproto.ReadStatus(&b)
		if err != nil || len(again.Refs) != len(s.Refs) {
			t.Errorf("%q: got %+v, %v after a round trip, want %+v", input, again, err, s)
			return
		}
		for i := range s.Refs {
			if s.Refs[i].Ref != again.Refs[i].Ref || s.Refs[i].OK != again.Refs[i].OK {
				t.Errorf("%q: (-first +second)\n%s", input, cmp.Diff(s.Refs[i], again.Refs[i]))
			}
		}
	})
}
