package client_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/conformance/client"
)

// A sample is a history with a branch of three commits, a side branch and an annotated tag.
type sample struct {
	h                             *client.History
	one, two, three, side, tagOID string
}

func newSample() sample {
	h := client.NewHistory("sample")
	s := sample{h: h}
	s.one = h.Commit("", map[string]string{"README": "one\n", "dir/a": "a\n", "dir.x": "x\n"}, "one")
	s.two = h.Commit(s.one, map[string]string{"README": "two\n", "dir/a": "a\n"}, "two")
	s.three = h.Merge([]string{s.two, s.one}, map[string]string{"README": "three\n", "dir/sub/b": "b\n"}, "three")
	s.side = h.Commit(s.one, map[string]string{"README": "side\n"}, "side")
	s.tagOID = h.Tag("v1", s.three)
	return s
}

// filled returns a server that holds the sample on main, side and the tag v1.
func filled(t *testing.T) (sample, *gitServer, *client.Client) {
	t.Helper()
	server, c := serveGit(t)
	s := newSample()
	server.push(c, s.h.Pack([]string{s.tagOID, s.side}, nil),
		client.Command{Old: client.ZeroOID, New: s.three, Ref: "refs/heads/main"},
		client.Command{Old: client.ZeroOID, New: s.side, Ref: "refs/heads/side"},
		client.Command{Old: client.ZeroOID, New: s.tagOID, Ref: "refs/tags/v1"})
	return s, server, c
}

func TestHistoryIsValidAndStable(t *testing.T) {
	s, server, _ := filled(t)
	server.git("-C", server.dir, "fsck", "--strict", "--full")
	again := newSample()
	if diff := cmp.Diff(s.h.Closure(s.tagOID, s.side), again.h.Closure(again.tagOID, again.side)); diff != "" {
		t.Errorf("oids of the same calls (-first +second):\n%s", diff)
	}
	if !cmp.Equal(s.h.Pack([]string{s.three}, nil), again.h.Pack([]string{again.three}, nil)) {
		t.Error("packs of the same calls differ")
	}
	if other := client.NewHistory("other").Commit("", map[string]string{"README": "one\n"}, "one"); other == s.one {
		t.Error("histories of two seeds share a commit")
	}
	tree := strings.TrimSpace(server.git("-C", server.dir, "rev-parse", s.one+"^{tree}"))
	if got := s.h.Tree(s.one); got != tree {
		t.Errorf("Tree: got %s, want %s as git says", got, tree)
	}
}

func TestHistoryGolden(t *testing.T) {
	s := newSample()
	got := []string{s.one, s.three, s.tagOID}
	want := []string{
		"cf21052b4022162629b0138c709abd1c7297b71e",
		"c72b92dac6d25e3a454ab75d28a146b3332a0e69",
		"e699361e6100158e625a9b8ac515c0d872554ec0",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("oids (-want +got):\n%s", diff)
	}
}

func TestAdvertiseAgreesWithLsRemote(t *testing.T) {
	s, server, c := filled(t)
	for version := range 3 {
		t.Run(fmt.Sprintf("v%d", version), func(t *testing.T) {
			o := c.Advertise(t.Context(), repoPath, client.UploadPack, version)
			advert, ok := o.(client.Advert)
			if !ok || advert.Version != version {
				t.Fatalf("Advertise: got %v, want an advertisement of version %d", o, version)
			}
			var got strings.Builder
			for _, ref := range advert.Refs {
				fmt.Fprintf(&got, "%s\t%s\n", ref.OID, ref.Name)
				if ref.Peeled != "" {
					fmt.Fprintf(&got, "%s\t%s^{}\n", ref.Peeled, ref.Name)
				}
			}
			if diff := cmp.Diff(server.git("ls-remote", server.dir), got.String()); diff != "" {
				t.Errorf("refs (-git +client):\n%s", diff)
			}
			if got := advert.Symrefs["HEAD"]; got != "refs/heads/main" {
				t.Errorf("HEAD: got %q, want refs/heads/main", got)
			}
			if oid, ok := advert.Ref("refs/heads/side"); !ok || oid != s.side {
				t.Errorf("Ref(side): got %s, %t, want %s", oid, ok, s.side)
			}
			if _, ok := advert.Cap("agent"); !ok {
				t.Errorf("Cap(agent): got none among %v", advert.Caps)
			}
		})
	}
	receive := c.Advertise(t.Context(), repoPath, client.ReceivePack, 0)
	if advert, ok := receive.(client.Advert); !ok || len(advert.Refs) != 3 {
		t.Errorf("Advertise for receive-pack: got %v, want three refs", receive)
	}
}

func TestAdvertiseEmptyRepository(t *testing.T) {
	_, c := serveGit(t)
	for version := range 3 {
		o := c.Advertise(t.Context(), repoPath, client.UploadPack, version)
		if advert, ok := o.(client.Advert); !ok || len(advert.Refs) != 0 {
			t.Errorf("Advertise v%d: got %v, want no refs", version, o)
		}
	}
}

func TestAdvertiseRefused(t *testing.T) {
	page := "<html>"
	status := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if status == http.StatusFound {
			w.Header().Set("Location", "/elsewhere")
		}
		if status == http.StatusTeapot { // an ERR pkt-line
			w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
			status = http.StatusOK
			page = "0014ERR no such repo"
		}
		w.WriteHeader(status)
		if _, err := w.Write([]byte(page)); err != nil {
			t.Logf("answer: %v", err)
		}
	}))
	defer server.Close()
	c := clientOf(t, server.URL, client.Options{Settle: 100 * time.Millisecond})
	tests := []struct {
		status           int
		refused, unclear bool
	}{{200, false, false}, {302, false, false}, {404, true, false}, {429, false, true}, {500, false, true}, {418, true, false}}
	for _, test := range tests {
		status = test.status
		o := c.Advertise(t.Context(), repoPath, client.UploadPack, 0)
		if _, refused := client.Refusal(o); refused != test.refused || client.Inconclusive(o) != test.unclear {
			t.Errorf("status %d: got %v, refusal %t, inconclusive %t, want %t and %t",
				test.status, o, refused, client.Inconclusive(o), test.refused, test.unclear)
		}
	}
}
