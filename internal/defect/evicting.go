package defect

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
)

// mostHeld is how much waits at a server that makes room for what comes by what has waited longest.
const mostHeld = 100

func evictingDefects() []Defect {
	return []Defect{
		evicting("held-events-evict-the-oldest", func(*nostr.Event) bool { return true }),
		evicting("held-events-evict-pull-requests", isPull),
	}
}

// evicting drops the oldest event of some kinds that waits, whoever wrote it, when more wait than there is room for.
func evicting(name string, which func(*nostr.Event) bool) Defect {
	return Defect{Name: name, Filter: func() Filter {
		var waiting []*nostr.Event // oldest first
		var last core.ConnID       // that something was published on: an announcement is held once its repository is made
		return erasing(func(i core.Input, effects []core.Effect) []core.Message {
			if conn, ev := published(i); ev != nil {
				last = conn
			}
			for _, e := range effects {
				r, is := e.(core.Record)
				if !is {
					continue
				}
				waiting = slices.DeleteFunc(waiting, func(ev *nostr.Event) bool { return ev.ID == r.ID })
				if r.Op == core.OpHold {
					waiting = append(waiting, r.Event)
				}
			}
			at := slices.IndexFunc(waiting, which)
			if len(waiting) <= mostHeld || at < 0 {
				return nil
			}
			oldest := waiting[at]
			waiting = slices.Delete(waiting, at, at+1)
			return []core.Message{removal(last, oldest.PubKey, oldest.CreatedAt, oldest.ID)}
		})
	}}
}
