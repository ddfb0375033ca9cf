package client_test

import (
	"encoding/json"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/graspkit/graspkit/conformance/client"
)

// A relay that ends a connection behind refusals is told the next event once more on another one. One that hangs up on an event does so
// there as well, and then that is the answer.
func TestEventsBehindRefusals(t *testing.T) {
	for name, hangsUp := range map[string]func(refused int, content string) bool{
		"had enough":        func(refused int, _ string) bool { return refused == 2 },
		"hangs up on it":    func(_ int, content string) bool { return content == "event 2" },
		"hangs up on first": func(int, string) bool { return true },
	} {
		t.Run(name, func(t *testing.T) {
			var sent atomic.Int32
			c := scriptedEach(t, client.Options{}, func() script {
				refused := 0
				return func(send func(string), msg []json.RawMessage) bool {
					var ev struct {
						ID      string `json:"id"`
						Content string `json:"content"`
					}
					if err := json.Unmarshal(msg[1], &ev); err != nil {
						t.Error(err)
					}
					sent.Add(1)
					if hangsUp(refused, ev.Content) {
						return false
					}
					refused++
					send(`["OK","` + ev.ID + `",false,"invalid: no"]`)
					return true
				}
			})
			relay, key := connect(t.Context(), t, c), client.NewKey("refusals", "owner")
			var o client.Observation
			for i := range 3 {
				o = relay.Publish(t.Context(), client.Note(key, nil, fmt.Sprint("event ", i), 1_700_000_000))
				if name == "hangs up on first" {
					break
				}
			}
			_, ended := o.(client.TransportError)
			if want := name != "had enough"; ended != want {
				t.Errorf("got %v, want an end: %t", o, want)
			}
			if want := map[string]int32{"had enough": 4, "hangs up on it": 4, "hangs up on first": 1}[name]; sent.Load() != want {
				t.Errorf("got %d events sent, want %d", sent.Load(), want)
			}
			if got, want := relay.Gone(), name != "hangs up on first"; got != want {
				t.Errorf("got gone %t, want %t", got, want)
			}
		})
	}
}
