package legal

import (
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/web"
)

// dated are servers that take events of some dates only, or none of some kind in some form.
func dated() []Server {
	return []Server{
		{
			Name: "dates-of-five-minutes", What: "takes events dated no more than five minutes back and one ahead, and says so",
			Near: []string{"G01-LAT", "N01-REP", "N01-REQ-02"},
			habits: func() []habit {
				return []habit{limiting(map[string]int{"created_at_lower_limit": 300, "created_at_upper_limit": 60}), datedWithin(5*time.Minute, time.Minute)}
			},
		},
		{
			Name: "dates-of-five-minutes-unsaid", What: "takes events dated no more than five minutes back and one ahead, and says so in its refusals only",
			Near:   []string{"G01-LAT", "N01-REP", "N01-REQ-02"},
			habits: func() []habit { return []habit{datedWithin(5*time.Minute, time.Minute)} },
		},
		{
			Name: "deletes-nothing", What: "takes deletion requests and keeps everything",
			Near: []string{"N09", "G01-DEL"},
			web:  func(c *web.Config) { c.NIPs = []int{1, 11, 34, 40, 42, 45, 70, 77} },
			habits: func() []habit {
				return []habit{{hears: func(_ time.Time, _ *line, msg []byte) ([][]byte, bool) {
					if m := read(msg); m.verb == "EVENT" && m.event != nil && m.event.Kind == kindDeletion && wellSigned(m.event) {
						return [][]byte{write("OK", m.event.ID, true, "")}, false
					}
					return nil, true
				}}}
			},
			Owes: owedForDeletions("it keeps what somebody asks to delete, which is a SHOULD"),
		},
	}
}

// owedForDeletions are the rows about requests that have an effect.
func owedForDeletions(why string) map[string]string {
	owed := map[string]string{}
	for _, id := range []string{
		"N09-01", "N09-02", "N09-04", "N09-05", "G01-DEL-01", "G01-DEL-02", "G01-DEL-03", "G01-DEL-04", "G01-DEL-06",
		"N09-06", "G01-PR-18",
	} {
		owed[id] = why
	}
	return owed
}

func wellSigned(ev *nostr.Event) bool {
	good, err := ev.CheckSignature()
	return good && err == nil && ev.CheckID()
}

// datedWithin refuses events dated too far back or ahead.
func datedWithin(back, ahead time.Duration) habit {
	return judging(func(now time.Time, _ *line, ev *nostr.Event) string {
		switch at := ev.CreatedAt.Time(); {
		case at.After(now.Add(ahead)):
			return "invalid: created_at is too far in the future"
		case at.Before(now.Add(-back)):
			return "invalid: created_at is too old"
		}
		return ""
	})
}
