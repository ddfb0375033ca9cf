package measure

import (
	"context"
	"fmt"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/ledger"
	"github.com/graspkit/graspkit/conformance/target"
)

// A scribe lists what a measurement writes.
type scribe struct{ *ledger.Ledger }

// Answer implements [client.Scribe]. A ledger that is broken says so before the next write.
func (s scribe) Answer(id string, taken bool) { _ = s.Ledger.Answer(id, taken) }

// client returns a client whose writes are listed, and whether the server has let it in by a key.
func (c Config) client(ctx context.Context, t target.Target) (measures *client.Client, private bool, err error) {
	var opts client.Options
	if c.Ledger != nil {
		opts.Scribe = scribe{c.Ledger}
	}
	outside := client.New(t, opts)
	door, _, why := outside.Unlock(ctx, c.Keys, 1, outside.RepoPath(client.NewKey(client.Root(c.Seed, c.Nonce), "door").Pubkey, "door"))
	if door == nil && why != "" {
		return nil, false, fmt.Errorf("%w: %s", ErrShut, why)
	}
	opts.Door = door
	return client.New(t, opts), door != nil, nil
}

// key makes a key of the measurement, and tells the ledger what it follows from.
func (c Config) key(name string) client.Key {
	key := client.NewKey(client.Root(c.Seed, c.Nonce), name)
	if c.Ledger != nil {
		c.Ledger.Key(ledger.Key{Pubkey: key.Pubkey, Npub: key.Npub, Name: name})
	}
	return key
}
