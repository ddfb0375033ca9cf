package suite

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
)

func hostileSteps() []step {
	return []step{
		{
			text: `a client sends the message (.+)`,
			role: assertion, sees: answers,
			doc: "the frame is answered, and the connection is usable",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.sendMessage(a[0])
			},
		},
		{
			text: `a client sends junk: {any}`,
			role: act,
			doc:  "sends the bytes on the actors' connection and hangs up",
			run: func(w *world, a []string, _ [][]string) outcome {
				relay, out := w.connect()
				if !out.held() {
					return out
				}
				relay.SendRaw(w.ctx, junk(a[0])) // the server may hang up at once
				relay.Close()
				w.relay.conn, w.relay.watching = nil, false
				return outcome{}
			},
		},
		{
			text: `a client sends to the relay {any}`,
			role: act, needs: []string{"raw"},
			doc: "sends frames that no library sends, on a bare connection, and waits until they are read",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.sendFrames(a[0])
			},
		},
		{
			text: `a client that reads late gets {number} answers to the {label}, or the relay has ended the connection`,
			role: assertion, sees: answers, needs: []string{"raw"}, cost: cost{events: lateEvents},
			doc: "asks for ten megabytes and sends an event of the check so many times, reads nothing for two seconds, and then all: each is answered, or the connection ended",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.readsLate("contributor", w.event(a[1]), int(number(a[0])))
			},
		},
		{
			text: `a client that offers to compress messages is answered`,
			role: assertion, sees: servedEvents, needs: []string{"raw"},
			doc: "asks for a WebSocket with the offer that browsers make, and by what the relay agrees to, for nothing: the end comes, or the same client without the offer gets none either",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.answersOffers() },
		},
		{
			text: `a subscription for the {actor}'s issues gets {number} events though it is read late, or the relay has ended it`,
			role: assertion, sees: servedEvents, needs: []string{"raw"}, cost: cost{events: 1, each: true},
			doc: "a subscription is open, ten megabytes are asked for beside it, nothing is read while so many events are sent, and then all: each came, or the subscription or the connection ended",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.listensLate("contributor", a[0], int(number(a[1])))
			},
		},
		{
			text: `{number} issues of the {actor} are taken, and come to who listens, beside a client that reads nothing`,
			role: assertion, sees: servedEvents, needs: []string{"raw"}, cost: cost{events: lateEvents + 8},
			doc: "a subscription is open on a connection on which six megabytes are asked for and nothing is read; each issue that is posted then is accepted and comes to another listener, and relay and git answer; what is twice not answered until that connection is ended, and soon then, was kept out by it",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.answersBesideDeaf("contributor", a[1], int(number(a[0])))
			},
		},
		{
			text: `branches called by names that git does not take are refused though a state names them`,
			role: assertion, sees: reports, refuses: true,
			doc: "for each of the names a state is sent that names it, yes or no, and a push of it is refused",
			run: func(w *world, _ []string, _ [][]string) outcome {
				for _, name := range notOfGit() {
					if out := w.pushUntakable(name); !out.held() {
						out.reason = quote(name) + ": " + out.reason
						return out
					}
				}
				return outcome{}
			},
		},
		{
			text: `a client posts a bomb to the (fetch|push) endpoint`,
			role: act, sees: pages,
			doc: "posts a small compressed body that unpacks to a large one",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.bomb(a[0])
			},
		},
		{
			text: `a client posts a bomb of {number} megabytes to the (fetch|push) endpoint of the repository behind (nothing|a list of commands|a list and the head of a pack)`,
			role: act, sees: pages,
			doc: "posts a small compressed body that unpacks to so much, and begins as a proper one",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.bombOf(int(number(a[0])), a[1], w.bombLead(a[2]))
			},
		},
		{
			text: `{number} clients begin a push and send nothing more`,
			role: act, needs: []string{"raw"},
			doc: "so many bare connections send the first bytes of a push and stay",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.idlePushes(int(number(a[0])))
			},
		},
		{
			text: `a push to the {actor}'s repository succeeds beside them:`,
			role: assertion, sees: reports, cost: cost{pushes: 1},
			doc: "a client pushes the table, which succeeds while those connections stay; where it is not answered, and is once they have left, they have kept it out",
			run: func(w *world, a []string, table [][]string) outcome { return w.pushesBesideBegun(a[0], table) },
		},
		{
			text: `relay and git answer`,
			role: setUp, sees: servedEvents,
			doc: "the lighthouse is served by relay and git",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.lives()
			},
		},
		{
			text: `relay and git still answer`,
			role: assertion, sees: servedEvents,
			doc: "the lighthouse is served by relay and git, on a new connection",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.livesStill()
			},
		},
		{
			text: `the server restarts`,
			role: act, sees: serverLife, needs: []string{"restart"},
			doc: "the server ends in order and starts again",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.restart() },
		},
		{
			text: `{number} minutes later it is recorded whether the repository is there`,
			role: record, sees: advertised,
			doc: "time passes; what the advertisement answers is noted",
			run: func(w *world, a []string, _ [][]string) outcome {
				w.close()
				out := passed(w.client.Wait(w.ctx, time.Duration(number(a[0]))*time.Minute))
				o := w.client.Advertise(w.ctx, w.path("owner"), client.UploadPack, 0)
				w.note("the repository answers %v", o)
				return out
			},
		},
	}
}

