package legal

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/target"
)

// returned are servers that know who comes back, and what has gone.
func returned() []Server {
	return []Server{
		{
			Name: "says-what-has-not-changed", What: "marks pages and its document, answers 304 to who has them already, and 206 to who asks for a part",
			Near:   []string{"G01-CORS-01", "G01-N11-0", "G01-WEB"},
			habits: answering(marked),
		},
		{
			Name: "gone-for-good", What: "answers 410 where a repository was whose announcement was deleted",
			Near:   []string{"G01-DEL", "G01-WEB-02", "N09-02", "N62-01", "G01-GIT-10"},
			habits: goneForGood,
		},
		{
			Name: "events-in-ascii", What: "writes events in an order of its own, and all beyond ASCII by number",
			Near:   []string{"N01-REQ-01", "N01-EV-01", "G01-ANN-20", "G01-ANN-11"},
			habits: func() []habit { return []habit{{changes: inASCII}} },
		},
		{
			Name: "deletes-what-it-knows", What: "refuses requests to delete of which nothing is here",
			Near:   []string{"N09", "G01-DEL"},
			habits: func() []habit { return []habit{deletesKnown()} },
		},
		{
			Name: "deletes-what-belongs-to-it", What: "serves what refers to a repository no more once its announcement was deleted",
			Near:   []string{"N09", "G01-DEL", "G01-REL-11"},
			habits: func() []habit { return []habit{deletesBelongings()} },
		},
	}
}

// marked answers by what a client says that it has.
func marked(_ *front, req *http.Request, next exchange) (*http.Response, error) {
	resp, err := next(req)
	at, _, _ := strings.Cut(target.RequestTarget(req), "?")
	if err != nil || req.Method != http.MethodGet || resp.StatusCode != http.StatusOK || strings.HasSuffix(at, "/info/refs") {
		return resp, err
	}
	body, err := drain(resp)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(body)
	mark := strconv.Quote(hex.EncodeToString(sum[:8]))
	resp.Header.Set("Etag", mark)
	has := req.Header.Get("If-None-Match")
	switch part := req.Header.Get("Range"); {
	case has == mark || has == "*":
		resp.StatusCode, body = http.StatusNotModified, nil
		resp.Header.Del("Content-Type")
	case part == "bytes=0-9" && len(body) > 10:
		resp.StatusCode = http.StatusPartialContent
		resp.Header.Set("Content-Range", fmt.Sprintf("bytes 0-9/%d", len(body)))
		body = body[:10]
	}
	resp.Status = fmt.Sprintf("%d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
	refill(resp, body)
	return resp, nil
}

// goneForGood says of a repository that has been there that it has gone.
func goneForGood() []habit {
	var mu sync.Mutex
	been := map[string]bool{}
	return []habit{{answer: func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
		resp, err := next(req)
		if err != nil {
			return nil, err
		}
		at, _, _ := strings.Cut(target.RequestTarget(req), "?")
		parts := strings.SplitN(at, "/", 4)
		if len(parts) < 3 || req.Method == http.MethodOptions {
			return resp, nil
		}
		mu.Lock()
		defer mu.Unlock()
		switch place := parts[1] + "/" + parts[2]; {
		case resp.StatusCode == http.StatusOK:
			been[place] = true
		case resp.StatusCode == http.StatusNotFound && been[place]:
			resp.StatusCode, resp.Status = http.StatusGone, "410 Gone"
		}
		return resp, nil
	}}}
}

// inASCII writes an event anew.
func inASCII(msg []byte) []byte {
	m := read(msg)
	if m.verb != "EVENT" || m.event == nil {
		return msg
	}
	ev := m.event
	field := func(v any) json.RawMessage { return json.RawMessage(write(v)[1 : len(write(v))-1]) }
	text := `["EVENT",` + string(field(m.name)) + `,{"tags":` + string(field(tagsOf(ev))) + `,"content":` + string(field(ev.Content)) +
		`,"sig":"` + ev.Sig + `","kind":` + strconv.Itoa(ev.Kind) + `,"created_at":` + strconv.FormatInt(int64(ev.CreatedAt), 10) +
		`,"pubkey":"` + ev.PubKey + `","id":"` + ev.ID + `"}]`
	var b strings.Builder
	for _, r := range text {
		switch {
		case r < 0x80:
			b.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		}
	}
	return []byte(b.String())
}

// tagsOf are the tags of an event, none as an empty list.
func tagsOf(ev *nostr.Event) nostr.Tags {
	if ev.Tags == nil {
		return nostr.Tags{}
	}
	return ev.Tags
}

// deletesKnown refuses requests that name nothing of their authors that has come here.
func deletesKnown() habit {
	known := map[string]bool{} // by author and id, or author and address
	return judging(func(_ time.Time, _ *line, ev *nostr.Event) string {
		if ev.Kind != kindDeletion {
			known[ev.PubKey+ev.ID] = true
			for _, d := range []string{ev.Tags.GetD(), ""} {
				known[ev.PubKey+fmt.Sprintf("%d:%s:%s", ev.Kind, ev.PubKey, d)] = true
			}
			return ""
		}
		for _, tag := range ev.Tags {
			if len(tag) > 1 && (tag[0] == "e" || tag[0] == "a") && known[ev.PubKey+tag[1]] {
				return ""
			}
		}
		return "blocked: nothing of yours that it names is here"
	})
}

// deletesBelongings sends nothing any more that refers to an announcement and is no younger than the request to delete it.
func deletesBelongings() habit {
	announced, gone := map[string]string{}, map[string]nostr.Timestamp{} // address by id; time of the request by address
	h := judging(func(_ time.Time, _ *line, ev *nostr.Event) string {
		own := fmt.Sprintf("%d:%s:%s", kindAnnouncement, ev.PubKey, ev.Tags.GetD())
		if ev.Kind == kindAnnouncement {
			announced[ev.ID] = own
		}
		if ev.Kind != kindDeletion {
			return ""
		}
		for _, tag := range ev.Tags {
			if len(tag) < 2 {
				continue
			}
			at := tag[1]
			if tag[0] == "e" {
				at = announced[tag[1]]
			}
			if strings.HasPrefix(at, fmt.Sprintf("%d:%s:", kindAnnouncement, ev.PubKey)) {
				gone[at] = max(gone[at], ev.CreatedAt)
			}
		}
		return ""
	})
	h.says = func(_ time.Time, _ *line, msg []byte) (time.Duration, bool) {
		m := read(msg)
		if m.verb != "EVENT" || m.event == nil || m.event.Kind == kindDeletion || m.event.Kind == kindAnnouncement {
			return 0, true
		}
		for _, tag := range m.event.Tags {
			if len(tag) > 1 && (tag[0] == "a" || tag[0] == "A") && m.event.CreatedAt <= gone[tag[1]] {
				return 0, false
			}
		}
		return 0, true
	}
	return h
}
