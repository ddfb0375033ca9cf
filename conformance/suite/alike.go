package suite

import (
	"fmt"
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
)

// alikeIdentifiers are nearly one: who trims, folds, unescapes, composes, counts or compares by a pattern takes some of them for each other.
func alikeIdentifiers() []string {
	return []string{
		"page", "Page", "page ", " page", "page\n", "page/", "page.git", "pa-ge", "pa_ge", "pa ge", "pa+ge", "pa%20ge",
		"pag\u00e9", "page\u0301", "page\u200b", "7", "07", "7.0",
	}
}

// signAlike signs articles under all of them, and sends none.
func (w *world) signAlike(actor string) outcome {
	return w.needLighthouse().then(func() outcome {
		w.sent.posted, w.sent.dressing.names = nil, nil
		w.sent.dressing.anew = func() outcome { return w.signAlike(actor) }
		w.sent.dressing.times++
		for i, identifier := range alikeIdentifiers() {
			name := fmt.Sprintf("alike %d", i)
			tags := [][]string{{"d", identifier}, {"a", w.run.lighthouse.address}}
			ev := client.Build(w.key(actor), client.KindArticle, append(tags, w.markers()...), "an article"+strings.Repeat(" once more", w.sent.dressing.times-1), w.tick())
			w.remember("issue", name, ev)
			w.sent.posted, w.sent.dressing.names = append(w.sent.posted, ev), append(w.sent.dressing.names, name)
		}
		return outcome{}
	})
}