// lives asks the relay, on a new connection, and git for something that is there.
func (w *world) lives() outcome {
	return w.needLighthouse().then(func() outcome {
		relay, o := w.client.Relay(w.ctx)
		if o != nil {
			return inconclusive("connect", o)
		}
		defer relay.Close()
		l := w.run.lighthouse
		events, o := relay.Query(w.ctx, client.Filter{
			Kinds: []int{client.KindAnnouncement}, Authors: []string{l.key.Pubkey},
			Tags: map[string][]string{"d": {l.identifier}},
		})
		if o != nil {
			return unlessInconclusive("query", o)
		}
		if len(events) != 1 {
			return violated("a query for the lighthouse brings %d events", len(events))
		}
		_, out := w.listLighthouse(0)
		return out
	})
}

// livesStill judges that a target that answered before does so now. On a machine that has other work to do an answer may be late: who
// got none while the relay answers has another try, alone, and that one counts. Who is interrupted has not seen anything end.
func (w *world) livesStill() outcome {
	out := w.lives()
	if out.paced || w.ctx.Err() != nil || out.verdict != Inconclusive && out.verdict != DependencyFail {
		return out
	}
	if out.dead && !w.run.movable() && !w.again {
		if gone, _ := w.run.lifeless(w.ctx); gone == nil {
			out.verdict, out.broken = Inconclusive, true
			return out
		}
	}
	return violated("relay and git answered before, and now: %s", out.reason)
}

// sendMessage sends something that is no message of NIP-01 and looks for an answer; then the connection has
// to be usable.
func (w *world) sendMessage(text string) outcome {
	relay, out := w.connect()
	if !out.held() {
		return out
	}
	if o := relay.SendRaw(w.ctx, []byte(text)); o != nil {
		return unlessInconclusive("send", o)
	}
	var unread error
	for range answersMax {
		raw, o := relay.Next(w.ctx)
		if broken, is := o.(client.TransportError); is {
			return violated("the connection ends: %v", broken)
		}
		if o != nil {
			break
		}
		if unread = client.CheckMessage(raw); unread == nil {
			if about, named := subOf(decoded(string(raw))), subOf(decoded(text)); about != "" && named != "" && about != named {
				return violated("the message is answered for another subscription: %.200s", raw)
			}
			w.note("the answer is %.200s", raw)
			if sub := subOf(decoded(text)); sub != "" && w.roomOnConnection() == 1 { // it may be open, and then is the only one that may
				if o := relay.Unsubscribe(w.ctx, sub); o != nil {
					return unlessInconclusive("close", o)
				}
			}
			return w.alive().then(func() outcome { return closedReadably(decoded(string(raw))) })
		}
	}
	if out := w.alive(); !out.held() {
		return out
	}
	if unread != nil {
		return violated("the answer cannot be read: %v", unread)
	}
	return violated("the message is not answered, but a later query is")
}

// closedReadably judges that a CLOSED has a word by which programs can tell why, as NIP-01 wants it.
func closedReadably(message []any) outcome {
	if len(message) != 3 || message[0] != "CLOSED" {
		return outcome{}
	}
	reason, _ := message[2].(string)
	if word, _, found := strings.Cut(reason, ":"); !found || word == "" || strings.ContainsAny(word, " \t\r\n") {
		return violated("the reason of CLOSED has no prefix: %.200q", reason)
	}
	return outcome{}
}

// answersMax bounds the messages read in search of one that clients can read.
const answersMax = 8

