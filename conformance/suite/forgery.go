package suite

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// A forgery is an event that is sent spoilt, with what it would bring about if it were taken: no server may do that, whatever
// it answers, and every server has to once the event is sent as it was signed.
type forgery struct {
	event *nostr.Event
	// applied looks, behind a barrier, whether the event has had its consequence.
	applied func() (bool, outcome)
	may     bool   // a server need not do what it asks for
	signs   string // where a state has main, which a push of the owner's may bring about as well
}

// forged is what a check has sent spoilt, with the answer to each form of it.
type forged struct {
	forgery
	stray   *nostr.Event // by the same author and of no interest, which was sent as it was signed before
	forms   []string
	answers []client.Observation
}

// What was found right once may vouch for itself alone.
const (
	strayProof  = "the id and the signature of an event that was sent"
	straySigned = "the signature of an event that was sent"
)

// forge makes an event that a step names.
func (w *world) forge(actor, what string) forgery {
	switch what {
	case "an announcement of the repository":
		ev := w.build(announcing{actor: actor, date: w.tick()})
		w.remember("announcement", "", ev)
		return forgery{event: ev, applied: func() (bool, outcome) { return w.answersGit(w.path(actor)) }}
	case "a newer announcement naming the stranger":
		ev := w.build(announcing{
			actor: actor, date: w.tick(),
			with: map[string]string{"maintainers": w.key("stranger").Pubkey, "description": "newer"},
		})
		return forgery{event: ev, applied: func() (bool, outcome) { return w.findable(ev) }}
	case "a state":
		return w.forgeState(actor, "second", w.pushApplies)
	case "a state of what is there":
		f := w.forgeState(actor, "first", func(string) (bool, outcome) { return w.mainIsAt(actor, "first") })
		f.signs = "first"
		return f
	case "a pull request", "an update":
		p := pulling{actor: actor, label: labelOf(what), commit: "side"}
		w.original(p) // where it is refused, the twin tells
		ev := w.buildPull(p)
		return forgery{event: ev, applied: func() (bool, outcome) {
			return w.released(ev, "side")
		}}
	}
	if label, is := strings.CutPrefix(what, "a request to vanish that takes the "); is {
		doomed := w.event(label)
		w.decoys = decoys{set: true} // who vanishes takes them along
		ev := client.Build(w.key(actor), client.KindVanish, [][]string{{"relay", w.client.RelayURL()}}, "", w.tick())
		return forgery{event: ev, applied: func() (bool, outcome) { return w.gone(doomed) }}
	}
	if m := deletionOf.FindStringSubmatch(what); m != nil {
		return w.forgeDeletion(actor, w.event(m[1]), m[2] == "address")
	}
	panic("suite: invariant: unknown forgery " + what)
}

// deletionOf is how steps name the deletion request for an event of the check.
var deletionOf = regexp.MustCompile(`^a deletion request for the (.+) by (id|address)$`)

// forgeDeletion makes a deletion request.
func (w *world) forgeDeletion(actor string, doomed *nostr.Event, byAddress bool) forgery {
	tags := [][]string{{"e", doomed.ID}, {"k", fmt.Sprint(doomed.Kind)}}
	if byAddress {
		tags[0] = []string{"a", addressOf(doomed)}
	}
	w.decoys.set = true // what becomes of the rest of a repository is judged elsewhere
	ev := client.Build(w.key(actor), client.KindDeletion, tags, "", w.tick())
	return forgery{event: ev, may: true, applied: func() (bool, outcome) { return w.gone(doomed) }}
}

// forgeState makes a state that has main at a commit.
func (w *world) forgeState(actor, commit string, applied func(commit string) (bool, outcome)) forgery {
	table := [][]string{{"refs/heads/main", commit}}
	ev := w.buildState(actor, w.tick(), table)
	w.remember("state", "", ev)
	w.git.state = table
	return forgery{event: ev, applied: func() (bool, outcome) { return applied(commit) }}
}

