package legal

import (
	"bytes"
	"net/http"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/reference/gitproto"
)

// spelled are servers that say the same in other words, or in another form.
func spelled() []Server {
	older := "duplicate: a newer version of this event is kept"
	return []Server{
		{
			Name: "one-parameter", What: "knows no repository where the query has another parameter beside the service",
			Near: []string{"G01-GIT-01"},
			habits: answering(func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
				resp, err := next(req)
				if _, query, _ := strings.Cut(target.RequestTarget(req), "?"); err == nil && strings.Contains(query, "&") {
					resp.StatusCode, resp.Status = http.StatusNotFound, "404 Not Found"
					refill(resp, []byte("there is no such repository"))
				}
				return resp, err
			}),
		},
		{
			Name: "content-types-as-git-sends-them", What: "refuses fetches and pushes whose content type has a parameter",
			Near: []string{"G01-GIT-02", "G01-GIT-13"},
			habits: answering(func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
				resp, err := next(req)
				if err == nil && strings.Contains(req.Header.Get("Content-Type"), ";") {
					resp.StatusCode, resp.Status = http.StatusUnsupportedMediaType, "415 Unsupported Media Type"
					refill(resp, []byte("there is no such type"))
				}
				return resp, err
			}),
		},
		{
			Name: "older-versions-are-duplicates", What: "answers true to an older version of what it keeps, and keeps what it has",
			Near: []string{"N01-REP"},
			habits: saying(func(m message) (bool, string) {
				if m.text == older {
					return true, "duplicate: have a newer event"
				}
				return m.yes, m.text
			}),
		},
		{
			Name: "older-versions-are-invalid", What: "refuses an older version of what it keeps as invalid",
			Near: []string{"N01-REP"},
			habits: saying(func(m message) (bool, string) {
				if m.text == older {
					return false, "invalid: replaced by a newer event"
				}
				return m.yes, m.text
			}),
		},
		{
			Name: "reasons-unknown", What: "gives no reason but error: unknown for what it does not keep, and keeps no request to delete what is not of its author",
			Near: []string{"N01-REP", "N09-03", "G01-LAT-02"},
			habits: func() []habit {
				return append(saying(func(m message) (bool, string) {
					if m.text == older {
						return false, "error: unknown"
					}
					return m.yes, m.text
				})(), judging(func(_ time.Time, _ *line, ev *nostr.Event) string {
					for _, tag := range ev.Tags {
						if ev.Kind != nostr.KindDeletion || len(tag) == 0 || tag[0] != "a" {
							continue
						}
						if len(tag) == 1 {
							return "error: unknown"
						}
						if parts := strings.SplitN(tag[1], ":", 3); len(parts) < 3 || parts[1] != ev.PubKey {
							return "error: unknown"
						}
					}
					return ""
				}))
			},
		},
		{
			Name: "duplicates-without-a-word", What: "answers true and nothing else to what it has already",
			Near: []string{"N01-EV-03", "G01-PURG-19"},
			habits: saying(func(m message) (bool, string) {
				if m.yes && strings.HasPrefix(m.text, "duplicate:") {
					return true, ""
				}
				return m.yes, m.text
			}),
		},
		{
			Name: "refusals-are-blocked", What: "refuses all that is well-formed as blocked",
			Near: []string{"G01-REL", "G01-MNT"},
			habits: saying(func(m message) (bool, string) {
				prefix, text, _ := strings.Cut(m.text, ":")
				signed := !strings.Contains(text, "signature") && !strings.Contains(text, "hash")
				if !m.yes && signed && prefix != "auth-required" && m.text != older {
					return false, "blocked:" + text
				}
				return m.yes, m.text
			}),
		},
		{
			Name: "held-again-in-the-same-words", What: "answers what it holds already as it did at first",
			habits: saying(func(m message) (bool, string) {
				if m.text == "duplicate: in purgatory" {
					return true, "purgatory: won't be served until git data arrives"
				}
				return m.yes, m.text
			}),
		},
		{
			Name: "pull-requests-held-in-other-words", What: "names the commit that a held pull request waits for",
			habits: func() []habit {
				commits := map[string]string{}
				return []habit{{
					hears: func(_ time.Time, _ *line, msg []byte) ([][]byte, bool) {
						if m := read(msg); m.event != nil && (m.event.Kind == kindPullRequest || m.event.Kind == kindPullRequestUpdate) {
							if c := m.event.Tags.Find("c"); c != nil {
								commits[m.event.ID] = c[1]
							}
						}
						return nil, true
					},
					changes: func(msg []byte) []byte {
						m := read(msg)
						if c := commits[m.name]; m.verb == "OK" && c != "" && strings.HasPrefix(m.text, "purgatory:") {
							return write("OK", m.name, true, "purgatory: PR event stored, waiting for git push with commit "+c)
						}
						return msg
					},
				}}
			},
			Owes: map[string]string{"G01-PURG-03": "its words are not those of the text, which is a SHOULD (AMB-05)"},
		},
		{
			Name: "talkative", What: "greets with a NOTICE, and sends another before every OK",
			habits: func() []habit {
				return []habit{{
					says: func(now time.Time, l *line, msg []byte) (time.Duration, bool) {
						if strings.HasPrefix(string(msg), `["OK"`) || strings.HasPrefix(string(msg), `["AUTH"`) {
							l.queue = append(l.queue, delivery{now, write("NOTICE", "you are welcome")})
						}
						return 0, true
					},
				}}
			},
		},
		{
			Name: "refused-pushes-get-403", What: "answers 403 with the reason to a push that it refuses",
			Near: []string{"G01-PUSH-28"},
			habits: func() []habit {
				return []habit{rewritten(refusedPush, func(resp *http.Response, body []byte) []byte {
					resp.StatusCode, resp.Status = http.StatusForbidden, "403 Forbidden"
					resp.Header.Set("Content-Type", "text/plain; charset=utf-8")
					return []byte(reasonIn(body) + "\n")
				})}
			},
		},
		{
			Name: "refused-pushes-get-an-error-line", What: "answers a push that it refuses with one line that begins with ERR",
			Near: []string{"G01-PUSH-28", "G01-PUSH-20"},
			habits: func() []habit {
				return []habit{rewritten(refusedPush, func(_ *http.Response, body []byte) []byte {
					var out bytes.Buffer
					_ = gitproto.WriteError(&out, "authorisation failed: "+reasonIn(body)) // memory takes everything
					return out.Bytes()
				})}
			},
		},
	}
}

