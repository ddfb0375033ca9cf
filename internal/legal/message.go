package legal

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/nbd-wtf/go-nostr"
	"github.com/nbd-wtf/go-nostr/nip19"

	"github.com/graspkit/graspkit/conformance/target"
)

// A message is one relay message, as far as habits look at it. What is not there, or is not well-formed, is zero.
type message struct {
	verb  string
	name  string            // subscription, or id of the event of an OK
	yes   bool              // of an OK
	text  string            // of an OK, a NOTICE, a CLOSED
	event *nostr.Event      // of an EVENT
	parts []json.RawMessage // all elements
}

// read takes a message apart. A message that is no JSON array has no parts.
func read(raw []byte) message {
	var m message
	if json.Unmarshal(raw, &m.parts) != nil || len(m.parts) == 0 {
		return message{}
	}
	part := func(i int, to any) {
		if i < len(m.parts) {
			_ = json.Unmarshal(m.parts[i], to) // what is of another type stays zero
		}
	}
	part(0, &m.verb)
	switch m.verb {
	case "EVENT":
		at := 1
		if len(m.parts) > 2 {
			part(1, &m.name)
			at = 2
		}
		ev := new(nostr.Event)
		if at < len(m.parts) && json.Unmarshal(m.parts[at], ev) == nil {
			m.event = ev
		}
	case "OK":
		part(1, &m.name)
		part(2, &m.yes)
		part(3, &m.text)
	case "NOTICE":
		part(1, &m.text)
	default:
		part(1, &m.name)
		if m.verb == "CLOSED" {
			part(2, &m.text)
		}
	}
	return m
}

// write makes a message.
func write(parts ...any) []byte {
	raw, err := json.Marshal(parts)
	if err != nil {
		panic("legal: invariant: encode message: " + err.Error())
	}
	return raw
}

// refusal is the answer to an event that is not taken.
func refusal(ev *nostr.Event, text string) [][]byte { return [][]byte{write("OK", ev.ID, false, text)} }

// A place is a repository as a path names it.
type place struct{ owner, identifier string }

// placeOf is where an announcement or a state belongs.
func placeOf(ev *nostr.Event) place { return place{ev.PubKey, ev.Tags.GetD()} }

// gitPlace is the repository that a git request is for.
func gitPlace(req *http.Request) (place, bool) {
	path, _, _ := strings.Cut(target.RequestTarget(req), "?")
	for _, end := range []string{"/info/refs", "/git-upload-pack", "/git-receive-pack"} {
		rest, found := strings.CutSuffix(path, end)
		if !found {
			continue
		}
		owner, name, ok := strings.Cut(strings.TrimPrefix(rest, "/"), "/")
		name, git := strings.CutSuffix(name, ".git")
		identifier, err := url.PathUnescape(name)
		_, key, wrong := nip19.Decode(owner)
		if pubkey, is := key.(string); ok && git && err == nil && wrong == nil && is {
			return place{pubkey, identifier}, true
		}
	}
	return place{}, false
}

// The kinds of events that habits know.
const (
	kindDeletion          = 5
	kindPullRequest       = 1618
	kindPullRequestUpdate = 1619
	kindAnnouncement      = 30617
	kindState             = 30618
)
