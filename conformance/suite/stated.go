package suite

import (
	"fmt"
	"regexp"
	"time"
	"unicode/utf8"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// A server may limit the events that it takes, and state it in its document (limitation, NIP-11). What goes beyond that is
// refused by policy, wherever it is sent: what a check is about is not seen there. A limit of dates that is not stated is
// learned from the refusals.

// limit is a number of the document's limitation, if it is stated.
func (f facts) limit(name string) (float64, bool) {
	limitation, _ := f.document["limitation"].(map[string]any)
	value, is := limitation[name].(float64)
	return value, is && value > 0
}

// beyond says which stated limit an event exceeds, or "".
func (r *run) beyond(ev *nostr.Event) string {
	age := r.target.Now().Sub(ev.CreatedAt.Time()).Seconds()
	for _, l := range []struct {
		name  string
		value float64
	}{
		{"max_message_length", float64(len(`["EVENT",]`) + len(client.EventJSON(ev)))},
		{"max_content_length", float64(utf8.RuneCountInString(ev.Content))},
		{"max_event_tags", float64(len(ev.Tags))},
		{"created_at_lower_limit", age},
		{"created_at_upper_limit", -age},
	} {
		if most, stated := r.facts.limit(l.name); stated && l.value > most {
			return fmt.Sprintf("the document states %s as %.0f, and this is %.0f", l.name, most, l.value)
		}
	}
	return ""
}

// speaksOfDates tells the refusals that may be about the date of an event.
var speaksOfDates = regexp.MustCompile(`(?i)\b(old|past|late|early|stale|ahead|future|new|dated?|created_at|time|timestamp)\b`)

// limited is the outcome of an event that was refused for a limit that the document states, or for its date; one that holds
// says that it was for something else.
func (w *world) limited(ev *nostr.Event, o client.Observation) outcome {
	if ok, is := o.(client.OKFrame); is && ok.Accepted {
		return outcome{}
	}
	why := w.run.beyond(ev)
	if why == "" {
		why = w.untimely(ev, o)
	}
	if why == "" {
		return outcome{}
	}
	return outcome{verdict: Unsupported, reason: fmt.Sprintf("publish %s: %v: %s", describe(ev), o, why)}
}

// A refused is an event that was refused, with the answer.
type refused struct {
	event  *nostr.Event
	answer client.OKFrame
}

// doubtful keeps the first refusal of the check that may be by a limit of the server, whatever was expected of the event.
func (w *world) doubtful(ev *nostr.Event, ok client.OKFrame) {
	byKey := ev.Kind == client.KindAnnouncement && policyPrefix(ok.Prefix)
	byDate := speaksOfDates.MatchString(ok.Text) && w.oddlyDated(ev)
	if w.sent.doubt.event == nil && !ok.Accepted && (byKey || byDate || w.run.beyond(ev) != "") {
		w.sent.doubt = refused{ev, ok}
	}
}

// unlessLimited is the outcome of a step that rests on what was sent before. Where an event of the check was refused for who
// sends it, or how many there are, or for a limit that events have to keep here, that is why.
func (w *world) unlessLimited(out outcome) outcome {
	ev, ok := w.sent.doubt.event, w.sent.doubt.answer
	if ev == nil {
		return out
	}
	if limited := w.limited(ev, ok); !limited.held() {
		return limited
	}
	if out.verdict == Fail || ev.Kind != client.KindAnnouncement || !w.policy(ok) {
		return out
	}
	w.lacksRoom = true
	w.run.refusesUs(ok.String())
	return outcome{verdict: Unsupported, reason: fmt.Sprintf("announcements are refused by policy: %v", ok)}
}

// unlessShutOut is the outcome of a look at what an act has brought about. Where it was not even let in, or may never have come there,
// that is why; what is let in by now was kept out by a policy of the moment, and is tried again.
func (w *world) unlessShutOut(out outcome) outcome {
	refused := w.accepted()
	ok, is := w.sent.answer.(client.OKFrame)
	switch {
	case refused.verdict == Unsupported, refused.verdict == Inconclusive && lostConnection(w.sent.answer):
		return refused
	case is && !ok.Accepted && policyPrefix(ok.Prefix) && w.sent.last.Kind == client.KindAnnouncement:
		return outcome{verdict: Inconclusive, paced: true, reason: fmt.Sprintf("publish %s: %v, and another announcement was taken later: %s", describe(w.sent.last), ok, out.reason)}
	}
	return out
}

// oddlyDated reports whether an event is dated otherwise than most are.
func (w *world) oddlyDated(ev *nostr.Event) bool {
	age := w.run.target.Now().Sub(ev.CreatedAt.Time())
	return age < 0 || age > w.run.back()+margin
}

// untimely tells a refusal of an event's date from one of what it says: an issue of the same date, with nothing wrong with
// it, is refused as well, and one of now is accepted. Only dates that few events have are looked at so.
func (w *world) untimely(ev *nostr.Event, o client.Observation) string {
	ok, refused := o.(client.OKFrame)
	age := w.run.target.Now().Sub(ev.CreatedAt.Time())
	if !refused || !speaksOfDates.MatchString(ok.Text) || !w.oddlyDated(ev) {
		return ""
	}
	if out := w.needLighthouse(); !out.held() {
		return ""
	}
	relay, broken := w.client.Relay(w.ctx)
	if broken != nil {
		return ""
	}
	defer relay.Close()
	taken := func(date int64) (bool, bool) {
		answer, is := relay.Publish(w.ctx, w.issue("contributor", fmt.Sprint("dated ", date), date)).(client.OKFrame)
		return answer.Accepted, is
	}
	same, told := taken(int64(ev.CreatedAt))
	present, toldNow := taken(w.run.target.Now().Add(-w.run.back()).Unix())
	if !told || !toldNow || same || !present {
		return ""
	}
	return fmt.Sprintf("an issue of the same date, %v ago, is refused as well, and one of now is accepted", age.Round(time.Second))
}

// margin is more than the time that a check takes until it publishes.
const margin = 2 * time.Minute

// pastBase is how long before now the events of a check are dated, so that strictly increasing times never reach the future.
const pastBase = 900 * time.Second

// Where events may not be as old as that, they are dated back by a share of what they may be; of the rest live those who
// publish late. Where a refusal alone tells that there is a limit, the date is this long ago, and less if that is refused as well.
const (
	backShare   = 2
	backLearned = time.Minute
	backTimes   = 6 // the next one is so much shorter
)

// back is how long before now events are dated here.
func (r *run) back() time.Duration {
	back := pastBase
	if most, stated := r.facts.limit("created_at_lower_limit"); stated && most < float64(2*pastBase/time.Second) {
		back = min(back, time.Duration(most)*time.Second/backShare)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	learned := backLearned
	for range r.datesShort {
		back, learned = min(back, learned), learned/backTimes
	}
	return back
}

// learnDates files a refusal of the first event of a run, if it may be about the date.
func (r *run) learnDates(o client.Observation) {
	if ok, is := o.(client.OKFrame); !is || ok.Accepted || !speaksOfDates.MatchString(ok.Text) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.datesShort++
}
