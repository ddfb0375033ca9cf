package relay_test

import (
	_ "embed"
	"encoding/csv"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/nbd-wtf/go-nostr"
	"pgregory.net/rapid"

	"github.com/graspkit/graspkit/reference/relay"
)

// The first vector of BIP-340, and what must not pass for it.
func TestVerify(t *testing.T) {
	const (
		key = "f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9"
		sig = "e907831f80848d1069a5371b402410364bdf1c5f8307b0084c55f1ce2dca8215" +
			"25f66a4a85ea8b71e482a74f382d2ce5ebeee8fdb2172f477df4900d310536c0"
	)
	id := strings.Repeat("0", 64)
	for name, c := range map[string]struct {
		id, key, sig string
		want         bool
	}{
		"as it was signed":                 {id, key, sig, true},
		"of another id":                    {id[1:] + "1", key, sig, false},
		"of another key":                   {id, "dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659", sig, false},
		"of a key that is on no curve":     {id, "eefdea4cdb677750a420fee807eacf21eb9898ae79b9768766e4faa04a2d4a34", sig, false},
		"of a key beyond the field":        {id, "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc30", sig, false},
		"of no key":                        {id, id, sig, false},
		"changed in its first half":        {id, key, "f" + sig[1:], false},
		"changed in its second half":       {id, key, sig[:127] + "1", false},
		"with s beyond the order":          {id, key, sig[:64] + strings.Repeat("f", 64), false},
		"of a key that is no hexadecimal":  {id, "g" + key[1:], sig, false},
		"of a key that is a byte too long": {id, key + "00", sig, false},
		"a byte too short":                 {id, key, sig[:126], false},
	} {
		if got := relay.Verify(&nostr.Event{ID: c.id, PubKey: c.key, Sig: c.sig}); got != c.want {
			t.Errorf("a signature %s: got %v, want %v", name, got, c.want)
		}
	}
}

// The vectors of BIP-340 whose messages are as long as an id.
//
//go:embed testdata/bip340.csv
var bip340 string

func TestVerifyVectors(t *testing.T) {
	rows, err := csv.NewReader(strings.NewReader(bip340)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		index, key, message, sig, want, why := row[0], row[1], row[2], row[3], row[4] == "TRUE", row[5]
		if got := relay.Verify(&nostr.Event{ID: message, PubKey: key, Sig: sig}); got != want {
			t.Errorf("vector %s (%s): got %v, want %v", index, why, got, want)
		}
	}
}

// What a signature is worth has to be what everybody else says of it: the library that go-nostr has is asked, too.
func TestVerifyAsOthersDo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ev := &nostr.Event{Kind: 1, Content: rapid.String().Draw(t, "content")}
		secret := rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "secret")
		if ev.Sign(hex.EncodeToString(secret)) != nil {
			return // not each number is a key
		}
		if !relay.Verify(ev) {
			t.Fatalf("a good signature is refused: %s", ev)
		}
		id, key, sig := ev.ID, ev.PubKey, ev.Sig
		switch rapid.IntRange(0, 3).Draw(t, "what is changed") {
		case 0:
			sig = changed(t, sig)
		case 1:
			key = changed(t, key)
		case 2: // of another key: y is even or odd, and R is on the other side
			sig = sig[:64] + rapid.StringMatching("[0-9a-f]{64}").Draw(t, "s")
		case 3: // numbers about the ends of the field and of the group
			sig = rapid.SampledFrom(ends).Draw(t, "r") + rapid.SampledFrom(ends).Draw(t, "s")
			key = rapid.SampledFrom(append(ends, key)).Draw(t, "key")
		}
		// CheckSignature makes the id itself, so that it stays what it is.
		there := &nostr.Event{Kind: 1, Content: ev.Content, CreatedAt: ev.CreatedAt, Tags: ev.Tags, ID: id, PubKey: key, Sig: sig}
		there.ID = there.GetID()
		want, _ := there.CheckSignature()
		if got := relay.Verify(there); got != want {
			t.Fatalf("got %v, and others say %v: %s", got, want, there)
		}
	})
}

// ends are numbers at the ends of the field and of the group of the curve.
var ends = []string{
	strings.Repeat("0", 64),
	strings.Repeat("0", 63) + "1",
	"fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2e", // p-1
	"fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f", // p
	"fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc30",
	"fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140", // n-1
	"fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141", // n
	"79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798", // the generator's x
	strings.Repeat("f", 64),
}

// changed is a hexadecimal text with one bit of it turned.
func changed(t *rapid.T, text string) string {
	raw, _ := hex.DecodeString(text)
	bit := rapid.IntRange(0, 8*len(raw)-1).Draw(t, "bit")
	raw[bit/8] ^= 1 << (bit % 8)
	return hex.EncodeToString(raw)
}

func BenchmarkVerify(b *testing.B) {
	ev := &nostr.Event{Kind: 1}
	if err := ev.Sign(strings.Repeat("01", 32)); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if !relay.Verify(ev) {
			b.Fatal("a good signature")
		}
	}
}
