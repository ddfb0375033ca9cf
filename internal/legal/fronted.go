package legal

import (
	"bytes"
	"fmt"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/graspkit/graspkit/conformance/target"
)

// fronted are servers whose HTTP differs.
func fronted() []Server {
	headers := func(change func(http.Header)) func() []habit {
		return answering(func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
			resp, err := next(req)
			if err == nil {
				change(resp.Header)
			}
			return resp, err
		})
	}
	return []Server{
		{
			Name: "behind-a-front-that-normalises-paths", What: "takes dot segments and double slashes out of a path before it looks at it",
			Near:   []string{"G01-GIT-16", "G01-GIT-11"},
			habits: func() []habit { return []habit{normalising()} },
		},
		{
			Name: "bad-paths-get-400", What: "answers 400 where others answer 404 to a path that names no repository",
			Near: []string{"G01-GIT-11", "G01-GIT-16"},
			habits: answering(func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
				at, _, _ := strings.Cut(target.RequestTarget(req), "?")
				if _, is := gitPlace(req); !is && strings.Contains(at, ".git") && req.Method != http.MethodOptions && !page404(at) {
					return page{http.StatusBadRequest, "no such path\n"}.to(req), nil
				}
				return next(req)
			}),
		},
		{
			Name: "page-made-by-a-script", What: "makes the links of its pages by a script",
			Near: []string{"G01-WEB-01"},
			habits: func() []habit {
				return []habit{rewritten(isPage, func(resp *http.Response, _ []byte) []byte {
					resp.Header.Del("Content-Security-Policy")
					return []byte("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>git over nostr</title>" +
						"<script type=\"module\" src=\"/assets/app.js\"></script></head><body><div id=\"app\"></div></body></html>\n")
				})}
			},
		},
		{
			Name: "links-made-by-a-script", What: "shows a repository on a page of its own, and makes the link to a client by a script of parts",
			Near: []string{"G01-WEB-01"},
			habits: func() []habit {
				return []habit{rewritten(isPage, func(resp *http.Response, body []byte) []byte {
					resp.Header.Del("Content-Security-Policy")
					text := pageLink.ReplaceAllString(string(body), `href="https://client.example"`)
					owner := ownerOnPage.FindString(text)
					return []byte(strings.Replace(text, "</body>", "<script>const at = location.host;\n"+
						"document.links[0].href = 'https://client.example/"+owner+"/' + at + '/repository';</script></body>", 1))
				})}
			},
		},
		{
			Name: "no-head-until-a-state-names-it", What: "advertises no HEAD until a state names one",
			Near:   []string{"G01-HEAD", "G01-GIT-19", "G01-GIT-04"},
			habits: func() []habit { return []habit{headless()} },
		},
		{
			Name: "cors-in-few-words", What: "allows by CORS what the text asks for and nothing else",
			Near:   []string{"G01-CORS"},
			habits: headers(func(h http.Header) { h.Set("Access-Control-Allow-Headers", "Content-Type") }),
		},
		{
			Name: "cors-in-many-words", What: "allows more by CORS, in lower case and without blanks",
			Near: []string{"G01-CORS"},
			habits: headers(func(h http.Header) {
				h.Set("Access-Control-Allow-Methods", "OPTIONS,HEAD,GET,POST")
				h.Set("Access-Control-Allow-Headers", "authorization,content-type,git-protocol,accept,x-git-request-id")
				h.Set("Access-Control-Expose-Headers", "*")
				h.Set("Access-Control-Max-Age", "86400")
				h.Set("Vary", "Origin")
			}),
		},
		{
			Name: "document-with-a-charset", What: "names the charset of its document",
			Near: []string{"G01-N11"},
			habits: headers(func(h http.Header) {
				if h.Get("Content-Type") == "application/nostr+json" {
					h.Set("Content-Type", "application/nostr+json; charset=utf-8")
				}
			}),
		},
		{
			Name: "below-a-path", What: "lives below a path of its host", base: "/grasp",
		},
	}
}

