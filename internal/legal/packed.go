package legal

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/reference/gitproto"
)

// packed are servers whose git says things that git may say and seldom does, or leaves out what it may.
func packed() []Server {
	return []Server{
		{
			Name: "fetches-without-side-bands", What: "speaks the first version of git's protocol alone, and sends packs bare",
			Near: []string{"G01-GIT-0", "G01-GIT-19", "G01-PUSH-19"},
			Owes: map[string]string{"G01-GIT-08": "browsers look for side bands"},
			habits: func() []habit {
				return []habit{
					plainVersion(), recapping("upload-pack", func(c string) bool {
						return strings.HasPrefix(c, "side-band") || c == "no-progress" || c == "ofs-delta" || c == "thin-pack"
					}),
				}
			},
		},
		{
			Name: "no-symref-in-the-first-version", What: "does not say in the first version of git's protocol which branch HEAD is",
			Near: []string{"G01-HEAD", "G01-GIT-0"},
			habits: func() []habit {
				return []habit{recapping("upload-pack", func(c string) bool { return strings.HasPrefix(c, "symref=") })}
			},
		},
		{
			Name: "shows-a-head-of-nothing", What: "says of an empty repository where its HEAD would be",
			Near: []string{"G01-PURG-06", "G01-GIT-15", "G01-HEAD"},
			habits: func() []habit {
				return []habit{advertised("upload-pack", headed)}
			},
		},
		{
			Name: "empty-repositories-say-nothing", What: "advertises an empty repository to who fetches without any line",
			Near: []string{"G01-PURG-06", "G01-GIT-15", "G01-GIT-04"},
			habits: func() []habit {
				return []habit{advertised("upload-pack", func(body []byte) []byte {
					if bytes.Contains(body, []byte("capabilities^{}")) {
						return []byte("001e# service=git-upload-pack\n00000000")
					}
					return body
				})}
			},
		},
		{
			Name: "second-version-with-a-service", What: "begins the advertisement of the second version with the service",
			Near: []string{"G01-GIT-03", "G01-GIT-01"},
			habits: func() []habit {
				return []habit{advertised("upload-pack", func(body []byte) []byte {
					if bytes.HasPrefix(body, []byte("000eversion 2")) {
						return append([]byte("001e# service=git-upload-pack\n0000"), body...)
					}
					return body
				})}
			},
		},
		{
			Name: "has-what-others-have", What: "tells who pushes what it has beside the refs of the repository",
			Near: []string{"G01-PUSH-0", "G01-PUSH-20", "G01-PR-0"},
			habits: func() []habit {
				return []habit{advertised("receive-pack", beside)}
			},
		},
		{
			Name: "refused-pushes-are-not-unpacked", What: "says of a push that it refuses that it was not unpacked",
			Near: []string{"G01-PUSH"},
			habits: func() []habit {
				return []habit{rewritten(refusedPush, func(_ *http.Response, body []byte) []byte {
					return remade(body, func(s *gitproto.Status) { s.Unpack = "refused before it was unpacked" })
				})}
			},
		},
		{
			Name: "reports-from-the-end", What: "reports the refs of a push from the last to the first",
			Near: []string{"G01-PUSH"},
			habits: func() []habit {
				isReport := func(req *http.Request, resp *http.Response) bool {
					return resp.StatusCode == http.StatusOK && strings.HasSuffix(target.RequestTarget(req), "/git-receive-pack")
				}
				return []habit{rewritten(isReport, func(_ *http.Response, body []byte) []byte {
					return remade(body, func(s *gitproto.Status) {
						for i, j := 0, len(s.Refs)-1; i < j; i, j = i+1, j-1 {
							s.Refs[i], s.Refs[j] = s.Refs[j], s.Refs[i]
						}
					})
				})}
			},
		},
		{
			Name: "heads-of-git-alone", What: "takes HEAD where git asks for refs, and answers 405 to it on pages",
			Near: []string{"G01-N11", "G01-CORS", "G01-GIT-12", "G01-WEB"},
			habits: answering(func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
				at, _, _ := strings.Cut(target.RequestTarget(req), "?")
				if req.Method == http.MethodHead && !strings.HasSuffix(at, "/info/refs") {
					return page{http.StatusMethodNotAllowed, ""}.to(req), nil
				}
				return next(req)
			}),
		},
		{
			Name: "document-of-few-words", What: "says in its document what it has to say and no more",
			Near: []string{"G01-N11", "N34-03", "N01-REQ"},
			habits: func() []habit {
				return []habit{rewritten(isDocument, shortened)}
			},
		},
		{Name: "at-a-name", What: "lives at a name, by TLS", at: "https://grasp.example.org"},
		{Name: "at-a-name-with-a-port-and-a-path", What: "lives below a path of two parts, at a port of a name", at: "https://grasp.example.org:8443/git/of-us"},
		{Name: "at-an-address-of-the-sixth-version", What: "lives at an address of IPv6", at: "http://[::1]:7334"},
	}
}