// junk is a message that an attacker may send.
func junk(what string) []byte {
	switch what {
	case "a megabyte of text":
		return bytes.Repeat([]byte("a"), 1<<20)
	case "deeply nested lists":
		return []byte(strings.Repeat("[", 50_000) + strings.Repeat("]", 50_000))
	case "deeply nested filters":
		return []byte(`["REQ","x",` + strings.Repeat(`{"a":`, 20_000) + "1" + strings.Repeat("}", 20_000) + "]")
	case "an event of ten thousand tags":
		return []byte(`["EVENT",{"kind":1,"tags":[` + strings.TrimSuffix(strings.Repeat(`["t","x"],`, 10_000), ",") + `]}]`)
	case "bytes that are not UTF-8":
		return []byte("[\"EVENT\",\"\xff\xfe\"]")
	case "zero bytes":
		return make([]byte, 1024)
	case "nothing":
		return nil
	}
	panic("suite: invariant: unknown junk " + what)
}

// bombBytes is the unpacked size of a bomb, far beyond what any request needs.
const bombBytes = 24 << 20

// bomb posts a small compressed body that unpacks to a large one.
func (w *world) bomb(service string) outcome {
	name, lead := client.UploadPack, ""
	if service == "push" {
		name = client.ReceivePack
	}
	body := client.Gzip(append([]byte(lead), make([]byte, bombBytes)...))
	header := http.Header{"Content-Type": {"application/x-" + name + "-request"}, "Content-Encoding": {"gzip"}}
	w.page = w.client.Do(w.ctx, http.MethodPost, w.run.lighthouse.path()+"/"+name, header, body)
	w.note("the answer is %.200v", w.page)
	return outcome{}
}

// idlePushes opens bare connections that begin a push and then are silent until the check ends.
func (w *world) idlePushes(n int) outcome {
	dialer, is := w.run.target.(target.RawDialer)
	if !is {
		return blocked("the target has no bare connections", "judge a server by its URL")
	}
	u, err := url.Parse(w.run.target.ServiceURL())
	if err != nil {
		return harnessError("service URL: %v", err)
	}
	for range n {
		if err := w.client.WritesTo(w.run.lighthouse.path(), 0); err != nil {
			return harnessError("%v", err)
		}
		conn, err := dialer.DialRaw(w.ctx)
		if err != nil {
			return inconclusive("connect", client.TransportError{Phase: "dial", Text: err.Error(), Err: err})
		}
		stop := context.AfterFunc(w.ctx, func() { _ = conn.Close() })
		w.git.bare = append(w.git.bare, func() {
			stop()
			_ = conn.Close()
		})
		entry := ""
		if token := w.client.Authorization(w.run.lighthouse.path()); token != "" {
			entry = "Authorization: " + token + "\r\n"
		}
		head := fmt.Sprintf("POST %s%s/%s HTTP/1.1\r\nHost: %s\r\n%sContent-Type: application/x-%s-request\r\nContent-Length: 100000\r\n\r\n00",
			strings.TrimSuffix(u.EscapedPath(), "/"), w.run.lighthouse.path(), client.ReceivePack, u.Host, entry, client.ReceivePack)
		if _, err := conn.Write([]byte(head)); err != nil {
			return inconclusive("send", client.TransportError{Phase: "send", Text: err.Error(), Err: err})
		}
	}
	return outcome{}
}

// restart restarts the target; every connection of the run ends.
func (w *world) restart() outcome {
	restarter, is := w.run.target.(target.Restarter)
	if !is {
		return blocked("the target cannot be restarted", "let --launch start it")
	}
	w.close()
	w.run.lighthouse.close()
	if err := restarter.Restart(w.ctx); err != nil {
		return inconclusive("restart", client.TransportError{Phase: "restart", Text: err.Error(), Err: err})
	}
	w.back()
	w.lookForLoss()
	return outcome{}
}

// notOfGit are names of branches that git check-ref-format refuses, one for each of its rules that a name can break by a
// character.
func notOfGit() []string {
	return []string{
		"x.", "x~", "x~1", "x^", "x:y", "x?", "x[y", `x\y`, "x\x7f", "x\x7fy", "x\x1fy", "x ", ".y/x", "y/.x", "y.lock/x", "@{x", "y//x",
	}
}

// pushUntakable sends a state that names a branch, and pushes it, which has to be refused.
func (w *world) pushUntakable(name string) outcome {
	table := [][]string{{"refs/heads/main", "first"}, {"refs/heads/" + name, "second"}}
	return w.publishState("owner", "", w.tick(), table).then(w.answeredAtAll).asSetup().then(func() outcome {
		return w.push("owner", table[1:], nil)
	}).then(w.refused)
}
