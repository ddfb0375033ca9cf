package suite

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	histories "github.com/graspkit/graspkit/conformance/history"
)

// A race is what several clients do to the owner's repository at once, and what they saw: the operations of its history. In a
// simulated world, where one thing happens after the other, they take turns in an order that the race gives.
type race struct {
	course  course
	w       *world
	path    string
	repo    histories.Repository
	events  []*nostr.Event       // by state
	packs   [][]byte             // by state
	carries [][]histories.Object // by state; what is in the pack
	oids    map[string]histories.Object
	query   client.Filter
	began   time.Time
	moment  atomic.Int64 // counts the beginnings and ends of operations
	past    atomic.Int64 // acts that are over

	mu       sync.Mutex
	ops      []histories.Operation // guarded by mu
	refusals map[string]string     // guarded by mu; how events were refused, by id

	end outcome // of the wait for the last state to be shown
}

// raceObjects are the commits that states of a race name.
func raceObjects() []string { return []string{"first", "second", "third", "side"} }

// raceRefs are the refs that they name.
func raceRefs() []string { return []string{"refs/heads/main", "refs/heads/dev"} }

// newRace prepares a race whose first state is what the owner's repository is served with.
func (w *world) newRace(c course) *race {
	r := &race{w: w, course: c, path: w.path("owner"), began: w.run.target.Now(), oids: make(map[string]histories.Object), refusals: make(map[string]string)}
	r.repo = histories.Repository{Refs: raceRefs(), Objects: raceObjects(), Authors: c.authors}
	for i, name := range r.repo.Objects {
		r.oids[w.git.history.oid(name)] = histories.Object(i + 1)
	}
	r.query = client.Filter{Kinds: []int{client.KindState}, Tags: nostr.TagMap{"d": {w.identifier}}}
	for _, author := range c.authors {
		r.query.Authors = append(r.query.Authors, w.key(author).Pubkey)
	}
	r.add(0, w.event("state"), w.git.state)
	return r
}

// state makes a further state, which is newer than all before.
func (r *race) state(author int, table ...[]string) int {
	return r.add(author, r.w.buildState(r.repo.Authors[author], r.w.tick(), table), table)
}

func (r *race) add(author int, ev *nostr.Event, table [][]string) int {
	s := histories.State{Author: author, Date: int64(ev.CreatedAt), ID: ev.ID}
	var tips []string
	for _, row := range refsOf(table) {
		oid := r.w.git.history.oid(row[1])
		s.Refs[slices.Index(r.repo.Refs, row[0])] = r.oids[oid]
		tips = append(tips, oid)
	}
	var carries []histories.Object
	for _, oid := range r.w.git.history.Closure(tips...) {
		r.w.git.history.sent[oid] = true
		if object := r.oids[oid]; object != histories.None {
			carries = append(carries, object)
		}
	}
	r.carries = append(r.carries, carries)
	r.repo.States = append(r.repo.States, s)
	r.events = append(r.events, ev)
	r.packs = append(r.packs, r.w.git.history.Pack(tips, nil))
	return len(r.repo.States) - 1
}

// A racer is one of the clients. It belongs to one goroutine.
type racer struct {
	race   *race
	number int
	script []func(context.Context) // one exchange each
	relay  *client.Relay           // nil until needed
	seen   histories.Refs          // what it was shown last
}

// operation performs an exchange and files it. An exchange that finds no connection is none.
func (c *racer) operation(o histories.Operation, do func(*histories.Operation) client.Observation) {
	r := c.race
	o.Client, o.Began, o.Call = c.number, r.since(), r.moment.Add(1)
	answer := do(&o)
	o.Return, o.Ended = r.moment.Add(1), r.since()
	r.mu.Lock()
	r.ops = append(r.ops, o)
	r.mu.Unlock()
	if _, broken := answer.(client.TransportError); broken {
		c.hangUp()
	}
}

func (r *race) since() int64 { return r.w.run.target.Now().Sub(r.began).Milliseconds() }

func (c *racer) hangUp() {
	if c.relay != nil {
		c.relay.Close()
	}
	c.relay = nil
}

// connected reports whether there is a connection to the relay. A server that is away is waited for.
func (c *racer) connected(ctx context.Context) bool {
	w := c.race.w
	w.client.Poll(ctx, w.run.long(), func() (bool, client.Observation) {
		if c.relay != nil {
			return true, nil
		}
		relay, o := w.client.Relay(ctx)
		if o == nil {
			c.relay = relay
		}
		return o == nil, o
	})
	return c.relay != nil
}

// publish sends a state.
func (c *racer) publish(state int) func(context.Context) {
	return func(ctx context.Context) {
		if c.connected(ctx) {
			c.operation(histories.Operation{Kind: histories.Publish, State: state}, func(o *histories.Operation) client.Observation {
				return c.send(ctx, o, c.race.events[state])
			})
		}
	}
}

