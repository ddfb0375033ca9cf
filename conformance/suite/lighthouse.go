package suite

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// A lighthouse is the one repository of a run that is served before anything is judged. Nothing but
// events that refer to it changes it, so checks share it: to read from, and to show that time has passed:
// an issue on it, published later than what must not be served, arrives.
//
// Setting it up also finds out whether the target holds announcements and states.
type lighthouse struct {
	run        *run
	keys       []client.Key // one for each try
	key        client.Key   // of the last try, and the same for what follows; not to be read before it is ready
	identifier string
	address    string

	mu      turn // guards what follows
	tried   bool
	outcome outcome         // of setting it up
	holds   map[int]holding // by kind of event
	relay   *client.Relay   // for beacons; nil until needed
	last    int64           // the last date given out
	beacons int             // so far
	made    []client.Entry  // what went over the wire until it was set up

	// Made at the start and only read afterwards.
	commits []string            // first, second, third
	objects map[string]string   // by the words of steps
	pack    []byte              // everything
	known   map[string][]string // closure of a commit
}

// A holding says whether events of one kind wait for git data.
type holding uint8

const (
	holdingUnknown holding = iota
	holdingNo
	holdingYes
)

func newLighthouse(r *run) *lighthouse {
	l := &lighthouse{run: r, mu: newTurn(), holds: make(map[int]holding)}
	for try := range lighthouseTries {
		l.keys = append(l.keys, r.lighthouseKey(try))
	}
	l.choose(0)
	h := client.NewHistory(r.cfg.Seed + "/lighthouse")
	first := h.Commit("", map[string]string{"README": "first\n"}, "first")
	second := h.Commit(first, map[string]string{"README": "second\n", "src/a": "a\n"}, "second")
	third := h.Commit(second, map[string]string{"README": "third\n", "src/a": "a\n"}, "third")
	l.commits = []string{first, second, third}
	l.pack = h.Pack([]string{third}, nil)
	l.objects = map[string]string{
		"an ancestor commit": first, "a tip": third, "a tree": h.Tree(second), "a file": h.Blob("second\n"),
	}
	l.known = map[string][]string{first: h.Closure(first)}
	return l
}

// path is the path of the lighthouse below the service URL.
func (l *lighthouse) path() string { return l.run.client.RepoPath(l.key.Pubkey, l.identifier) }

// lighthouseTries is how often a lighthouse is tried, each with a key and an identifier of its own.
const lighthouseTries = 3

// numbered is a name, and from the second on with its number.
func numbered(name string, i int) string {
	if i == 0 {
		return name
	}
	return fmt.Sprint(name, "-", i+1)
}

// choose takes the key and the identifier of a try.
func (l *lighthouse) choose(try int) {
	l.key, l.identifier = l.keys[try], l.run.name(numbered("lighthouse", try))
	l.address = client.RepoAddress(l.key.Pubkey, l.identifier)
}

// pubkeys are the keys of all tries.
func (l *lighthouse) pubkeys() []string {
	var all []string
	for _, key := range l.keys {
		all = append(all, key.Pubkey)
	}
	return all
}

// ready sets the lighthouse up, and returns the outcome each time. What failed for once is tried anew; what was waited for
// in vain, or refused by policy, is not.
func (l *lighthouse) ready(ctx context.Context) outcome {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.tried {
		return l.outcome
	}
	l.tried = true
	for try := range lighthouseTries {
		l.choose(try)
		start := l.run.target.Now()
		l.outcome = l.setUp(ctx)
		patient := l.run.target.Now().Sub(start) >= l.run.long()
		if l.outcome.held() {
			l.made = l.run.client.Recorder().Entries()
			break
		}
		if l.outcome.verdict == Unsupported || l.outcome.verdict == DependencyFail || patient || try == lighthouseTries-1 {
			break
		}
		if l.relay != nil {
			l.relay.Close()
			l.relay = nil
		}
		if l.run.client.Wait(ctx, lighthousePause) != nil {
			break
		}
	}
	if !l.outcome.held() {
		if l.made == nil {
			l.run.mu.Lock()
			l.run.dark = true
			l.run.mu.Unlock()
		}
		l.tried = l.made == nil // one that was there once and got lost is tried again by whoever needs it next
		if l.outcome.verdict == Unsupported {
			l.run.refusesUs(l.outcome.reason)
		}
		l.outcome = l.outcome.asTwin()
		l.outcome.reason = "lighthouse repository: " + strings.TrimPrefix(l.outcome.reason, "accepted twin: ")
	}
	return l.outcome
}

