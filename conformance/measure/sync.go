package measure

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
)

// Limits of a measurement of how a server gets events from other relays.
const (
	// SyncWithin bounds all of it.
	SyncWithin = 20 * time.Minute
	// Reconnects is how many attempts at a relay that is down are measured.
	Reconnects = 5

	askedWithin   = 5 * time.Minute // the first connection may take
	quietFor      = 90 * time.Second
	downWithin    = 6 * time.Minute // those attempts may take
	backWithin    = 6 * time.Minute // the next attempt may take, once the relay is back
	pagedIssues   = 250
	pagedAtATime  = 100
	steadyIssues  = 5
	syncedIn      = "gc-measure-sync"
	syncPollEvery = time.Second
)

// Sync measures how the server gets events from other relays: it has a repository served whose announcement lists two relays
// of ours, one of which reconciles and the other knows pages only, and then both go away for a while.
func Sync(ctx context.Context, t target.Target, cfg Config) (*SyncResult, error) {
	if cfg.Seed == "" {
		panic("measure: invariant: Config without Seed")
	}
	relays, ok := t.(target.Relays)
	if !ok || !relays.Reachback() {
		return nil, ErrNoReachback
	}
	if patient, ok := t.(target.Patient); ok && patient.Patience() < SyncWithin {
		return nil, fmt.Errorf("%w: up to %v", ErrImpatient, SyncWithin)
	}
	c, private, err := cfg.client(ctx, t)
	if err != nil {
		return nil, err
	}
	s := &syncRun{target: t, client: c, private: private, root: client.Root(cfg.Seed, cfg.Nonce), gone: make(map[string]time.Time)}
	defer s.close()
	for _, relay := range []*target.FakeRelay{&s.steady, &s.paged} {
		var err error
		if *relay, err = relays.NewRelay(ctx); err != nil {
			return nil, fmt.Errorf("relay: %w", err)
		}
	}
	if err := s.behave(); err != nil {
		return nil, err
	}
	s.owner = cfg.key("sync")
	if err := errors.Join(s.lend(s.steady, cfg.key("steady"), "steady", steadyIssues), s.lend(s.paged, cfg.key("paged"), "paged", pagedIssues)); err != nil {
		return nil, err
	}
	for _, step := range []func(context.Context) error{s.serve, s.watch, s.lose} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return s.result(), nil
}

// A syncRun is one measurement of a sync.
type syncRun struct {
	target        target.Target
	client        *client.Client
	private       bool // the server is for members alone
	root          string
	owner         client.Key
	steady, paged target.FakeRelay

	begin time.Time            // when the announcement was sent
	gone  map[string]time.Time // when something happened to both relays
}

func (s *syncRun) close() {
	for _, relay := range []target.FakeRelay{s.steady, s.paged} {
		if relay != nil {
			_ = relay.Close() // nobody asks any more
		}
	}
}

// lend puts so many issues on the repository on a relay, a second apart. The server may get them there, so they are listed.
func (s *syncRun) lend(to target.FakeRelay, author client.Key, relay string, n int) error {
	var all []*nostr.Event
	first := s.client.Now() - int64(n)
	for i := range n {
		address := client.RepoAddress(s.owner.Pubkey, syncedIn)
		all = append(all, client.Build(author, client.KindIssue, append([][]string{{"a", address}, {"subject", relay}}, marks()...), "", first+int64(i)))
	}
	for _, ev := range all {
		if err := s.client.Lend(ev); err != nil {
			return fmt.Errorf("list issues: %w", err)
		}
	}
	to.Put(all...)
	return nil
}

