package legal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/reference/gitproto"
)

// rerouted are servers behind proxies and caches, and with a git of another make.
func rerouted() []Server {
	return []Server{
		{
			Name: "fetches-from-a-replica", What: "lists refs to who fetches as they were up to a second and a half ago",
			Near:   []string{"G01-PUSH-0", "G01-HEAD", "G01-PURG-09", "G01-PUSH-25", "G01-XR"},
			Owes:   map[string]string{"G01-PURG-21": "events are served before their refs are listed to everybody, which is a SHOULD"},
			habits: func() []habit { return []habit{replicated(1500 * time.Millisecond)} },
		},
		{
			Name: "errors-in-json", What: "says what is wrong in JSON and by HTTP/1.0, with statuses without a phrase, and closes behind each answer",
			Near: []string{"G01-GIT-10", "G01-GIT-11", "G01-GIT-13", "G01-CORS"},
			habits: answering(func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
				resp, err := next(req)
				if err != nil {
					return nil, err
				}
				if resp.StatusCode >= http.StatusBadRequest && !strings.Contains(req.Header.Get("Accept"), "text/html") && req.Method != http.MethodHead {
					if _, err := drain(resp); err != nil {
						return nil, err
					}
					refill(resp, fmt.Appendf(nil, "{\"error\":%q,\"status\":%d}\n", http.StatusText(resp.StatusCode), resp.StatusCode))
					resp.Header.Set("Content-Type", "application/json; charset=utf-8")
				}
				resp.Status = fmt.Sprint(resp.StatusCode, " ")
				resp.Proto, resp.ProtoMinor, resp.Close, resp.ContentLength = "HTTP/1.0", 0, true, -1
				resp.Header.Del("Content-Length")
				resp.Header.Set("Expires", "Fri, 01 Jan 1980 00:00:00 GMT")
				resp.Header.Set("Pragma", "no-cache")
				resp.Header.Set("Cache-Control", "no-cache, max-age=0, must-revalidate")
				return resp, nil
			}),
		},
		{
			Name: "leads-to-the-ending", What: "leads from the path of a repository without its ending to that with it",
			Near: []string{"G01-GIT-11", "G01-WEB"},
			habits: answering(func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
				at, query, asked := strings.Cut(target.RequestTarget(req), "?")
				parts := strings.Split(at, "/")
				if req.Method != http.MethodGet || len(parts) < 3 || !strings.HasPrefix(parts[1], "npub1") || parts[2] == "" || strings.HasSuffix(parts[2], ".git") {
					return next(req)
				}
				parts[2] += ".git"
				return led(req, next, strings.Join(parts, "/"), query, asked)
			}),
		},
		{
			Name: "leads-to-one-spelling", What: "leads from other spellings of a path to the one in which everything is escaped that can be",
			Near: []string{"G01-GIT-17", "G01-GIT-16", "G01-ANN-11", "G01-ANN-12"},
			habits: answering(func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
				at, query, asked := strings.Cut(target.RequestTarget(req), "?")
				parts := strings.Split(at, "/")
				if req.Method != http.MethodGet || len(parts) < 3 || !strings.HasPrefix(parts[1], "npub1") {
					return next(req)
				}
				name, err := url.PathUnescape(parts[2])
				if err != nil {
					return next(req)
				}
				canonical := strings.ReplaceAll(url.QueryEscape(name), "+", "%20")
				if canonical == parts[2] || strings.ContainsAny(name, "/\\\x00") {
					return next(req)
				}
				parts[2] = canonical
				return led(req, next, strings.Join(parts, "/"), query, asked)
			}),
		},
		{
			Name: "git-of-a-forge", What: "lists refs from the last to the first, offers what is new, and reports in lines without an end",
			Near: []string{"G01-GIT-0", "G01-GIT-14", "G01-PUSH-0", "G01-PUSH-20", "G01-HEAD", "G01-PR-0"},
			habits: func() []habit {
				isReport := func(req *http.Request, resp *http.Response) bool {
					return resp.StatusCode == http.StatusOK && isPush(req)
				}
				return []habit{
					advertised("upload-pack", backwards), advertised("receive-pack", backwards),
					rewritten(isReport, func(_ *http.Response, body []byte) []byte { return withoutEnds(body) }),
				}
			},
		},
		{
			Name: "contributions-four-at-a-time", What: "has room in a repository for four refs that wait for their pull requests",
			Near:   []string{"G01-PR", "SEC-10", "G01-PUSH-25"},
			habits: func() []habit { return []habit{fewRefs(4)} },
		},
		{
			Name: "says-more-than-asked", What: "adds to its messages what nobody knows, answers each CLOSE, and repeats its challenge",
			Near: []string{"N01-REQ", "N01-EV", "N42", "N45", "N77"},
			habits: func() []habit {
				return []habit{{changes: func(msg []byte) []byte {
					m := read(msg)
					extra, _ := json.Marshal(map[string]any{"took": 3, "node": "a"})
					switch m.verb {
					case "OK", "EOSE", "CLOSED", "EVENT", "NOTICE":
						return write(append(anys(m.parts), json.RawMessage(extra))...)
					case "COUNT":
						var count map[string]any
						if len(m.parts) > 2 && json.Unmarshal(m.parts[2], &count) == nil {
							count["hll"], count["took"] = strings.Repeat("00", 256), 1.5
							return write("COUNT", m.name, count)
						}
					}
					return msg
				}}, answersCloses(), repeatsItself(20 * time.Second)}
			},
		},
		{
			Name: "twice-where-two-filters-match", What: "sends a stored event once for each filter of a query that it matches",
			Owes:   map[string]string{"N01-REQ-01": "an event comes twice in one answer, which is a SHOULD"},
			Near:   []string{"N01-REQ", "N01-EV-03", "N01-REP"},
			habits: func() []habit { return []habit{onceAFilter()} },
		},
		{
			Name: "closes-what-is-past", What: "closes a query whose filters are all about the past behind its end",
			Near:   []string{"N01-REQ", "G01-PURG-05"},
			habits: func() []habit { return []habit{closesPast()} },
		},
		{
			Name: "authenticates-who-reads", What: "answers queries of whoever has authenticated, as anybody, and says so",
			Near:   []string{"N42", "N01-REQ-01", "N45", "N77-01"},
			filter: challengesAll, habits: func() []habit { return []habit{authenticatingReaders(), requiringAuth()} },
		},
		{
			Name: "twenty-unless-asked", What: "gives twenty events for a query that asks for no number, five hundred at most, and says so",
			Near: []string{"N01-REQ-02", "N77-01", "G01-N11-08", "G01-PURG-05"},
			habits: func() []habit {
				return []habit{limiting(map[string]int{"max_limit": 500, "default_limit": 20, "max_subid_length": 64}), twentyUnlessAsked(20)}
			},
		},
		{
			Name: "names-of-twenty-characters", What: "takes subscriptions with names of twenty characters, and says so",
			Near: []string{"N01-REQ-03", "N01-REQ-01", "N77", "N45"},
			habits: func() []habit {
				return []habit{limiting(map[string]int{"max_subid_length": 20}), {hears: func(_ time.Time, _ *line, msg []byte) ([][]byte, bool) {
					m := read(msg)
					if slices.Contains([]string{"REQ", "COUNT", "NEG-OPEN"}, m.verb) && len(m.name) > 20 {
						return [][]byte{write("CLOSED", m.name, "invalid: the name of a subscription has twenty characters at most")}, false
					}
					return nil, true
				}}}
			},
		},
	}
}

