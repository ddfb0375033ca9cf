package suite

import (
	"bytes"
	"fmt"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
)

// What a client asks for who reads nothing: more than the buffers of two kernels take, so that nothing more can be sent to him.
const (
	deafQueries = 120                    // for all of the large events, 6 MB in sum
	deafPause   = 100 * time.Millisecond // between what is asked of the server meanwhile: its buffers are full after some time
)

// answersBesideDeaf subscribes for somebody's issues on a connection on which large events are asked for as well and nothing is read, posts
// so many such issues, and judges that each is accepted and comes to another listener, and that new connections and git are answered. That
// something is not, twice, shows nothing by itself, for the server has work to do; that it is soon once the other client has left does.
func (w *world) answersBesideDeaf(actor, other string, many int) outcome {
	if !w.run.loopback {
		return notApplicable("what is asked for are %d MB, and the server is not on this machine", lateEvents*lateEventSize*deafQueries/1_000_000)
	}
	large, out := w.largeQuery(actor)
	if !out.held() {
		return out
	}
	listener, out := w.listening(other)
	if !out.held() {
		return out
	}
	deaf, out := w.liveLate(other)
	if !out.held() {
		return out
	}
	go func() { _, _ = deaf.Write(bytes.Repeat(large, deafQueries)) }() // until the connection ends, where the relay does not read on
	for n := range many {
		w.idle(deafPause)
		start := w.run.target.Now()
		out := w.newIssueSoon(other, fmt.Sprint("beside", n), listener).then(w.lives)
		switch took := w.run.target.Now().Sub(start); {
		case out.held():
		case out.paced || out.verdict != Fail && out.verdict != Inconclusive && out.verdict != DependencyFail:
			return out
		default:
			w.hangUp()
			if w.newIssueSoon(other, fmt.Sprint("again", n), listener).held() {
				return outcome{verdict: Inconclusive, reason: out.reason} // and what was sent next was answered
			}
			return w.keptOutBy(deaf, other, out, took)
		}
	}
	return outcome{}
}

// newIssueSoon is newIssueComes without a second try for what is not answered: some servers hang up on who does not read, after a while.
func (w *world) newIssueSoon(actor, name string, listener *client.Relay) outcome {
	if out := w.postIssue(actor, name, w.tick()); !out.held() {
		return out
	}
	if unanswered(w.sent.answer) {
		return inconclusive("an issue", w.sent.answer)
	}
	return w.accepted().then(func() outcome { return w.comesTo(listener) })
}

// keptOutBy judges by what is answered once a client has left that reads nothing what was not answered beside him.
func (w *world) keptOutBy(deaf *bareConn, other string, beside outcome, waited time.Duration) outcome {
	_ = deaf.Close() // the server may have hung up before
	w.hangUp()
	listener, out := w.listening(other)
	if !out.held() {
		return out.asSetup()
	}
	start := w.run.target.Now()
	if out := w.newIssueSoon(other, "alone", listener).then(w.lives); !out.held() {
		return out.asSetup()
	}
	if beside.verdict != Fail && w.run.target.Now().Sub(start)*overTimes > waited { // who was answered wrongly has not waited
		return outcome{verdict: Inconclusive, reason: "beside a client that reads nothing " + beside.reason}
	}
	return violated("beside a client that reads nothing %s; once he has left all is answered", beside.reason)
}
