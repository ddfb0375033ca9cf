// Package servicekey holds the secret key by which a server shows other services who it is: at their relays (NIP-42) and to their
// git endpoints (NIP-98). It signs nothing else, decides about nobody, and tells its secret to nobody, logs included.
package servicekey

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/nbd-wtf/go-nostr"
	"github.com/nbd-wtf/go-nostr/nip19"

	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// ErrKey is returned when a text is no secret key. It never says what the text is.
var ErrKey = errors.New("servicekey: want a secret key, as nsec1... or as 64 hex digits")

// A Key is a secret key and the public one that goes with it. It is safe for use by many goroutines.
type Key struct {
	secret string
	public repo.PubKey
}

// Parse reads a secret key as nsec or in hex, with blank space around it.
func Parse(text string) (*Key, error) {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "nsec1") {
		prefix, value, err := nip19.Decode(text)
		secret, is := value.(string)
		if err != nil || prefix != "nsec" || !is {
			return nil, ErrKey
		}
		text = secret
	}
	if _, err := repo.ParsePubKey(text); err != nil { // the form is the same
		return nil, ErrKey
	}
	number, err := hex.DecodeString(text)
	var scalar btcec.ModNScalar
	if err != nil || scalar.SetByteSlice(number) || scalar.IsZero() { // not each number is a key
		return nil, ErrKey
	}
	public, err := nostr.GetPublicKey(text)
	if err != nil {
		return nil, ErrKey
	}
	return &Key{secret: text, public: repo.PubKey(public)}, nil
}

// Public is the public key.
func (k *Key) Public() repo.PubKey { return k.public }

// String is the public key, for people.
func (k *Key) String() string { return k.public.Npub() }

// GoString keeps the secret out of what is printed for those who look for mistakes.
func (k *Key) GoString() string { return "servicekey.Key(" + k.String() + ")" }

// Answer is the event by which the server authenticates to a relay that it is connected to, in answer to its challenge (NIP-42).
func (k *Key) Answer(relayURL, challenge string, now time.Time) (*nostr.Event, error) {
	ev := &nostr.Event{
		Kind: policy.KindAuthentication, CreatedAt: nostr.Timestamp(now.Unix()), Tags: nostr.Tags{{"relay", relayURL}, {"challenge", challenge}},
	}
	return ev, k.sign(ev)
}

// Authorization is the header of a request for a repository at another service, given its URL (NIP-98, as G08-05 has it).
func (k *Key) Authorization(repositoryURL string, now time.Time) (string, error) {
	ev := &nostr.Event{
		Kind: policy.KindHTTPAuthentication, CreatedAt: nostr.Timestamp(now.Unix()),
		Tags: nostr.Tags{{"u", strings.TrimSuffix(repositoryURL, "/")}, {"method", "GET"}},
	}
	if err := k.sign(ev); err != nil {
		return "", err
	}
	return "Nostr " + base64.StdEncoding.EncodeToString(relay.AppendEvent(nil, ev)), nil
}

func (k *Key) sign(ev *nostr.Event) error {
	if err := ev.Sign(k.secret); err != nil {
		return fmt.Errorf("servicekey: sign an event of kind %d: %w", ev.Kind, err)
	}
	return nil
}
