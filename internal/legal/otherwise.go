package legal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/web"
)

// otherwise are servers that say what all say in the form of other programs, or in very small portions.
func otherwise() []Server {
	return []Server{
		{
			Name: "authenticates-who-announces", What: "takes announcements and states of whoever has authenticated as their author, and says so",
			Near:   []string{"N42", "G01-ANN-0", "G01-PUSH-0", "N01-EV"},
			web:    func(c *web.Config) { c.Curation = "Who announces a repository authenticates." },
			filter: challengesAll,
			habits: func() []habit {
				h := authenticating()
				all := h.hears
				h.hears = func(now time.Time, l *line, msg []byte) ([][]byte, bool) {
					if m := read(msg); m.verb == "EVENT" && m.event != nil && m.event.Kind != kindAnnouncement && m.event.Kind != kindState {
						return nil, true
					}
					return all(now, l, msg)
				}
				return []habit{h}
			},
		},
		{
			Name: "hooks-decline", What: "says of every ref that it refuses that a hook has declined it, and why on the side band",
			Near: []string{"G01-PUSH-0", "G01-PUSH-28", "G01-PR-0"},
			habits: func() []habit {
				return []habit{rewritten(refusedPush, func(_ *http.Response, body []byte) []byte {
					reason := "no reason"
					declined := remade(body, func(s *gitproto.Status) {
						for i := range s.Refs {
							if !s.Refs[i].OK {
								reason, s.Refs[i].Reason = s.Refs[i].Reason, "pre-receive hook declined"
							}
						}
					})
					if len(declined) > 4 && declined[4] == 1 {
						return append([]byte(pkt([]byte("\x02error: "+reason+"\n"))), declined...)
					}
					return declined
				})}
			},
		},
		{
			Name: "side-bands-in-crumbs", What: "sends what git says on side bands in packets of 5 to 999 bytes",
			Near:   []string{"G01-GIT-0", "G01-GIT-19", "G01-PUSH-0", "G01-PUSH-2", "G01-CORS-01.pu"},
			habits: func() []habit { return []habit{rewritten(isGitResult, crumbled)} },
		},
		{
			Name: "ten-events-an-answer", What: "gives ten events for a query at most, and says so",
			Near:   []string{"N01-REQ", "N77", "G01-PURG-05", "G01-PURG-07.found", "G01-PURG-23"},
			habits: func() []habit { return []habit{limiting(map[string]int{"max_limit": 10}), atMost(10)} },
		},
		{
			Name: "git-without-a-name", What: "names neither its program nor the format of its objects",
			Near: []string{"G01-GIT-0", "G01-PUSH-0", "G01-PUSH-20"},
			Owes: map[string]string{"G01-GIT-08": "browsers look for the format of objects", "G01-GIT-03": "the second version names that format"},
			habits: func() []habit {
				nameless := func(c string) bool { return strings.HasPrefix(c, "agent=") || strings.HasPrefix(c, "object-format=") }
				return []habit{
					recapping("upload-pack", nameless), recapping("receive-pack", nameless),
					advertised("upload-pack", func(body []byte) []byte { return versionTwo(body, nameless, nil) }),
				}
			},
		},
		{
			Name: "offers-certificates", What: "offers certificates of pushes, and takes none",
			Near: []string{"G01-PUSH-18", "G01-PUSH-20", "SEC-10", "G01-PUSH-0"},
			habits: func() []habit {
				return []habit{advertised("receive-pack", func(body []byte) []byte {
					return recapped(body, func(caps []string) []string { return append(caps, "push-cert=1790000000-3b1f5ab0c2") })
				})}
			},
		},
		{
			Name: "second-version-with-more", What: "offers commands and features of the second version of git's protocol that came later, or never",
			Near: []string{"G01-GIT-03", "G01-GIT-02", "G01-GIT-05", "G01-HEAD-0"},
			habits: func() []habit {
				more := []string{"object-info", "bundle-uri", "server-option", "promisor-remote=name=a,url=https:%2f%2fexample.invalid", "x-forge=3"}
				return []habit{advertised("upload-pack", func(body []byte) []byte {
					return versionTwo(body, func(c string) bool { return strings.HasPrefix(c, "agent=") }, more)
				})}
			},
		},
		{
			Name: "refuses-at-length", What: "says in two thousand characters and several lines why it refuses something",
			Near: []string{"N01-EV-01", "G01-ANN-0", "N01-REQ-03", "N77-03"},
			habits: func() []habit {
				words := strings.Repeat("\n • see https://rules.example.invalid/§7 “of events” \U0001f6ab\t", 40)
				return []habit{{changes: func(msg []byte) []byte {
					m := read(msg)
					switch {
					case m.verb == "OK" && !m.yes:
						return write("OK", m.name, false, m.text+words)
					case m.verb == "CLOSED" || m.verb == "NEG-ERR" && len(m.parts) > 2:
						var text string
						if json.Unmarshal(m.parts[2], &text) == nil {
							return write(m.verb, m.name, text+words)
						}
					}
					return msg
				}}}
			},
		},
		{
			Name: "files-are-forbidden", What: "answers 403 to who asks for the files of a repository, as git without the first of its protocols",
			Near: []string{"G01-GIT-01", "G01-CORS-01", "G01-GIT-11", "G01-GIT-16"},
			habits: answering(func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
				at, _, _ := strings.Cut(target.RequestTarget(req), "?")
				_, file, inside := strings.Cut(at, ".git/")
				if inside && req.Method == http.MethodGet && (file == "HEAD" || strings.HasPrefix(file, "objects/") || file == "config" || file == "packed-refs") {
					return page{http.StatusForbidden, "Please upgrade your git client.\n"}.to(req), nil
				}
				return next(req)
			}),
		},
		{
			Name: "connections-of-twenty-seconds", What: "ends every connection after twenty seconds, with a NOTICE",
			habits: func() []habit {
				since := map[*line]time.Time{}
				return []habit{{
					dial: func(now time.Time, l *line) error { since[l] = now; return nil },
					left: func(l *line) { delete(since, l) },
					looks: func(now time.Time, l *line) {
						if at, open := since[l]; open && now.Sub(at) > 20*time.Second && !l.ended {
							l.queue = append(l.queue, delivery{now, write("NOTICE", "bye; connections last twenty seconds here")})
							l.hangUp()
						}
					},
				}}
			},
		},
		{
			Name: "dates-as-nip-11-says", What: "takes events of a year back and fifteen minutes ahead, with a hundred tags and messages of 16 KiB, and says so",
			Near: []string{"G01-LAT", "N01-REP", "G01-MNT-10", "G01-PUSH-24", "N34-03", "N09"},
			habits: func() []habit {
				return []habit{
					limiting(map[string]int{
						"created_at_lower_limit": 31536000, "created_at_upper_limit": 900, "max_event_tags": 100, "max_message_length": 16384,
						"max_content_length": 8196, "max_limit": 100, "max_subscriptions": 20, "max_filters": 10,
					}),
					datedWithin(365*24*time.Hour, 15*time.Minute), atMost(100), subscriptions(20), messagesOf(16384),
					judging(func(_ time.Time, _ *line, ev *nostr.Event) string {
						if len(ev.Tags) > 100 || len([]rune(ev.Content)) > 8196 {
							return "invalid: this is too much"
						}
						return ""
					}),
				}
			},
		},
	}
}

