package suite

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strconv"
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
)

// speaksOfRoom finds refusals of a push for how many there are of its kind.
var speaksOfRoom = regexp.MustCompile(`(?i)\brate[- ]?limit|\bquota\b|\btoo many\b|\bslow down\b`)

// placeLimited is the outcome of a push to a place that was refused for a policy, which G06-PUSH-01 leaves open: for how many there are,
// or, if the document tells of a policy, for who pushes: then nothing that a stranger pushes to another place is taken either.
func (w *world) placeLimited() outcome {
	p := w.git.pushed
	reason, refused := client.Refusal(p.answer)
	if !refused || !strings.HasPrefix(p.actor, placeWords) {
		return outcome{}
	}
	if speaksOfRoom.MatchString(reason) {
		return inconclusive("push", client.RateLimited{Text: reason})
	}
	stated, _ := w.run.facts.document["curation"].(string)
	if strings.TrimSpace(stated) == "" {
		return outcome{}
	}
	again, refused := client.Refusal(w.pushElsewhere())
	if !refused {
		return outcome{}
	}
	w.run.refusesUs("pushes below " + placesPath + "/ are refused: " + again)
	return outcome{verdict: Unsupported, reason: "push: " + reason + ": the document tells of a policy, " + strconv.Quote(stated) + ", and whatever a stranger pushes to another place is refused likewise"}
}

// pushElsewhere pushes a ref with nothing wrong with it to a place that nobody has used, named after an event that nobody has seen.
func (w *world) pushElsewhere() client.Observation {
	w.steady++
	r := repository{
		owner: w.run.newKey(w.check.ID+"/nobody", false), identifier: w.identifier + "-control-" + strconv.Itoa(w.steady),
	}
	event := sha256.Sum256([]byte(r.owner.Pubkey + r.identifier))
	ref := eventRefs + hex.EncodeToString(event[:])
	return w.client.Push(w.ctx, placesPath+w.pathOf(r), w.pushOf(client.Advert{}, [][]string{{ref, "first"}}))
}
