package suite

import (
	"sync"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/ledger"
	"github.com/graspkit/graspkit/conformance/target"
)

// A tally hears of everything that a run writes to its target, before it is sent: it hands that on to the ledger, if there is one,
// and counts it.
type tally struct {
	ledger *ledger.Ledger // nil lists nothing

	mu     sync.Mutex
	counts ledger.Counts // guarded by mu
	broken string        // guarded by mu; why nothing can be listed any more
}

// Event implements [client.Scribe].
func (t *tally) Event(e ledger.Event) error {
	if t.ledger != nil {
		if err := t.ledger.Event(e); err != nil {
			return t.fails(err)
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.counts.Events++
	t.counts.Bytes += int64(e.Bytes)
	return nil
}

// Push implements [client.Scribe].
func (t *tally) Push(p ledger.Push) error {
	if t.ledger != nil {
		if err := t.ledger.Push(p); err != nil {
			return t.fails(err)
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.counts.Pushes++
	t.counts.Bytes += int64(p.Bytes)
	return nil
}

// Answer implements [client.Scribe]. One that cannot be listed is lost: what was sent is listed already.
func (t *tally) Answer(id string, taken bool) {
	if t.ledger != nil {
		_ = t.ledger.Answer(id, taken)
	}
}

func (t *tally) fails(err error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.broken = err.Error()
	return err
}

// written is how much was sent so far, and why no more is, if that is so.
func (t *tally) written() (ledger.Counts, string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.counts, t.broken
}

// newKey makes a key from the root of the run and a name, and tells the ledger; again is for who gets another try.
func (r *run) newKey(name string, again bool) client.Key {
	root := r.cfg.Seed
	if again {
		root = againRoot(root)
	}
	key := client.NewKey(root, name)
	r.keyring.add(key)
	if r.cfg.Ledger != nil {
		r.cfg.Ledger.Key(ledger.Key{Pubkey: key.Pubkey, Npub: key.Npub, Name: name, Again: again})
	}
	return key
}

func againRoot(root string) string { return root + "+again" }

// KeyOf derives a key again that a run has listed in its ledger; false is for one that was given to it.
func KeyOf(run ledger.Run, k ledger.Key) (client.Key, bool) {
	if k.Name == "" {
		return client.Key{}, false
	}
	root := client.Root(run.Seed, run.Nonce)
	if k.Again {
		root = againRoot(root)
	}
	key := client.NewKey(root, k.Name)
	return key, key.Pubkey == k.Pubkey
}

// tally is who hears of what a run writes, if anybody wants to know.
func (c Config) tally() *tally {
	if c.Ledger == nil && c.MaxEvents == 0 && c.MaxBytes == 0 {
		return nil
	}
	return &tally{ledger: c.Ledger}
}

// pace is what is learnt of the server's pace.
func (c Config) pace() *client.Pace {
	if c.Pace != nil {
		return c.Pace
	}
	return PaceOf(c)
}

// listGiven lists the keys that were given to the run, by their public halves.
func (c Config) listGiven() {
	for _, key := range c.Keys {
		if c.Ledger != nil {
			c.Ledger.Key(ledger.Key{Pubkey: key.Pubkey, Npub: key.Npub})
		}
	}
}

// A lender is a relay of ours, from which the target may get events: they are listed like those that are sent to it.
type lender struct {
	target.FakeRelay

	client  *client.Client
	members bool // it is for members alone, whatever else it does
}

// Behave implements [target.FakeRelay].
func (l lender) Behave(b target.RelayBehavior) error {
	b.Members = b.Members || l.members
	return l.FakeRelay.Behave(b) //nolint:wrapcheck // it is the relay's own
}

// Put implements [target.FakeRelay]. What cannot be listed is not lent.
func (l lender) Put(events ...*nostr.Event) { l.FakeRelay.Put(l.listed(events)...) }

// Stray implements [target.FakeRelay].
func (l lender) Stray(events ...*nostr.Event) { l.FakeRelay.Stray(l.listed(events)...) }

func (l lender) listed(events []*nostr.Event) []*nostr.Event {
	for i, ev := range events {
		if l.client.Lend(ev) != nil {
			return events[:i]
		}
	}
	return events
}

// PaceOf is the pace of a run as it begins, for who hands it in, and goes on with it behind the run.
func PaceOf(c Config) *client.Pace { return client.NewPace(c.paceBudget()) }
