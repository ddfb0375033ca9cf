// Package measure measures from outside how a server looks for what is missing. Run publishes events that name fake git hosts
// of its own, and reads off the requests that come there when they came and how many at a time; Sync does the same with fake
// relays. It knows nothing of the server but what its settings are said to be, and it starts and ends none.
package measure

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/ledger"
	"github.com/graspkit/graspkit/conformance/target"
)

// Config says how to measure. Seed is required.
type Config struct {
	// Seed makes keys, identifiers and commits, together with Nonce, which is fresh for each run against a server that keeps
	// its data and may be empty for a fresh one.
	Seed, Nonce string
	// Rate is how many requests in a minute the server is set to send to one host; zero means RateDefault.
	Rate int
	// Reference has every rule of the reference judged; without it they are shown, and a server is held to those of
	// GRASP-02 alone.
	Reference bool
	// FirstWithin bounds the wait for the first request, 0 means FirstWithin; Within bounds the wait for all, 0 means
	// Within.
	FirstWithin, Within time.Duration
	// Keys are shown to a service that is for members alone; the first one that is let in measures it.
	Keys []client.Key
	// Ledger lists everything that is written to the target, before it is sent; nil lists nothing.
	Ledger *ledger.Ledger
}

// Defaults and limits.
const (
	RateDefault = 30
	FirstWithin = 5 * time.Minute
	Within      = 14 * time.Minute
	// Retries is how many intervals between attempts are measured.
	Retries = 5
	// RateMax is the highest rate that the crowd can show.
	RateMax = 600

	crowdMin    = 70              // repositories that one host is to have, at least
	crowdBeyond = 10              // and more than the rate
	answerDelay = 2 * time.Second // of that host, so that requests pile up
	pollEvery   = 5 * time.Second
	jitter      = 200 * time.Millisecond // of arrivals over real sockets
	lateness    = time.Second            // of what happens on a busy machine
)

// Errors of Run. What a server does is no error.
var (
	// ErrNoReachback is returned when the server cannot reach hosts of ours.
	ErrNoReachback = errors.New("the server cannot reach git hosts of ours")
	// ErrImpatient is returned when the target is not willing to wait as long as the measurement takes.
	ErrImpatient = errors.New("the measurement takes longer than the time budget")
	// ErrNotTaken is returned when the server does not take the events by which it is measured.
	ErrNotTaken = errors.New("the server does not take the events")
	// ErrShut is returned when the server is for its members alone, and none of Config.Keys is that of one.
	ErrShut = errors.New("the server is for its members alone, and none of the given keys is let in")
)

// Run measures the server. Nothing that it finds is an error.
func Run(ctx context.Context, t target.Target, cfg Config) (*Result, error) {
	r, err := newRun(ctx, t, cfg)
	if err != nil {
		return nil, err
	}
	defer r.close()
	if err := r.publish(ctx); err != nil {
		return nil, err
	}
	if err := r.wait(ctx); err != nil {
		return nil, err
	}
	return r.result(), nil
}

// A run is one measurement.
type run struct {
	target target.Target
	cfg    Config
	client *client.Client
	exact  bool // the target's clock moves by our word alone: no jitter

	lone, crowded target.GitHost
	begin         time.Time // the instant before the lone state was sent
}

