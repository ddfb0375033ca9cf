package sim

import (
	"fmt"
	"net/url"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim/kernel"
	"github.com/graspkit/graspkit/sim/model"
	"github.com/graspkit/graspkit/sim/relayhost"
	"github.com/graspkit/graspkit/sim/trace"
	"github.com/graspkit/graspkit/sim/workload"
)

// An outrelay is a relay of the scenario that is no server, as the servers and the people of a world reach it.
type outrelay struct {
	config scenarios.Relay
	world  *World
	host   *relayhost.Host
	key    kernel.Key
	lines  map[core.ConnID]*Line
	calls  core.ConnID // that it has got
	due    map[relayhost.ConnID][]relayhost.Said
	since  map[string]instant.Instant // when it was first given an event
}

// addRelays sets the relays of the scenario up.
func (w *World) addRelays() {
	for _, config := range w.scenario.Relays {
		host, err := relayhost.New(config.Config, Start)
		if err != nil {
			panic("sim: invariant: " + err.Error())
		}
		r := &outrelay{
			config: config, world: w, host: host, key: kernel.NewKey(w.seed, "sim/outrelay").WithText(config.Name),
			lines: map[core.ConnID]*Line{}, due: map[relayhost.ConnID][]relayhost.Said{}, since: map[string]instant.Instant{},
		}
		w.relays = append(w.relays, r)
		w.engine.AddTimer(r.key.Uint64(), r)
		for _, s := range w.servers {
			w.net.Between(s.Name, r.Name(), config.Link)
		}
	}
	w.excuse()
	listings := w.listings()
	for _, p := range w.projects {
		p.List(kernel.NewKey(w.seed, "sim/listing"), listings)
	}
}

// listings are the relays that people know of, and how many announcements name each.
func (w *World) listings() (list []workload.Listing) {
	for _, r := range w.scenario.Relays {
		list = append(list, workload.Listing{Host: r.Name, Share: r.Listed})
	}
	return list
}

// excuse tells the monitors of relays that send the same again, whatever they are asked.
func (w *World) excuse() {
	for _, r := range w.relays {
		for _, t := range r.config.Trouble {
			switch t.Mode {
			case relayhost.Strays, relayhost.Repeats, relayhost.Sticks, relayhost.Floods:
				for _, s := range w.servers {
					if s.monitor != nil {
						s.monitor.Twice(r.URL())
					}
				}
			default: // it sends what it is asked for
			}
		}
	}
}

// relayed finds the relay that a URL names; nil if it is none of the scenario.
func (w *World) relayed(host string) *outrelay {
	for _, r := range w.relays {
		if r.config.Name == host {
			return r
		}
	}
	return nil
}

// URL is the one by which operators and announcements name it.
func (r *outrelay) URL() string { return (&url.URL{Scheme: "ws", Host: r.config.Name}).String() }

// Name implements Relay.
func (r *outrelay) Name() string { return r.config.Name }

// Takes implements Relay.
func (r *outrelay) Takes() (takes, answers bool) {
	mode := r.host.Mode(r.world.engine.Now())
	return mode != relayhost.Refuses && mode != relayhost.Freezes, mode != relayhost.Freezes
}

// Opened implements Relay.
func (r *outrelay) Opened(now instant.Instant, l *Line) {
	r.calls++
	l.Conn = r.calls
	r.lines[l.Conn] = l
	said, opening := r.host.Open(now, relayhost.ConnID(l.Conn), nil)
	r.says(now, said)
	if opening != relayhost.Taken { // it has too many
		delete(r.lines, l.Conn)
		l.Close(now)
	}
}

// Heard implements Relay.
func (r *outrelay) Heard(now instant.Instant, l *Line, msg relay.ClientMessage) {
	r.says(now, r.host.Message(now, relayhost.ConnID(l.Conn), msg, nil))
}

// Left implements Relay.
func (r *outrelay) Left(now instant.Instant, l *Line) {
	r.host.Close(now, relayhost.ConnID(l.Conn))
	r.forget(l.Conn)
}

func (r *outrelay) forget(conn core.ConnID) {
	delete(r.lines, conn)
	delete(r.due, relayhost.ConnID(conn))
}

// Deadline implements Timer.
func (r *outrelay) Deadline() (instant.Instant, bool) { return r.host.Deadline() }

// Fire implements Timer.
func (r *outrelay) Fire(now instant.Instant) { r.says(now, r.host.Tick(now, nil)) }

