package suite

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/target"
)

// A run is one execution of the suite. Its fields are set before the first check starts, apart from those
// guarded by mu and the lighthouse's own.
type run struct {
	target     target.Target
	cfg        Config         // Seed is the root of the run: the seed and the nonce together
	seed       string         // as it was given
	client     *client.Client // for greeting, lighthouse and control requests; checks have their own
	facts      facts
	lighthouse *lighthouse
	loopback   bool
	registry   *registry
	reach      reach
	leap       leaping
	short      string // eight digits that name the run
	pace       *client.Pace
	offers     *client.Offers
	bulk       *client.Bulk
	planned    Estimate // of the checks that are to run, while it is decided
	tally      *tally   // nil where nobody wants to know what is written

	versions plainVersions

	teller *teller // of all runs of this execution
	halt   *halt   // likewise

	entry              entry // of the service, where that is for members alone
	judgesRepositories bool  // what rests on a broken G01-GIT-01 may say so, for that is judged as well

	apart   string     // the folder that the target is for, beside the one that is judged; "" if it is equal to that
	members memberList // of the target, if the run may say who they are

	roomy    atomic.Bool // what checks that are over have announced was deleted, and there is room again
	authors  atomic.Bool // who publishes authenticates as the author
	unerased atomic.Bool // a request to delete what a given key wrote was refused for the pace

	large turn // held by the one check at a time that holds tens of megabytes

	mu         sync.Mutex
	inARow     int            // guarded by mu; checks in a row that ended without any answer
	underway   []string       // guarded by mu; ids of the checks under way
	answered   bool           // guarded by mu; the target was seen to answer between checks
	revived    int            // guarded by mu; how often it was tried to start a target again that died
	reviving   turn           // whoever starts a target that died again
	livesAgain int            // guarded by mu; how often that worked
	ended      int            // guarded by mu; how often the server has gone, or was seen to be back
	absent     chan struct{}  // guarded by mu; closed once a target that gave no answer is waited for no longer; else nil
	absence    time.Duration  // guarded by mu; for how long it may be away, by how long it was; zero if it never was
	down       string         // guarded by mu; why the target counts as dead
	taken      bool           // guarded by mu; the target has accepted an event of ours
	lag        time.Duration  // guarded by mu; how long it takes until an event that was taken is found
	allowed    time.Duration  // guarded by mu; for one answer of a slow server; zero is the usual
	answers    time.Duration  // guarded by mu; how long an answer took at most
	git        time.Duration  // guarded by mu; how long a push takes, if that is long; zero is the usual
	releases   waits          // guarded by mu; for what is to be served, and for refs
	moves      waits          // guarded by mu; for refs that a server may move by itself
	rooms      waits          // guarded by mu; for repositories after their announcement
	never      map[string]int // guarded by mu; rooms that were waited for in vain, by what was answered; -1 if one came behind it
	askedFor   []time.Time    // guarded by mu; when the first repositories of their owners were asked for
	made       []made         // guarded by mu; those of them that were seen to be there
	dark       bool           // guarded by mu; there is no lighthouse
	hearsay    hearsay        // guarded by mu
	keyring    keyring
	erasing    turn                  // held while it is found out how long requests to delete take
	erasures   map[int]time.Duration // guarded by erasing; that time by the kind of the request
	left       []*nostr.Event        // guarded by mu; announcements of checks that are over
	curated    map[int]string        // guarded by mu; why a kind of events is not taken here
	unwelcome  bool                  // guarded by mu; a refusal by policy was told
	noDecoys   bool                  // guarded by mu; the server does not take them
	decoysLeft int                   // guarded by mu; how many stayed without an answer
	datesShort int                   // guarded by mu; how often the first event was refused for a date of a while ago
	prose      string                // guarded by mu; the first refusal that no program can tell
	accused    map[string]string     // guarded by mu; violations that the run itself has seen, by requirement
	still      string                // guarded by mu; the requirement that git breaks which gives no answer, "" for none
	loses      string                // guarded by mu; what it has lost at a restart, "" for nothing
	bereft     bool                  // guarded by mu; the restart of the check under way has lost it
	spent      client.Spent          // guarded by mu; by checks, each try of them, and in the end by what they share

	measured    []string        // guarded by mu; facts that checks have found out, in any order
	told        []string        // all facts, once the run has ended
	holds       map[int]holding // by kind of event, once the run has ended
	unreachable bool            // it never answered
}

