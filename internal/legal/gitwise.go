package legal

import (
	"bytes"
	"net/http"
	"strings"
	"time"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/reference/gitproto"
)

// gitwise are servers whose git is another one, or is given out in portions.
func gitwise() []Server {
	advertising := func(change func(service string, caps []string) []string) func() []habit {
		return func() []habit {
			isAdvert := func(_ *http.Request, resp *http.Response) bool {
				kind := resp.Header.Get("Content-Type")
				return resp.StatusCode == http.StatusOK && strings.HasPrefix(kind, "application/x-git-") && strings.HasSuffix(kind, "-advertisement")
			}
			return []habit{rewritten(isAdvert, func(resp *http.Response, body []byte) []byte {
				service := strings.TrimSuffix(strings.TrimPrefix(resp.Header.Get("Content-Type"), "application/x-"), "-advertisement")
				return recapped(body, func(caps []string) []string { return change(service, caps) })
			})}
		}
	}
	return []Server{
		{
			Name: "first-protocol-only", What: "answers every client of git by the first version of the protocol",
			Near: []string{"G01-GIT-03", "G01-GIT-02", "G01-GIT-05", "G01-HEAD"},
			habits: answering(func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
				plain := req.Clone(req.Context())
				plain.Header.Del("Git-Protocol")
				return next(plain)
			}),
		},
		{
			Name: "pushes-with-few-capabilities", What: "offers who pushes a report and deletions, and nothing else",
			Near: []string{"G01-PUSH-20", "G01-PUSH-25", "G01-PUSH-28", "G01-PUSH-23"},
			habits: advertising(func(service string, caps []string) []string {
				if service != "git-receive-pack" {
					return caps
				}
				return []string{"report-status", "delete-refs", "object-format=sha1"}
			}),
		},
		{
			Name: "pushes-of-what-is-there-succeed", What: "answers a push of refs that are where it says already with success, whatever its states say",
			Near:   []string{"G01-PURG-17", "G01-PUSH-16"},
			habits: answering(thereAlready),
		},
		{
			Name: "objects-before-names", What: "takes the objects of a push before it looks at the names of its refs, and serves a state once its objects are here",
			Near:   []string{"SEC-04", "N34-ST-04"},
			habits: func() []habit { return []habit{objectsFirst()} },
		},
		{
			Name: "git-of-another-make", What: "names another agent, and offers what nobody knows",
			Near: []string{"G01-GIT-04", "G01-GIT-08", "G01-PUSH-01"},
			habits: advertising(func(_ string, caps []string) []string {
				kept := []string{"x-forge=1", "session-id=7f3a-1"}
				for _, c := range caps {
					if !strings.HasPrefix(c, "agent=") {
						kept = append(kept, c)
					}
				}
				return append(kept, "agent=forge/7.1-SNAPSHOT(linux)")
			}),
		},
		{
			Name: "fetches-with-few-capabilities",
			What: "speaks the first version of git's protocol alone, acknowledges one commit at a time, and knows no clone of a depth",
			Owes: map[string]string{"G01-GIT-08": "browsers look for depths, and for acknowledgements of several commits"},
			Near: []string{"G01-GIT-02", "G01-GIT-03", "G01-GIT-05", "G01-GIT-06", "G01-GIT-07", "G01-GIT-09", "G01-GIT-19", "G01-PUSH-19"},
			habits: func() []habit {
				return append(advertising(func(service string, caps []string) []string {
					if service != "git-upload-pack" {
						return caps
					}
					kept := []string{"side-band-64k", "allow-tip-sha1-in-want", "allow-reachable-sha1-in-want", "filter", "no-progress", "agent=plain"}
					for _, c := range caps {
						if strings.HasPrefix(c, "symref=") {
							kept = append(kept, c)
						}
					}
					return kept
				})(), answering(withoutDepths)()...)
			},
		},
		{
			Name: "a-push-every-two-seconds", What: "takes three pushes at once and one every two seconds, and answers 429 to more",
			Near: []string{"G01-PUSH-25", "G01-PUSH-26"},
			habits: func() []habit {
				return []habit{throttling(&bucket{size: 3, each: 2 * time.Second}, func(req *http.Request) bool {
					return req.Method == http.MethodPost && strings.HasSuffix(target.RequestTarget(req), "/git-receive-pack")
				})}
			},
		},
	}
}

// withoutDepths answers by the first version of the protocol, and fetches of a depth by an error.
func withoutDepths(_ *front, req *http.Request, next exchange) (*http.Response, error) {
	plain := req.Clone(req.Context())
	plain.Header.Del("Git-Protocol")
	if req.Method != http.MethodPost || !strings.HasSuffix(target.RequestTarget(req), "/git-upload-pack") {
		return next(plain)
	}
	body, err := whole(plain)
	if err != nil {
		return nil, err
	}
	resp, err := next(plain)
	if err != nil || !bytes.Contains(body, []byte("deepen")) && !bytes.Contains(body, []byte("shallow ")) || resp.StatusCode != http.StatusOK {
		return resp, err
	}
	if _, err := drain(resp); err != nil {
		return nil, err
	}
	refill(resp, []byte(pkt([]byte("ERR shallow clones are not known here\n"))))
	return resp, nil
}

// recapped changes the capabilities behind the first ref of an advertisement.
func recapped(body []byte, change func(caps []string) []string) []byte {
	var out bytes.Buffer
	rest, done := body, false
	for len(rest) >= 4 {
		size, data, ok := packet(rest)
		if !ok {
			return body
		}
		text, told, has := bytes.Cut(data, []byte{0})
		if data == nil || !has || done {
			out.Write(rest[:size])
		} else {
			done = true
			caps := change(strings.Fields(string(told)))
			out.WriteString(pkt(append(append(bytes.Clone(text), 0), []byte(strings.Join(caps, " ")+"\n")...)))
		}
		rest = rest[size:]
	}
	return append(out.Bytes(), rest...)
}

// thereAlready says of a push that is refused, and asks for nothing but what is there, that it is done.
func thereAlready(_ *front, req *http.Request, next exchange) (*http.Response, error) {
	body, err := whole(req)
	if err != nil {
		return nil, err
	}
	resp, err := next(req)
	if err != nil || !refusedPush(req, resp) {
		return resp, err
	}
	list, err := gitproto.ReadCommands(bytes.NewReader(body))
	if err != nil || len(list.Commands) == 0 {
		return resp, nil //nolint:nilerr // what it cannot read stays refused
	}
	look := req.Clone(req.Context())
	look.Method, look.Body, look.ContentLength = http.MethodGet, nil, 0
	look.URL.Opaque = strings.TrimSuffix(look.URL.Opaque, "git-receive-pack") + "info/refs"
	look.URL.RawQuery = "service=git-receive-pack"
	seen, err := next(look)
	if err != nil {
		return nil, err
	}
	advert, err := drain(seen)
	if err != nil {
		return nil, err
	}
	for _, c := range list.Commands {
		if c.Old != c.New || !bytes.Contains(advert, []byte(string(c.New)+" "+c.Ref)) {
			return resp, nil
		}
	}
	refused, err := drain(resp)
	if err != nil {
		return nil, err
	}
	for len(refused) > 4 && refused[4] == 2 { // why it is refused
		size, _, ok := packet(refused)
		if !ok {
			break
		}
		refused = refused[size:]
	}
	refill(resp, remade(refused, func(s *gitproto.Status) {
		for i := range s.Refs {
			s.Refs[i].OK, s.Refs[i].Reason = true, ""
		}
	}))
	return resp, nil
}