func anys(parts []json.RawMessage) (all []any) {
	for _, p := range parts {
		all = append(all, p)
	}
	return all
}

// led leads to another path of the same place, if something is there.
func led(req *http.Request, next exchange, path, query string, asked bool) (*http.Response, error) {
	inside := req.Clone(req.Context())
	inside.URL = below(req, path)
	resp, err := next(inside)
	if err != nil || resp.StatusCode != http.StatusOK {
		return resp, err
	}
	if err := resp.Body.Close(); err != nil {
		return nil, fmt.Errorf("close page: %w", err)
	}
	moved := page{http.StatusMovedPermanently, ""}.to(req)
	if asked {
		path += "?" + query
	}
	moved.Header.Set("Location", path)
	return moved, nil
}

// replicated lists the refs of a repository to who fetches as they were when somebody asked last, unless that is long ago.
func replicated(lag time.Duration) habit {
	type kept struct {
		at     time.Time
		status int
		header http.Header
		body   []byte
	}
	by := map[string]kept{} // guarded by the front's lock
	return habit{answer: func(f *front, req *http.Request, next exchange) (*http.Response, error) {
		at := target.RequestTarget(req)
		if req.Method != http.MethodGet || !strings.HasSuffix(at, "/info/refs?service=git-upload-pack") {
			return next(req)
		}
		key := at + " " + req.Header.Get("Git-Protocol")
		f.mu.Lock()
		was, known := by[key]
		now := f.Now()
		f.mu.Unlock()
		if known && now.Sub(was.at) < lag {
			resp := page{status: was.status}.to(req)
			resp.Header = was.header.Clone()
			refill(resp, bytes.Clone(was.body))
			return resp, nil
		}
		resp, err := next(req)
		if err != nil || resp.StatusCode != http.StatusOK {
			return resp, err
		}
		body, err := drain(resp)
		if err != nil {
			return nil, err
		}
		f.mu.Lock()
		by[key] = kept{now, resp.StatusCode, resp.Header.Clone(), body}
		f.mu.Unlock()
		refill(resp, bytes.Clone(body))
		return resp, nil
	}}
}

