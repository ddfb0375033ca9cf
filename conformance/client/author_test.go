package client_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/coder/websocket"

	"github.com/graspkit/graspkit/conformance/client"
)

// An event that a relay takes of its authenticated author alone is sent so, on another connection, if the key of the author is known, and
// one that says of itself that only its author may send it is not.
func TestEventsAreSentAsTheirAuthors(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ws, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer ws.CloseNow()
		say := func(text string) { _ = ws.Write(r.Context(), websocket.MessageText, []byte(text)) } // a client that has left hears nothing
		say(`["AUTH","who is it"]`)
		known := ""
		for {
			_, raw, err := ws.Read(r.Context())
			if err != nil {
				return
			}
			var msg []json.RawMessage
			var ev struct {
				ID     string `json:"id"`
				Pubkey string `json:"pubkey"`
			}
			if json.Unmarshal(raw, &msg) != nil || len(msg) < 2 || json.Unmarshal(msg[1], &ev) != nil {
				continue
			}
			switch {
			case label(msg) == "AUTH":
				known = ev.Pubkey
				say(`["OK","` + ev.ID + `",true,""]`)
			case known == ev.Pubkey:
				say(`["OK","` + ev.ID + `",true,""]`)
			default:
				say(`["OK","` + ev.ID + `",false,"auth-required: authenticate as the author"]`)
			}
		}
	}))
	t.Cleanup(server.Close)
	owner, stranger := client.NewKey("author", "owner"), client.NewKey("author", "stranger")
	c := clientOf(t, server.URL, client.Options{Signer: func(pubkey string) (client.Key, bool) { return owner, pubkey == owner.Pubkey }})
	relay := connect(t.Context(), t, c)
	for _, test := range []struct {
		what string
		key  client.Key
		tags [][]string
		want bool
	}{
		{"of somebody known", owner, nil, true},
		{"of somebody unknown", stranger, nil, false},
		{"that is protected", owner, [][]string{{"-"}}, false},
		{"of somebody known, again", owner, nil, true},
	} {
		o := relay.Publish(t.Context(), client.Note(test.key, test.tags, test.what, 1_700_000_000))
		if ok, is := o.(client.OKFrame); !is || ok.Accepted != test.want {
			t.Errorf("an event %s: got %v, want accepted %t", test.what, o, test.want)
		}
	}
}
