package client_test

import (
	"encoding/json"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/graspkit/graspkit/conformance/client"
)

// A relay that ends each connection behind thirty messages is asked and told what comes behind them on others, once that is known. One
// that ends connections for what came there is not taken for such a relay.
func TestConnectionsEndBehindSoManyMessages(t *testing.T) {
	for name, ends := range map[string]func(sent int, msg []json.RawMessage) bool{
		"their number": func(sent int, _ []json.RawMessage) bool { return sent > 30 },
		"an event":     func(_ int, msg []json.RawMessage) bool { return label(msg) == "EVENT" },
	} {
		t.Run(name, func(t *testing.T) {
			var ended atomic.Int32
			c := scriptedEach(t, client.Options{}, func() script {
				sent := 0
				return func(send func(string), msg []json.RawMessage) bool {
					if sent++; ends(sent, msg) {
						ended.Add(1)
						return false
					}
					switch label(msg) {
					case "EVENT":
						var ev struct {
							ID string `json:"id"`
						}
						if err := json.Unmarshal(msg[1], &ev); err != nil {
							t.Error(err)
						}
						send(`["OK","` + ev.ID + `",true,""]`)
					case "REQ":
						send(`["EOSE",` + string(msg[1]) + `]`)
					case "COUNT":
						send(`["COUNT",` + string(msg[1]) + `,{"count":0}]`)
					}
					return true
				}
			})
			relay, key := connect(t.Context(), t, c), client.NewKey("span", "owner")
			asked := func(n int) {
				for i := range n {
					if _, o := relay.Query(t.Context(), client.Filter{Kinds: []int{1}}); o != nil {
						t.Fatalf("query %d of %d: got %v", i+1, n, o)
					}
				}
			}
			asked(15)
			if o := relay.Publish(t.Context(), client.Note(key, nil, "one too many", 1_700_000_000)); !client.Inconclusive(o) {
				t.Fatalf("got %v, want the connection ended", o)
			}
			want := map[string]int{"their number": 30}[name]
			if got := c.Span(); got != want {
				t.Fatalf("got connections of %d messages, want %d", got, want)
			}
			if want == 0 {
				return
			}
			before := ended.Load()
			relay = connect(t.Context(), t, c)
			if _, o := relay.Subscribe(t.Context(), "open", client.Filter{Kinds: []int{1}}); o != nil {
				t.Fatal(o)
			}
			asked(40)
			for i := range 40 {
				if _, o := relay.Count(t.Context(), client.Filter{Kinds: []int{1}}); o != nil {
					t.Fatalf("count %d: got %v", i+1, o)
				}
				o := relay.Publish(t.Context(), client.Note(key, nil, fmt.Sprint(i), 1_700_000_000))
				if ok, is := o.(client.OKFrame); !is || !ok.Accepted {
					t.Fatalf("event %d: got %v, want it accepted", i+1, o)
				}
			}
			if _, o := relay.Subscribe(t.Context(), "another", client.Filter{Kinds: []int{1}}); o != nil {
				t.Errorf("got %v, want room for it where something is open", o)
			}
			if n := ended.Load() - before; n != 0 {
				t.Errorf("got %d connections ended, want none", n)
			}
		})
	}
}
