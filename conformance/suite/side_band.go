package suite

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
)

// The longest packets of the two side-bands, with their length (gitprotocol-capabilities).
const (
	shortBandMax = 1000
	longBandMax  = 65520
)

// wholeDepth is the depth by which git asks for all commits (shallow.h: INFINITE_DEPTH).
const wholeDepth = 0x7fffffff

// fetchBanded asks for a commit in version 0 with a side-band, or with none, and judges how the pack comes. A side-band that is not
// offered is not asked for.
func (w *world) fetchBanded(commit, band string) outcome {
	word, longest := "", 0
	switch band {
	case "the long side-band":
		word, longest = "side-band-64k", longBandMax
	case "the side-band":
		word, longest = "side-band", shortBandMax
	}
	o := w.client.Advertise(w.ctx, w.path("owner"), client.UploadPack, 0)
	advert, is := o.(client.Advert)
	if !is {
		return unlessInconclusive("advertisement", o)
	}
	if _, offered := advert.Cap(word); word != "" && !offered {
		w.note("%s is not offered", word)
		return outcome{}
	}
	header := http.Header{"Content-Type": {"application/x-" + client.UploadPack + "-request"}, "Accept": {"application/x-" + client.UploadPack + "-result"}}
	want := strings.TrimRight("want "+commit+" "+word, " ") + "\n"
	o = w.client.Do(w.ctx, http.MethodPost, w.path("owner")+"/"+client.UploadPack, header, []byte(pkt(want)+"0000"+pkt("done\n")))
	answer, is := o.(client.HTTPAnswer)
	if !is || answer.Status != http.StatusOK {
		return unlessInconclusive("a fetch that asks for "+band, o)
	}
	if fault := misbanded(answer.Body, longest); fault != "" {
		return violated("a fetch that asks for %s: %s", band, fault)
	}
	return outcome{}
}

// misbanded says what is wrong with the pack of an answer whose packets may be so long, with their length; with 0 it comes without
// packets.
func misbanded(body []byte, longest int) string {
	rest, ok := bytes.CutPrefix(body, []byte(pkt("NAK\n")))
	if !ok {
		return "the answer does not begin with NAK"
	}
	if longest == 0 {
		if !bytes.HasPrefix(rest, []byte("PACK")) {
			return "no pack follows NAK"
		}
		return ""
	}
	var pack []byte
	for len(rest) >= 4 {
		n, err := strconv.ParseUint(string(rest[:4]), 16, 16)
		size := int(n)
		switch {
		case err != nil || size > len(rest) || size > 0 && size < 5:
			return "a packet is malformed"
		case size == 0 && !bytes.HasPrefix(pack, []byte("PACK")):
			return "no pack comes in the band of packs"
		case size == 0:
			return ""
		case size > longest:
			return fmt.Sprintf("a packet has %d bytes, of which %d are allowed", size, longest)
		}
		if rest[4] == 1 {
			pack = append(pack, rest[5:size]...)
		}
		rest = rest[size:]
	}
	return "the packets have no end"
}

// fetchTagsAlong fetches a commit and asks for the tags of what comes; a tag of a commit behind it has to be among it.
func (w *world) fetchTagsAlong(commit, tag string, version int) outcome {
	o := w.client.Advertise(w.ctx, w.path("owner"), client.UploadPack, 0)
	advert, is := o.(client.Advert)
	if !is {
		return unlessInconclusive("advertisement", o)
	}
	if _, offered := advert.Cap("include-tag"); !offered {
		return notApplicable("include-tag is not offered")
	}
	objects, out := w.fetched("fetch with include-tag", w.path("owner"), version, []string{commit}, client.FetchOpts{Tags: true})
	if out.held() && !objects.Has(tag) {
		return violated("the tag %s of a commit that came was asked for along with it, and did not come", tag)
	}
	return out
}

// tellsUnborn judges what version 2 tells of the HEAD of a repository without branches, where it offers to tell that.
func (w *world) tellsUnborn() outcome {
	o := w.client.ListRefs(w.ctx, w.path("owner"), 2, nil)
	advert, is := o.(client.Advert)
	if !is {
		return unlessInconclusive("listing", o)
	}
	if value, _ := advert.Cap("ls-refs"); advert.Version != 2 || !strings.Contains(value, "unborn") {
		return notApplicable("unborn is not offered")
	}
	if !strings.HasPrefix(advert.Symrefs["HEAD"], "refs/heads/") {
		return violated("a listing that asks for the HEAD of an empty repository says that it names %q", advert.Symrefs["HEAD"])
	}
	return outcome{}
}
