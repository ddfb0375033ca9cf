package defect

import (
	"errors"
	"net/http"
	"strings"

	"github.com/nbd-wtf/go-nostr/nip19"
)

var errCutOff = errors.New("cut off")

// sent makes a hook that changes HTTP answers.
func sent(change func(*http.Request, *Answer)) func(*http.Request, *Answer) error {
	return func(req *http.Request, r *Answer) error {
		change(req, r)
		return nil
	}
}

// misnamed makes a hook that changes the verb of messages of the relay.
func misnamed(verb, put string) func([]byte) []byte {
	return func(frame []byte) []byte {
		if rest, is := strings.CutPrefix(string(frame), `["`+verb+`"`); is {
			return []byte(`["` + put + `"` + rest)
		}
		return frame
	}
}

// npub writes a public key as the paths of repositories have it.
func npub(key string) string {
	text, err := nip19.EncodePublicKey(key)
	if err != nil {
		return key
	}
	return text
}

// coordinate takes the address of a replaceable event apart.
func coordinate(text string) (kind, owner, identifier string, ok bool) {
	kind, rest, first := strings.Cut(text, ":")
	owner, identifier, second := strings.Cut(rest, ":")
	return kind, owner, identifier, first && second
}
