// Package cleanup removes from a server what a run has written there, by its ledger, and looks whether that is gone.
//
// It asks by deletion requests (NIP-09) of the keys that wrote, and believes no answer: what is gone is what is not found any more.
// It judges nothing: that a server keeps what it was asked to delete is told, and is no verdict.
package cleanup

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/ledger"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/conformance/target"
)

// Limits of a clean-up.
const (
	// TargetsMax is how many things one deletion request names.
	TargetsMax = 100
	// idsMax is how many events one question asks for.
	idsMax = 50
	// rounds is how often what is still there is asked to be deleted.
	rounds = 2
	// goneWithin is how long a server has for what it was asked to delete, where it is not slow.
	goneWithin = 10 * time.Second
	// requestLife is how long a request stays where it may expire (NIP-40).
	requestLife = 24 * time.Hour
	// tries is how often something is asked that got no answer.
	tries = 3
)

// ErrUnreachable is of a server that answers nothing.
var ErrUnreachable = errors.New("cleanup: the server does not answer")

// A Config tunes a clean-up. The zero value is ready for use.
type Config struct {
	// Keys are those that were given to the run; of all others the ledger says what they follow from.
	Keys []client.Key
	// Ledger lists the requests, like everything that is sent, as far as it can be written to; nil lists nothing.
	Ledger *ledger.Ledger
	// Pace is what the run has learnt of how fast the server takes things; nil is nothing.
	Pace *client.Pace
	// Slowness multiplies timeouts; zero is 1.
	Slowness int
	// Parallel is how many connections the requests may be made on at a time, and how many repositories are looked at; zero is 1.
	Parallel int
}

// A Result is what a clean-up came to.
type Result struct {
	Events       int      // that the server has, or may have, taken
	Repositories int      // that it has, or may have, made
	Kept         []Kept   // events that are still served
	Left         []string // repositories that are still there, by URL, each with what was seen
	Empty        int      // of these, those in which there is nothing
	Unsure       int      // events of which nobody could say
	Unseen       int      // repositories of which nobody could say
	Requests     int      // deletion requests that the server took, and that stay
	Expire       bool     // they go by themselves within a day
	Others       int      // requests of the run itself, to delete and to vanish, which nobody can delete
	Listed       bool     // the server lists NIP-09
	Refused      string   // the first answer that refused a request
	Shut         int      // of the unseen ones, those that the server shows to members alone
	NoKey        int      // events of keys that were given to the run, and not to the clean-up
	Spent        bool     // the time was over before the end
}

// A Kept is an event that is still served.
type Kept struct {
	ID   string
	Kind int
	Why  string
}

// Clean reports whether all is gone.
func (r *Result) Clean() bool { return len(r.Kept)+len(r.Left)+r.Unsure+r.Unseen == 0 }

// A cleaner is one clean-up.
type cleaner struct {
	target target.Target
	client *client.Client
	line   *line // what is asked, and the first requests
	book   *ledger.Book
	cfg    Config
	facts  document
	door   []client.Key    // those that were given; where members alone are let in, the first one that is comes first
	shut   bool            // git lets in nobody without a token
	there  map[string]bool // the events that were served when that was asked last
	again  bool            // it is not the first round of requests

	mu     sync.Mutex            // while requests are made on several lines
	keys   map[string]client.Key // guarded by mu; by public key
	vain   int                   // guarded by mu; keys in turn that were refused for the pace
	result *Result               // guarded by mu
}

// Run removes what a ledger lists. It returns an error that wraps ErrUnreachable if the server answers nothing, and the cause of ctx
// if that ends before anything was found out.
func Run(ctx context.Context, t target.Target, book *ledger.Book, cfg Config) (*Result, error) {
	c := &cleaner{target: t, book: book, cfg: cfg, keys: make(map[string]client.Key), door: slices.Clone(cfg.Keys), result: &Result{}}
	opts := client.Options{Slowness: max(cfg.Slowness, 1), Pace: cfg.Pace}
	if cfg.Ledger != nil {
		opts.Scribe = scribe{cfg.Ledger}
	}
	c.client, c.line = client.New(t, opts), &line{cleaner: c}
	defer c.line.hangUp()
	if err := c.greet(ctx); err != nil {
		return nil, err
	}
	for _, key := range cfg.Keys {
		c.keys[key.Pubkey] = key.Working(c.facts.work())
	}
	var suspects []ledger.Event
	for _, e := range book.Events {
		switch {
		case !erasable(e.Kind):
			if !book.Refused(e.ID) && (e.Kind == client.KindDeletion || e.Kind == client.KindVanish) {
				c.result.Others++
			}
		default:
			suspects = append(suspects, e)
		}
	}
	served, unsure := c.line.served(ctx, suspects)
	c.there = served
	suspects = slices.DeleteFunc(suspects, func(e ledger.Event) bool { return book.Refused(e.ID) && !served[e.ID] && !unsure[e.ID] })
	c.result.Events = len(suspects)
	left := suspects
	for round := range rounds {
		if len(left) == 0 {
			break
		}
		if !c.request(ctx, left, round > 0) {
			break
		}
		left = c.await(ctx, suspects)
	}
	c.conclude(ctx, suspects)
	c.repositories(ctx)
	c.result.Spent = ctx.Err() != nil
	return c.result, nil
}

// erasable reports whether a request to delete an event of the kind means anything.
func erasable(kind int) bool {
	return kind != client.KindDeletion && kind != client.KindVanish && !nostr.IsEphemeralKind(kind)
}

// A scribe lists the requests as far as it can. Nobody can delete those, so that one which is not listed, for the disk is full, is
// better than all that it would have removed.
type scribe struct{ ledger *ledger.Ledger }

// Event implements [client.Scribe].
func (s scribe) Event(e ledger.Event) error {
	_ = s.ledger.Event(e)
	return nil
}

// Push implements [client.Scribe]. A clean-up pushes nothing.
func (s scribe) Push(p ledger.Push) error { return s.ledger.Push(p) }

// Answer implements [client.Scribe].
func (s scribe) Answer(id string, taken bool) { _ = s.ledger.Answer(id, taken) } // what was sent is listed already

// key is the key of a public key, as far as it can be had.
func (c *cleaner) key(pubkey string) (client.Key, bool) {
	c.mu.Lock()
	key, known := c.keys[pubkey]
	c.mu.Unlock()
	if known {
		return key, key.Pubkey != ""
	}
	key, derived := suite.KeyOf(c.book.Run, c.book.Keys[pubkey])
	if !derived {
		key = client.Key{}
	}
	key = key.Working(c.facts.work())
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keys[pubkey] = key
	return key, derived
}

// conclude says which events are still there, and why.
func (c *cleaner) conclude(ctx context.Context, suspects []ledger.Event) {
	served, unsure := c.line.served(ctx, suspects)
	for _, e := range suspects {
		switch {
		case unsure[e.ID]:
			c.result.Unsure++
		case served[e.ID]:
			why := "the server was asked to delete it"
			if _, known := c.key(e.Pubkey); !known {
				why = "its key is not here"
				if _, listed := c.book.Keys[e.Pubkey]; listed {
					c.result.NoKey++
				}
			} else if c.result.Refused != "" {
				why = "the server refuses the request: " + c.result.Refused
			}
			c.result.Kept = append(c.result.Kept, Kept{ID: e.ID, Kind: e.Kind, Why: why})
		}
	}
}

// unreachable is the error of a server that answers nothing.
func unreachable(o client.Observation) error { return fmt.Errorf("%w: %v", ErrUnreachable, o) }
