package suite

import (
	"fmt"
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
)

// alikeIdentifiers are nearly one: who trims, folds, unescapes, composes, counts or compares by a pattern takes some of them for each other.
// There are no more of each sort than any relay answers at once.
func alikeIdentifiers(sort string) []string {
	if sort == "signs" {
		return []string{"page", "page ", " page", "page\n", "pa ge", "pa+ge", "pa-ge", "pa_ge", "pa%20ge"}
	}
	return []string{"page", "Page", "pag\u00e9", "page\u0301", "page\u200b", "page/", "page.git", "7", "07"}
}

// signAlike signs articles under all of them, and sends none.
func (w *world) signAlike(actor, sort string) outcome {
	return w.needLighthouse().then(func() outcome {
		w.sent.posted, w.sent.dressing.names = nil, nil
		w.sent.dressing.anew = func() outcome { return w.signAlike(actor, sort) }
		w.sent.dressing.times++
		for i, identifier := range alikeIdentifiers(sort) {
			name := fmt.Sprintf("alike %d", i)
			tags := [][]string{{"d", identifier}, {"a", w.run.lighthouse.address}}
			ev := client.Build(w.key(actor), client.KindArticle, append(tags, w.markers()...), "an article"+strings.Repeat(" once more", w.sent.dressing.times-1), w.tick())
			w.remember("issue", name, ev)
			w.sent.posted, w.sent.dressing.names = append(w.sent.posted, ev), append(w.sent.dressing.names, name)
		}
		return outcome{}
	})
}