// serve has the repository served.
func (s *syncRun) serve(ctx context.Context) error {
	relay, o := s.client.Relay(ctx)
	if o != nil {
		return fmt.Errorf("connect: %v", o)
	}
	defer relay.Close()
	history := client.NewHistory(s.root + "/sync")
	commit := history.Commit("", map[string]string{"README": "sync"}, "sync")
	clone := s.client.CloneURL(s.owner.Pubkey, syncedIn)
	announcement := client.Announce(s.owner, client.AnnounceOpts{
		Identifier: syncedIn, Description: "Written to measure a server; may be deleted.", Clone: []string{clone},
		Relays: []string{s.client.RelayURL(), s.steady.URL(), s.paged.URL()}, CreatedAt: s.client.Now(), Extra: marks(),
	})
	state := client.StateEvent(s.owner, syncedIn, [][2]string{{"refs/heads/main", commit}}, "", s.client.Now())
	s.begin = s.target.Now()
	for _, ev := range []*nostr.Event{announcement, state} {
		o := relay.Publish(ctx, ev)
		if ok, is := o.(client.OKFrame); !is || !ok.Accepted {
			return fmt.Errorf("%w: event of kind %d for %s: %v", ErrNotTaken, ev.Kind, syncedIn, o)
		}
	}
	pushed := s.client.Push(ctx, s.client.RepoPath(s.owner.Pubkey, syncedIn), client.PushOpts{
		Commands: []client.Command{{Old: client.ZeroOID, New: commit, Ref: "refs/heads/main"}}, Pack: history.Pack([]string{commit}, nil),
	})
	if why, refused := client.Refusal(pushed); refused {
		return fmt.Errorf("%w: the push of %s: %s", ErrNotTaken, syncedIn, why)
	}
	return nil
}

// watch lets time pass until nothing more is asked.
func (s *syncRun) watch(ctx context.Context) error {
	return s.until(ctx, func(now time.Time) bool {
		last := s.begin
		for _, relay := range []target.FakeRelay{s.steady, s.paged} {
			if asked := relay.Asked(); len(asked) > 0 && asked[len(asked)-1].At.After(last) {
				last = asked[len(asked)-1].At
			}
		}
		visited := len(s.steady.Visits())+len(s.paged.Visits()) > 0
		return !visited && now.Sub(s.begin) >= askedWithin || visited && now.Sub(last) >= quietFor
	})
}

// lose has both relays go away, and come back once the steady one was tried so often.
func (s *syncRun) lose(ctx context.Context) error {
	if len(s.steady.Visits()) == 0 {
		return nil
	}
	before := len(s.steady.Visits())
	s.gone["lost"] = s.target.Now()
	refuses := target.RelayBehavior{Members: s.private, Mode: target.RelayRefuses}
	if err := errors.Join(s.steady.Behave(refuses), s.paged.Behave(refuses)); err != nil {
		return fmt.Errorf("set relays: %w", err)
	}
	err := s.until(ctx, func(now time.Time) bool {
		return len(s.steady.Visits()) >= before+Reconnects || now.Sub(s.gone["lost"]) >= downWithin
	})
	if err != nil {
		return err
	}
	s.gone["back"] = s.target.Now()
	if err := s.behave(); err != nil {
		return err
	}
	return s.until(ctx, func(now time.Time) bool {
		back, paged := s.returned(s.steady), s.returned(s.paged)
		return !back.IsZero() && !paged.IsZero() && now.Sub(back) >= quietFor && now.Sub(paged) >= quietFor || now.Sub(s.gone["back"]) >= backWithin
	})
}

// behave has both relays do what they are for.
func (s *syncRun) behave() error {
	err := errors.Join(
		s.steady.Behave(target.RelayBehavior{Members: s.private}), // a private service asks no relay that lets everybody in (G08-10)
		s.paged.Behave(target.RelayBehavior{Members: s.private, Negentropy: "unknown", PageMax: pagedAtATime}),
	)
	if err != nil {
		return fmt.Errorf("set relays: %w", err)
	}
	return nil
}

// returned is when the server was connected to a relay again; zero if it was not.
func (s *syncRun) returned(relay target.FakeRelay) time.Time {
	for _, v := range relay.Visits() {
		if v.Taken && !s.gone["back"].IsZero() && !v.At.Before(s.gone["back"]) {
			return v.At
		}
	}
	return time.Time{}
}

// until lets time pass until something holds.
func (s *syncRun) until(ctx context.Context, holds func(now time.Time) bool) error {
	for !holds(s.target.Now()) {
		if err := s.target.Sleep(ctx, syncPollEvery); err != nil {
			return fmt.Errorf("wait for what relays are asked: %w", err)
		}
	}
	return nil
}
