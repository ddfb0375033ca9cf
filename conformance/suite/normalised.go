package suite

import (
	"bytes"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
)

// A server, or a proxy before it, may normalise a path before it looks at it (RFC 3986, 6.2.2), and take several slashes for
// one: who asks by the normalised path is shown the same. What only another path would show is still not theirs to see.

// normalised is a path, with its query, without dot segments, without escapes of what needs none, and with single slashes.
func normalised(target string) string {
	raw, query, asked := strings.Cut(target, "?")
	plain := unescapedUnreserved(raw)
	clean := path.Clean("/" + plain)
	if clean != "/" && (strings.HasSuffix(plain, "/") || strings.HasSuffix(plain, "/.") || strings.HasSuffix(plain, "/..")) {
		clean += "/"
	}
	if asked {
		clean += "?" + query
	}
	return clean
}

// unescapedUnreserved undoes the escapes of letters, digits and the four marks that mean the same without (RFC 3986, 2.3).
func unescapedUnreserved(raw string) string {
	var out strings.Builder
	for i := 0; i < len(raw); i++ {
		if raw[i] == '%' && i+2 < len(raw) {
			if c, err := url.PathUnescape(raw[i : i+3]); err == nil && isUnreserved(c[0]) {
				out.WriteByte(c[0])
				i += 2
				continue
			}
		}
		out.WriteByte(raw[i])
	}
	return out.String()
}

func isUnreserved(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

// asNormalised reports whether an answer to the last visit is what the normalised path gives to everybody: the same answer,
// or a redirect to that path.
func (w *world) asNormalised(answer client.HTTPAnswer) bool {
	plain := normalised(w.asked)
	if plain == w.asked {
		return false
	}
	if answer.Status >= http.StatusMultipleChoices && answer.Status < http.StatusBadRequest {
		to, below := w.client.PathOf(w.asked, answer.Header.Get("Location"))
		if !below || normalised(to) != plain {
			return false
		}
		w.note("%s is redirected to %s", w.asked, plain)
		return true
	}
	same, is := w.client.Get(w.ctx, plain, nil).(client.HTTPAnswer)
	if !is || same.Status != answer.Status || !bytes.Equal(same.Body, answer.Body) {
		return false
	}
	w.note("%s is taken for %s", w.asked, plain)
	return true
}

// hopsMax is how many redirects are followed.
const hopsMax = 3

// ledHome reports whether a request that names a repository in another way than is right is led to a place that is: to where the lighthouse
// has its address, or, behind a few redirects, to an error of the client's.
func (w *world) ledHome(answer client.HTTPAnswer) bool {
	at, home := w.asked, w.run.lighthouse.path()
	for range hopsMax {
		if answer.Status < http.StatusMultipleChoices || answer.Status >= http.StatusBadRequest {
			return at != w.asked && isClientError(answer)
		}
		to, below := w.client.PathOf(at, answer.Header.Get("Location"))
		if !below || to == at {
			return false
		}
		if rest, is := strings.CutPrefix(to, home); is && (rest == "" || rest[0] == '/' || rest[0] == '?') {
			w.note("%s is redirected to %s", w.asked, to)
			return true
		}
		next, is := w.client.Get(w.ctx, to, nil).(client.HTTPAnswer)
		if !is {
			return false
		}
		at, answer = to, next
	}
	return false
}
