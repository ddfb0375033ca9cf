package suite

import (
	"context"
	"strings"

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
	key        client.Key
	identifier string
	address    string

	mu      turn // guards what follows
	tried   bool
	outcome outcome         // of setting it up
	holds   map[int]holding // by kind of event
	relay   *client.Relay   // for beacons; nil until needed
	ticks   int64

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
	key := client.NewKey(r.cfg.Seed, "lighthouse")
	l := &lighthouse{run: r, mu: newTurn(), key: key, identifier: r.name("lighthouse"), holds: make(map[int]holding)}
	l.address = client.RepoAddress(key.Pubkey, l.identifier)
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

// ready sets the lighthouse up, once, and returns the outcome each time.
func (l *lighthouse) ready(ctx context.Context) outcome {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.tried {
		l.tried = true
		l.outcome = l.setUp(ctx)
		if !l.outcome.held() {
			l.outcome = l.outcome.asTwin()
			l.outcome.reason = "lighthouse repository: " + strings.TrimPrefix(l.outcome.reason, "accepted twin: ")
		}
	}
	return l.outcome
}

// holding says whether the target holds events of the kind, as far as setting up could tell.
func (l *lighthouse) holding(ctx context.Context, kind int) holding {
	l.ready(ctx)
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.holds[kind]
}

func (l *lighthouse) tick() int64 {
	l.ticks++
	return l.run.base() + l.ticks
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
	for _, ev := range []*nostr.Event{announcement, state} {
		o := relay.Publish(ctx, ev)
		if out := accepted("publish the lighthouse", o, false).dueTo(restsOnKind(ev.Kind)); !out.held() {
			return out
		}
		l.holds[ev.Kind] = l.probe(ctx, ev, o)
	}
	pushed := c.Push(ctx, l.path(), client.PushOpts{
		Commands: []client.Command{{Old: client.ZeroOID, New: l.commits[2], Ref: "refs/heads/main"}},
		Pack:     l.pack,
	})
	if report, ok := pushed.(client.PushReport); !ok || !report.Accepted() {
		return unlessInconclusive("push to the lighthouse", pushed).dueTo(restsOnPush)
	}
	for _, ev := range []*nostr.Event{announcement, state} {
		if out := l.run.servedWithin(ctx, c, relay, ev, false); !out.held() {
			return out
		}
	}
	return outcome{}
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
	tags := append([][]string{{"a", l.address}, {"subject", "beacon"}}, l.run.markers()...)
	ev := client.Build(l.key, client.KindIssue, tags, l.run.purpose(), l.tick())
	o := l.relay.Publish(ctx, ev)
	if ok, is := o.(client.OKFrame); is && ok.Accepted {
		return ev, outcome{}
	}
	l.relay.Close()
	l.relay = nil
	return nil, unlessInconclusive("barrier", o).dueTo(restsOnRelated).asTwin()
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
