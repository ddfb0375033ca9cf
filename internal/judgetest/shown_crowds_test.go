package judgetest

import (
	"fmt"

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
	return map[string]func(*probe){
		"many-held-announcements-exhaust": crowd(1, 501),
		"many-keys-exhaust":               crowd(901, 1),
	}
}