// crumbled cuts packets of the side bands into small ones: very small ones first.
func crumbled(_ *http.Response, body []byte) []byte {
	const first, most = 5, 999
	var out bytes.Buffer
	for rest := body; len(rest) >= 4; {
		size, data, ok := packet(rest)
		if !ok {
			return append(out.Bytes(), rest...)
		}
		if len(data) > 1 && data[0] >= 1 && data[0] <= 3 {
			for said := data[1:]; len(said) > 0; {
				n := first
				if out.Len() > 4*most {
					n = most
				}
				n = min(n, len(said))
				out.WriteString(pkt(append([]byte{data[0]}, said[:n]...)))
				said = said[n:]
			}
		} else {
			out.Write(rest[:size])
		}
		rest = rest[size:]
	}
	return out.Bytes()
}

// versionTwo leaves lines out of an advertisement of the second version, and puts others at its end.
func versionTwo(body []byte, without func(line string) bool, more []string) []byte {
	if !bytes.HasPrefix(body, []byte("000eversion 2")) {
		return body
	}
	var out bytes.Buffer
	for rest := body; len(rest) >= 4; {
		size, data, ok := packet(rest)
		if !ok {
			return body
		}
		if data == nil {
			for _, m := range more {
				out.WriteString(pkt([]byte(m + "\n")))
			}
			more = nil
		}
		if !without(string(data)) {
			out.Write(rest[:size])
		}
		rest = rest[size:]
	}
	return out.Bytes()
}

// messagesOf takes messages of so many bytes.
func messagesOf(most int) habit {
	return habit{hears: func(_ time.Time, _ *line, msg []byte) ([][]byte, bool) {
		if len(msg) <= most {
			return nil, true
		}
		words := fmt.Sprintf("invalid: the message is longer than %d bytes", most)
		if m := read(msg); m.event != nil {
			return refusal(m.event, words), false
		}
		return [][]byte{write("NOTICE", words)}, false
	}}
}
