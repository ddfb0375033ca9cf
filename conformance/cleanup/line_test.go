package cleanup_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/cleanup"
	"github.com/graspkit/graspkit/conformance/client"
)

// Requests are made on several connections, and the repositories looked at several at a time. A server that has fewer places than that, or
// wants a slower pace, is asked for all of it just so; those who announce come behind everybody else.
func TestSeveralLines(t *testing.T) {
	t.Parallel()
	const writers, owners = 60, 20
	for _, test := range []struct {
		name   string
		change func(f *fake)
		most   int // connections at a time
		dialed int // at most
		once   bool
	}{
		{"with room", func(*fake) {}, 4, 8, true},
		{"one place", func(f *fake) { f.places = 1 }, 1, 20, true},
		{"two places, and the oldest ends", func(f *fake) { f.places, f.ends = 2, true }, 2, 20, false},
		{"one place, and the oldest ends", func(f *fake) { f.places, f.ends = 1, true }, 1, 20, false},
		{"too fast at first", func(f *fake) { f.limit = 3 }, 5, 20, false}, // one is opened beside the first, to see whether it is that one which is full
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := newFake()
			test.change(f)
			w := newWriter(t, f)
			now := f.now.Unix()
			for i := range max(owners, writers) {
				w.more = append(w.more, fmt.Sprint("a/owner", i), fmt.Sprint("a/author", i))
			}
			for i := range owners {
				w.writes(client.Announce(keyOf(fmt.Sprint("a/owner", i)), client.AnnounceOpts{Identifier: fmt.Sprint("gc-0a1b2c3d-", i), CreatedAt: now}), true, true)
			}
			for i := range writers {
				w.writes(client.Note(keyOf(fmt.Sprint("a/author", i)), nil, "", now), true, true)
			}
			r, err := cleanup.Run(t.Context(), f, w.book(), cleanup.Config{Parallel: 4})
			if err != nil || !r.Clean() || len(f.events)+len(f.there) > 0 || r.Repositories != owners {
				t.Fatalf("got %.300v, %v; %d events and %d repositories left", r, err, len(f.events), len(f.there))
			}
			if f.most > test.most || f.dialed > test.dialed {
				t.Errorf("got %d connections at a time, %d in all, want no more than %d and %d", f.most, f.dialed, test.most, test.dialed)
			}
			if test.name == "too fast at first" {
				return // the first round did not ask for all
			}
			if test.once && len(f.requests) != writers+owners {
				t.Errorf("got %d requests, want one of each key", len(f.requests))
			}
			named := make(map[string]bool)
			for i := range owners {
				named[keyOf(fmt.Sprint("a/owner", i)).Pubkey] = true
			}
			for i, ev := range f.requests {
				if !named[ev.PubKey] && slices.ContainsFunc(f.requests[:i], func(before *nostr.Event) bool { return named[before.PubKey] }) {
					t.Fatalf("request %d of %d is no owner's, and comes behind one", i, len(f.requests))
				}
			}
		})
	}
}