// saying changes the OK messages of a server.
func saying(change func(m message) (yes bool, text string)) func() []habit {
	return func() []habit {
		return []habit{{changes: func(msg []byte) []byte {
			if !bytes.HasPrefix(msg, []byte(`["OK"`)) {
				return msg
			}
			m := read(msg)
			if yes, text := change(m); yes != m.yes || text != m.text {
				return write("OK", m.name, yes, text)
			}
			return msg
		}}}
	}
}

// refusedPush tells the answers of pushes that were refused as a whole.
func refusedPush(req *http.Request, resp *http.Response) bool {
	if req.Method != http.MethodPost || resp.StatusCode != http.StatusOK ||
		resp.Header.Get("Content-Type") != "application/x-git-receive-pack-result" {
		return false
	}
	body, err := drain(resp)
	if err != nil {
		return false
	}
	refill(resp, body)
	return bytes.Contains(body, []byte("ng refs/")) && !bytes.Contains(body, []byte("ok refs/")) || bytes.Contains(body, []byte("ERR "))
}

// reasonIn finds why a push was refused.
func reasonIn(body []byte) string {
	text := string(body)
	for _, mark := range []string{"ERR ", "authorisation failed: ", "ng refs/"} {
		if _, after, found := strings.Cut(text, mark); found {
			reason, _, _ := strings.Cut(after, "\n")
			return reason
		}
	}
	return "refused"
}
