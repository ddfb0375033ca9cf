package client_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/graspkit/graspkit/conformance/client"
)

// A relay that ends each connection for the pace behind a few events gets them on others, and is asked on others, and once that is
// known none is ended any more.
func TestConnectionsEndedForThePaceAreFollowedByOthers(t *testing.T) {
	var ended, events atomic.Int32 // of the connection that is used, of which there is one at a time
	c := scripted(t, client.Options{}, func(send func(string), msg []json.RawMessage) bool {
		switch label(msg) {
		case "EVENT":
			var ev struct {
				ID string `json:"id"`
			}
			if err := json.Unmarshal(msg[1], &ev); err != nil {
				t.Error(err)
			}
			if events.Add(1) > 5 {
				events.Store(0)
				ended.Add(1)
				send(`["NOTICE","rate-limited: five events are taken"]`)
				return false
			}
			send(`["OK","` + ev.ID + `",true,""]`)
		case "REQ":
			send(`["EOSE",` + string(msg[1]) + `]`)
		}
		return true
	})
	relay := connect(t.Context(), t, c)
	key := client.NewKey("hung up", "owner")
	for i := range 7 {
		o := relay.Publish(t.Context(), client.Note(key, nil, fmt.Sprint(i), 1_700_000_000))
		if ok, is := o.(client.OKFrame); !is || !ok.Accepted {
			t.Fatalf("event %d: got %v, want it accepted", i, o)
		}
	}
	if _, o := relay.Query(t.Context(), client.Filter{Kinds: []int{1}}); o != nil {
		t.Errorf("query: got %v, want an answer on another connection", o)
	}
	if n := ended.Load(); n != 1 {
		t.Errorf("got %d connections ended, want 1", n)
	}
}

// A relay that ends connections as soon as they are open is full, and not dead, where it has answered before.
func TestConnectionsEndedAtOnceAreTriedAgain(t *testing.T) {
	n := atomic.Int32{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ws, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer ws.CloseNow()
		if at := n.Add(1); at == 2 || at == 3 {
			_ = ws.Close(websocket.StatusTryAgainLater, "full")
			return
		}
		for {
			_, raw, err := ws.Read(r.Context())
			if err != nil {
				return
			}
			var msg []json.RawMessage
			if json.Unmarshal(raw, &msg) == nil && label(msg) == "REQ" {
				_ = ws.Write(r.Context(), websocket.MessageText, []byte(`["EOSE",`+string(msg[1])+`]`))
			}
		}
	}))
	t.Cleanup(server.Close)
	pace := client.NewPace(time.Minute)
	c := clientOf(t, server.URL, client.Options{Pace: pace})
	ask := func() client.Observation {
		relay, o := c.Relay(t.Context())
		if o != nil {
			return o
		}
		defer relay.Close()
		_, o = relay.Query(t.Context(), client.Filter{Kinds: []int{1}})
		return o
	}
	first, second, third := ask(), ask(), ask()
	if _, broken := second.(client.TransportError); first != nil || !broken || third != nil {
		t.Errorf("got %v, %v, %v, want an answer, an end, and an answer on the second of two more connections", first, second, third)
	}
	if got := pace.TurnedAway(); got != 1 || n.Load() != 4 {
		t.Errorf("got %d turned away of %d, want 1 of 4", got, n.Load())
	}
}
