package legal

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr/nip19"

	"github.com/graspkit/graspkit/conformance/target"
)

// A copyist shows the pull requests that repositories here have at the places of their signers, too (G06-MIR-02): a place that has nothing
// of its own is answered from the repository, with the refs of the signer's pull requests alone.
type copyist struct {
	of map[string][]string // by the path of a place: "ref path-of-repository"
}

func copies() []habit {
	c := &copyist{of: make(map[string][]string)}
	return []habit{{hears: c.hears, answer: c.answer}}
}

// hears learns which pull requests there may be, and where.
func (c *copyist) hears(_ time.Time, _ *line, msg []byte) ([][]byte, bool) {
	const pullRequest, update = 1618, 1619
	ev := read(msg).event
	if ev == nil || ev.Kind != pullRequest && ev.Kind != update {
		return nil, true
	}
	for _, tag := range ev.Tags {
		parts := strings.SplitN(strings.Join(tag[min(len(tag), 1):min(len(tag), 2)], ""), ":", 3)
		if len(tag) < 2 || tag[0] != "a" || len(parts) != 3 {
			continue
		}
		signer, err := nip19.EncodePublicKey(ev.PubKey)
		owner, also := nip19.EncodePublicKey(parts[1])
		if err == nil && also == nil {
			name := url.PathEscape(parts[2]) + ".git"
			at := "/prs/" + signer + "/" + name
			c.of[at] = append(c.of[at], "refs/nostr/"+ev.ID+" /"+owner+"/"+name)
		}
	}
	return nil, true
}

// answer asks the server inside for the place, and where that has no ref for the repository in its stead.
func (c *copyist) answer(f *front, req *http.Request, next exchange) (*http.Response, error) {
	at := target.RequestTarget(req)
	place, rest, _ := strings.Cut(at, ".git/")
	place += ".git"
	f.mu.Lock()
	known := slices.Clone(c.of[place])
	f.mu.Unlock()
	if len(known) == 0 || !strings.Contains(rest, "git-upload-pack") {
		return next(req)
	}
	sent, err := whole(req)
	if err != nil {
		return nil, err
	}
	resp, err := next(req)
	if err != nil {
		return nil, err
	}
	body, err := drain(resp)
	if err != nil {
		return nil, err
	}
	refill(resp, body)
	lists := bytes.Contains(sent, []byte("command=ls-refs")) || req.Method == http.MethodGet && req.Header.Get("Git-Protocol") == ""
	fetches := req.Method == http.MethodPost && !lists
	if resp.StatusCode != http.StatusOK || lists && bytes.Contains(body, []byte("refs/nostr/")) || !lists && !fetches || fetches && !bytes.Contains(body, []byte("ERR ")) {
		return resp, nil
	}
	_, repository, _ := strings.Cut(known[0], " ")
	again := req.Clone(req.Context())
	again.URL = below(req, repository+"/"+strings.SplitN(rest, "?", 2)[0])
	again.Body = io.NopCloser(bytes.NewReader(sent))
	other, err := next(again)
	if err != nil || other.StatusCode != http.StatusOK || fetches {
		return orPlace(resp, other, fetches), err
	}
	if body, err = drain(other); err != nil {
		return nil, err
	}
	var refs []string
	for _, k := range known {
		ref, _, _ := strings.Cut(k, " ")
		refs = append(refs, ref)
	}
	if shown := onlyRefs(body, refs); bytes.Contains(shown, []byte("refs/nostr/")) {
		refill(resp, shown)
	}
	return resp, nil
}

// orPlace is the answer of a repository to a fetch, or what the place has said where there is none.
func orPlace(place, other *http.Response, fetches bool) *http.Response {
	if other == nil || other.StatusCode != http.StatusOK || !fetches {
		return place
	}
	return other
}

// onlyRefs leaves out of a list of refs, in either version of the protocol, all but these. The capabilities stay with the first line.
func onlyRefs(body []byte, refs []string) []byte {
	var out bytes.Buffer
	caps := ""
	for len(body) >= 4 {
		n, err := strconv.ParseUint(string(body[:4]), 16, 16)
		if err != nil || int(n) > len(body) {
			break
		}
		if n < 4 {
			out.Write(body[:4])
			body = body[4:]
			continue
		}
		text := string(body[4:n])
		body = body[n:]
		line, after, first := strings.Cut(text, "\x00")
		if first {
			caps = strings.TrimSuffix(after, "\n")
			words := slices.DeleteFunc(strings.Fields(caps), func(w string) bool { return strings.HasPrefix(w, "symref=") })
			caps = strings.Join(words, " ")
		}
		line = strings.TrimSuffix(line, "\n")
		shown := slices.ContainsFunc(refs, func(ref string) bool { return strings.HasSuffix(line, " "+ref) })
		if !shown && !strings.HasPrefix(line, "# service=") {
			continue
		}
		if shown && caps != "" {
			line, caps = line+"\x00"+caps, ""
		}
		fmt.Fprintf(&out, "%04x%s\n", len(line)+5, line)
	}
	return out.Bytes()
}
