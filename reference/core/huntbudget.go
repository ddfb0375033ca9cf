package core

import (
	"cmp"
	"slices"

	"github.com/graspkit/graspkit/reference/hunt"
	"github.com/graspkit/graspkit/reference/instant"
)

// MarkAsked remembers that Count requests started at Host within the minute that ended at At. It lasts until Until, when
// the host has forgotten the last of them: a server that crashes and starts again asks a host no more often than one that
// goes on (REF-HUNT-09).
const MarkAsked MarkKind = 10

// budgets are the hosts with a MarkAsked.
type budgets struct {
	until map[string]instant.Instant
	ends  []budgetEnd // by time; one that a later mark has put off is passed over
}

type budgetEnd struct {
	host string
	at   instant.Instant
}

func newBudgets() budgets { return budgets{until: map[string]instant.Instant{}} }

// spend records a request before it starts, and takes the marks back that mean nothing any more. Nothing else does: an
// old mark does no harm, and a step that asks nobody writes nothing.
func (b *budgets) spend(now instant.Instant, o hunt.Order, out *Effects) {
	b.lapse(now, out)
	m := Mark{Kind: MarkAsked, Host: o.Fetch.Host, Count: o.Recent, At: now, Until: now.Add(hunt.Window)}
	b.until[m.Host] = m.Until
	b.ends = append(b.ends, budgetEnd{m.Host, m.Until})
	out.add(Record{Op: OpMark, Mark: m})
}

func (b *budgets) lapse(now instant.Instant, out *Effects) {
	for len(b.ends) > 0 && b.ends[0].at <= now {
		if e := b.ends[0]; b.until[e.host] == e.at {
			delete(b.until, e.host)
			out.add(Record{Op: OpUnmark, Mark: Mark{Kind: MarkAsked, Host: e.host}})
		}
		b.ends = b.ends[1:]
	}
}

// recall takes a MarkAsked back, and reports whether it still means anything.
func (x *hunting) recall(now instant.Instant, m Mark) bool {
	if x.queue == nil || m.Until <= now || m.Count < 1 {
		return false
	}
	x.queue.Asked(now, m.Host, m.Count, m.At)
	b := &x.budgets // marks come by name, and the ends are kept by time
	b.until[m.Host] = m.Until
	i, _ := slices.BinarySearchFunc(b.ends, m.Until, func(e budgetEnd, at instant.Instant) int { return cmp.Compare(e.at, at) })
	b.ends = slices.Insert(b.ends, i, budgetEnd{m.Host, m.Until})
	return true
}
