package legal

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/nbd-wtf/go-nostr"
)

// besideOthers are servers to which other people publish as well.
func besideOthers() []Server {
	return []Server{
		{
			Name: "others-publish-all-the-time", What: "answers who asks by nothing with three events that came just now, and sends one beside them that comes meanwhile, dated yesterday",
			Near:   []string{"N01-REQ-01", "N01-CNT-01", "G01-PURG-05"},
			habits: func() []habit { return []habit{crowdedByOthers()} },
		},
	}
}

// crowdedByOthers gives three of somebody else's events to a query by nothing, for those are the newest, and another one that is live:
// whoever listens before he looks up what is stored sends that in between.
func crowdedByOthers() habit {
	asked, others := subscribed[bool]{}, 0
	return habit{
		hears: func(now time.Time, l *line, msg []byte) ([][]byte, bool) {
			m := read(msg)
			if m.verb != "REQ" || len(m.parts) != 3 || !byNothing(m.parts[2]) {
				return nil, true
			}
			asked.set(l, m.name, true)
			var came [][]byte
			for _, date := range []time.Time{now, now, now.AddDate(0, 0, -1), now} {
				others++
				came = append(came, write("EVENT", m.name, ofSomebody(others, date)))
			}
			return came, true
		},
		says: func(_ time.Time, l *line, msg []byte) (time.Duration, bool) {
			m := read(msg)
			if !asked[l][m.name] || m.verb != "EVENT" && m.verb != "EOSE" {
				return 0, true
			}
			if m.verb == "EOSE" {
				delete(asked[l], m.name)
			}
			return 0, m.verb == "EOSE" || m.event != nil && m.event.Content == somebodys
		},
		left: asked.left,
	}
}

// byNothing reports whether a filter asks for everything, be it so many.
func byNothing(filter json.RawMessage) bool {
	var fields map[string]json.RawMessage
	if json.Unmarshal(filter, &fields) != nil {
		return false
	}
	limit, limited := fields["limit"]
	return len(fields) == 0 || limited && len(fields) == 1 && string(limit) != "0"
}

// somebodys is what they say.
const somebodys = "This is somebody else's."

// ofSomebody is an event of the key of a number.
func ofSomebody(n int, date time.Time) *nostr.Event {
	ev := &nostr.Event{Kind: 1621, CreatedAt: nostr.Timestamp(date.Unix()), Content: somebodys, Tags: nostr.Tags{}}
	if err := ev.Sign(fmt.Sprintf("%064x", n)); err != nil {
		panic("legal: invariant: sign: " + err.Error())
	}
	return ev
}
