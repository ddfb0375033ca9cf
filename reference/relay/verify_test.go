package relay_test

import (
	"strings"
	"testing"

	"github.com/nbd-wtf/go-nostr"

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
