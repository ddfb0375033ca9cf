package suite

import "github.com/graspkit/graspkit/conformance/client"

// pushBehind asks for the refs, lets something happen, and pushes then without asking again: what decides is what holds when the push
// comes, whatever held when its sender asked.
func (w *world) pushBehind(rows [][]string, meanwhile func() outcome) outcome {
	path := w.path("owner")
	p := push{actor: "owner", rows: rows, earlier: w.git.pushed.answer, before: w.advertise(path, client.ReceivePack)}
	old, is := p.before.(client.Advert)
	if !is {
		return unable("advertisement before the push", p.before)
	}
	opts := w.pushOf(old, rows)
	if out := w.offered(old, opts.Commands); !out.held() {
		return out
	}
	opts.Caps = client.CapsFor(old)
	if out := meanwhile(); !out.held() {
		return out
	}
	w.lookAtEvents()
	p.answer = w.pushInto(path, opts)
	p.after = w.client.Advertise(w.ctx, path, client.ReceivePack, 0)
	w.git.pushed = p
	return outcome{}
}

// deleteHalfway has an event deleted, by its id or its address, while a push is under way. Whichever counts as the earlier, the event is gone in the end.
func (w *world) deleteHalfway(actor, label string, byAddress bool, rows [][]string) outcome {
	path := w.path("owner")
	p := push{actor: "owner", rows: w.refNames(rows), earlier: w.git.pushed.answer, before: w.advertise(path, client.ReceivePack)}
	old, is := p.before.(client.Advert)
	if !is {
		return unable("advertisement before the push", p.before)
	}
	if _, out := w.connect(); !out.held() { // first, for the push is not to wait for that
		return out
	}
	opts := w.pushOf(old, p.rows)
	opts.Caps = client.CapsFor(old)
	var asked outcome
	p.answer = w.pushAround(path, opts, func() {
		w.client.Advertise(w.ctx, w.path("stranger"), client.ReceivePack, 0) // what is asked later is heard later
		asked = w.askToDelete(actor, w.event(label), byAddress, false, w.tick()).then(w.accepted)
	})
	p.after = w.client.Advertise(w.ctx, path, client.ReceivePack, 0)
	w.git.pushed = p
	return asked
}

// behindState is pushBehind, and meanwhile the owner's next state comes: the third column has its refs.
func (w *world) behindState(table [][]string) outcome {
	var rows, next [][]string
	for _, row := range table {
		rows, next = append(rows, row[:2]), append(next, []string{row[0], row[2]})
	}
	return w.pushBehind(rows, func() outcome { return w.publishState("owner", "", w.tick(), next).then(w.accepted) })
}

// behindDeletion is pushBehind, and meanwhile the owner asks to delete an event by its id.
func (w *world) behindDeletion(label string, rows [][]string) outcome {
	return w.pushBehind(rows, func() outcome {
		return w.askToDelete("owner", w.event(label), false, false, w.tick()).then(w.accepted)
	})
}
