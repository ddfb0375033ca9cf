package suite

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// A room is a repository that a server has accepted the announcement of. A server may make it in the background, and answer
// anything until it is there: only the rows that bound this time judge it, and everybody else tries again.
type room struct {
	owner  string    // pubkey
	first  bool      // it is the owner's first one
	asked  time.Time // when the announcement was accepted
	there  bool      // it has advertised itself
	used   bool      // it has taken a push
	missed time.Time // when it was looked for first, and not there
	said   string    // what was answered in its place last
}

// roomLongest bounds the wait for one room where one room after the other is made.
const roomLongest = 30 * time.Minute

// The pauses between two looks.
const (
	roomPauseMin = 50 * time.Millisecond
	roomPauseMax = 3 * time.Second
)

// listsUs reports whether an announcement asks the service itself for a repository.
func listsUs(c *client.Client, ev *nostr.Event) bool {
	own := c.CloneURL(ev.PubKey, ev.Tags.GetD())
	return slices.ContainsFunc(ev.Tags, func(tag nostr.Tag) bool {
		return len(tag) > 1 && tag[0] == "clone" && slices.Contains(tag[1:], own)
	})
}

// promised files what an accepted event says about rooms: an announcement makes one, a request to delete it takes those
// of its author, for what is waited for then may never come.
func (w *world) promised(ev *nostr.Event) {
	switch {
	case ev.Kind == client.KindAnnouncement && listsUs(w.client, ev):
		path := w.client.RepoPath(ev.PubKey, ev.Tags.GetD())
		if w.rooms[path] == nil {
			known := slices.ContainsFunc(slices.Collect(maps.Values(w.rooms)), func(r *room) bool { return r.owner == ev.PubKey })
			w.rooms[path] = &room{owner: ev.PubKey, first: !known, asked: w.run.target.Now()}
			if !known {
				w.run.mu.Lock()
				w.run.askedFor = append(w.run.askedFor, w.rooms[path].asked)
				w.run.mu.Unlock()
			}
		}
	case ev.Kind == client.KindDeletion && namesAnnouncement(ev) || ev.Kind == client.KindVanish:
		maps.DeleteFunc(w.rooms, func(_ string, r *room) bool { return r.owner == ev.PubKey })
	}
}

// namesAnnouncement reports whether a deletion request may take a repository with it.
func namesAnnouncement(request *nostr.Event) bool {
	return slices.ContainsFunc(request.Tags, func(tag nostr.Tag) bool {
		return len(tag) > 1 && (tag[0] == "a" && strings.HasPrefix(tag[1], fmt.Sprint(client.KindAnnouncement, ":")) ||
			tag[0] == "k" && tag[1] == fmt.Sprint(client.KindAnnouncement))
	})
}

// mayCome reports whether a room that is not there may still be made, if this is what was answered.
func (w *world) mayCome(r *room, path string, o client.Observation) bool {
	if r == nil || r.used {
		return false
	}
	r.said = w.wordsOf(o, path)
	if w.run.meansNever(r.said) {
		return false
	}
	bound, _ := w.run.patience(&w.run.rooms, 0)
	since, ahead := w.run.lastInTurn(r)
	bound += time.Duration(ahead) * w.run.long() / patienceShare
	now := w.run.target.Now()
	if r.missed.IsZero() {
		r.missed = now
	}
	if now.Sub(since) < bound && now.Sub(r.asked) < roomLongest {
		return true
	}
	if !r.there {
		w.run.ranOut(&w.run.rooms, 0)
	}
	w.run.neverCame(r.said)
	r.there, r.used = true, true // it is waited for once
	return false
}

// A made is a room that was seen to be there, of an owner who was new.
type made struct{ asked, came time.Time }

// overtakenBy is how many rooms that were asked for later have to come first, at least and no fewer than came in their turn,
// until a room is not one that merely waits for its own.
const overtakenBy = 3

// lastInTurn is when the wait for a room begins: when it was asked for, or as long as its turn may still come when another one
// was made last; and how many rooms of new owners may still be ahead of it, most of which nobody looks at.
func (r *run) lastInTurn(at *room) (since time.Time, ahead int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	overtook, inTurn, done := 0, 0, time.Time{}
	for _, other := range r.made {
		switch {
		case other.asked.After(at.asked):
			overtook++
		case other.came.After(at.asked):
			inTurn++
		}
		if !other.asked.After(at.asked) && other.asked.After(done) {
			done = other.asked
		}
	}
	if overtook >= max(overtakenBy, inTurn) || r.rooms.slowest < roomSlow {
		return at.asked, 0
	}
	for _, asked := range r.askedFor {
		if asked.After(done) && asked.Before(at.asked) {
			ahead++
		}
	}
	if r.rooms.last.Before(at.asked) {
		return at.asked, ahead
	}
	return r.rooms.last, ahead
}

