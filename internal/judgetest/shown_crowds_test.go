package judgetest

import (
	"fmt"
	"net/http"

	"github.com/graspkit/graspkit/conformance/client"
)

func crowdScripts() map[string]func(*probe) {
	crowd := func(keys, each int) func(*probe) {
		return func(p *probe) {
			for k := range keys {
				for i := range each {
					ev := p.announcement(fmt.Sprint("a", k), fmt.Sprint("x", i), int64(i))
					p.relay.PublishMalformed(p.t.Context(), client.EventJSON(ev), ev.ID)
				}
			}
			p.publish("announcement", p.announcement("b", "x", 1))
		}
	}
	asks := func(header http.Header) func(*probe) {
		return func(p *probe) {
			answer, is := p.c.Do(p.t.Context(), http.MethodGet, "/", header, nil).(client.HTTPAnswer)
			p.note("%t %d %s", is, answer.Status, answer.Header.Get("Content-Type"))
		}
	}
	return map[string]func(*probe){
		"connection-of-one-token":         asks(http.Header{"Connection": {"keep-alive, Upgrade"}, "Upgrade": {"websocket"}}),
		"accept-of-one-type":              asks(http.Header{"Accept": {"application/nostr+json, application/json;q=0.5"}}),
		"many-held-announcements-exhaust": crowd(1, 501),
		"many-keys-exhaust":               crowd(901, 1),
	}
}
