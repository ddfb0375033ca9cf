package target

import (
	"net/http"
	"strings"
)

// RequestTarget returns the request target of req in origin form, the bytes between method and
// version on the request line: path and query, exactly as the client wants them.
//
// A path that must not be cleaned or escaped anew comes in URL.Opaque as "//host/raw/path" (or as
// "/raw/path"); the query, if any, is in URL.RawQuery. Every Target sends, or feeds to its server, what
// this function returns.
func RequestTarget(req *http.Request) string {
	raw, ok := strings.CutPrefix(req.URL.Opaque, "//")
	if !ok {
		return req.URL.RequestURI()
	}
	path := "/"
	if slash := strings.IndexByte(raw, '/'); slash >= 0 {
		path = raw[slash:]
	}
	if req.URL.RawQuery != "" || req.URL.ForceQuery {
		path += "?" + req.URL.RawQuery
	}
	return path
}