// advertised changes the advertisements of a service.
func advertised(service string, change func(body []byte) []byte) habit {
	isAdvert := func(_ *http.Request, resp *http.Response) bool {
		return resp.StatusCode == http.StatusOK && resp.Header.Get("Content-Type") == "application/x-git-"+service+"-advertisement"
	}
	return rewritten(isAdvert, func(_ *http.Response, body []byte) []byte { return change(body) })
}

// recapping leaves capabilities out of the advertisements of a service.
func recapping(service string, without func(capability string) bool) habit {
	return advertised(service, func(body []byte) []byte {
		return recapped(body, func(caps []string) []string {
			var kept []string
			for _, c := range caps {
				if !without(c) {
					kept = append(kept, c)
				}
			}
			return kept
		})
	})
}

// plainVersion answers by the first version of the protocol of git.
func plainVersion() habit {
	return habit{answer: func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
		plain := req.Clone(req.Context())
		plain.Header.Del("Git-Protocol")
		return next(plain)
	}}
}

// beside adds lines for objects that are there without a ref, as git does for those of a repository from which it borrows.
func beside(body []byte) []byte {
	var out bytes.Buffer
	rest, oid := body, ""
	for len(rest) >= 4 {
		size, data, ok := packet(rest)
		if !ok {
			return body
		}
		if name := bytes.Fields(data); len(name) > 1 && len(name[0]) == 40 && !bytes.HasPrefix(name[1], []byte("capabilities^{}")) {
			oid = string(name[0])
		}
		if data == nil && oid != "" {
			out.WriteString(pkt([]byte(oid + " .have\n")))
			oid = ""
		}
		out.Write(rest[:size])
		rest = rest[size:]
	}
	return append(out.Bytes(), rest...)
}

// remade changes the report of a push, on the side band or without one.
func remade(body []byte, change func(*gitproto.Status)) []byte {
	report, banded := body, false
	if len(body) > 4 && body[4] == 1 {
		banded = true
		var inner bytes.Buffer
		for rest := body; len(rest) >= 4; {
			size, data, ok := packet(rest)
			if !ok {
				return body
			}
			if len(data) > 0 && data[0] == 1 {
				inner.Write(data[1:])
			}
			rest = rest[size:]
		}
		report = inner.Bytes()
	}
	status, err := gitproto.ReadStatus(bytes.NewReader(report))
	if err != nil {
		return body
	}
	change(&status)
	var out bytes.Buffer
	if banded {
		err = status.WriteSideBand(&out)
	} else {
		err = status.Write(&out)
	}
	if err != nil {
		return body
	}
	return out.Bytes()
}

// shortened leaves in the document what GRASP-01 asks for, and the NIPs.
func shortened(_ *http.Response, body []byte) []byte {
	var document map[string]any
	if json.Unmarshal(body, &document) != nil {
		return body
	}
	kept := map[string]any{}
	for _, name := range []string{"supported_grasps", "supported_nips", "repo_acceptance_criteria", "curation"} {
		if value, has := document[name]; has {
			kept[name] = value
		}
	}
	short, err := json.Marshal(kept)
	if err != nil {
		return body
	}
	return short
}
