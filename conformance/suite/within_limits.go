package suite

import (
	"fmt"
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
)

// What is tried of limits that are larger.
const (
	filtersTried = 20
	tagsTried    = 1000
)

// filtersTaken judges that a query of so many filters is answered.
func (w *world) filtersTaken(count int) outcome {
	raw, out := w.withinLimit("filters", []byte(`["REQ","filters"`+strings.Repeat(`,{"kinds":[1621],"limit":1}`, count)+`]`))
	if out.held() && refusesQuery(raw) {
		return violated("a query of %d filters, which the document allows, is answered by %.80s", count, raw)
	}
	return out
}

// refusesQuery reports whether a message of the relay refuses a query.
func refusesQuery(raw []byte) bool {
	label, _ := client.Label(raw)
	return label == "CLOSED" || label == "NOTICE"
}

// blanksRead judges that a query which is as long as a message may be, by blanks alone, is answered like a short one.
func (w *world) blanksRead(limit int) outcome {
	ask := func(sub string, size int) (refused bool, raw []byte, out outcome) {
		start, end := `["REQ","`+sub+`",{"kinds":[1621],"limit":1}`, `]`
		raw, out = w.withinLimit(sub, []byte(start+strings.Repeat(" ", max(0, size-len(start)-len(end)))+end))
		return out.held() && refusesQuery(raw), raw, out
	}
	for _, sub := range []string{"blanks", "blanks again"} {
		refused, raw, out := ask(sub, limit)
		if !refused {
			return out
		}
		if short, _, out := ask("short "+sub, 0); short || !out.held() { // it refuses whatever comes
			return outcome{}
		}
		if sub != "blanks" {
			return violated("a query that is %d bytes long by blanks is answered by %.80s, twice; the same without them is answered", limit, raw)
		}
	}
	return outcome{}
}

// tagsTaken judges that an event of so many tags is taken.
func (w *world) tagsTaken(count int) outcome {
	return w.needLighthouse().then(func() outcome {
		tags := append([][]string{{"a", w.run.lighthouse.address}}, w.markers()...)
		for len(tags) < count {
			tags = append(tags, []string{"t", fmt.Sprint("topic ", len(tags))})
		}
		ev := client.Build(w.key("contributor"), client.KindIssue, tags, w.run.purpose(), w.tick())
		w.remember("issue", "", ev)
		return w.publish(ev).then(w.accepted)
	})
}
