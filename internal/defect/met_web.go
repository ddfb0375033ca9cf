package defect

import (
	"bytes"
	"net/http"
	"regexp"
	"strings"
	"sync"

	"github.com/graspkit/graspkit/reference/web"
)

// metWebDefects are mistakes of pages and answers that show when somebody comes back, or asks in another way.
func metWebDefects() []Defect {
	return []Defect{
		{Name: "unchanged-answers-without-cors", Sent: unchanged},
		{Name: "compressed-answers-without-cors", Sent: bare(func(r *http.Request, _ *Answer) bool {
			return strings.Contains(r.Header.Get("Accept-Encoding"), "gzip")
		})},
		{Name: "parts-without-cors", Sent: bare(func(r *http.Request, _ *Answer) bool { return r.Header.Get("Range") != "" })},
		{Name: "moves-without-cors", Sent: bare(func(_ *http.Request, a *Answer) bool { return a.Status/100 == 3 })},
		{Name: "options-without-questions-refused", Sent: func(r *http.Request, a *Answer) error {
			if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") == "" {
				a.Status = http.StatusMethodNotAllowed
			}
			return nil
		}},
		{Name: "options-of-plain-paths-only", Sent: func(r *http.Request, a *Answer) error {
			if r.Method == http.MethodOptions && strings.Contains(pathOf(r), "%") {
				a.Status = http.StatusNotFound
			}
			return nil
		}},
		pagesStay("pages-outlive-announcements"),
		absenceRemembered("absence-remembered"),
		{Name: "quotes-unescaped-in-links", Answer: onPages(strings.NewReplacer("%22", `"`, "%3D", "=", "&#34;", `"`).Replace)},
		{Name: "tags-unescaped-on-pages", Answer: onPages(strings.NewReplacer("&lt;", "<", "&gt;", ">", "&#34;", `"`).Replace)},
		{Name: "apostrophes-unescaped-in-links", Answer: onPages(func(page string) string {
			return links.ReplaceAllStringFunc(page, func(link string) string {
				return strings.NewReplacer(`"`, "'", "%27", "'", "%3D", "=", "&#39;", "'").Replace(link)
			})
		})},
		aliased("letters-composed", func(identifier string) string { return strings.ReplaceAll(identifier, "e\u0301", "\u00e9") }),
		aliased("blanks-trimmed", strings.TrimSpace),
	}
}

var links = regexp.MustCompile(`href="[^"]*"`)

// onPages changes pages.
func onPages(change func(string) string) func(web.Request, web.Route) web.Route {
	return func(_ web.Request, r web.Route) web.Route {
		if r.Kind == web.KindRespond && bytes.HasPrefix(r.Response.Body, []byte("<!DOCTYPE html>")) {
			r.Response.Body = []byte(change(string(r.Response.Body)))
		}
		return r
	}
}

// bare leaves the CORS headers of some answers out.
func bare(which func(*http.Request, *Answer) bool) func(*http.Request, *Answer) error {
	return func(r *http.Request, a *Answer) error {
		if which(r, a) {
			withoutCORS(a.Header)
		}
		return nil
	}
}

// unchanged marks pages and the document, and answers who has them already with a status and nothing else.
func unchanged(r *http.Request, a *Answer) error {
	const mark = `"1"`
	if r.Method != http.MethodGet || a.Status != http.StatusOK || strings.HasSuffix(pathOf(r), "/info/refs") {
		return nil
	}
	a.Header.Set("Etag", mark)
	if r.Header.Get("If-None-Match") == mark {
		a.Status, a.Body = http.StatusNotModified, nil
		withoutCORS(a.Header)
	}
	return nil
}

// pagesStay shows the page of a repository for ever.
func pagesStay(name string) Defect {
	var (
		mu    sync.Mutex
		pages = map[string][]byte{}
	)
	return Defect{Name: name, Sent: func(r *http.Request, a *Answer) error {
		path := pathOf(r)
		if r.Method != http.MethodGet || !strings.HasSuffix(path, ".git") {
			return nil
		}
		mu.Lock()
		defer mu.Unlock()
		switch page := pages[path]; {
		case a.Status == http.StatusOK:
			pages[path] = a.Body
		case page != nil:
			a.Status, a.Body = http.StatusOK, page
		}
		return nil
	}}
}

// absenceRemembered finds nothing any more where nothing was found once.
func absenceRemembered(name string) Defect {
	var (
		mu   sync.Mutex
		gone = map[string]bool{}
	)
	return Defect{Name: name, Sent: func(r *http.Request, a *Answer) error {
		parts := strings.SplitN(pathOf(r), "/", 4)
		if len(parts) < 3 || !strings.HasPrefix(parts[1], "npub1") || r.Method == http.MethodOptions {
			return nil
		}
		mu.Lock()
		defer mu.Unlock()
		if path := parts[1] + "/" + parts[2]; a.Status == http.StatusNotFound {
			gone[path] = true
		} else if gone[path] {
			a.Status, a.Body = http.StatusNotFound, []byte("not found\n")
		}
		return nil
	}}
}

// pathOf is the path of a request, as it is escaped on the request line.
func pathOf(r *http.Request) string {
	at := r.URL.RequestURI()
	if _, rest, whole := strings.Cut(at, "://"); whole {
		_, path, _ := strings.Cut(rest, "/")
		at = "/" + path
	}
	at, _, _ = strings.Cut(at, "?")
	return at
}
