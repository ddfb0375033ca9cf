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
	relay, out := w.connect()
	if !out.held() {
		return out
	}
	raw, o := answerFor(w, relay, "filters", []byte(`["REQ","filters"`+strings.Repeat(`,{"kinds":[1621],"limit":1}`, count)+`]`))
	w.hangUp()
	switch {
	case strings.HasPrefix(string(raw), `["CLOSED"`), strings.HasPrefix(string(raw), `["NOTICE"`):
		return violated("a query of %d filters, which the document allows, is answered by %.80s", count, raw)
	case o != nil:
		return inconclusive("a query within the stated limit", o)
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
