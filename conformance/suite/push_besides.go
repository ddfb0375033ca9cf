package suite

import (
	"context"
	"errors"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
)

// These bound how long a push is kept under way for another one: a server may let one wait for the other, and on a busy machine
// the other one takes seconds, though nobody keeps it. The second one holds where the target's clock moves by our word: real time
// says there how busy this machine is and nothing else.
const (
	besidesMax      = 10 * time.Second
	besidesMaxStill = time.Minute
)

// pushBesides begins a push to one repository, sends one to another whole while half of the first is on its way, and then the
// rest. The table has a ref, where the first push moves it, and where the other one does.
func (w *world) pushBesides(first, other string, table [][]string) outcome {
	var rows [2][][]string
	for _, row := range w.refNames(table) {
		rows[0] = append(rows[0], []string{row[0], row[1]})
		rows[1] = append(rows[1], []string{row[0], row[2]})
	}
	var pushes [2]push
	var opts [2]client.PushOpts
	for i, whose := range []string{first, other} {
		pushes[i] = push{actor: whose, rows: rows[i], before: w.advertise(w.path(whose), client.ReceivePack)}
		old, is := pushes[i].before.(client.Advert)
		if !is {
			return unable("advertisement before the push", pushes[i].before)
		}
		opts[i] = w.pushOf(old, rows[i])
		opts[i].Caps = client.CapsFor(old)
	}
	pushes[0].answer = w.pushAround(w.path(first), opts[0], func() {
		w.advertise(w.path(other), client.ReceivePack) // what is asked later is heard later
		pushes[1].answer = w.client.Push(w.ctx, w.path(other), opts[1])
	})
	for i, p := range pushes {
		pushes[i].after = w.client.Advertise(w.ctx, w.path(p.actor), client.ReceivePack, 0)
		pushes[i].beside = "a push to " + pushes[1-i].actor
	}
	w.git.pushed, w.git.beside = pushes[1], pushes[0]
	return outcome{}
}

// errLeft ends the body of a push whose client leaves.
var errLeft = errors.New("the client leaves")

// leaveHalfway begins so many pushes, one after the other, and hangs up in the middle of each.
func (w *world) leaveHalfway(clients int, table [][]string) outcome {
	o := w.advertise(w.path("owner"), client.ReceivePack)
	old, is := o.(client.Advert)
	if !is {
		return unable("advertisement before the pushes", o)
	}
	opts := w.pushOf(old, w.refNames(table))
	opts.Caps = client.CapsFor(old)
	opts.Wire.Hold = func() error { return errLeft }
	for range clients {
		w.client.Push(w.ctx, w.path("owner"), opts) // what it ends in says nothing: the client has left
	}
	return outcome{}
}

// bothSucceeded judges two pushes that were under way at once.
func (w *world) bothSucceeded() outcome {
	return w.succeeded().then(func() outcome {
		w.git.pushed, w.git.beside = w.git.beside, w.git.pushed
		return w.succeeded()
	})
}

// pushAround sends half of a push, lets something happen, and sends the rest.
func (w *world) pushAround(path string, opts client.PushOpts, meanwhile func()) client.Observation {
	longest := besidesMax
	if w.run.movable() {
		longest = besidesMaxStill
	}
	waiting, release := context.WithTimeout(w.ctx, longest)
	defer release()
	underway := make(chan struct{}, 1)
	opts.Wire.HoldMax = longest
	opts.Wire.Hold = func() error {
		select {
		case underway <- struct{}{}:
		default: // it is sent anew
		}
		<-waiting.Done()
		return nil
	}
	done := make(chan client.Observation, 1)
	go func() { done <- w.client.Push(w.ctx, path, opts) }()
	var early client.Observation // the answer that came before the whole push
	select {
	case <-underway:
	case early = <-done:
	}
	meanwhile()
	release()
	if early != nil {
		return early
	}
	return <-done
}