// quietLoopback is how long nothing must come on loopback before "nothing more" is believed; barriers,
// not this, show that something is not served.
const quietLoopback = 100 * time.Millisecond

// Run judges the target by the selected checks. It returns an error for a malformed selection only;
// whatever the target does is in the result.
func Run(ctx context.Context, t target.Target, cfg Config) (*Result, error) {
	if cfg.Seed == "" || cfg.Features == nil {
		panic("suite: invariant: Config without Seed or Features")
	}
	checks, rows, err := Select(cfg)
	if err != nil {
		return nil, err
	}
	seed := cfg.Seed
	cfg.Seed = client.Root(cfg.Seed, cfg.Nonce)
	short := NameOf(seed, cfg.Nonce)
	told, halted := &teller{to: cfg.Progress}, newHalt(cfg.Stop)
	cfg.listGiven()
	large, pace, bulk := newTurn(), cfg.pace(), client.NewBulk(cfg.Seed+"/bulk", bulkFileBytes)
	result := &Result{
		Target: t.Name(), URL: t.ServiceURL(), World: worldOf(t), Seed: seed, Nonce: cfg.Nonce, Lineage: cfg.lineage(),
		Checks: make([]CheckResult, len(checks)),
	}
	now := t.Now
	if cfg.Clock != nil {
		now = cfg.Clock
	}
	result.Began = now()
	told.tell(Progress{Stage: Dealt, Total: len(checks)})
	runs, err := play(ctx, t, openers{cfg.Fresh, cfg.Apart}, deal(checks, cfg.Fresh == nil, cfg.Apart), cfg.Side, func(on target.Target, hand []appointment) *run {
		r := &run{
			reviving: newTurn(), erasing: newTurn(),
			target: on, cfg: cfg, seed: seed, short: short, loopback: onLoopback(on), registry: theRegistry(), large: large,
			pace: pace, offers: new(client.Offers), bulk: bulk, teller: told, tally: cfg.tally(), halt: halted, members: newMemberList(),
			apart: apartOf(hand, cfg.Apart), judgesRepositories: slices.ContainsFunc(rows, func(row spec.Requirement) bool { return row.ID == restsOnRepository }),
		}
		r.keyring.add(cfg.Keys...)
		r.client = client.New(on, r.clientOptions())
		var hello greeting
		r.facts, hello = greet(ctx, r.client)
		if ctx.Err() == nil { // who is interrupted has not seen that nobody answers
			r.down, r.unreachable = hello.down, hello.unreachable
		}
		if r.down == "" {
			r.findDoor(ctx)
		}
		r.lighthouse = newLighthouse(r) // its keys work as the document asks
		defer r.lighthouse.close()
		r.runAll(ctx, hand, result.Checks)
		r.listen("")
		r.holds, r.told = r.lighthouse.found(), r.learned()
		r.spent = r.spent.Plus(r.client.Recorder().Spent())
		return r
	})
	if err != nil {
		return nil, err
	}
	r := runs[0]
	r.join(runs[1:])
	result.Unreachable, result.Software = r.unreachable, r.facts.software
	result.Down, result.Facts = r.down, r.told
	result.Requirements = requirements(rows, result.Checks)
	r.testify(result.Requirements)
	result.Causes = causes(result.Checks)
	r.blame(result.Requirements, result.Checks, result.Causes)
	r.accuseOfLoss(result.Checks)
	r.censure(result.Requirements)
	result.Accounting = account(result.Requirements)
	for _, r := range runs {
		result.Spent = result.Spent.Plus(r.spent)
	}
	result.Shared = r.lighthouse.made
	result.Took = now().Sub(result.Began)
	return result, nil
}

// NameOf is the name of the run by a seed and a nonce: eight digits, which identifiers and events of the run have in them.
func NameOf(seed, nonce string) string {
	digest := sha256.Sum256([]byte(client.Root(seed, nonce)))
	return hex.EncodeToString(digest[:4])
}

// tell lists what was found out about which events are held.
func tell(holds map[int]holding) []string {
	words := map[holding]string{holdingUnknown: "unknown", holdingNo: "served at once", holdingYes: "held until git data arrives"}
	return []string{"announcements: " + words[holds[client.KindAnnouncement]], "states: " + words[holds[client.KindState]]}
}