// lighthousePause is the time between two tries.
const lighthousePause = time.Second

// holding says whether the target holds events of the kind, as far as setting up could tell.
func (l *lighthouse) holding(ctx context.Context, kind int) holding {
	l.ready(ctx)
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.holds[kind]
}

func (l *lighthouse) tick() int64 {
	l.last = max(l.last+1, l.run.base())
	return l.last
}

func (l *lighthouse) setUp(ctx context.Context) outcome {
	c := l.run.client
	relay, o := c.Relay(ctx)
	if o != nil {
		return unlessInconclusive("connect", o).dueTo(restsOnRelay)
	}
	l.relay = relay
	announcement := client.Announce(l.key, client.AnnounceOpts{
		Identifier: l.identifier, Name: "lighthouse", Description: l.run.purpose(),
		Clone: []string{c.CloneURL(l.key.Pubkey, l.identifier)}, Relays: []string{c.RelayURL()},
		CreatedAt: l.tick(), Extra: l.run.markers(),
	})
	refs := [][]string{
		{"d", l.identifier},
		{"refs/heads/main", l.commits[2]},
		{"HEAD", "ref: refs/heads/main"},
	}
	state := client.Build(l.key, client.KindState, append(refs, l.run.markers()...), "", l.tick())
	var untold outcome
	started := l.run.target.Now()
	for _, ev := range []*nostr.Event{announcement, state} {
		o := l.insist(ctx, started, func() (client.Observation, bool) {
			sent := l.run.target.Now()
			o := relay.Publish(ctx, ev)
			if l.run.asksAuthors(o) {
				o = relay.Publish(ctx, ev)
			}
			for was := time.Duration(-1); unanswered(o); { // it may be slow and not mute
				after := l.run.target.Now().Sub(sent)
				if after >= slowest || after == was {
					break
				}
				was, o = after, relay.AwaitOK(ctx, ev)
			}
			ok, is := o.(client.OKFrame)
			if is {
				l.run.answeredAfter(l.run.target.Now().Sub(sent))
			}
			return o, is && !ok.Accepted && ev == state && !l.there(ctx)
		})
		if out := accepted("publish the lighthouse", o, false).dueTo(restsOnKind(ev.Kind)); !out.held() && !unanswered(o) {
			l.run.learnDates(o)
			return out
		}
		if unanswered(o) { // whether it is taken is seen at the end
			untold = inconclusive("publish the lighthouse", o)
		}
		l.holds[ev.Kind] = l.probe(ctx, ev, o)
	}
	pushed := l.insist(ctx, started, func() (client.Observation, bool) {
		c.Advertise(ctx, l.path(), client.ReceivePack, 0) // so that nothing is asked for that is not offered
		sent := l.run.target.Now()
		o := c.Push(ctx, l.path(), client.PushOpts{
			Commands: []client.Command{{Old: client.ZeroOID, New: l.commits[2], Ref: "refs/heads/main"}},
			Pack:     l.pack, Patience: max(0, pushSlowest*time.Duration(l.run.cfg.slowness())-c.Settle()),
		})
		if _, told := o.(client.PushReport); told {
			l.run.pushedAfter(l.run.target.Now().Sub(sent))
		}
		return o, notYet(o)
	})
	if report, ok := pushed.(client.PushReport); (!ok || !report.Accepted()) && !l.filled(ctx) {
		if !untold.held() {
			return untold
		}
		if out := l.run.gitless(ctx, relay, l.path(), pushed); !out.held() {
			return out
		}
		return unlessInconclusive("push to the lighthouse", pushed).dueTo(restsOnPush)
	}
	l.run.came(&l.run.rooms, l.run.target.Now().Sub(started))
	for _, ev := range []*nostr.Event{announcement, state} {
		if out := l.run.servedWithin(ctx, c, relay, ev, 0); !out.held() {
			return out
		}
	}
	if !untold.held() {
		l.run.accuseOf(restsOnAnswers, untold.reason+"; and yet it is served")
	}
	l.measureLag(ctx, relay)
	return outcome{}
}

// there reports whether the lighthouse answers git.
func (l *lighthouse) there(ctx context.Context) bool {
	_, is := l.run.client.Advertise(ctx, l.path(), client.ReceivePack, 0).(client.Advert)
	return is
}

