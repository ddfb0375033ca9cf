package suite

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/graspkit/graspkit/conformance/client"
)

// offers judges a capability of the lighthouse's advertisement, and one word among its values. A server
// that does not speak version 2 may answer in version 0.
func (w *world) offers(version int, name, word string) outcome {
	advert, out := w.listLighthouse(version)
	if !out.held() {
		return out
	}
	if version == 2 && advert.Version != 2 {
		w.note("version 2 is answered in version %d", advert.Version)
		return outcome{}
	}
	value, offered := advert.Cap(name)
	if !offered || word != "" && value != word && !strings.Contains(" "+value+" ", " "+word+" ") {
		return violated("the capabilities are %v", advert.Caps)
	}
	return outcome{}
}

// emptyOffers judges the capabilities of the owner's repository, once it is there.
func (w *world) emptyOffers(version int, enough func(client.Advert) bool) outcome {
	var advert client.Advert
	return w.eventually("owner", version, func(a client.Advert) string {
		advert = a
		return ""
	}).then(func() outcome {
		if !enough(advert) {
			return violated("the capabilities of the empty repository are %q", advert.Caps)
		}
		return outcome{}
	})
}

// fetchCounted gets the tip of the lighthouse with options, and judges how many objects of each type came:
// commits, trees and files, as far as they are given.
func (w *world) fetchCounted(version int, opts client.FetchOpts, counts []string) outcome {
	return w.fetchCountedOf(w.run.lighthouse.commits[2:3], version, opts, counts)
}

// fetchCountedOf is fetchCounted of commits of the lighthouse.
func (w *world) fetchCountedOf(wants []string, version int, opts client.FetchOpts, counts []string) outcome {
	l := w.run.lighthouse
	if opts.Depth > 0 {
		advert, out := w.listLighthouse(version)
		if out = out.then(func() outcome { return offersDepths(advert) }); !out.held() {
			return out
		}
	}
	objects, out := w.fetched("fetch", l.path(), version, wants, opts)
	if !out.held() {
		return out
	}
	for i, kind := range []string{"commit", "tree", "blob"}[:len(counts)] {
		if got := objects.CountNew(kind); got != int(number(counts[i])) {
			return violated("the pack holds %d objects of type %s, want %s", got, kind, counts[i])
		}
	}
	if opts.Filter != "" {
		return outcome{}
	}
	for _, oid := range wants {
		if err := objects.Connected(oid); err != nil {
			return violated("the pack is incomplete: %v", err)
		}
	}
	return outcome{}
}

// offersDepths ends a check that fetches to a depth where nobody may: that it is not offered is told once, as what browsers lack.
func offersDepths(advert client.Advert) outcome {
	name, word := "shallow", ""
	if advert.Version == 2 {
		name, word = "fetch", "shallow"
	}
	if value, offered := advert.Cap(name); !offered || word != "" && !slices.Contains(strings.Fields(value), word) {
		return notApplicable("fetches to a depth are not offered: the capabilities of protocol version %d are %v", advert.Version, advert.Caps)
	}
	return outcome{}
}

// showsOwnRefsOnly judges that an advertisement of the owner's repository shows nothing internal.
func (w *world) showsOwnRefsOnly(service string, version int) outcome {
	o := w.client.Advertise(w.ctx, w.path("owner"), service, version)
	advert, is := o.(client.Advert)
	if !is {
		return unlessInconclusive("advertisement", o)
	}
	for _, ref := range advert.Refs {
		own := ref.Name == "HEAD"
		for _, space := range []string{"refs/heads/", "refs/tags/", eventRefs} {
			own = own || strings.HasPrefix(ref.Name, space)
		}
		if !own {
			return violated("the advertisement shows %s", ref.Name)
		}
	}
	return outcome{}
}