// remove asks to delete a state.
func (c *racer) remove(state int, date int64) func(context.Context) {
	author := c.race.w.key(c.race.repo.Authors[c.race.repo.States[state].Author])
	request := client.Deletion(author, []string{c.race.events[state].ID}, nil, date)
	return func(ctx context.Context) {
		if c.connected(ctx) {
			c.operation(histories.Operation{Kind: histories.Delete, State: state}, func(o *histories.Operation) client.Observation {
				return c.send(ctx, o, request)
			})
		}
	}
}

func (c *racer) send(ctx context.Context, o *histories.Operation, ev *nostr.Event) client.Observation {
	answer := c.relay.Publish(ctx, ev)
	ok, is := answer.(client.OKFrame)
	switch _, refused := client.Refusal(answer); {
	case is && ok.Accepted:
		o.Result = histories.Accepted
	case refused:
		o.Result = histories.Refused
		c.race.mu.Lock()
		c.race.refusals[ev.ID] = fmt.Sprint(answer)
		c.race.mu.Unlock()
	}
	return answer
}

// find asks for the states that are served.
func (c *racer) find(ctx context.Context) {
	if !c.connected(ctx) {
		return
	}
	c.operation(histories.Operation{Kind: histories.Query}, func(o *histories.Operation) client.Observation {
		events, answer := c.relay.Query(ctx, c.race.query)
		if answer != nil {
			return answer
		}
		o.Result = histories.Accepted
		for _, ev := range events {
			state := slices.IndexFunc(c.race.events, func(of *nostr.Event) bool { return of.ID == ev.ID })
			if state < 0 {
				o.Unsigned = ev.ID
				continue
			}
			o.Served = append(o.Served, state)
		}
		return nil
	})
}

// read asks for the refs, as who is to push.
func (c *racer) read(ctx context.Context) { c.look(ctx, false) }

func (c *racer) look(ctx context.Context, settled bool) {
	c.operation(histories.Operation{Kind: histories.Read, Settled: settled}, func(o *histories.Operation) client.Observation {
		answer := c.race.w.client.Advertise(ctx, c.race.path, client.ReceivePack, 0)
		if advert, is := answer.(client.Advert); is {
			o.Result = histories.Accepted
			o.Refs, o.Stray = c.race.refs(advert)
			c.seen = o.Refs
		}
		return answer
	})
}

// refs are the branches and tags of an advertisement, and one that no state of the race has.
func (r *race) refs(advert client.Advert) (refs histories.Refs, stray string) {
	for _, ref := range advert.Refs {
		at := slices.Index(r.repo.Refs, ref.Name)
		switch {
		case ref.Name == "HEAD" || strings.HasPrefix(ref.Name, eventRefs):
		case at < 0:
			stray = ref.Name
		case r.oids[ref.OID] == histories.None:
			refs[at] = histories.Foreign
		default:
			refs[at] = r.oids[ref.OID]
		}
	}
	return refs, stray
}

// push pushes what a state says, from the refs that this client was shown last.
func (c *racer) push(state int) func(context.Context) {
	return func(ctx context.Context) {
		r := c.race
		o, opts := histories.Operation{Kind: histories.Push}, client.PushOpts{}
		for ref, to := range r.repo.States[state].Refs {
			if to == c.seen[ref] {
				continue
			}
			o.Commands = append(o.Commands, histories.Command{Ref: ref, Old: c.seen[ref], New: to})
			opts.Commands = append(opts.Commands, client.Command{Ref: r.repo.Refs[ref], Old: r.oid(c.seen[ref]), New: r.oid(to)})
			if to != histories.None {
				opts.Pack = bytes.Clone(r.packs[state])
			}
		}
		if len(o.Commands) == 0 {
			return // there is nothing to push
		}
		if opts.Pack != nil {
			o.Carries = r.carries[state]
		}
		c.operation(o, func(o *histories.Operation) client.Observation {
			answer := r.w.client.Push(ctx, r.path, opts)
			reported(o, opts.Commands, answer)
			return answer
		})
	}
}

func (r *race) oid(o histories.Object) string {
	for oid, known := range r.oids {
		if o == known {
			return oid
		}
	}
	return client.ZeroOID
}

// reported files what a push was answered: a ref has moved that the report says so of, and what is no report and no refusal
// says nothing.
func reported(o *histories.Operation, commands []client.Command, answer client.Observation) {
	if report, is := answer.(client.PushReport); is && report.Unpack == "ok" {
		for i, c := range commands {
			line, told := report.Ref(c.Ref)
			o.Commands[i].OK = told && line.OK
			if o.Commands[i].OK {
				o.Result = histories.Accepted
			}
		}
	}
	if _, refused := client.Refusal(answer); refused && o.Result == histories.Unknown {
		o.Result = histories.Refused
	}
}
