package client_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/conformance/client"
)

func TestFetch(t *testing.T) {
	s, _, c := filled(t)
	all := s.h.Closure(s.tagOID, s.side)
	for version := range 3 {
		t.Run(fmt.Sprintf("v%d", version), func(t *testing.T) {
			fetch := func(opts client.FetchOpts, wants ...string) *client.Objects {
				t.Helper()
				objects, o := c.Fetch(t.Context(), repoPath, version, wants, opts)
				if o != nil {
					t.Fatalf("Fetch(%v, %+v): got %v, want objects", wants, opts, o)
				}
				return objects
			}
			clone := fetch(client.FetchOpts{}, s.tagOID, s.side)
			if diff := cmp.Diff(all, clone.OIDs()); diff != "" {
				t.Errorf("clone (-want +got):\n%s", diff)
			}
			if err := clone.Connected(s.tagOID); err != nil {
				t.Errorf("Connected: got %v, want nil", err)
			}
			if one := fetch(client.FetchOpts{}, s.one); one.Has(s.two) || one.Connected(s.one) != nil {
				t.Errorf("fetch of one commit by oid: got %v", one.OIDs())
			}
			more := fetch(client.FetchOpts{Haves: []string{s.one}}, s.three)
			if more.Has(s.one) || more.Connected(s.three) == nil || more.Connected(s.three, s.h.Closure(s.one)...) != nil {
				t.Errorf("incremental fetch: got %v", more.OIDs())
			}
			blobless := fetch(client.FetchOpts{Filter: "blob:none"}, s.three)
			if blobless.CountOf("blob") != 0 || blobless.CountOf("commit") != 3 || blobless.Connected(s.three) == nil {
				t.Errorf("fetch without blobs: got %v", blobless.OIDs())
			}
			shallow := fetch(client.FetchOpts{Depth: 1}, s.three)
			if diff := cmp.Diff([]string{s.three}, shallow.Shallow()); diff != "" || shallow.Connected(s.three) != nil {
				t.Errorf("shallow fetch: %v, (-want +got):\n%s", shallow.Connected(s.three), diff)
			}
			missing := strings.Repeat("1", 40)
			if _, o := c.Fetch(t.Context(), repoPath, version, []string{missing}, client.FetchOpts{}); !isErrPkt(o) {
				t.Errorf("fetch of a missing oid: got %v, want ERR", o)
			}
		})
	}
}

func isErrPkt(o client.Observation) bool {
	_, is := o.(client.ErrPkt)
	return is
}

func TestPush(t *testing.T) {
	s, server, c := filled(t)
	tip := s.h.Commit(s.three, map[string]string{"README": "four\n"}, "four")
	server.push(c, s.h.Pack([]string{tip}, []string{s.three}), client.Command{Old: s.three, New: tip, Ref: "refs/heads/main"})
	server.push(c, nil, client.Command{Old: s.side, New: client.ZeroOID, Ref: "refs/heads/side"})
	want := tip + " refs/heads/main\n" + s.tagOID + " refs/tags/v1\n"
	refs := func() string {
		return server.git("-C", server.dir, "for-each-ref", "--format=%(objectname) %(refname)")
	}
	if got := refs(); got != want {
		t.Fatalf("refs: got %s, want %s", got, want)
	}
	before := fingerprint(t.Context(), t, c)
	pack := s.h.Pack([]string{s.side}, nil)
	pack[len(pack)-30] ^= 0xff
	lost := orphan(s.h)
	tests := []struct {
		name   string
		opts   client.PushOpts
		reason string
	}{
		{"broken pack", client.PushOpts{
			Commands: []client.Command{{Old: client.ZeroOID, New: s.side, Ref: "refs/heads/side"}}, Pack: pack,
		}, "unpack "},
		{"stale old", client.PushOpts{
			Commands: []client.Command{{Old: s.one, New: s.side, Ref: "refs/heads/main"}}, Pack: s.h.Pack([]string{s.side}, nil),
		}, "refs/heads/main "},
		{"stale old outside of the side-band", client.PushOpts{
			Commands: []client.Command{{Old: s.one, New: s.two, Ref: "refs/heads/main"}}, Pack: s.h.Pack([]string{s.two}, nil), NoSideband: true,
		}, "refs/heads/main "},
		{"incomplete", client.PushOpts{
			Commands: []client.Command{{Old: client.ZeroOID, New: lost, Ref: "refs/heads/new"}}, Pack: s.h.PackObjects(lost),
		}, "refs/heads/new "},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			o := c.Push(t.Context(), repoPath, test.opts)
			report, ok := o.(client.PushReport)
			reason, refused := client.Refusal(o)
			if !ok || !refused || report.Accepted() || !strings.HasPrefix(reason, test.reason) {
				t.Errorf("Push: got %v, reason %q, want a refusal that starts with %q", o, reason, test.reason)
			}
			if got := refs(); got != want {
				t.Errorf("refs: got %s, want %s", got, want)
			}
			if after := fingerprint(t.Context(), t, c); after != before {
				t.Errorf("advertisement: got %s, want %s", after, before)
			}
		})
	}
}

// orphan makes a commit that nobody has the parents of.
func orphan(h *client.History) string {
	lost := h.Commit("", map[string]string{"lost": "lost\n"}, "lost")
	return h.Commit(lost, map[string]string{"found": "found\n"}, "found")
}

func fingerprint(ctx context.Context, t *testing.T, c *client.Client) string {
	t.Helper()
	o := c.Advertise(ctx, repoPath, client.ReceivePack, 0)
	advert, ok := o.(client.Advert)
	if !ok {
		t.Fatalf("Advertise: got %v, want an advertisement", o)
	}
	return advert.Fingerprint()
}
