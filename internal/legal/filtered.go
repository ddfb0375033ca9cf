package legal

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/nbd-wtf/go-nostr"
)

// filtersOf are the filters of a query; ok is false if one is malformed.
func filtersOf(m message) (filters []nostr.Filter, ok bool) {
	for _, part := range m.parts[min(2, len(m.parts)):] {
		var f nostr.Filter
		if json.Unmarshal(part, &f) != nil {
			return nil, false
		}
		filters = append(filters, f)
	}
	return filters, true
}

// onceAFilter sends a stored event again for each further filter that it matches.
func onceAFilter() habit {
	open := subscribed[[]nostr.Filter]{}
	return habit{
		left: open.left,
		hears: func(_ time.Time, l *line, msg []byte) ([][]byte, bool) {
			if m := read(msg); m.verb == "REQ" {
				filters, _ := filtersOf(m)
				open.set(l, m.name, filters)
			}
			return nil, true
		},
		says: func(now time.Time, l *line, msg []byte) (time.Duration, bool) {
			switch m := read(msg); {
			case m.verb == "EOSE":
				delete(open[l], m.name)
			case m.verb == "EVENT" && m.event != nil && len(open[l][m.name]) > 1:
				matches := 0
				for _, f := range open[l][m.name] {
					if f.Matches(m.event) && f.Limit == 0 && !f.LimitZero {
						matches++
					}
				}
				for range matches - 1 {
					l.queue = append(l.queue, delivery{now, msg})
				}
			}
			return 0, true
		},
	}
}

// closesPast closes a query behind its end if nothing that comes can match: each filter has an end that is over.
func closesPast() habit {
	past := subscribed[bool]{}
	return habit{
		left: past.left,
		hears: func(now time.Time, l *line, msg []byte) ([][]byte, bool) {
			m := read(msg)
			if m.verb == "CLOSE" || m.verb == "REQ" {
				delete(past[l], m.name)
			}
			filters, ok := filtersOf(m)
			if m.verb != "REQ" || !ok || len(filters) == 0 {
				return nil, true
			}
			for _, f := range filters {
				if f.Until == nil || f.Until.Time().After(now.Add(-24*time.Hour)) {
					return nil, true
				}
			}
			past.set(l, m.name, true)
			return nil, true
		},
		says: func(now time.Time, l *line, msg []byte) (time.Duration, bool) {
			if m := read(msg); m.verb == "EOSE" && past[l][m.name] {
				delete(past[l], m.name)
				l.queue = append(l.queue, delivery{now.Add(time.Millisecond), write("CLOSED", m.name, "")})
			}
			return 0, true
		},
	}
}

// authenticatingReaders closes what is asked by whom a connection has not authenticated.
func authenticatingReaders() habit {
	asked, known := map[string]bool{}, map[*line]bool{}
	return habit{
		left: func(l *line) { delete(known, l) },
		hears: func(_ time.Time, l *line, msg []byte) ([][]byte, bool) {
			m := read(msg)
			switch m.verb {
			case "AUTH":
				var auth nostr.Event
				if len(m.parts) > 1 && json.Unmarshal(m.parts[1], &auth) == nil {
					asked[auth.ID] = true
				}
			case "REQ", "COUNT":
				if !known[l] {
					return [][]byte{write("CLOSED", m.name, "auth-required: say who you are first")}, false
				}
			case "NEG-OPEN":
				if !known[l] {
					return [][]byte{write("NEG-ERR", m.name, "auth-required: say who you are first")}, false
				}
			}
			return nil, true
		},
		says: func(_ time.Time, l *line, msg []byte) (time.Duration, bool) {
			if m := read(msg); m.verb == "OK" && m.yes && asked[m.name] {
				known[l] = true
			}
			return 0, true
		},
	}
}

// twentyUnlessAsked gives so many stored events for a query none of whose filters has a limit.
func twentyUnlessAsked(most int) habit {
	given := subscribed[int]{}
	return habit{
		left: given.left,
		hears: func(_ time.Time, l *line, msg []byte) ([][]byte, bool) {
			m := read(msg)
			if m.verb != "REQ" {
				return nil, true
			}
			delete(given[l], m.name)
			filters, ok := filtersOf(m)
			for _, f := range filters {
				ok = ok && f.Limit == 0 && !f.LimitZero
			}
			if ok {
				given.set(l, m.name, 0)
			}
			return nil, true
		},
		says: func(_ time.Time, l *line, msg []byte) (time.Duration, bool) {
			m := read(msg)
			n, counted := given[l][m.name]
			switch {
			case m.verb == "EOSE":
				delete(given[l], m.name)
			case m.verb == "EVENT" && counted:
				given.set(l, m.name, n+1)
				return 0, n < most
			}
			return 0, true
		},
	}
}

// requiringAuth says in the document that clients have to authenticate.
func requiringAuth() habit {
	return rewritten(isDocument, func(_ *http.Response, body []byte) []byte {
		var document map[string]any
		if json.Unmarshal(body, &document) != nil {
			return body
		}
		stated, _ := document["limitation"].(map[string]any)
		if stated == nil {
			stated = map[string]any{}
		}
		stated["auth_required"], document["limitation"] = true, stated
		changed, err := json.Marshal(document)
		if err != nil {
			return body
		}
		return changed
	})
}
