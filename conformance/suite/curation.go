package suite

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
)

// A server may leave out kinds of events that refer to its repositories, if its document tells of a curation (G01-REL-09). What GRASP-01 is
// about itself it may not: without these there is no repository, no issue, no patch and no pull request.
func curable(kind int) bool {
	return !slices.Contains([]int{
		client.KindAnnouncement, client.KindState, client.KindPatch, client.KindPullRequest, client.KindUpdate, client.KindIssue,
	}, kind)
}

// curated says why the last event was refused, if that was for its kind alone and the document tells of a curation: then a plain event of
// that kind on the lighthouse, of somebody new, is refused likewise, and an issue of theirs on it is taken.
func (w *world) curated(o client.OKFrame) string {
	stated, _ := w.run.facts.document["curation"].(string)
	kind := w.sent.last.Kind
	if strings.TrimSpace(stated) == "" || !policyPrefix(o.Prefix) || !curable(kind) {
		return ""
	}
	w.run.mu.Lock()
	why, known := w.run.curated[kind]
	w.run.mu.Unlock()
	if known {
		return why
	}
	if out := w.needLighthouse(); !out.held() {
		return ""
	}
	relay, broken := w.client.Relay(w.ctx)
	if broken != nil {
		return ""
	}
	defer relay.Close()
	w.steady++
	key := w.run.newKey(w.check.ID+"/curated/"+strconv.Itoa(w.steady), false).Working(w.run.facts.work)
	taken := func(kind int) (bool, bool) {
		tags := append([][]string{{"a", w.run.lighthouse.address}, {"d", w.identifier + "-" + strconv.Itoa(w.steady)}}, w.markers()...)
		answer, told := relay.Publish(w.ctx, client.Build(key, kind, tags, w.run.purpose(), w.tick())).(client.OKFrame)
		return answer.Accepted, told
	}
	same, told := taken(kind)
	other, toldOther := taken(client.KindIssue)
	if !told || !toldOther || same || !other {
		return ""
	}
	why = fmt.Sprintf("the document tells of a curation, %q, and no event of kind %d is taken on what an issue is taken on", stated, kind)
	w.run.mu.Lock()
	defer w.run.mu.Unlock()
	if w.run.curated == nil {
		w.run.curated = make(map[int]string)
	}
	if _, again := w.run.curated[kind]; !again {
		w.run.curated[kind] = why
		w.run.measured = append(w.run.measured, "curation: "+why+"; that is not judged")
	}
	return why
}
