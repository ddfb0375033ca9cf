package replicate

import (
	"slices"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
)

// A Remembered is what outlives an orderly end of an announcement or a state that was refused for want of something. Where it came from
// does not, nor does the event itself: when what it lacks has come it is asked for by its id, at all relays.
type Remembered struct {
	ID         string
	Kind       int // 30617 or 30618
	Author     string
	Identifier string
	Created    int64           // created_at in seconds
	Until      instant.Instant // when it is forgotten
}

// Remembers lists what is to outlive an end, the latest refusals first, up to a number. Other kinds are left out, for what they lack is
// known from the event alone; and so is what does not count while a newer one is held, which may run out before the next start.
func (m *Machine) Remembers(now instant.Instant, most int) []Remembered {
	var list []Remembered
	for _, x := range slices.Backward(m.refused.order) {
		if len(list) == most {
			break
		}
		if x.gone || x.until <= now || !slices.Equal(x.lacks, []string{"d" + x.identifier}) || x.kind != policy.KindAnnouncement && x.kind != policy.KindState {
			continue
		}
		list = append(list, Remembered{ID: x.id, Kind: x.kind, Author: x.author, Identifier: x.identifier, Created: x.created, Until: x.until})
	}
	return list
}

// Recall takes back what has outlived an end. It is called before Start, and what is forgotten first comes first.
func (m *Machine) Recall(now instant.Instant, old Remembered) {
	r := &m.refused
	if old.Until <= now || r.byID[old.ID] != nil || len(old.Identifier) > nameMax {
		return
	}
	key := "d" + old.Identifier
	x := &refusal{
		id: old.ID, created: old.Created, kind: old.Kind, author: old.Author, identifier: old.Identifier, until: old.Until,
		lacks: []string{key},
	}
	r.byID[x.id] = x
	r.order = append(r.order, x)
	r.lacked[key] = append(r.lacked[key], x)
	r.forget(now)
}
