package relay

import "slices"

// KeysMax is how many public keys one connection may authenticate.
const KeysMax = 32

// Auth is an event by which a client authenticates (NIP-42). Its fields have the form that NIP-01 asks for; neither its
// kind nor its signature is checked.
type Auth Event

func (Auth) clientMessage() {}

// Challenge is what the server wants to find in the event that a client authenticates with (NIP-42).
type Challenge struct{ Text string }

func (Challenge) serverMessage() {}

// decodeAuth reads the rest of an AUTH message, which has the form of an EVENT.
func decodeAuth(c *cursor) ClientMessage {
	switch m := decodeEvent(c, "AUTH").(type) {
	case Event:
		return Auth(m)
	default:
		return m
	}
}

// Authenticate notes that the client has the secret of a public key. It reports false, and changes nothing, when KeysMax
// others have authenticated.
func (s *Session) Authenticate(pubkey string) bool {
	switch {
	case s.Authenticated(pubkey):
		return true
	case len(s.keys) >= KeysMax:
		return false
	}
	s.keys = append(s.keys, pubkey)
	return true
}

// Authenticated reports whether a public key has authenticated; with "", whether any has.
func (s *Session) Authenticated(pubkey string) bool {
	return slices.Contains(s.keys, pubkey) || pubkey == "" && len(s.keys) > 0
}
