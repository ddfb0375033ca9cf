package relay

import (
	"crypto/sha256"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/nbd-wtf/go-nostr"
)

// An Author checks the signatures of one key in half the time that Verify takes, because what depends on the key alone is worked
// out before: most of a check is to multiply the point of the key. It holds 5 KiB and takes as long as one check to make, so it
// is for keys that have signed before. It never changes and may be used from several goroutines at once.
//
// The multiples are a comb (Lim and Lee, 1994). The bits of a factor are written in rows of combColumns, the lowest row first;
// comb has for each column that there can be the sum of the points of its rows, so that a factor is worth one doubling and one
// addition a column, where bit by bit it would be combRows of both. Points are added and doubled by the library alone.
type Author struct {
	key  [32]byte
	comb [1 << combRows]affine // by column, the lowest row in the lowest bit; that of the empty column stays unused
}

const (
	combRows    = 6
	combColumns = 43 // so that the rows hold the 256 bits of a factor
)

// An affine is a point with a Z of one.
type affine struct{ x, y btcec.FieldVal }

func (p *affine) jacobian() btcec.JacobianPoint {
	q := btcec.JacobianPoint{X: p.x, Y: p.y}
	q.Z.SetInt(1)
	return q
}

// NewAuthor returns the author of a key in hex, or false if it is no key.
func NewAuthor(pubkey string) (*Author, bool) {
	a := &Author{}
	if !unhex(a.key[:], pubkey) {
		return nil, false
	}
	key, err := schnorr.ParsePubKey(a.key[:])
	if err != nil {
		return nil, false
	}
	var sums [1 << combRows]btcec.JacobianPoint
	var row btcec.JacobianPoint
	key.AsJacobian(&row)
	for bit := 1; bit < len(sums); bit *= 2 {
		sums[bit] = row
		for rest := 1; rest < bit; rest++ {
			btcec.AddNonConst(&sums[bit], &sums[rest], &sums[bit+rest])
		}
		for range combColumns {
			next := row
			btcec.DoubleNonConst(&next, &row)
		}
	}
	a.fill(&sums)
	return a, true
}

// fill takes the sums over with a Z of one. To invert the product of all Z and to take it apart is as good as to invert each.
func (a *Author) fill(sums *[1 << combRows]btcec.JacobianPoint) {
	var before [1 << combRows]btcec.FieldVal // the product of all Z before this one
	var inverse btcec.FieldVal
	inverse.SetInt(1)
	for i := 1; i < len(sums); i++ {
		before[i] = inverse
		inverse.Mul(&sums[i].Z)
	}
	inverse.Inverse()
	for i := len(sums) - 1; i > 0; i-- {
		var z, square btcec.FieldVal
		z.Mul2(&inverse, &before[i])
		inverse.Mul(&sums[i].Z)
		square.SquareVal(&z)
		a.comb[i].x.Mul2(&sums[i].X, &square).Normalize()
		a.comb[i].y.Mul2(&sums[i].Y, square.Mul(&z)).Normalize()
	}
}

// Verify reports what the function of that name does, for an event of this author; one of somebody else is not.
func (a *Author) Verify(ev *nostr.Event) bool {
	var id, key [32]byte
	var sig [64]byte
	if !unhex(key[:], ev.PubKey) || key != a.key || !unhex(id[:], ev.ID) || !unhex(sig[:], ev.Sig) {
		return false
	}
	var r btcec.FieldVal
	var s, e btcec.ModNScalar
	if r.SetByteSlice(sig[:32]) || s.SetByteSlice(sig[32:]) { // beyond the prime, or the order
		return false
	}
	challenge := challengeOf(sig[:32], a.key[:], id[:])
	e.SetBytes(&challenge)
	var sG, eP, sum btcec.JacobianPoint
	btcec.ScalarBaseMultNonConst(&s, &sG)
	a.multiply(e.Negate(), &eP)
	btcec.AddNonConst(&sG, &eP, &sum)
	if sum.X.IsZero() && sum.Y.IsZero() || sum.Z.IsZero() { // infinity
		return false
	}
	sum.ToAffine()
	return !sum.Y.IsOdd() && r.Equals(&sum.X)
}

// multiply sets out to so many times the key.
func (a *Author) multiply(k *btcec.ModNScalar, out *btcec.JacobianPoint) {
	bits := k.Bytes() // the highest first
	*out = btcec.JacobianPoint{}
	for column := combColumns - 1; column >= 0; column-- {
		twice := *out
		btcec.DoubleNonConst(&twice, out)
		which := 0
		for row := range combRows {
			if at := row*combColumns + column; at < 256 {
				which |= int(bits[31-at/8]>>(at%8)&1) << row
			}
		}
		if which > 0 {
			sum, next := *out, a.comb[which].jacobian()
			btcec.AddNonConst(&sum, &next, out)
		}
	}
}

// challengeTag is the hash of the name of a challenge (BIP-340).
var challengeTag = sha256.Sum256([]byte("BIP0340/challenge"))

// challengeOf is what a signature of an id by a key has to answer.
func challengeOf(r, key, id []byte) [32]byte {
	text := make([]byte, 0, 5*32)
	for _, part := range [][]byte{challengeTag[:], challengeTag[:], r, key, id} {
		text = append(text, part...)
	}
	return sha256.Sum256(text)
}