// seen files that a room is there.
func (w *world) seen(r *room) {
	if r != nil && !r.there {
		r.there = true
		var after time.Duration
		if !r.missed.IsZero() {
			after = w.run.target.Now().Sub(r.missed)
		}
		w.run.came(&w.run.rooms, after)
		w.run.cameBehind(r.said)
		if r.first {
			w.run.mu.Lock()
			w.run.made = append(w.run.made, made{r.asked, w.run.target.Now()})
			w.run.mu.Unlock()
		}
	}
}

// A room is slow that takes so long. Where one in so many is, it is waited for each as soon as it is promised: the next check then
// knows that the server is at work. One among many may be that of a busy moment.
const (
	roomSlow    = time.Second
	oneSlowRoom = 4
)

// slowRooms reports whether rooms take their time here.
func (r *run) slowRooms() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.rooms.slow > 0 && r.rooms.slow*oneSlowRoom >= r.rooms.rewarded
}

// settleIn waits for rooms that were promised, where they take their time.
func (w *world) settleIn() {
	if w.insists && w.run.slowRooms() {
		w.settleAll()
	}
}

// settleAll waits for all rooms that were promised.
func (w *world) settleAll() {
	for path, r := range w.rooms {
		if !r.there {
			w.advertise(path, client.ReceivePack)
		}
	}
}

// notYet tells the answers that a place gives whose repository is being made.
func notYet(o client.Observation) bool {
	switch o := o.(type) {
	case client.HTTPAnswer:
		return o.Status != http.StatusTooManyRequests
	case client.BadAnswer, client.ErrPkt:
		return true
	case client.PushReport:
		reason, _ := client.Refusal(o)
		return unready.MatchString(reason)
	case client.OKFrame:
		return !o.Accepted && unready.MatchString(o.Text)
	}
	return false
}

// unready are the words of a refusal that will be none in a while.
var unready = regexp.MustCompile(`(?i)not ready|not yet|try again|retry|in progress|being (made|created|set up)`)

// advertise asks for the advertisement of a repository, and again while it may still be made.
func (w *world) advertise(path, service string) client.Observation {
	at := w.rooms[path]
	for pause := roomPauseMin; ; pause = min(2*pause, roomPauseMax) {
		o := w.client.Advertise(w.ctx, path, service, 0)
		if _, there := o.(client.Advert); there {
			w.seen(at)
			return o
		}
		if at == nil || at.there || !notYet(o) || !w.mayCome(at, path, o) || w.client.Wait(w.ctx, pause) != nil {
			return o
		}
	}
}

// pushInto pushes, and again while the repository may still be made and the check rests on it.
func (w *world) pushInto(path string, opts client.PushOpts) client.Observation {
	at := w.rooms[path]
	for pause := roomPauseMin; ; pause = min(2*pause, roomPauseMax) {
		o := w.client.Push(w.ctx, path, opts)
		if report, is := o.(client.PushReport); is && report.Accepted() && at != nil {
			w.seen(at)
			w.run.cameBehind(at.said)
			at.used = true
		}
		if !w.insists || !notYet(o) || !w.mayCome(at, path, o) || w.client.Wait(w.ctx, pause) != nil {
			return o
		}
	}
}

// sendInto publishes what refers to a repository that may still be made, until it is taken, or the repository is there.
func (w *world) sendInto(relay *client.Relay, ev *nostr.Event) client.Observation {
	for pause := roomPauseMin; ; pause = min(2*pause, roomPauseMax) {
		if w.flood {
			return relay.PublishOnce(w.ctx, ev)
		}
		o := relay.Publish(w.ctx, ev)
		ok, is := o.(client.OKFrame)
		if !w.insists || !is || ok.Accepted || ev.Kind == client.KindAnnouncement {
			return o
		}
		switch early, come := w.unreadyStill(o); {
		case come:
		case !early || w.client.Wait(w.ctx, pause) != nil:
			return o
		}
	}
}

// unreadyStill reports whether a room of the check may still be made, or has come just now, behind the answer to an event,
// which may say so itself.
func (w *world) unreadyStill(answer client.Observation) (early, come bool) {
	said := notYet(answer)
	for path, at := range w.rooms {
		o := answer
		if !at.there && !said {
			o = w.client.Advertise(w.ctx, path, client.ReceivePack, 0)
			if _, there := o.(client.Advert); there {
				w.seen(at)
				return false, true
			}
		}
		early = early || (!at.there || said) && w.mayCome(at, path, o)
	}
	return early, false
}

// insisting does something as what has to succeed.
func (w *world) insisting(do func() client.Observation) client.Observation {
	before := w.insists
	w.insists = true
	defer func() { w.insists = before }()
	return do()
}
