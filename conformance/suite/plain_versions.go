package suite

import (
	"context"
	"fmt"
	"sync"

	"github.com/graspkit/graspkit/conformance/client"
)

// plainVersions finds out, once in a run, whether nothing but a new version is enough to lose an event of another identifier.
// Where it is, every check in which somebody writes twice would lose a decoy, and none of them is about that.
type plainVersions struct {
	once sync.Once
	lose bool
}

// losesOthers reports whether plain versions lose the events of identifiers that go on where theirs ends, and accuses the
// requirement they break.
func (r *run) losesOthers(ctx context.Context) bool {
	r.versions.once.Do(func() {
		relay, o := r.client.Relay(ctx)
		if o != nil {
			return
		}
		defer relay.Close()
		key, date := r.newKey("plain versions", false).Working(r.facts.work), r.base()
		first := ""
		for i, identifier := range []string{"versions-second", "versions", "versions"} {
			tags := append([][]string{{"d", r.name(identifier)}, {"a", r.lighthouse.address}}, r.markers()...)
			ev := client.Build(key, client.KindArticle, tags, r.purpose(), date+int64(i))
			if ok, is := relay.Publish(ctx, ev).(client.OKFrame); !is || !ok.Accepted || !r.servedWithin(ctx, r.client, relay, ev, 0).held() {
				return
			}
			if i == 0 {
				first = ev.ID
				continue
			}
			if events, o := relay.Query(ctx, client.Filter{IDs: []string{first}}); o == nil && len(events) == 0 {
				r.versions.lose = true
				why := fmt.Sprintf("an event of the identifier %q is lost when one of %q by the same author is taken",
					r.name("versions-second"), r.name(identifier))
				r.accuseOf(restsOnVersions, why)
				r.mu.Lock()
				r.measured = append(r.measured, "versions: "+why+"; no other check is judged by this")
				r.mu.Unlock()
				return
			}
		}
	})
	return r.versions.lose
}
