package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"

	badgerdb "github.com/dgraph-io/badger/v4"
	"github.com/fiatjaf/eventstore"
	"github.com/fiatjaf/eventstore/badger"
	"github.com/fiatjaf/khatru"
	"github.com/nbd-wtf/go-nostr"
)

// A peer is khatru as its documentation sets it up.
type peer struct {
	data, addr            string
	sync, compares, tells bool
}

// serve is the relay until stdin ends. The store is not closed, for somebody may be asking it: what it has written is the
// system's by then, and its next opening takes up what it had not put in order.
func (p peer) serve() error {
	relay := khatru.NewRelay()
	db := badger.BadgerBackend{Path: filepath.Join(p.data, "badger"), BadgerOptionsModifier: func(o badgerdb.Options) badgerdb.Options {
		return o.WithSyncWrites(p.sync).WithLogger(nil)
	}}
	if err := db.Init(); err != nil {
		return err
	}
	relay.StoreEvent = append(relay.StoreEvent, db.SaveEvent)
	relay.QueryEvents = append(relay.QueryEvents, db.QueryEvents)
	relay.CountEvents = append(relay.CountEvents, db.CountEvents)
	relay.DeleteEvent = append(relay.DeleteEvent, db.DeleteEvent)
	relay.ReplaceEvent = append(relay.ReplaceEvent, db.ReplaceEvent)
	relay.Negentropy = p.compares
	var asked, compared atomic.Int64
	relay.RejectFilter = append(relay.RejectFilter, func(ctx context.Context, _ nostr.Filter) (bool, string) {
		if eventstore.IsNegentropySession(ctx) {
			compared.Add(1)
		} else {
			asked.Add(1)
		}
		return false, ""
	})
	l, err := net.Listen("tcp", p.addr)
	if err != nil {
		return err
	}
	fmt.Printf("listening http://%s\n", l.Addr())
	go func() { _ = http.Serve(l, relay) }()
	_, _ = io.Copy(io.Discard, os.Stdin)
	if p.tells {
		fmt.Fprintf(os.Stderr, "%d filters, %d comparisons\n", asked.Load(), compared.Load())
	}
	return nil
}
