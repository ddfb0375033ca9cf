package defect

import (
	"bytes"
	"io"
	"net/http"
	"regexp"
	"strings"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// unusualDefects are mistakes in answers to what is asked in a proper and less usual way.
func unusualDefects() []Defect {
	return []Defect{
		{Name: "methods-in-lower-case", Sent: sent(func(_ *http.Request, a *Answer) {
			a.Header.Set("Access-Control-Allow-Methods", strings.ToLower(a.Header.Get("Access-Control-Allow-Methods")))
		})},
		{Name: "preflights-without-methods", Sent: sent(func(r *http.Request, a *Answer) {
			if r.Method == http.MethodOptions {
				a.Header.Del("Access-Control-Allow-Methods")
			}
		})},
		{Name: "preflights-without-headers", Sent: sent(func(r *http.Request, a *Answer) {
			if r.Method == http.MethodOptions {
				a.Header.Del("Access-Control-Allow-Headers")
			}
		})},
		{Name: "headers-allowed-in-preflights-only", Sent: sent(func(r *http.Request, a *Answer) {
			if r.Method != http.MethodOptions {
				a.Header.Del("Access-Control-Allow-Headers")
				a.Header.Del("Access-Control-Allow-Methods")
			}
		})},
		{Name: "wanted-tags-peeled", Backend: func(b gitstore.Backend) gitstore.Backend { return peeling{backend{b}} }},
		{Name: "filtered-wants-left-out", Backend: func(b gitstore.Backend) gitstore.Backend { return leavingOut{backend{b}} }},
		{Name: "boundaries-of-clients-unread", Backend: func(b gitstore.Backend) gitstore.Backend {
			return rewriting{backend{b}, func(line string) bool { return !strings.HasPrefix(line, "shallow ") }}
		}},
		{Name: "haves-unread", Backend: func(b gitstore.Backend) gitstore.Backend {
			return rewriting{backend{b}, func(line string) bool { return !strings.HasPrefix(line, "have ") }}
		}},
		{Name: "second-wants-unread", Backend: func(b gitstore.Backend) gitstore.Backend {
			n := 0
			return rewriting{backend{b}, func(line string) bool {
				if !strings.HasPrefix(line, "want ") {
					n = 0
					return true
				}
				n++
				return n == 1
			}}
		}},
		{Name: "equal-wants-fail", Front: gate(func(w http.ResponseWriter, r *http.Request) bool {
			if !fetched(r) {
				return false
			}
			seen := map[string]bool{}
			for _, want := range regexp.MustCompile(`want [0-9a-f]{40}`).FindAllString(string(bodyOf(r)), -1) {
				if seen[want] {
					return fails(w)
				}
				seen[want] = true
			}
			return false
		})},
	}
}

// A rewriting backend reads only some lines of fetch requests.
type rewriting struct {
	backend
	keeps func(line string) bool
}

// UploadPack implements gitstore.Backend.
func (b rewriting) UploadPack(c gitstore.Cancel, id repo.ID, version int, r io.Reader, w io.Writer) error {
	body, err := io.ReadAll(io.LimitReader(r, gitproto.RequestMax))
	if err != nil {
		return err
	}
	var kept bytes.Buffer
	lines, rest := packets(body)
	for _, line := range lines {
		if line.length < 4 || b.keeps(line.text) {
			kept.WriteString(line.head + line.text)
		}
	}
	kept.Write(rest)
	return b.Backend.UploadPack(c, id, version, &kept, w)
}

// A peeling backend gives what an annotated tag points to in the place of the tag.
type peeling struct{ backend }

// UploadPack implements gitstore.Backend.
func (b peeling) UploadPack(c gitstore.Cancel, id repo.ID, version int, r io.Reader, w io.Writer) error {
	var listing bytes.Buffer
	if err := b.Advertise(c, id, gitproto.UploadPackService, 0, &listing); err != nil {
		return err
	}
	body, err := io.ReadAll(io.LimitReader(r, gitproto.RequestMax))
	if err != nil {
		return err
	}
	last := ""
	for _, m := range regexp.MustCompile(`([0-9a-f]{40}) (refs/tags/\S+)`).FindAllStringSubmatch(listing.String(), -1) {
		if strings.HasSuffix(m[2], "^{}") {
			body = bytes.ReplaceAll(body, []byte("want "+last), []byte("want "+m[1]))
		}
		last = m[1]
	}
	return b.Backend.UploadPack(c, id, version, bytes.NewReader(body), w)
}

// A leavingOut backend leaves out of a filtered pack also what was asked for by name.
type leavingOut struct{ backend }

// UploadPack implements gitstore.Backend.
func (b leavingOut) UploadPack(c gitstore.Cancel, id repo.ID, version int, r io.Reader, w io.Writer) error {
	body, wants, err := readWants(r)
	if err != nil {
		return err
	}
	refs, err := b.Refs(id)
	if err != nil {
		return err
	}
	filtered := bytes.Contains(body, []byte("filter blob:none")) || bytes.Contains(body, []byte("filter tree:0"))
	if filtered && len(wants) > 0 && !isTip(refs, wants[0]) {
		return packless(b).UploadPack(c, id, version, bytes.NewReader(body), w)
	}
	return b.Backend.UploadPack(c, id, version, bytes.NewReader(body), w)
}
