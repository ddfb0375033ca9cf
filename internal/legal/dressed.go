package legal

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/graspkit/graspkit/conformance/target"
)

// dressed are servers whose HTTP is that of other programs, or of what stands before them.
func dressed() []Server {
	return []Server{
		{
			Name: "closes-after-each-answer", What: "answers in chunks, with headers of a proxy, and closes the connection behind each answer",
			Near: []string{"G01-CORS", "G01-GIT-12", "G01-GIT-20"},
			habits: answering(func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
				resp, err := next(req)
				if err != nil {
					return nil, err
				}
				resp.Header.Del("Content-Length")
				resp.ContentLength, resp.Close = -1, true
				for name, value := range map[string]string{
					"Connection": "close", "Server": "a front", "Date": "Thu, 01 Jan 2026 00:00:00 GMT", "Vary": "Origin, Accept",
					"Strict-Transport-Security": "max-age=31536000", "X-Request-Id": "f3a1",
				} {
					resp.Header.Set(name, value)
				}
				if resp.StatusCode != http.StatusNoContent {
					resp.TransferEncoding = []string{"chunked"}
				}
				return resp, nil
			}),
		},
		{
			Name: "pages-have-a-slash", What: "leads from a page to its address with a slash behind it",
			Near: []string{"G01-WEB", "G01-CORS-01", "G01-PURG-05.asked"},
			habits: answering(func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
				at, _, _ := strings.Cut(target.RequestTarget(req), "?")
				if req.Method != http.MethodGet || !strings.HasSuffix(strings.TrimSuffix(at, "/"), ".git") {
					return next(req)
				}
				inside := req.Clone(req.Context())
				inside.URL = below(req, strings.TrimSuffix(at, "/"))
				resp, err := next(inside)
				if err != nil || resp.StatusCode != http.StatusOK || strings.HasSuffix(at, "/") {
					return resp, err
				}
				if err := resp.Body.Close(); err != nil {
					return nil, fmt.Errorf("close page: %w", err)
				}
				moved := page{http.StatusMovedPermanently, ""}.to(req)
				moved.Header.Set("Location", at+"/")
				return moved, nil
			}),
		},
		{
			Name: "no-page-for-what-waits", What: "has no page for a repository until git data has come there",
			Near:   []string{"G01-WEB", "G01-PURG-05.asked"},
			habits: func() []habit { return []habit{pagesOfFilled()} },
		},
		{
			Name: "root-leads-elsewhere", What: "leads browsers from its root to a page of another host",
			Near: []string{"G01-WEB-04", "G01-N11", "G01-CORS-01"},
			habits: answering(func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
				at, _, _ := strings.Cut(target.RequestTarget(req), "?")
				if req.Method != http.MethodGet || at != "/" || req.Header.Get("Upgrade") != "" || strings.Contains(req.Header.Get("Accept"), "nostr+json") {
					return next(req)
				}
				moved := page{http.StatusFound, ""}.to(req)
				moved.Header.Set("Location", "https://about.example.invalid/grasp")
				return moved, nil
			}),
		},
		{
			Name: "busy-now-and-then", What: "answers 503 with Retry-After to every ninth request and handshake",
			habits: func() []habit {
				var mu sync.Mutex
				n := 0
				busy := func() bool {
					mu.Lock()
					defer mu.Unlock()
					n++
					return n%9 == 0
				}
				return []habit{{
					dial: func(time.Time, *line) error {
						if busy() {
							return turnedAway(http.StatusServiceUnavailable)
						}
						return nil
					},
					answer: func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
						if busy() {
							resp := page{http.StatusServiceUnavailable, "busy\n"}.to(req)
							resp.Header.Set("Retry-After", "1")
							return resp, nil
						}
						return next(req)
					},
				}}
			},
		},
		{
			Name: "statuses-of-another-make", What: "answers 404 to methods and 400 to content types that it does not know",
			Near: []string{"G01-GIT-13", "G01-GIT-11", "G01-PUSH-23", "SEC-07"},
			habits: answering(func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
				resp, err := next(req)
				if err != nil {
					return nil, err
				}
				switch resp.StatusCode {
				case http.StatusMethodNotAllowed:
					resp.StatusCode, resp.Status = http.StatusNotFound, "404 Not Found"
				case http.StatusUnsupportedMediaType:
					resp.StatusCode, resp.Status = http.StatusBadRequest, "400 Bad Request"
				}
				return resp, nil
			}),
		},
		{
			Name: "document-of-many-words", What: "says much more in its document, and calls it application/json",
			Near: []string{"G01-N11"},
			habits: func() []habit {
				return []habit{rewritten(isDocument, func(resp *http.Response, body []byte) []byte {
					var document map[string]any
					if json.Unmarshal(body, &document) != nil {
						return body
					}
					for name, value := range map[string]any{
						"banner": "https://relay.example.invalid/banner.png", "icon": "https://relay.example.invalid/icon.png",
						"privacy_policy": "https://relay.example.invalid/privacy", "relay_countries": []string{"*"}, "tags": []any{},
						"retention": []any{map[string]any{"kinds": []any{0, []int{5, 7}}, "time": nil}}, "fees": map[string]any{},
						"posting_policy": "", "self": strings.Repeat("a", 64), "supported_nip_extensions": []string{"11a"},
					} {
						document[name] = value
					}
					grasps, _ := document["supported_grasps"].([]any)
					nips, _ := document["supported_nips"].([]any)
					document["supported_grasps"], document["supported_nips"] = append(grasps, "GRASP-04", "GRASP-99"), append(nips, 2, 50, 66)
					changed, err := json.Marshal(document)
					if err != nil {
						return body
					}
					resp.Header.Set("Content-Type", "application/json")
					return changed
				})}
			},
		},
	}
}

// pagesOfFilled is a habit that finds no page for a repository which had no ref yet.
func pagesOfFilled() habit {
	var mu sync.Mutex
	filled := map[string]bool{}
	return habit{answer: func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
		resp, err := next(req)
		at, _, _ := strings.Cut(target.RequestTarget(req), "?")
		if err != nil || resp.StatusCode != http.StatusOK || req.Method != http.MethodGet || !strings.HasSuffix(at, ".git") {
			return resp, err
		}
		mu.Lock()
		defer mu.Unlock()
		if filled[at] {
			return resp, nil
		}
		inside := req.Clone(req.Context())
		inside.URL = below(req, at+"/info/refs")
		inside.URL.RawQuery = "service=git-upload-pack"
		listed, err := next(inside)
		if err != nil {
			return nil, err
		}
		body, err := drain(listed)
		if err != nil {
			return nil, err
		}
		if filled[at] = strings.Contains(string(body), " refs/"); filled[at] {
			return resp, nil
		}
		if err := resp.Body.Close(); err != nil {
			return nil, fmt.Errorf("close page: %w", err)
		}
		return page{http.StatusNotFound, "nothing here\n"}.to(req), nil
	}}
}