// listSpelled asks for the lighthouse by another spelling of its path that decodes to the same bytes.
func (w *world) listSpelled(spelling string) outcome {
	l := w.run.lighthouse
	spelled := map[string]*strings.Replacer{
		"an escaped letter":               strings.NewReplacer("lighthouse", "%6Cighthouse"),
		"an escaped hyphen":               strings.NewReplacer("gc-", "gc%2D"),
		"an escaped hyphen in lower case": strings.NewReplacer("gc-", "gc%2d"),
	}[spelling]
	if spelled == nil {
		panic("suite: invariant: unknown spelling " + spelling)
	}
	path := spelled.Replace(l.path())
	o := w.advertiseWritten(path, client.UploadPack)
	advert, is := o.(client.Advert)
	if !is {
		return unlessInconclusive("advertisement", o)
	}
	if got, _ := advert.Ref("refs/heads/main"); got != l.commits[2] {
		return violated("refs/heads/main is at %q, want %s", got, l.commits[2])
	}
	return outcome{}
}

// advertiseWritten asks at a path that may be written otherwise, and goes on where that leads to the same repository, as git does.
func (w *world) advertiseWritten(path, service string) client.Observation {
	o := w.client.Advertise(w.ctx, path, service, 0)
	answer, other := o.(client.HTTPAnswer)
	if !other {
		return o
	}
	end := "/info/refs?service=" + service
	to, below := w.client.PathOf(path+end, answer.Header.Get("Location"))
	repository, whole := strings.CutSuffix(to, end)
	decoded, err := url.PathUnescape(repository)
	asked, wrong := url.PathUnescape(path)
	if same := err == nil && wrong == nil && decoded == asked; below && whole && repository != path && same {
		w.note("%s is redirected to %s", path, repository)
		return w.client.Advertise(w.ctx, repository, service, 0)
	}
	return o
}

// abortClones starts clones of the owner's repository and leaves before their end: some send half of their
// request, the others do not wait for the answer.
func (w *world) abortClones(n int) outcome {
	path := w.path("owner")
	o := w.client.Advertise(w.ctx, path, client.UploadPack, 0)
	advert, is := o.(client.Advert)
	if !is || len(advert.Refs) == 0 {
		return unable("advertisement", o)
	}
	header := http.Header{"Content-Type": {"application/x-" + client.UploadPack + "-request"}}
	body := []byte(pkt("want "+advert.Refs[0].OID+" side-band-64k\n") + "0000" + pkt("done\n"))
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() {
			ctx, leave := context.WithCancel(w.ctx)
			defer leave()
			if i%2 == 0 {
				w.client.Do(ctx, http.MethodPost, path+"/"+client.UploadPack, header, body[:len(body)/2])
				return
			}
			done := make(chan struct{})
			go func() {
				defer close(done)
				w.client.Do(ctx, http.MethodPost, path+"/"+client.UploadPack, header, body)
			}()
			leave()
			<-done
		})
	}
	group.Wait()
	return outcome{}
}

// bodyUnpackedMax bounds an answer that comes compressed.
const bodyUnpackedMax = 1 << 20

// listCompressed asks for the advertisement and for the first commit as git does, which accepts compressed answers.
func (w *world) listCompressed() outcome {
	header := http.Header{"Accept-Encoding": {"deflate, gzip"}, "Pragma": {"no-cache"}}
	l := w.run.lighthouse
	return w.unpacked("advertisement", w.client.Get(w.ctx, l.path()+advertOf(client.UploadPack), header), containing(l.commits[2])).then(func() outcome {
		header.Set("Content-Type", "application/x-git-upload-pack-request")
		body := pkt("want "+l.commits[2]+"\n") + "0000" + pkt("done\n")
		return w.unpacked("result of a fetch", w.client.Do(w.ctx, http.MethodPost, l.path()+"/"+client.UploadPack, header, []byte(body)), containing("PACK"))
	})
}

func containing(text string) func([]byte) bool {
	return func(body []byte) bool { return bytes.Contains(body, []byte(text)) }
}

// unpacked judges that an answer is what its encoding says, and that its body fits.
func (w *world) unpacked(what string, o client.Observation, fits func(body []byte) bool) outcome {
	answer, is := o.(client.HTTPAnswer)
	if !is || answer.Status != http.StatusOK {
		return unlessInconclusive(what, o)
	}
	body := answer.Body
	if answer.Header.Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(bytes.NewReader(body))
		if err == nil {
			body, err = io.ReadAll(io.LimitReader(z, bodyUnpackedMax))
		}
		if err != nil {
			return violated("the %s is not what its encoding says: %v", what, err)
		}
	}
	if !fits(body) {
		return violated("the %s begins with %.60q", what, body)
	}
	return outcome{}
}