// says has what the relay says leave it when it does, and on each connection in order.
func (r *outrelay) says(now instant.Instant, said []relayhost.Said) {
	for _, s := range said {
		conn := s.Conn
		r.due[conn] = append(r.due[conn], s)
		if s.At > now && len(r.due[conn]) == 1 {
			r.later(conn)
		}
		r.leave(now, conn)
	}
}

// later schedules the next thing that is said on a connection.
func (r *outrelay) later(conn relayhost.ConnID) {
	at := r.due[conn][0].At
	r.world.engine.At(at, r.key.With(uint64(conn)).With(uint64(at)).Uint64(), then(func(now instant.Instant) {
		r.leave(now, conn)
		if len(r.due[conn]) > 0 {
			r.later(conn)
		}
	}))
}

// leave has all leave that is due on a connection.
func (r *outrelay) leave(now instant.Instant, conn relayhost.ConnID) {
	for len(r.due[conn]) > 0 && r.due[conn][0].At <= now {
		s := r.due[conn][0]
		r.due[conn] = r.due[conn][1:]
		l := r.lines[core.ConnID(conn)]
		switch {
		case l == nil:
		case s.Msg == nil:
			l.Close(now)
			r.forget(l.Conn)
		case s.Forged:
			l.Forge(now, s.Msg)
		default:
			l.Say(now, s.Msg)
		}
	}
	if len(r.due[conn]) == 0 {
		delete(r.due, conn)
	}
}

// given is the task in which somebody's event reaches the relay.
type given struct {
	relay *outrelay
	event *nostr.Event
}

// Run implements Task.
func (g *given) Run(now instant.Instant) {
	r := g.relay
	if takes, _ := r.Takes(); !takes {
		r.world.record(trace.Record{At: now, Host: r.Name(), Fact: "message_lost", Detail: "the relay is down"})
		return
	}
	if _, known := r.since[g.event.ID]; !known {
		r.since[g.event.ID] = now
	}
	r.says(now, r.host.Put(now, nil, g.event))
}

// versionOf names what versions of an event share; false if it has none.
func versionOf(ev *nostr.Event) (string, bool) {
	switch {
	case nostr.IsReplaceableKind(ev.Kind):
		return fmt.Sprintf("%d:%s:", ev.Kind, ev.PubKey), true
	case nostr.IsAddressableKind(ev.Kind):
		return fmt.Sprintf("%d:%s:%s", ev.Kind, ev.PubKey, ev.Tags.GetD()), true
	}
	return "", false
}

// passOn has an event go to those relays that get it. It reports whether servers get it, too.
func (a *actor) passOn(now instant.Instant, ev *nostr.Event) (servers bool) {
	if name, is := versionOf(ev); is && len(a.world.relays) > 0 && ev.Tags.Find("expiration") != nil {
		a.world.passing[name] = max(a.world.passing[name], ev.CreatedAt)
	}
	servers = true
	for _, r := range a.world.relays {
		key := r.key.WithText(ev.ID)
		if !key.WithText("given").Chance(r.config.Given) {
			continue
		}
		servers = servers && !key.WithText("only").Chance(r.config.Only)
		a.world.record(trace.Record{At: now, Host: a.name, Fact: "publish", Event: ev.ID, Kind: ev.Kind, Detail: r.Name()})
		way := a.world.net.Way(a.name, r.Name())
		content, size := clientContent(a.world.digest, way, relay.Event{Event: ev, IDOK: true})
		a.world.send(now, way, content, size, &given{r, ev})
	}
	return servers
}

// offers lists what the relay offers to whoever asks: nothing if it has forged, flooded, hidden or barred who asks, for then who asked it has left
// it alone or believes to know all; and without negentropy no more of a second than an answer holds. What people have replaced by what runs out counts for nothing: the server may
// have had the newer version.
func (r *outrelay) offers() (list []model.Offer) {
	for _, t := range r.config.Trouble {
		switch t.Mode {
		case relayhost.Forges, relayhost.Floods, relayhost.Strays, relayhost.Sticks, relayhost.Hides, relayhost.Bars:
			return nil
		default: // when that is over it answers
		}
	}
	events := r.host.Events()
	seconds := map[nostr.Timestamp]int{}
	for _, ev := range events {
		seconds[ev.CreatedAt]++
	}
	for _, ev := range events {
		if name, is := versionOf(ev); is && r.world.passing[name] > ev.CreatedAt {
			continue
		}
		if most := r.config.PageMax; most == 0 || seconds[ev.CreatedAt] < most {
			list = append(list, model.Offer{Event: ev, Since: r.since[ev.ID]})
		}
	}
	return list
}