// answersGit reports whether there is a repository at a path.
func (w *world) answersGit(path string) (bool, outcome) {
	o := w.advertise(path, client.UploadPack)
	if _, is := o.(client.Advert); is {
		return true, outcome{}
	}
	if answer, is := o.(client.HTTPAnswer); is && answer.Status < http.StatusInternalServerError {
		return false, outcome{}
	}
	return false, unlessInconclusive("advertisement", o)
}

// mainIsAt reports whether the branch main of an actor's repository is at a commit.
func (w *world) mainIsAt(actor, commit string) (bool, outcome) {
	o := w.advertise(w.path(actor), client.UploadPack)
	advert, is := o.(client.Advert)
	if !is {
		return false, unlessInconclusive("advertisement", o)
	}
	oid, _ := advert.Ref("refs/heads/main")
	return oid == w.git.history.oid(commit), outcome{}
}

// pushApplies reports whether a push of main to the owner's repository is carried out.
func (w *world) pushApplies(commit string) (bool, outcome) {
	out := w.push("owner", [][]string{{"refs/heads/main", commit}}, nil)
	if !out.held() {
		return false, out
	}
	if report, is := w.git.pushed.answer.(client.PushReport); is && report.Accepted() {
		w.git.arrived = true
		return true, outcome{}
	}
	return w.mainIsAt("owner", commit)
}

// released pushes the commit of an event, unless its ref is there already, and reports whether the event is found. Whether
// a ref is taken before its event is not judged here.
func (w *world) released(ev *nostr.Event, commit string) (bool, outcome) {
	advert, _ := w.advertise(w.path("owner"), client.UploadPack).(client.Advert)
	if _, there := advert.Ref(refOf(ev)); !there {
		if out := w.pushFor(ev, commit, ""); !out.held() {
			return false, out
		}
	}
	return w.findable(ev)
}

// findable reports whether an event is found by anything that it says of itself.
func (w *world) findable(ev *nostr.Event) (bool, outcome) {
	for _, f := range []client.Filter{{IDs: []string{ev.ID}}, {Authors: []string{ev.PubKey}, Kinds: []int{ev.Kind}}, address(ev)} {
		if f.Tags != nil && ev.Tags.GetD() == "" {
			continue
		}
		relay, out := w.connect()
		if !out.held() {
			return false, out
		}
		events, o := relay.Query(w.ctx, f)
		if bad, is := o.(client.BadEvent); is {
			return true, violated("a spoilt event is served: %v", bad)
		}
		if o != nil {
			return false, unable("query", o)
		}
		if holds(events, ev) {
			return true, outcome{}
		}
	}
	return false, outcome{}
}

// gone reports whether an event is not served any more.
func (w *world) gone(ev *nostr.Event) (bool, outcome) {
	events, out := w.query(client.Filter{IDs: []string{ev.ID}})
	return !holds(events, ev), out
}

// addressOf is the address of an addressable event.
func addressOf(ev *nostr.Event) string {
	return fmt.Sprintf("%d:%s:%s", ev.Kind, ev.PubKey, ev.Tags.GetD())
}

// spoiltForms are the faults of an event that is what it should be but for its proof.
func spoiltForms() []string {
	return []string{
		"a wrong signature", "the signature of another event", "the signature of somebody else", "a wrong id", "changed content",
		"another date", "one tag more",
	}
}

// spoiltAs is an event with one of these faults.
func (w *world) spoiltAs(ev *nostr.Event, fault string) []byte {
	bad := *ev
	switch fault {
	case straySigned:
		bad.Sig = w.sent.forged.stray.Sig
	case strayProof:
		bad.ID, bad.Sig = w.sent.forged.stray.ID, w.sent.forged.stray.Sig
	case "the signature of another event":
		bad.Sig = client.Build(w.keyOf(ev.PubKey), ev.Kind, nil, "another event", int64(ev.CreatedAt)).Sig
	case "the signature of somebody else":
		var tags [][]string
		for _, tag := range ev.Tags {
			tags = append(tags, tag)
		}
		bad = *client.Build(w.key("second maintainer"), ev.Kind, tags, ev.Content, int64(ev.CreatedAt))
		bad.PubKey = ev.PubKey
		bad.ID = bad.GetID()
	default:
		return spoil(client.EventJSON(ev), fault)
	}
	return client.EventJSON(&bad)
}

