package servicekey_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/servicekey"
)

const (
	nsec   = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5"
	secret = "67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa"
	npub   = "npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg"
)

// What the server signs is what services take, and no text of it has the secret.
func TestKey(t *testing.T) {
	at := time.Unix(1_760_000_000, 0)
	for _, text := range []string{nsec, "\n" + secret + " \n"} {
		k, err := servicekey.Parse(text)
		if err != nil || k.String() != npub {
			t.Fatalf("got %v, %v", k, err)
		}
		ev, err := k.Answer("wss://grasp.test", "sesame", at)
		if err != nil {
			t.Fatal(err)
		}
		attempt := policy.Attempt{Genuine: ev.CheckID() && relay.Verify(ev), Challenge: "sesame", Second: at.Unix()}
		if r := policy.Authentication(repo.Service{Host: "grasp.test"}, ev, attempt); !r.Accepted() {
			t.Errorf("authentication: got %+v", r)
		}
		id := repo.ID{Owner: k.Public(), Identifier: "demo"}
		header, err := k.Authorization("https://grasp.test"+id.Path()+"/", at)
		if err != nil {
			t.Fatal(err)
		}
		data, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(header, "Nostr "))
		if err != nil {
			t.Fatal(err)
		}
		ev, idOK, ok := relay.DecodeEvent(data)
		if !ok {
			t.Fatalf("token: got %s", data)
		}
		token := policy.TokenAttempt{Genuine: idOK && relay.Verify(ev), Repo: id, Second: at.Unix(), Members: policy.Members{k.Public()}}
		if r := policy.Token(repo.Service{Host: "grasp.test"}, ev, token); !r.Accepted() {
			t.Errorf("token: got %+v", r)
		}
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
			if said := fmt.Sprintf(verb, k); strings.Contains(said, secret) || strings.Contains(said, nsec) {
				t.Errorf("%s: the secret is in %s", verb, said)
			}
		}
	}
	for _, text := range []string{"", npub, nsec[:62], secret[:63], strings.Repeat("0", 64), strings.Repeat("f", 64), secret + "\n" + secret} {
		if _, err := servicekey.Parse(text); !errors.Is(err, servicekey.ErrKey) || text != "" && strings.Contains(err.Error(), text) {
			t.Errorf("%q: got %v", text, err)
		}
	}
}