// page404 tells the paths that other rows want answered by 404.
func page404(at string) bool { return strings.HasPrefix(at, "/prs/") || strings.HasSuffix(at, ".git") }

// normalising takes dot segments and double slashes out of paths, as a proxy does (RFC 3986, 6.2.2).
func normalising() habit {
	return habit{answer: func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
		raw, _, _ := strings.Cut(target.RequestTarget(req), "?")
		unescaped := strings.NewReplacer("%2e", ".", "%2E", ".").Replace(raw)
		clean := path.Clean("/" + unescaped)
		if strings.HasSuffix(unescaped, "/") && clean != "/" {
			clean += "/"
		}
		if clean == raw || req.Method == http.MethodOptions {
			return next(req)
		}
		moved := req.Clone(req.Context())
		moved.URL = below(req, clean)
		return next(moved)
	}}
}

// headless leaves HEAD out of advertisements until a state of the repository's identifier has named one.
func headless() habit {
	named := map[string]bool{} // by identifier
	return habit{
		hears: func(_ time.Time, _ *line, msg []byte) ([][]byte, bool) {
			if m := read(msg); m.verb == "EVENT" && m.event != nil && m.event.Kind == kindState && m.event.Tags.Find("HEAD") != nil {
				named[m.event.Tags.GetD()] = true
			}
			return nil, true
		},
		answer: func(f *front, req *http.Request, next exchange) (*http.Response, error) {
			resp, err := next(req)
			if err != nil {
				return nil, err
			}
			where, is := gitPlace(req)
			f.mu.Lock()
			has := named[where.identifier]
			f.mu.Unlock()
			kind := resp.Header.Get("Content-Type")
			if !is || has || kind != "application/x-git-upload-pack-advertisement" && kind != "application/x-git-upload-pack-result" {
				return resp, nil
			}
			body, err := drain(resp)
			if err != nil {
				return nil, err
			}
			refill(resp, beheaded(body))
			return resp, nil
		},
	}
}

// beheaded takes HEAD out of an advertisement or a listing of refs; capabilities go to the next ref.
func beheaded(body []byte) []byte {
	var out bytes.Buffer
	var caps []byte
	rest := body
	for len(rest) >= 4 {
		size, data, ok := packet(rest)
		if !ok {
			return body
		}
		rest = rest[size:]
		text, told, _ := bytes.Cut(data, []byte{0})
		name := bytes.Fields(text)
		switch {
		case data == nil || len(name) < 2 || len(name[0]) != 40:
			out.Write(body[len(body)-len(rest)-size : len(body)-len(rest)])
			continue
		case string(name[1]) == "HEAD":
			caps = told
			continue
		}
		if caps != nil {
			told, caps = caps, nil
			fields := bytes.Fields(told)
			told = nil
			for _, f := range fields {
				if !bytes.HasPrefix(f, []byte("symref=HEAD:")) {
					told = append(append(told, ' '), f...)
				}
			}
			data = append(append(bytes.TrimSpace(bytes.Clone(text)), 0), append(told, '\n')...)
		}
		out.WriteString(pkt(data))
	}
	if caps != nil || len(rest) > 0 {
		return body
	}
	return out.Bytes()
}

// packet takes the first pkt-line; data is nil for those that carry none.
func packet(raw []byte) (size int, data []byte, ok bool) {
	n, err := strconv.ParseUint(string(raw[:4]), 16, 16)
	switch {
	case err != nil || int(n) > len(raw):
		return 0, nil, false
	case n < 4:
		return 4, nil, true
	}
	return int(n), raw[4:n], true
}

func pkt(data []byte) string { return fmt.Sprintf("%04x%s", len(data)+4, data) }

func isPage(_ *http.Request, resp *http.Response) bool {
	return strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") && resp.StatusCode == http.StatusOK
}

// What stands on a page: links to other places, and a public key.
var (
	pageLink    = regexp.MustCompile(`href="(?:https?|nostr):[^"]*"`)
	ownerOnPage = regexp.MustCompile(`npub1[0-9a-z]+`)
)
