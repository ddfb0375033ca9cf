package policy_test

import (
	"testing"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// FuzzParseDeletion checks that references are whole, and addresses the signer's own.
func FuzzParseDeletion(f *testing.F) {
	const signer = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
	f.Add("e", signer)
	f.Add("a", "30617:"+signer+":demo:with:colons")
	f.Add("a", "-1:"+signer+":")
	f.Add("a", "99999999999999999999:"+signer+":x")
	f.Fuzz(func(t *testing.T, name, value string) {
		d := policy.ParseDeletion(&nostr.Event{Kind: policy.KindDeletion, PubKey: signer, Tags: nostr.Tags{{}, {name}, {name, value}}})
		for _, id := range d.IDs {
			if _, err := repo.ParsePubKey(id); err != nil || id != value {
				t.Errorf("%q: got the id %q", value, id)
			}
		}
		for _, a := range d.Addresses {
			if again, ok := policy.AddressOf(a.Kind, a.Identifier); !ok || again != a {
				t.Errorf("%q: got %+v, which is no address", value, a)
			}
		}
	})
}
