package suite

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// authenticationSteps speak of who a client is (NIP-42, NIP-98), of events that only their authors may publish (NIP-70)
// and of proof of work (NIP-13).
func authenticationSteps() []step {
	return []step{
		{
			text: `the {actor} was asked to authenticate`,
			role: setUp, sees: answers, cost: cost{events: 1},
			doc: "a challenge (NIP-42) was sent on the actors' connection, if need be after a protected event; else not applicable",
			run: func(w *world, a []string, _ [][]string) outcome {
				_, out := w.challenged(a[0])
				return out
			},
		},
		{
			text: `the {actor} authenticates with {any}`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "sends an AUTH message with the one fault named, or none",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.authenticate(a[0], a[1])
			},
		},
		{
			text: `the {actor} has authenticated`,
			role: setUp, sees: answers, cost: cost{events: 1},
			doc: "an AUTH message without a fault was accepted",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.authenticate(a[0], "").then(w.accepted)
			},
		},
		{
			text: `the proper authentication of the {actor} is accepted`,
			role: twin, sees: answers, cost: cost{events: 1},
			doc: "an AUTH message without a fault is accepted",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.authenticate(a[0], "").then(w.accepted)
			},
		},
		{
			text: `the {actor} may authenticate {number} times`,
			role: assertion, sees: answers, cost: cost{events: 1, each: true},
			doc: "so many AUTH messages without a fault are accepted, one after the other",
			run: func(w *world, a []string, _ [][]string) outcome {
				for range number(a[1]) {
					if out := w.authenticate(a[0], "").then(w.accepted); !out.held() {
						return out
					}
				}
				return outcome{}
			},
		},
		{
			text: `the {actor} publishes what would authenticate`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "sends the event of an AUTH message as an EVENT",
			run: func(w *world, a []string, _ [][]string) outcome {
				challenge, out := w.challenged(a[0])
				if !out.held() {
					return out
				}
				ev := client.Proof(w.key(a[0]), w.client.RelayURL(), challenge, w.client.Now())
				w.remember("event", "proof", ev)
				return w.publish(ev).then(w.answeredAtAll)
			},
		},
		{
			text: `a protected issue by the {actor} is sent`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "publishes an issue on the lighthouse with the tag of NIP-70",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.postProtected(a[0])
			},
		},
		{
			text: `a protected issue by the {actor} that says so in its last tag is sent`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "publishes an issue on the lighthouse with the tag of NIP-70 behind all others",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.needLighthouse().then(func() outcome {
					plain := w.issue(a[0], "protected", w.tick())
					var tags [][]string
					for _, tag := range append(plain.Tags, nostr.Tag{"-"}) {
						tags = append(tags, tag)
					}
					ev := client.Build(w.key(a[0]), plain.Kind, tags, plain.Content, int64(plain.CreatedAt))
					w.remember("issue", "", ev)
					return w.publish(ev)
				})
			},
		},
		{
			text: `a protected issue by the {actor} is sent on another connection`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "publishes an issue on the lighthouse with the tag of NIP-70 on a connection on which nobody has authenticated",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.postElsewhere(a[0])
			},
		},
		{
			text: `the {actor} asks to delete the {label} by a protected request`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "publishes a deletion request by id with the tag of NIP-70",
			run: func(w *world, a []string, _ [][]string) outcome {
				tags := [][]string{{"-"}, {"e", w.event(a[1]).ID}}
				ev := client.Build(w.key(a[0]), client.KindDeletion, tags, w.run.purpose(), w.tick())
				w.remember("event", "request", ev)
				return w.publish(ev)
			},
		},
		{
			text: `the same request is accepted once the {actor} has authenticated`,
			role: twin, sees: answers, cost: cost{events: 2},
			doc: "the same request is accepted from its author, authenticated",
			run: func(w *world, a []string, _ [][]string) outcome {
				request := w.event(`event "request"`)
				return w.authenticate(a[0], "").then(w.accepted).then(func() outcome {
					return w.publish(request).then(w.accepted)
				})
			},
		},
		{
			text: `the same issue is accepted once the {actor} has authenticated`,
			role: twin, sees: answers, cost: cost{events: 2},
			doc: "the same event is accepted from its author, authenticated",
			run: func(w *world, a []string, _ [][]string) outcome {
				issue := w.event("issue")
				return w.authenticate(a[0], "").then(w.accepted).then(func() outcome {
					return w.publish(issue).then(w.accepted)
				})
			},
		},
		{
			text: `a visitor with HTTP authentication (of now|of an hour ago) asks for the fetch advertisement of the {actor}'s repository`,
			role: act, sees: pages,
			doc: "asks with a NIP-98 token of this age",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.visitAs(a[1], a[0])
			},
		},
		{
			text: `the answer to the visitor is recorded`,
			role: record, sees: pages,
			doc: "notes the last answer",
			run: func(w *world, _ []string, _ [][]string) outcome {
				w.note("%v", w.page)
				return outcome{}
			},
		},
		{
			text: `the relay asks for proof of work`,
			role: setUp, sees: pages,
			doc: "the document asks for proof of work; else not applicable",
			run: func(w *world, _ []string, _ [][]string) outcome {
				limitation, _ := w.run.facts.document["limitation"].(map[string]any)
				if bits, _ := limitation["min_pow_difficulty"].(float64); bits < 1 {
					return notApplicable("no proof of work is required")
				}
				return outcome{}
			},
		},
		{
			text: `the {actor} announces the repository without work`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "announces with an id that has no bit of work, and a nonce that claims 256",
			run: func(w *world, a []string, _ [][]string) outcome {
				for range 1000 { // half of all ids have no bit of work, whatever their tags claim
					an := announcing{actor: a[0], date: w.tick(), with: map[string]string{"nonce": "0, 256"}}
					if w.build(an).ID[0] >= '8' {
						return w.announce(an)
					}
				}
				panic("suite: invariant: every id has work")
			},
		},
		{
			text: `the refusal has the prefix pow`,
			role: assertion, sees: answers,
			doc: "a refusal has the prefix pow",
			run: func(w *world, _ []string, _ [][]string) outcome {
				if ok, is := w.sent.answer.(client.OKFrame); is && !ok.Accepted && ok.Prefix != "pow" {
					return violated("the refusal has another prefix: %v", ok)
				}
				return outcome{}
			},
		},
	}
}

