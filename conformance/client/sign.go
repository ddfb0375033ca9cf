package client

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/nbd-wtf/go-nostr"
)

// A signer is what signs for a key: its public key, and the one of its two secrets whose point has an even y. BIP-340 signs
// with that one, and finding out which it is costs as much as a signature. Here it is done once for a key, not for each event.
type signer struct {
	secret, public [sha256.Size]byte
}

// errNoKey is of 32 bytes that are no secret key.
var errNoKey = errors.New("secret key is zero, or not below the order of the curve")

// signerOf returns the signer of a secret, and its public key in hexadecimal digits.
func signerOf(secret []byte) (s signer, pubkey string, err error) {
	var private btcec.PrivateKey
	if private.Key.SetByteSlice(secret) || private.Key.IsZero() {
		return signer{}, "", errNoKey
	}
	public := private.PubKey()
	if public.Y().Bit(0) == 1 {
		private.Key.Negate()
	}
	private.Key.PutBytes(&s.secret)
	copy(s.public[:], schnorr.SerializePubKey(public))
	return s, hex.EncodeToString(s.public[:]), nil
}

// sign gives an event its author, its id and its signature (NIP-01).
func (k Key) sign(ev *nostr.Event) {
	ev.PubKey = k.Pubkey
	id := sha256.Sum256(ev.Serialize())
	ev.ID, ev.Sig = hex.EncodeToString(id[:]), hex.EncodeToString(k.signer.sign(id))
}

// Written is the text of an event of which kind, tags, content and date are written as they are given, whatever they are: id and
// signature are those of that very text.
func (k Key) Written(date, kind, tags, content string) string {
	return k.WrittenBy(`"`+k.Pubkey+`"`, date, kind, tags, content)
}

// WrittenBy is such a text whose author is written in another way, too.
func (k Key) WrittenBy(author, date, kind, tags, content string) string {
	id := sha256.Sum256([]byte("[0," + author + "," + date + "," + kind + "," + tags + "," + content + "]"))
	return `{"id":"` + hex.EncodeToString(id[:]) + `","pubkey":` + author + `,"created_at":` + date + `,"kind":` + kind +
		`,"tags":` + tags + `,"content":` + content + `,"sig":"` + hex.EncodeToString(k.signer.sign(id)) + `"}`
}

// What BIP-340 hashes before a challenge, and schnorr.Sign before a nonce.
var (
	challengeTag = sha256.Sum256([]byte("BIP0340/challenge"))
	nonceTag     = sha256.Sum256([]byte("BIP-340"))
)

// sign returns the signature of BIP-340 over 32 bytes, with a nonce by RFC 6979: the very bytes that schnorr.Sign returns.
func (s signer) sign(message [sha256.Size]byte) []byte {
	nonce := btcec.NonceRFC6979(s.secret[:], message[:], nonceTag[:], nil, 0)
	var point btcec.JacobianPoint
	btcec.ScalarBaseMultNonConst(nonce, &point)
	point.ToAffine()
	if point.Y.IsOdd() {
		nonce.Negate()
	}
	hash := sha256.New()
	for _, part := range [][sha256.Size]byte{challengeTag, challengeTag, *point.X.Bytes(), s.public, message} {
		hash.Write(part[:])
	}
	var challenge, secret btcec.ModNScalar
	challenge.SetByteSlice(hash.Sum(nil))
	secret.SetBytes(&s.secret)
	return schnorr.NewSignature(&point.X, challenge.Mul(&secret).Add(nonce)).Serialize()
}
