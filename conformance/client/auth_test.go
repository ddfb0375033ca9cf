package client_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/conformance/client"
)

// A challenge is kept whenever it comes, and an authentication is answered by the OK with its id.
func TestAuthenticate(t *testing.T) {
	c := scripted(t, client.Options{}, func(send func(string), msg []json.RawMessage) bool {
		switch label(msg) {
		case "REQ":
			send(frame("AUTH", "sesame"))
			send(frame("EOSE", text(msg[1])))
		case "AUTH":
			var ev struct {
				Tags [][]string `json:"tags"`
			}
			if err := json.Unmarshal(msg[1], &ev); err != nil {
				return false
			}
			proper := len(ev.Tags) == 2 && ev.Tags[1][1] == "sesame"
			send(frame("OK", eventID(msg[1]), proper, "auth-required: sesame"))
		}
		return true
	})
	r := connect(t.Context(), t, c)
	if got := r.Challenge(); got != "" {
		t.Errorf("challenge of a relay that has sent none: got %q", got)
	}
	if _, o := r.Query(t.Context(), client.Filter{Limit: new(int)}); o != nil {
		t.Fatal(o)
	}
	if got := r.Challenge(); got != "sesame" {
		t.Errorf("challenge: got %q, want sesame", got)
	}
	for challenge, want := range map[string]client.OKFrame{
		"sesame": {Accepted: true, Prefix: "auth-required", Text: "sesame"},
		"other":  {Prefix: "auth-required", Text: "sesame"},
	} {
		ev := client.Proof(client.NewKey("auth", "alice"), c.RelayURL(), challenge, 1_700_000_000)
		want.ID = ev.ID
		if diff := cmp.Diff(client.Observation(want), r.Authenticate(t.Context(), client.EventJSON(ev), ev.ID)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", challenge, diff)
		}
	}
}