// challenged returns the challenge of the actors' connection. A relay may tell it at once, or only when it is needed: so a
// protected event is sent to one that has not.
func (w *world) challenged(actor string) (string, outcome) {
	relay, out := w.connect()
	if !out.held() {
		return "", out
	}
	if relay.Challenge() == "" || w.relay.proved == relay { // a relay may send another challenge behind each authentication
		w.relay.proved = nil
		if _, o := relay.Query(w.ctx, client.Filter{Limit: new(int)}); o != nil { // reads what came before
			return "", unlessInconclusive("query", o)
		}
	}
	if relay.Challenge() == "" {
		out := w.needLighthouse().then(func() outcome { return w.publish(w.protected(actor, "asking")) })
		if !out.held() {
			return "", out
		}
	}
	if relay.Challenge() == "" {
		return "", notApplicable("the relay asks nobody to authenticate")
	}
	return relay.Challenge(), outcome{}
}

// ofBeside is the fault of who answers what somebody else was asked.
const ofBeside = "the challenge of a connection beside it"

// challengedBeside returns the challenge of a connection that is open beside that of the actors.
func (w *world) challengedBeside(actor string) (string, outcome) {
	beside, o := w.client.Relay(w.ctx)
	if o != nil {
		return "", inconclusive("connect", o)
	}
	w.relay.extra = append(w.relay.extra, beside)
	if _, o := beside.Query(w.ctx, client.Filter{Limit: new(int)}); o != nil {
		return "", unlessInconclusive("query", o)
	}
	if beside.Challenge() == "" {
		beside.Publish(w.ctx, w.protected(actor, "asking beside"))
	}
	if beside.Challenge() == "" {
		return "", notApplicable("a second connection is not asked to authenticate")
	}
	return beside.Challenge(), outcome{}
}

// authenticate sends an AUTH message that is proper but for one fault.
func (w *world) authenticate(actor, fault string) outcome {
	challenge, out := w.challenged(actor)
	if !out.held() {
		return out
	}
	if fault == ofBeside {
		challenge, out = w.challengedBeside(actor)
		if fault = ""; !out.held() {
			return out
		}
	}
	ev, raw := w.proof(actor, challenge, fault)
	w.remember("event", "proof", ev)
	w.answered(w.relay.conn.Authenticate(w.ctx, raw, ev.ID))
	w.relay.proved = w.relay.conn
	return outcome{}
}

