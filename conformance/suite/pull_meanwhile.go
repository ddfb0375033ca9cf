package suite

import (
	"sync"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
)

// pullApart is by how much later a pull request is published in each round than its push began: where a server looks for the commit nobody
// knows.
const pullApart = 6 * time.Millisecond

// pulledMeanwhile publishes so many pull requests while their commit is pushed, a little later each time: whichever comes first here, the
// commit stays and the event is served. In a simulated world, where both would come in one order or the other by chance, the event does.
func (w *world) pulledMeanwhile(actor string, rounds int) outcome {
	const commit = "side"
	for round := range rounds {
		ev := w.buildPull(pulling{actor: actor, label: "pull request", commit: commit})
		rows := [][]string{{refOf(ev), commit}}
		path := w.path("owner")
		p := push{actor: "owner", rows: rows, before: w.advertise(path, client.ReceivePack), known: true} // the event may bring its ref
		old, is := p.before.(client.Advert)
		if !is {
			return unable("advertisement before the push", p.before)
		}
		opts := w.pushOf(old, rows)
		opts.Caps = client.CapsFor(old)
		var out outcome
		publish := func() { out = w.publish(ev) }
		if worldOf(w.run.target) == "sim" {
			publish()
			p.answer = w.client.Push(w.ctx, path, opts)
		} else {
			var group sync.WaitGroup
			group.Go(func() { p.answer = w.client.Push(w.ctx, path, opts) })
			w.idle(time.Duration(round) * pullApart)
			publish()
			group.Wait()
		}
		p.after = w.client.Advertise(w.ctx, path, client.ReceivePack, 0)
		w.git.pushed = p
		if !taken(w.sent.answer) { // who does one thing at a time may ask for the event once more
			out = w.publish(ev)
		}
		out = out.then(w.accepted).then(w.succeeded).then(func() outcome { return w.servedVerbatim(ev) })
		if !out.held() {
			return out
		}
	}
	return outcome{}
}
