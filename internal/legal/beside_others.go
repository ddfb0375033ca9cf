package legal

import (
	"encoding/json"
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
	asked := subscribed[bool]{}
	return habit{
		hears: func(now time.Time, l *line, msg []byte) ([][]byte, bool) {
			m := read(msg)
			if m.verb != "REQ" || len(m.parts) != 3 || !byNothing(m.parts[2]) {
				return nil, true
			}
			asked.set(l, m.name, true)
			var others [][]byte
			for _, date := range []time.Time{now, now, now.AddDate(0, 0, -1), now} {
				others = append(others, write("EVENT", m.name, ofSomebody(date)))
			}
			return others, true
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

// ofSomebody is a new event of a new key.
func ofSomebody(date time.Time) *nostr.Event {
	ev := &nostr.Event{Kind: 1621, CreatedAt: nostr.Timestamp(date.Unix()), Content: somebodys, Tags: nostr.Tags{}}
	if err := ev.Sign(nostr.GeneratePrivateKey()); err != nil {
		panic("legal: invariant: sign: " + err.Error())
	}
	return ev
}
