package suite

import (
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
)

// neverTries is how many rooms have to be waited for in vain, each behind the same answer, until that answer is taken for what it says:
// there will be no repository. Some servers take an announcement whose identifier their git side never serves.
const neverTries = 2

// promptRooms is of how many rooms one may have taken its time where they are made at once.
const promptRooms = 20

// answeredMax bounds what is kept of an answer.
const answeredMax = 200

// wordsOf is an answer without what is of one repository alone.
func (w *world) wordsOf(o client.Observation, path string) string {
	text := o.String()
	for _, own := range strings.FieldsFunc(path, func(r rune) bool { return r == '/' }) {
		text = strings.ReplaceAll(text, strings.TrimSuffix(own, ".git"), "")
	}
	if len(text) > answeredMax {
		text = text[:answeredMax]
	}
	return text
}

// neverCame files a room that was waited for in vain behind an answer.
func (r *run) neverCame(words string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.never == nil {
		r.never = make(map[string]int)
	}
	if words != "" && r.never[words] >= 0 {
		r.never[words]++
	}
}

// cameBehind files a room that came though the answer had been that before: from then on it means "not yet".
func (r *run) cameBehind(words string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.never == nil {
		r.never = make(map[string]int)
	}
	if words != "" {
		r.never[words] = -1
	}
}

// meansNever reports whether an answer was waited out often enough, and no room ever came behind it, on a server that is known to make
// its rooms at once. One among many that took its time is that of a busy moment.
func (r *run) meansNever(words string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	prompt := r.rooms.rewarded >= patienceKnown && r.rooms.slow*promptRooms <= r.rooms.rewarded
	return prompt && words != "" && r.never[words] >= neverTries
}
