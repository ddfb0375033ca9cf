package legal

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/conformance/target"
)

// literal are servers whose git takes its own protocol by the word, or leaves out what only spares work.
func literal() []Server {
	return []Server{
		{
			Name: "packs-hold-everything", What: "knows nothing of what a client has, and sends everything that belongs to what is asked for",
			Near: []string{"G01-GIT-02", "G01-GIT-05", "G01-GIT-09", "G01-PUSH-19"},
			habits: answering(func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
				if !strings.HasSuffix(target.RequestTarget(req), "/git-upload-pack") || req.Header.Get("Content-Encoding") != "" {
					return next(req)
				}
				body, err := whole(req)
				if err != nil {
					return nil, err
				}
				changed := req.Clone(req.Context())
				changed.Body, changed.ContentLength = io.NopCloser(bytes.NewReader(forgetful(body))), int64(len(body))
				return next(changed)
			}),
		},
		{
			Name: "two-object-formats", What: "offers both formats of objects to who may choose, and a name for the session",
			Near: []string{"G01-GIT-03", "G01-GIT-04", "G01-GIT-08", "G01-PUSH-20"},
			habits: func() []habit {
				both := func(body []byte) []byte {
					return recapped(body, func(caps []string) []string {
						return append(caps, "object-format=sha256", "session-id=2f61-7", "push-options", "allow-unknown")
					})
				}
				return []habit{advertised("upload-pack", both), advertised("receive-pack", both)}
			},
		},
		{
			Name: "unoffered-is-refused", What: "offers who pushes a report and deletions, and refuses whoever asks for what is not offered",
			Near: []string{"G01-PUSH-01", "G01-PUSH-20", "G01-PUSH-25", "G01-CORS-01", "G01-PURG-23"},
			habits: func() []habit {
				return []habit{
					advertised("receive-pack", func(body []byte) []byte {
						return recapped(body, func([]string) []string { return []string{"report-status", "delete-refs"} })
					}),
					strict("git-receive-pack", []string{"report-status", "delete-refs"}),
				}
			},
		},
		{
			Name: "refusals-are-fatal", What: "tells who pushes on the side band for errors that he is refused, and ends without a report",
			Near: []string{"G01-PUSH-0", "G01-PUSH-28", "G01-PR-02"},
			habits: func() []habit {
				return []habit{rewritten(refusedPush, func(_ *http.Response, body []byte) []byte {
					if len(body) < 5 || body[4] > 3 {
						return body
					}
					return []byte(pkt(append([]byte{3}, []byte("refused: "+reasonIn(body)+"\n")...)))
				})}
			},
		},
	}
}

// forgetful names in place of what a client has what nobody has.
func forgetful(body []byte) []byte {
	out := bytes.Clone(body)
	for at := 0; len(out)-at >= 4; {
		size, data, ok := packet(out[at:])
		if !ok {
			return body
		}
		if oid, is := bytes.CutPrefix(data, []byte("have ")); is && len(oid) >= 40 {
			slices.Reverse(out[at+9 : at+49])
		}
		at += size
	}
	return out
}

// strict refuses whoever asks a service in the first version of the protocol for something that it has not offered.
func strict(service string, offered []string) habit {
	return habit{answer: func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
		if req.Method != http.MethodPost || !strings.HasSuffix(target.RequestTarget(req), "/"+service) || req.Header.Get("Content-Encoding") != "" {
			return next(req)
		}
		body, err := whole(req)
		if err != nil {
			return nil, err
		}
		for at := 0; len(body)-at >= 4; {
			size, data, ok := packet(body[at:])
			if !ok || data == nil {
				break
			}
			_, caps, _ := bytes.Cut(data, []byte{0})
			for _, c := range strings.Fields(string(caps)) {
				if !slices.Contains(offered, c) {
					resp := page{http.StatusOK, ""}.to(req)
					resp.Header.Set("Content-Type", "application/x-"+service+"-result")
					refill(resp, []byte(pkt([]byte("ERR "+c+" was not offered\n"))))
					return resp, nil
				}
			}
			at += size
		}
		return next(req)
	}}
}