// filled reports whether a lighthouse that is made once more has its commits still: a server may lose its events and keep what git has.
func (l *lighthouse) filled(ctx context.Context) bool {
	advert, is := l.run.client.Advertise(ctx, l.path(), client.ReceivePack, 0).(client.Advert)
	if !is || l.made == nil {
		return false
	}
	at, _ := advert.Ref("refs/heads/main")
	return at == l.commits[2]
}

// insist does something again and again while its answer is that of a repository that is being made.
func (l *lighthouse) insist(ctx context.Context, since time.Time, do func() (client.Observation, bool)) client.Observation {
	bound, _ := l.run.patience(&l.run.rooms, 0)
	for pause := roomPauseMin; ; pause = min(2*pause, roomPauseMax) {
		o, early := do()
		if !early {
			return o
		}
		if l.run.target.Now().Sub(since) >= bound || l.run.client.Wait(ctx, pause) != nil {
			l.run.ranOut(&l.run.rooms, 0)
			return o
		}
	}
}

// probe finds out whether an accepted event waits: the OK says so, or the query right behind it does not
// hold the event.
func (l *lighthouse) probe(ctx context.Context, ev *nostr.Event, answer client.Observation) holding {
	if ok, is := answer.(client.OKFrame); is && ok.Prefix == waitingPrefix {
		return holdingYes
	}
	events, o := l.relay.Query(ctx, client.Filter{IDs: []string{ev.ID}})
	switch {
	case o != nil:
		return holdingUnknown
	case len(events) == 0:
		return holdingYes
	}
	return holdingNo
}

// beacon publishes an issue on the lighthouse. Whoever sees it has seen everything that the target had
// to show before.
func (l *lighthouse) beacon(ctx context.Context) (*nostr.Event, outcome) {
	if out := l.ready(ctx); !out.held() {
		return nil, out
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.relay == nil {
		relay, o := l.run.client.Relay(ctx)
		if o != nil {
			return nil, inconclusive("barrier", o)
		}
		l.relay = relay
	}
	if l.run.narrow() { // whoever waits for it may need the one that there is
		defer func() {
			if l.relay != nil {
				l.relay.Close()
				l.relay = nil
			}
		}()
	}
	ev := l.issue("beacon")
	o := l.relay.Publish(ctx, ev)
	if _, broken := o.(client.TransportError); broken { // nobody keeps a connection for ever on which nothing is said
		l.relay.Close()
		l.relay = nil
		relay, unconnected := l.run.client.Relay(ctx)
		if unconnected != nil {
			return nil, inconclusive("barrier", unconnected)
		}
		l.relay = relay
		o = relay.Publish(ctx, ev)
	}
	if ok, is := o.(client.OKFrame); (is && ok.Accepted) || unanswered(o) { // whoever waits for it sees whether it came
		return ev, outcome{}
	}
	l.relay.Close()
	l.relay = nil
	if ok, is := o.(client.OKFrame); is && client.ForNow(ok.Text) {
		out := inconclusive("barrier", o)
		out.paced = true
		return nil, out
	}
	return nil, unlessInconclusive("barrier", o).dueTo(restsOnRelated).asTwin()
}

// issue is another issue on the lighthouse. Its number, and no date, tells one from the other: there may be more of them than
// seconds.
func (l *lighthouse) issue(subject string) *nostr.Event {
	l.beacons++
	tags := append([][]string{{"a", l.address}, {"subject", fmt.Sprint(subject, " ", l.beacons)}}, l.run.markers()...)
	return client.Build(l.key, client.KindIssue, tags, l.run.purpose(), max(l.last, l.run.base()))
}

// seeTo looks after the start of a server that died whether the lighthouse is still there. Where all is lost with the process, it is
// made once more.
func (l *lighthouse) seeTo(ctx context.Context) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.tried || !l.outcome.held() {
		return
	}
	relay, o := l.run.client.Relay(ctx)
	if o != nil {
		return
	}
	defer relay.Close()
	events, o := relay.Query(ctx, client.Filter{Authors: []string{l.key.Pubkey}, Kinds: []int{client.KindAnnouncement}})
	l.tried = o != nil || len(events) > 0 && l.there(ctx)
}

// close ends the lighthouse's connection.
func (l *lighthouse) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.relay != nil {
		l.relay.Close()
		l.relay = nil
	}
}

// found is which events are held, by kind.
func (l *lighthouse) found() map[int]holding {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.holds)
}
