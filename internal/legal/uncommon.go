package legal

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/web"
)

// uncommon are servers that make use of what the texts allow and few servers do.
func uncommon() []Server {
	return []Server{
		{
			Name: "talks-on-the-side-band", What: "tells on the side band of git how far it is, and keeps the connection alive by empty packets",
			Near:   []string{"G01-GIT-02", "G01-GIT-05", "G01-GIT-19", "G01-PUSH-20", "G01-PUSH-25", "G01-PUSH-28"},
			habits: func() []habit { return []habit{rewritten(isGitResult, chatty)} },
		},
		{
			Name: "updates-after-their-pull-requests", What: "takes the update of a pull request once it has the pull request, and none of nothing",
			Near:   []string{"G01-PR", "G01-REL", "G01-PURG"},
			Owes:   map[string]string{"G01-PURG-03": "an update of a pull request that is not here is to wait for its commit, which is a SHOULD"},
			habits: func() []habit { return []habit{knownPullRequests()} },
		},
		{
			Name: "lists-what-nobody-judges", What: "lists further GRASPs, and one that nobody has written yet",
			Near: []string{"G01-N11", "G06-ADV", "G02-ADV"},
			Owes: map[string]string{"G03-06": "it lists GRASP-03, and does nothing of it"},
			web:  func(c *web.Config) { c.Grasps = append(c.Grasps, "GRASP-03", "GRASP-99") },
		},
		{
			Name: "counts-are-approximate", What: "counts by threes, and says of every count that it may be wrong",
			Near: []string{"N45", "N01-CNT", "G01-PURG-05"},
			habits: func() []habit {
				return []habit{{changes: func(msg []byte) []byte {
					m := read(msg)
					if m.verb != "COUNT" || len(m.parts) < 3 {
						return msg
					}
					count := map[string]any{}
					if json.Unmarshal(m.parts[2], &count) != nil {
						return msg
					}
					if n, is := count["count"].(float64); is {
						count["count"] = int(n) / 3 * 3
					}
					count["approximate"] = true
					return write("COUNT", m.name, count)
				}}}
			},
		},
		{
			Name: "bombs-get-500", What: "answers 500 to a body that unpacks to more than it takes, and goes on",
			Near:   []string{"SEC-07", "G01-PUSH-24", "G01-PUSH-28"},
			habits: func() []habit { return []habit{unpacksAtMost(16<<20, http.StatusInternalServerError)} },
		},
		{
			Name: "bombs-get-413", What: "answers 413 to a body that unpacks to more than it takes, and goes on",
			Near:   []string{"SEC-07", "G01-PUSH-24", "G01-PUSH-28"},
			habits: func() []habit { return []habit{unpacksAtMost(16<<20, http.StatusRequestEntityTooLarge)} },
		},
		{
			Name: "closes-what-is-complete", What: "closes a query by ids once it has sent all of them, for nothing more can come",
			Near:   []string{"N01-REQ", "N01-EV", "G01-PURG-05"},
			habits: func() []habit { return []habit{closesComplete()} },
		},
	}
}

func isGitResult(_ *http.Request, resp *http.Response) bool {
	kind := resp.Header.Get("Content-Type")
	return resp.StatusCode == http.StatusOK && strings.HasPrefix(kind, "application/x-git-") && strings.HasSuffix(kind, "-result")
}

// chatty puts progress and an empty packet before each packet of the first band.
func chatty(_ *http.Response, body []byte) []byte {
	var out bytes.Buffer
	for rest := body; len(rest) >= 4; {
		size, data, ok := packet(rest)
		if !ok {
			return append(out.Bytes(), rest...)
		}
		if len(data) > 0 && data[0] == 1 {
			out.WriteString(pkt([]byte("\x02Working: 50% (1/2)\rWorking: 100% (2/2), done.\n")))
			out.WriteString(pkt([]byte{1}))
		}
		out.Write(rest[:size])
		rest = rest[size:]
	}
	return out.Bytes()
}

// knownPullRequests refuses updates of pull requests that nobody has published here.
func knownPullRequests() habit {
	known := map[string]bool{}
	h := judging(func(_ time.Time, _ *line, ev *nostr.Event) string {
		if root := ev.Tags.Find("E"); ev.Kind == kindPullRequestUpdate && (len(root) < 2 || !known[root[1]]) {
			return "invalid: the pull request is not here"
		}
		return ""
	})
	asked := map[string]bool{} // pull requests that the server inside has not answered yet
	judge := h.hears
	h.hears = func(now time.Time, l *line, msg []byte) ([][]byte, bool) {
		if m := read(msg); m.verb == "EVENT" && m.event != nil && m.event.Kind == kindPullRequest {
			asked[m.event.ID] = true
		}
		return judge(now, l, msg)
	}
	h.says = func(_ time.Time, _ *line, msg []byte) (time.Duration, bool) {
		if m := read(msg); m.verb == "OK" && asked[m.name] {
			delete(asked, m.name)
			known[m.name] = known[m.name] || m.yes
		}
		return 0, true
	}
	return h
}

// unpacksAtMost answers by a status to a compressed body that unpacks to more than so many bytes.
func unpacksAtMost(limit int64, status int) habit {
	return habit{answer: func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
		if req.Header.Get("Content-Encoding") != "gzip" {
			return next(req)
		}
		body, err := whole(req)
		if err != nil {
			return nil, err
		}
		z, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return next(req)
		}
		if n, _ := io.Copy(io.Discard, io.LimitReader(z, limit+1)); n > limit { // what is broken is for the server inside
			return page{status, "the body unpacks to too much\n"}.to(req), nil
		}
		return next(req)
	}}
}

// closesComplete closes a query that asks for some ids and nothing else as soon as all of them were sent.
func closesComplete() habit {
	missing := map[*line]map[string]int{} // ids that did not come yet, by subscription
	return habit{
		left: func(l *line) { delete(missing, l) },
		hears: func(_ time.Time, l *line, msg []byte) ([][]byte, bool) {
			m := read(msg)
			if m.verb == "CLOSE" || m.verb == "REQ" {
				delete(missing[l], m.name)
			}
			var filter struct {
				IDs []string `json:"ids"`
			}
			if m.verb == "REQ" && len(m.parts) == 3 && json.Unmarshal(m.parts[2], &filter) == nil && len(filter.IDs) > 0 {
				if missing[l] == nil {
					missing[l] = map[string]int{}
				}
				missing[l][m.name] = len(filter.IDs)
			}
			return nil, true
		},
		says: func(now time.Time, l *line, msg []byte) (time.Duration, bool) {
			m := read(msg)
			left, asked := missing[l][m.name]
			switch {
			case asked && m.verb == "EVENT":
				missing[l][m.name] = left - 1
			case asked && m.verb == "EOSE" && left <= 0:
				delete(missing[l], m.name)
				l.queue = append(l.queue, delivery{now.Add(time.Millisecond), write("CLOSED", m.name, "")})
			}
			return 0, true
		},
	}
}