// backwards lists the refs of an advertisement from the last to the first, each with what it is peeled to behind it.
func backwards(body []byte) []byte {
	var out bytes.Buffer
	var caps []byte
	var groups [][]byte
	rest := body
	flush := func() {
		slices.Reverse(groups)
		for i, g := range groups {
			if i == 0 {
				line, more, _ := bytes.Cut(g, []byte{'\n'})
				out.WriteString(pkt(slices.Concat(line, []byte{0}, caps, []byte(" object-info x-forge=2\n"))))
				g = more
			}
			for line := range bytes.Lines(g) {
				out.WriteString(pkt(line))
			}
		}
		groups = nil
	}
	for len(rest) >= 4 {
		size, data, ok := packet(rest)
		if !ok {
			return body
		}
		text, told, has := bytes.Cut(data, []byte{0})
		name := bytes.Fields(text)
		switch {
		case data == nil || len(name) < 2 || len(name[0]) != 40 || string(name[1]) == "capabilities^{}" || string(name[1]) == ".have":
			flush()
			out.Write(rest[:size])
		default:
			if has {
				caps = bytes.TrimSpace(told)
			}
			line := append(bytes.TrimSpace(bytes.Clone(text)), '\n')
			if bytes.HasSuffix(name[1], []byte("^{}")) && len(groups) > 0 {
				groups[len(groups)-1] = append(groups[len(groups)-1], line...)
			} else {
				groups = append(groups, line)
			}
		}
		rest = rest[size:]
	}
	return append(out.Bytes(), rest...)
}

// withoutEnds writes a report of a push anew, in lines that have no end.
func withoutEnds(body []byte) []byte {
	var status gitproto.Status
	seen := false
	remade(body, func(s *gitproto.Status) { status, seen = *s, true })
	if !seen {
		return body
	}
	var report bytes.Buffer
	report.WriteString(pkt([]byte("unpack " + status.Unpack)))
	for _, ref := range status.Refs {
		if ref.OK {
			report.WriteString(pkt([]byte("ok " + ref.Ref)))
		} else {
			report.WriteString(pkt([]byte("ng " + ref.Ref + " " + ref.Reason)))
		}
	}
	report.WriteString("0000")
	if len(body) > 4 && body[4] == 1 {
		return []byte(pkt(append([]byte{1}, report.Bytes()...)) + "0000")
	}
	return report.Bytes()
}

// answersCloses says CLOSED to each CLOSE of a subscription.
func answersCloses() habit {
	open := subscribed[bool]{}
	return habit{left: open.left, hears: func(now time.Time, l *line, msg []byte) ([][]byte, bool) {
		switch m := read(msg); m.verb {
		case "REQ":
			open.set(l, m.name, true)
		case "CLOSE":
			if open[l][m.name] {
				delete(open[l], m.name)
				l.queue = append(l.queue, delivery{now, write("CLOSED", m.name, "")})
			}
		}
		return nil, true
	}}
}

// repeatsItself sends the challenge of a connection again now and then.
func repeatsItself(each time.Duration) habit {
	challenge, last := map[*line][]byte{}, map[*line]time.Time{}
	return habit{
		left: func(l *line) { delete(challenge, l); delete(last, l) },
		says: func(now time.Time, l *line, msg []byte) (time.Duration, bool) {
			if read(msg).verb == "AUTH" {
				challenge[l], last[l] = msg, now
			}
			return 0, true
		},
		looks: func(now time.Time, l *line) {
			if c := challenge[l]; c != nil && now.Sub(last[l]) >= each {
				last[l] = now
				l.queue = append(l.queue, delivery{now, c})
			}
		},
	}
}