// proof is the event of an AUTH message, and the text that is sent for it: proper but for one fault.
func (w *world) proof(actor, challenge, fault string) (ev *nostr.Event, raw []byte) {
	key, url, now := w.key(actor), w.client.RelayURL(), w.client.Now()
	ev = client.Proof(key, url, challenge, now)
	raw = client.EventJSON(ev)
	switch fault {
	case "", "nothing wrong":
	case ofAnother:
		ev = client.Proof(key, url, flip(challenge), now)
	case "the URL of another relay":
		ev = client.Proof(key, "wss://relay.example.invalid", challenge, now)
	case "the URL of another relay that holds this one's":
		_, here, _ := strings.Cut(url, "://")
		ev = client.Proof(key, "wss://relay.example.invalid/"+here, challenge, now)
	case "a time 20 minutes ago":
		ev = client.Proof(key, url, challenge, now-int64((20*time.Minute).Seconds()))
	case "a time in 20 minutes":
		ev = client.Proof(key, url, challenge, now+int64((20*time.Minute).Seconds()))
	case "an event of another kind":
		ev = client.Build(key, client.KindNote, [][]string{{"relay", url}, {"challenge", challenge}}, "", now)
	case "no challenge":
		ev = client.Build(key, ev.Kind, [][]string{{"relay", url}, {"challenge"}}, "", now)
	case "no relay":
		ev = client.Build(key, ev.Kind, [][]string{{"relay"}, {"challenge", challenge}}, "", now)
	case "no tag":
		ev = client.Build(key, ev.Kind, nil, "", now)
	case "a wrong signature":
	default:
		panic("suite: invariant: unknown fault " + fault)
	}
	if fault != "" {
		raw = client.EventJSON(ev)
	}
	if fault == "a wrong signature" {
		raw = spoil(raw, fault)
	}
	return ev, raw
}

// protected builds an issue on the lighthouse that only its author may publish (NIP-70).
func (w *world) protected(actor, name string) *nostr.Event {
	plain := w.issue(actor, name, w.tick())
	tags := [][]string{{"-"}}
	for _, tag := range plain.Tags {
		tags = append(tags, tag)
	}
	return client.Build(w.key(actor), plain.Kind, tags, plain.Content, int64(plain.CreatedAt))
}

func (w *world) postProtected(actor string) outcome {
	return w.needLighthouse().then(func() outcome {
		ev := w.protected(actor, "protected")
		w.remember("issue", "", ev)
		return w.publish(ev)
	})
}

// postElsewhere publishes a protected event on a connection of its own, while that of the actors stays open.
func (w *world) postElsewhere(actor string) outcome {
	return w.needLighthouse().then(func() outcome {
		fresh, o := w.client.Relay(w.ctx)
		if o != nil {
			return inconclusive("connect", o)
		}
		defer fresh.Close()
		ev := w.protected(actor, "protected")
		w.remember("issue", "", ev)
		w.sent.last = ev
		w.sent.again = func() outcome { return w.postElsewhere(actor) }
		w.answered(w.sendInto(fresh, ev))
		return outcome{}
	})
}

// visitAs asks for the advertisement with an HTTP authentication (NIP-98).
func (w *world) visitAs(actor, when string) outcome {
	date := w.client.Now()
	if strings.Contains(when, "hour") {
		date -= int64(time.Hour.Seconds())
	}
	key := w.key(actor)
	url := w.client.CloneURL(key.Pubkey, w.identifier) + advertOf(client.UploadPack)
	ev := client.Build(key, client.KindHTTPAuth, [][]string{{"u", url}, {"method", http.MethodGet}}, "", date)
	token, err := json.Marshal(ev)
	if err != nil {
		panic("suite: invariant: own event: " + err.Error())
	}
	header := http.Header{"Authorization": {"Nostr " + base64.StdEncoding.EncodeToString(token)}}
	return w.visit(http.MethodGet, w.path(actor)+advertOf(client.UploadPack), header, nil)
}