func newRun(ctx context.Context, t target.Target, cfg Config) (*run, error) {
	if cfg.Seed == "" {
		panic("measure: invariant: Config without Seed")
	}
	if cfg.Rate == 0 {
		cfg.Rate = RateDefault
	}
	if cfg.FirstWithin == 0 {
		cfg.FirstWithin = FirstWithin
	}
	if cfg.Within == 0 {
		cfg.Within = Within
	}
	hosts, ok := t.(target.Hosts)
	if !ok || !hosts.Reachback() {
		return nil, ErrNoReachback
	}
	if patient, ok := t.(target.Patient); ok && patient.Patience() < cfg.Within {
		return nil, fmt.Errorf("%w: up to %v", ErrImpatient, cfg.Within)
	}
	c, _, err := cfg.client(ctx, t)
	if err != nil {
		return nil, err
	}
	r := &run{target: t, cfg: cfg, client: c}
	_, r.exact = t.(target.ClockAdvancer)
	if r.lone, err = hosts.NewHost(ctx); err != nil {
		return nil, fmt.Errorf("first host: %w", err)
	}
	if r.crowded, err = hosts.NewHost(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("second host: %w", err), r.lone.Close())
	}
	err = errors.Join(
		r.lone.Behave(target.HostBehavior{Mode: target.HostLacks}),
		r.crowded.Behave(target.HostBehavior{Mode: target.HostLacks, Delay: answerDelay}),
	)
	if err != nil {
		r.close()
		return nil, fmt.Errorf("set hosts: %w", err)
	}
	return r, nil
}

func (r *run) close() {
	_ = r.lone.Close() // nobody asks any more
	_ = r.crowded.Close()
}

// crowd is how many repositories the crowded host is to have: more than may be asked for in a minute.
func (r *run) crowd() int { return max(crowdMin, r.cfg.Rate+crowdBeyond) }

// publish sends the events: one state whose objects only the lone host can have, and many for the other host.
func (r *run) publish(ctx context.Context) error {
	relay, o := r.client.Relay(ctx)
	if o != nil {
		return fmt.Errorf("connect: %v", o)
	}
	defer relay.Close()
	if err := r.want(ctx, relay, "lone", r.lone); err != nil {
		return err
	}
	for i := range r.crowd() {
		if err := r.want(ctx, relay, fmt.Sprintf("crowd-%03d", i), r.crowded); err != nil {
			return err
		}
	}
	return nil
}

// want announces a repository that a host is said to have too, and publishes a state of it that nobody has pushed.
func (r *run) want(ctx context.Context, relay *client.Relay, name string, host target.GitHost) error {
	root := client.Root(r.cfg.Seed, r.cfg.Nonce)
	key := r.cfg.key(name)
	identifier := "gc-measure-" + name
	commit := client.NewHistory(root+"/"+name).Commit("", map[string]string{"README": name}, name)
	announcement := client.Announce(key, client.AnnounceOpts{
		Identifier: identifier, Description: "Written to measure a server; may be deleted.",
		Clone:  []string{r.client.CloneURL(key.Pubkey, identifier), host.URL() + "/" + name + ".git"},
		Relays: []string{r.client.RelayURL()}, CreatedAt: r.client.Now(), Extra: marks(),
	})
	state := client.StateEvent(key, identifier, [][2]string{{"refs/heads/main", commit}}, "", r.client.Now())
	for _, ev := range []*nostr.Event{announcement, state} {
		if host == r.lone {
			r.begin = r.target.Now()
		}
		o := relay.Publish(ctx, ev)
		if ok, is := o.(client.OKFrame); !is || !ok.Accepted {
			return fmt.Errorf("%w: event of kind %d for %s: %v", ErrNotTaken, ev.Kind, identifier, o)
		}
	}
	return nil
}

// marks are the tags by which sweepers of test data find ours.
func marks() [][]string { return [][]string{{"t", "grasp-audit-test-event"}} }

// wait lets time pass until everything has been seen, or nothing will be.
func (r *run) wait(ctx context.Context) error {
	for {
		passed := r.target.Now().Sub(r.begin)
		seen := len(starts(r.lone.Requests()))
		if seen > Retries || passed >= r.cfg.Within || seen == 0 && passed >= r.cfg.FirstWithin {
			return nil
		}
		if err := r.target.Sleep(ctx, pollEvery); err != nil {
			return fmt.Errorf("wait for requests: %w", err)
		}
	}
}

// starts are the instants at which fetches began.
func starts(requests []target.HostRequest) []time.Time {
	var at []time.Time
	for _, q := range requests {
		if q.Starts() {
			at = append(at, q.At)
		}
	}
	return at
}
