package suite

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
)

// Bounds of the wait for the first request of a server: it may let minutes pass after an event of a user, and who says that it is
// slow has it waited for as many times as long, but no longer than any server has to get what it lacks.
const (
	reachWithin = 5 * time.Minute
	reachMax    = time.Hour
)

// A reach is what a run has found out about a live server: whether it asks git hosts of ours at all. A server that does
// not look for git data, or that refuses our addresses as it should, proves nothing by its silence.
type reach struct {
	once    sync.Once
	outcome outcome
}

// reaches holds if a git host of ours can be asked, as a request has shown. The simulated and the served reference are
// believed: there silence is what the checks are to find.
func (r *run) reaches(ctx context.Context) outcome {
	if worldOf(r.target) != "live" {
		return outcome{}
	}
	r.reach.once.Do(func() { r.reach.outcome = r.proveReach(ctx) })
	return r.reach.outcome
}

// proveReach publishes a state whose objects a host of ours is said to have, and waits for a request there.
func (r *run) proveReach(ctx context.Context) outcome {
	hosts, is := r.target.(target.Hosts)
	if !is {
		return harnessError("the target offers no git hosts")
	}
	host, err := hosts.NewHost(ctx)
	if err != nil {
		return blocked("no git host could be started: "+err.Error(), "see that the address of --reachback is one of this machine")
	}
	defer func() { _ = host.Close() }() // whoever still asks gets nothing
	if out := r.wantFrom(ctx, host); !out.held() {
		return out
	}
	within := min(reachWithin*time.Duration(r.cfg.slowness()), reachMax, r.cfg.TimeBudget)
	found, o := r.client.Poll(ctx, within, func() (bool, client.Observation) { return len(host.Requests()) > 0, nil })
	switch {
	case found:
		return outcome{}
	case o != nil:
		return inconclusive("wait for a request", o)
	}
	return blocked(
		fmt.Sprintf("no request came to the git host at %s within %v: the server does not look for git data, must not ask there, or begins later", host.URL(), within),
		"let the server look for git data, allow it addresses of this machine and http without TLS, and say by --reachback how it reaches them; "+r.reachLonger(within),
	)
}

// reachLonger says how a server is waited for that begins later than it was given, and what that costs.
func (r *run) reachLonger(within time.Duration) string {
	switch {
	case within == r.cfg.TimeBudget && within < reachMax:
		return fmt.Sprintf("for one that begins later, more --time-budget than %v", within)
	case within < reachMax:
		return fmt.Sprintf("for one that begins later, --slowness N waits N times %v, once in a run, up to %v", reachWithin, reachMax)
	}
	return "it was waited for as long as any server has"
}

// wantFrom publishes an announcement that names a host, and a state that nobody has pushed.
func (r *run) wantFrom(ctx context.Context, host target.GitHost) outcome {
	key, identifier := r.newKey("reachback", false), r.name("reachback")
	commit := client.NewHistory(r.cfg.Seed+"/reachback").Commit("", map[string]string{"README": "first\n"}, "first")
	relay, o := r.client.Relay(ctx)
	if o != nil {
		return unlessInconclusive("connect", o).asTwin()
	}
	defer relay.Close()
	clone := []string{r.client.CloneURL(key.Pubkey, identifier), host.URL() + "/reachback.git"}
	if r.facts.grasps[graspArchive] { // one that is only read takes what it keeps, and nothing else
		if keeps := r.keeps(); keeps.known() {
			for _, service := range keeps.at() {
				clone = append(clone, service+r.client.RepoPath(key.Pubkey, identifier))
			}
		} else if len(r.cfg.Keys) > 0 {
			key = r.cfg.Keys[0]
			clone[0] = r.client.CloneURL(key.Pubkey, identifier)
		}
	}
	for i, ev := range []*nostr.Event{
		client.Announce(key, client.AnnounceOpts{
			Identifier: identifier, Description: r.purpose(), Relays: []string{r.client.RelayURL()}, CreatedAt: r.base(),
			Clone: clone, Extra: r.markers(),
		}),
		client.StateEvent(key, identifier, [][2]string{{"refs/heads/main", commit}}, "", r.base()+1),
	} {
		if out := accepted("publish "+describe(ev), relay.Publish(ctx, ev), i > 0); !out.held() {
			return out.asTwin()
		}
	}
	return outcome{}
}