// keyOf is the key of an actor with a public key.
func (w *world) keyOf(pubkey string) client.Key {
	for _, a := range actors() {
		if key := w.key(a); key.Pubkey == pubkey {
			return key
		}
	}
	panic("suite: invariant: an event of nobody")
}

// publishForged sends an event in every spoilt form, none of which may be taken.
func (w *world) publishForged(actor, what string) outcome {
	f := &forged{forgery: w.forge(actor, what)}
	w.sent.forged, w.sent.last = f, f.event
	relay, out := w.connect()
	if !out.held() {
		return out
	}
	f.stray = client.Build(w.keyOf(f.event.PubKey), client.KindNote, nil, "an event that was sent", int64(f.event.CreatedAt))
	w.answered(w.sendInto(relay, f.stray))
	f.forms = append(spoiltForms(), straySigned)
	if ok, is := w.sent.answer.(client.OKFrame); is && !ok.Accepted { // what is known may be answered by its id alone
		f.forms = append(f.forms, strayProof)
	}
	for _, fault := range f.forms {
		relay, out := w.connect()
		if !out.held() {
			return out
		}
		w.answered(relay.PublishMalformed(w.ctx, w.spoiltAs(f.event, fault), ""))
		f.answers = append(f.answers, w.sent.answer)
	}
	return outcome{}
}

// forgedRefused judges the answer to each form.
func (w *world) forgedRefused() outcome {
	f := w.sent.forged
	for i, o := range f.answers {
		w.sent.answer = o
		w.sent.again = func() outcome { return w.sendMalformed(w.spoiltAs(f.event, f.forms[i])) }
		if _, told := o.(client.NoticeFrame); told {
			continue
		}
		if out := w.eventRefused(); !out.held() {
			out.reason = fmt.Sprintf("%s with %s: %s", describe(f.event), f.forms[i], out.reason)
			return out
		}
	}
	return outcome{}
}

// forgedWithoutConsequence judges, behind a barrier, that what was sent spoilt was not carried out.
func (w *world) forgedWithoutConsequence() outcome {
	fresh, out := w.barrier()
	if !out.held() {
		return out
	}
	fresh.Close()
	applied, out := w.sent.forged.applied()
	if out.held() && applied {
		return violated("%s was sent spoilt only, and has had its consequence", describe(w.sent.forged.event))
	}
	return out
}

// forgedApplies sends the event as it was signed, and waits for its consequence.
func (w *world) forgedApplies() outcome {
	out := w.forgedHasConsequence()
	if out.verdict == Fail && w.sent.forged.may {
		return notApplicable("the server does not do what %s asks for: %s", describe(w.sent.forged.event), out.reason)
	}
	return out
}

func (w *world) forgedHasConsequence() outcome {
	f := w.sent.forged
	return w.publish(f.event).then(w.accepted).then(func() outcome {
		var end outcome
		applied := false
		bound, whole := w.run.patience(&w.run.releases, 0)
		if f.signs != "" {
			bound = min(bound, w.client.Settle())
		}
		_, o := w.client.Poll(w.ctx, bound, func() (bool, client.Observation) {
			applied, end = f.applied()
			return applied || !end.held(), nil
		})
		switch {
		case !end.held():
			return end
		case applied:
			return outcome{}
		case f.signs != "": // a server may move refs by pushes only, and what a push brings about is not worth a wait
			return w.pushTwin("owner", mainAt(f.signs))
		case o != nil:
			return unable("the consequence of "+describe(f.event), o)
		}
		return inVain(whole, "%s was accepted and has no consequence within %v", describe(f.event), bound.Round(100*time.Millisecond))
	})
}