// limits tells which limits of pace were met, and what they cost.
func (r *run) limits() []string {
	met, waited := r.pace.Told()
	var told []string
	for _, words := range slices.Sorted(maps.Keys(met)) {
		if refused, moment := strings.CutPrefix(words, client.ForTheMoment); moment {
			told = append(told, fmt.Sprintf("pace: %d events got another answer when they were sent again; before that: %s", met[words], refused))
			continue
		}
		told = append(told, fmt.Sprintf("pace: asked %d times to slow down: %s", met[words], words))
	}
	if r.narrow() {
		told = append(told, "pace: so much at a time is turned away; since then one check at a time was begun")
	}
	if len(told) > 0 {
		if r.pace.Spent() {
			told = append(told, "pace: all the time that there is for it is spent; what was asked for at a slower pace since then is not judged")
		}
		told = append(told, fmt.Sprintf("pace: %v were spent waiting for it; a server that limits its judge less is judged faster", waited.Round(time.Second)))
	}
	if span := r.client.Span(); span > 0 {
		told = append(told, fmt.Sprintf("connections: each is ended behind %d messages; what would be more was said on others", span))
	}
	return told
}

// findings lists the facts that checks have found out.
func (r *run) findings() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	told := slices.Clone(r.measured)
	if r.pace.Hesitant() { // what sounded like a policy was one of the moment
		told = slices.DeleteFunc(told, func(fact string) bool { return strings.HasPrefix(fact, policyFact) && client.ForNow(fact) })
	}
	return slices.Sorted(slices.Values(told))
}

func (r *run) clientOptions() client.Options {
	r.mu.Lock()
	slow, git := r.allowed, r.git
	r.mu.Unlock()
	opts := client.Options{Settle: r.cfg.Settle, Slowness: r.cfg.slowness(), Pace: r.pace, Offers: r.offers, Door: r.entry.door, Signer: r.signer, Exchange: slowTimes * git}
	if most, stated := r.facts.limit("max_subscriptions"); stated {
		opts.Subscriptions = int(min(most, client.MaxSubs))
	}
	if most, stated := r.facts.limit("max_filters"); stated {
		opts.Filters = int(min(most, filtersTried))
	}
	if slow > 0 { // which the client multiplies as well
		opts.Settle = max(opts.Settle, slow/time.Duration(r.cfg.slowness()))
	}
	if r.loopback {
		opts.Quiet = quietLoopback
	}
	if r.tally != nil {
		opts.Scribe = r.tally
	}
	return opts
}

// WorldOf names the world of a target: "sim", "serve" or "live".
func WorldOf(t target.Target) string { return worldOf(t) }

// OnLoopback reports whether the target is ours to maltreat.
func OnLoopback(t target.Target) bool { return onLoopback(t) }

// movable reports whether time passes at the target by the run's word alone.
func (r *run) movable() bool {
	_, is := r.target.(target.ClockAdvancer)
	return is
}

// worldOf names the world of a target.
func worldOf(t target.Target) string {
	if w, ok := t.(target.World); ok {
		return w.World()
	}
	return "live"
}

// onLoopback reports whether the target is ours to maltreat: simulated, or on this machine.
func onLoopback(t target.Target) bool {
	if worldOf(t) != "live" {
		return true
	}
	u, err := url.Parse(t.ServiceURL())
	return err == nil && target.OnThisMachine(u.Hostname())
}

// name is an identifier of the run's own.
func (r *run) name(what string) string {
	if r.cfg.NoMarkers {
		return "r-" + r.short + "-" + what
	}
	return "gc-" + r.short + "-" + what
}

// base is the time in seconds that events of the run's own are dated from.
func (r *run) base() int64 { return r.target.Now().Add(-r.back()).Unix() }

// purpose is what events of the run say about themselves.
func (r *run) purpose() string {
	if r.cfg.NoMarkers {
		return "Work goes on: " + r.short + "."
	}
	return "Written by a conformance check of GRASP servers, run " + r.short + "; may be deleted."
}

// markerLife is how long test events ask to be kept, in the tag that sweepers look for.
const markerLife = time.Hour

// markers are the tags by which sweepers of test data find ours.
func (r *run) markers() [][]string {
	if r.cfg.NoMarkers {
		return nil
	}
	return [][]string{
		{"t", "grasp-audit-test-event"},
		{"t", "audit-" + r.short},
		{"t", fmt.Sprintf("audit-cleanup-after-%d", r.facts.start.Add(markerLife).Unix())},
	}
}

// markers are those of the run, and where keys of the tester's are shared by all checks the check's name: without it two of
// them would sign the same event.
func (w *world) markers() [][]string {
	tags := w.run.markers()
	if w.run.sharesKeys() {
		tags = append(tags, w.ownTag())
	}
	return tags
}
