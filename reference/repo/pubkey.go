// Package repo holds the repository words of the server as values: who owns what, what an announcement and a
// state event say, and who maintains what. It parses and compares; it decides nothing about acceptance, stores
// nothing and does no I/O.
package repo

import (
	"errors"

	"github.com/nbd-wtf/go-nostr/nip19"
)

// A PubKey is a public key as 64 lower-case hex digits (NIP-01). Other spellings are parsed at the edge and never
// passed inward.
type PubKey string

// ErrPubKey is returned when a text is not a public key in the form that was asked for.
var ErrPubKey = errors.New("repo: not a public key")

// ParsePubKey reads 64 lower-case hex digits.
func ParsePubKey(s string) (PubKey, error) {
	if len(s) != 64 || !isLowerHex(s) {
		return "", ErrPubKey
	}
	return PubKey(s), nil
}

// ParseNpub reads the bech32 form of NIP-19 with the prefix npub. Upper-case and mixed spellings are refused, so
// that one key has one path.
func ParseNpub(s string) (PubKey, error) {
	if len(s) != 63 || s[:5] != "npub1" {
		return "", ErrPubKey
	}
	for i := range len(s) {
		if s[i] >= 'A' && s[i] <= 'Z' {
			return "", ErrPubKey
		}
	}
	prefix, value, err := nip19.Decode(s)
	key, ok := value.(string)
	if err != nil || prefix != "npub" || !ok {
		return "", ErrPubKey
	}
	return ParsePubKey(key)
}

// Npub returns the bech32 form that URLs use. It panics if the key was not parsed.
func (k PubKey) Npub() string {
	npub, err := nip19.EncodePublicKey(string(k))
	if err != nil {
		panic("repo: invariant: public key " + string(k) + " was not parsed")
	}
	return npub
}

func isLowerHex(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
