package legal

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// sharing are servers whose repositories have objects in common, as those of git with alternates: who pushes to one is told, in lines
// of git's own that are no refs, what the others have.
func sharing() []Server {
	return []Server{{
		Name: "objects-in-common", What: "keeps the objects of all repositories in one place, and tells who pushes to one what is at hand of the others",
		Near: []string{"G01-PUSH-04", "G01-PUSH-08", "G01-PUSH-20", "G01-PUSH-21", "G01-PUSH-25", "G01-PUSH-26", "G01-LAT-02", "SEC-10"},
		habits: func() []habit {
			var mu sync.Mutex
			var tips []string
			advertises := func(_ *http.Request, resp *http.Response) bool {
				return resp.StatusCode == http.StatusOK && resp.Header.Get("Content-Type") == "application/x-git-receive-pack-advertisement"
			}
			return []habit{rewritten(advertises, func(_ *http.Response, body []byte) []byte {
				mu.Lock()
				defer mu.Unlock()
				const most = 20
				at := tips[max(0, len(tips)-most):]
				for _, oid := range tipsIn(body) {
					if !slices.Contains(tips, oid) {
						tips = append(tips, oid)
					}
				}
				return having(body, slices.DeleteFunc(slices.Clone(at), func(oid string) bool { return bytes.Contains(body, []byte(oid)) }))
			})}
		},
	}}
}

// noRefs is what a repository without refs advertises in place of one.
const noRefs = " capabilities^{}\x00"

// tipsIn are the ids of the refs of an advertisement.
func tipsIn(body []byte) (oids []string) {
	for rest := body; len(rest) >= 4; {
		size, data, ok := packet(rest)
		if !ok {
			return oids
		}
		rest = rest[size:]
		if oid, name, is := strings.Cut(string(data), " "); is && len(oid) == 40 && strings.HasPrefix(name, "refs/") {
			oids = append(oids, oid)
		}
	}
	return oids
}

// having adds to an advertisement what there is besides: the first such line has the capabilities where no ref has them.
func having(body []byte, oids []string) []byte {
	end, found := bytes.CutSuffix(body, []byte("0000"))
	if !found || len(oids) == 0 {
		return body
	}
	out := bytes.Clone(end)
	if at := bytes.Index(end, []byte(noRefs)); at >= 44 {
		caps := end[at+len(noRefs):]
		out = append(out[:at-44], pkt([]byte(oids[0]+" .have\x00"+string(caps)))...)
		oids = oids[1:]
	}
	for _, oid := range oids {
		out = append(out, pkt([]byte(oid+" .have\n"))...)
	}
	return append(out, "0000"...)
}
