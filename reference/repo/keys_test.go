package repo_test

import (
	"strings"
	"testing"

	"github.com/graspkit/graspkit/reference/repo"
)

const (
	alice repo.PubKey = "3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d"
	bob   repo.PubKey = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
	npub              = "npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6" // alice, from NIP-19
	oid1  repo.OID    = "1111111111111111111111111111111111111111"
	oid2  repo.OID    = "2222222222222222222222222222222222222222"
)

func TestNpub(t *testing.T) {
	if got := alice.Npub(); got != npub {
		t.Errorf("got %s, want %s", got, npub)
	}
	if got, err := repo.ParseNpub(npub); err != nil || got != alice {
		t.Errorf("got %s and %v, want %s", got, err, alice)
	}
	for _, text := range []string{
		"", string(alice), strings.ToUpper(npub), npub[:62] + "W", npub[:62] + "7", npub[:62], npub + "6",
		"nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5", " " + npub[1:], "npub1\x00" + npub[6:],
	} {
		if got, err := repo.ParseNpub(text); err == nil {
			t.Errorf("%q: got %s, want a refusal", text, got)
		}
	}
	for _, text := range []string{"", npub, strings.ToUpper(string(alice)), string(alice[1:]), string(alice) + "0"} {
		if got, err := repo.ParsePubKey(text); err == nil {
			t.Errorf("%q: got %s, want a refusal", text, got)
		}
	}
}

func TestOID(t *testing.T) {
	for _, text := range []string{string(oid1), strings.Repeat("a", 64), string(repo.ZeroOID)} {
		if !repo.IsOID(text) {
			t.Errorf("%q: got false, want true", text)
		}
	}
	for _, text := range []string{"", string(oid1[1:]), strings.Repeat("A", 40), strings.Repeat("g", 40)} {
		if repo.IsOID(text) {
			t.Errorf("%q: got true, want false", text)
		}
	}
	if !repo.ZeroOID.IsZero() || oid1.IsZero() {
		t.Error("the zero id is not told from others")
	}
}

func TestIdentifier(t *testing.T) {
	for _, good := range []string{
		"a", "...", ".git", "x.git", "-rf", "a b", "a:b", "a%2fb", "\U0001f680", strings.Repeat("a", 200),
	} {
		if why := repo.CheckIdentifier(good); why != "" {
			t.Errorf("%q: got %q, want it taken", good, why)
		}
	}
	for _, bad := range []string{"", ".", "..", "a/b", "/", `a\b`, "a\x00", "a\n", "\x7f", strings.Repeat("a", 201)} {
		if repo.CheckIdentifier(bad) == "" {
			t.Errorf("%q: want it refused", bad)
		}
	}
	id := repo.ID{Owner: alice, Identifier: "my \U0001f680 a%20b+c"}
	if got, want := id.Path(), "/"+npub+"/my%20%F0%9F%9A%80%20a%2520b%2Bc.git"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	other := repo.ID{Owner: alice, Identifier: "z"}
	if id.Compare(other) >= 0 || other.Compare(id) <= 0 || id.Compare(repo.ID{Owner: id.Owner, Identifier: id.Identifier}) != 0 {
		t.Error("ids are not ordered by identifier")
	}
	if (repo.ID{Owner: bob}).Compare(id) <= 0 {
		t.Error("ids are not ordered by owner first")
	}
}

// FuzzParseNpub checks that a key has exactly one npub.
func FuzzParseNpub(f *testing.F) {
	f.Add(npub)
	f.Add(strings.ToUpper(npub))
	f.Add("npub1" + strings.Repeat("q", 58))
	f.Fuzz(func(t *testing.T, text string) {
		key, err := repo.ParseNpub(text)
		if err == nil && key.Npub() != text {
			t.Errorf("%q: got the key of %q", text, key.Npub())
		}
	})
}
