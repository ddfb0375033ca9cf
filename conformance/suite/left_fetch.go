package suite

import (
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
)

// leftBytes is how much of an answer has come when a client leaves in the middle of it: a pack has begun.
const leftBytes = 4 << 10

// clonedOnceLeft clones what was pushed, lets clients leave in the middle of such an answer, one after the other, and clones again.
func (w *world) clonedOnceLeft(version, clients int) outcome {
	if report, is := w.git.pushed.answer.(client.PushReport); !is || !report.Accepted() {
		return outcome{} // there is nothing to clone
	}
	start := w.run.target.Now()
	if out := w.cloneable(version); !out.held() {
		return out
	}
	took := w.run.target.Now().Sub(start)
	path, tips := w.path(w.git.pushed.actor), w.tipsPushed()
	for n := range clients {
		if out := w.leaveFetch(path, tips[0], version); !out.held() {
			w.note("%d clients have left in the middle of an answer; the next one did not get there: %s", n, out.reason)
			break
		}
	}
	return w.answeredStill("a clone behind clients that left in the middle of one", path, took, func() (*client.Objects, client.Observation) {
		return w.client.Fetch(w.ctx, path, version, tips, client.FetchOpts{})
	}, func(objects *client.Objects) outcome { return connected(objects, tips) })
}

// leaveFetch asks for a commit on a connection of its own, and hangs up when the answer has begun. A world in which an answer is there at
// once and whole has no such connections.
func (w *world) leaveFetch(path, commit string, version int) outcome {
	conn, out := w.bareFor(w.client.Settle())
	if !out.held() {
		return out
	}
	body := pkt(w.wantLine(commit)) + "0000" + pkt("done\n")
	if version == 2 {
		body = pkt("command=fetch\n") + "0001" + pkt("want "+commit+"\n") + pkt("done\n") + "0000"
	}
	lines := fmt.Sprintf("Git-Protocol: version=%d\r\n", version)
	if token := w.client.Authorization(path); token != "" {
		lines += "Authorization: " + token + "\r\n"
	}
	head := fmt.Sprintf("POST %s%s/%s HTTP/1.1\r\nHost: %s\r\n%sContent-Type: application/x-%s-request\r\nContent-Length: %d\r\n\r\n",
		conn.base, path, client.UploadPack, conn.host, lines, client.UploadPack, len(body))
	return conn.write([]byte(head + body)).then(func() outcome {
		answer, err := http.ReadResponse(conn.in, nil)
		if err != nil {
			return inconclusive("fetch", client.TransportError{Phase: "request", Text: err.Error(), Err: err})
		}
		defer func() {
			_ = conn.Close() // before the body, whose end would read all that comes
			_ = answer.Body.Close()
		}()
		if _, err = io.CopyN(io.Discard, answer.Body, leftBytes); err != nil || answer.StatusCode != http.StatusOK {
			return inconclusive("fetch", client.HTTPAnswer{Status: answer.StatusCode, Header: answer.Header})
		}
		return outcome{}
	})
}

// answeredStill judges a fetch whose like was answered before, and took so long. Where none is answered, neither at first nor when a
// server has had the time for an answer, it is a violation if that was more than three times as long, and an advertisement comes soon.
func (w *world) answeredStill(what, path string, before time.Duration, ask func() (*client.Objects, client.Observation), judge func(*client.Objects) outcome) outcome {
	start := w.run.target.Now()
	objects, o := ask()
	if brokenOff(o) && w.client.Wait(w.ctx, w.client.Settle()) == nil {
		objects, o = ask()
	} else if unanswered(o) {
		objects, o = ask()
	}
	waited := w.run.target.Now().Sub(start)
	switch {
	case o == nil:
		return judge(objects)
	case !unanswered(o) && !brokenOff(o) || w.ctx.Err() != nil:
		return fetchedAs(what, o)
	}
	start = w.run.target.Now()
	_, is := w.client.Advertise(w.ctx, path, client.UploadPack, 0).(client.Advert)
	if took := before + w.run.target.Now().Sub(start); !is || took*overTimes > waited {
		return inconclusive(what, o)
	}
	return violated("%s is not answered, twice, within %v: %v; one before took %v, and an advertisement is answered",
		what, waited.Round(time.Millisecond), o, before.Round(time.Millisecond))
}
