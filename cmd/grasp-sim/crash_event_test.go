//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// servedOf returns those of a list that are served, by id.
func servedOf(t *testing.T, r *client.Relay, list []string) map[string]bool {
	t.Helper()
	there := map[string]bool{}
	for part := range slices.Chunk(list, 100) {
		events, o := r.Query(t.Context(), client.Filter{IDs: part})
		if o != nil {
			t.Errorf("query of %d ids: %v", len(part), o)
		}
		for _, ev := range events {
			there[ev.ID] = true
		}
	}
	return there
}

// A crashSaid is an event of a talker.
type crashSaid struct {
	ev                    *nostr.Event
	expires               time.Time // zero if it does not
	unwanted, gone, known bool      // its deletion was sent; its deletion was acknowledged; it was acknowledged itself
}

// A crashTalker writes issues, deletes some and lets others expire.
type crashTalker struct {
	draw    *rand.Rand
	key     client.Key
	address string
	said    []*crashSaid
	n       int
}

func newCrashTalker(draw *rand.Rand, key client.Key, address string) *crashTalker {
	return &crashTalker{draw: draw, key: key, address: address}
}

func (x *crashTalker) work(t *testing.T, _ *client.Client, r *client.Relay) {
	for {
		x.n++
		at := crashEpoch + int64(x.n)
		if i := x.draw.IntN(4 * (len(x.said) + 1)); i < len(x.said) && x.said[i].ev.Kind != client.KindDeletion {
			one := x.said[i]
			request := &crashSaid{ev: client.Deletion(x.key, []string{one.ev.ID}, nil, at)}
			one.unwanted = true
			x.said = append(x.said, request)
			if !acknowledged(t, r, request.ev) {
				return
			}
			one.gone, request.known = true, true
			continue
		}
		one := &crashSaid{}
		tags := [][]string{{"a", x.address}, {"subject", fmt.Sprint("issue ", x.n)}}
		if x.draw.IntN(4) == 0 {
			one.expires = time.Unix(time.Now().Unix()+2+int64(x.draw.IntN(3)), 0)
			tags = append(tags, []string{"expiration", strconv.FormatInt(one.expires.Unix(), 10)})
		}
		one.ev = client.Build(x.key, client.KindIssue, tags, strings.Repeat("x", x.draw.IntN(2000)), at)
		x.said = append(x.said, one)
		if ok, is := told(t, r, one.ev); !is {
			return
		} else if one.known = true; ok.Prefix != "" {
			t.Errorf("issue: got %v, want it stored", ok)
		}
	}
}

func (*crashTalker) touched() []string { return nil }

func (x *crashTalker) check(t *testing.T, _ *client.Client, r *client.Relay, count *crashCount) {
	t.Helper()
	var list []string
	for _, one := range x.said {
		list = append(list, one.ev.ID)
	}
	before := time.Now()
	there := servedOf(t, r, list)
	after := time.Now()
	for _, one := range x.said {
		expired := !one.expires.IsZero() && !before.Before(one.expires.Add(time.Second))
		expiring := !one.expires.IsZero() && !after.Before(one.expires)
		switch {
		case one.gone || expired:
			count.gone++
			if there[one.ev.ID] {
				t.Errorf("event %s is served: it was deleted (%v) or has expired (%v)", one.ev.ID, one.gone, expired)
			}
		case one.known && !one.unwanted && !expiring:
			count.events++
			if !there[one.ev.ID] {
				t.Errorf("event %s of kind %d was acknowledged and is not served", one.ev.ID, one.ev.Kind)
			}
		}
	}
}

// A crashReplacer writes one replaceable event after the other.
type crashReplacer struct {
	key         client.Key
	last, asked *nostr.Event // the last that was acknowledged, and one under way
	n           int64
}

func newCrashReplacer(key client.Key) *crashReplacer { return &crashReplacer{key: key} }

func (x *crashReplacer) work(t *testing.T, _ *client.Client, r *client.Relay) {
	for {
		x.n++
		x.asked = client.Build(x.key, 10317, [][]string{{"g", "wss://grasp.example"}}, "", crashEpoch+x.n)
		if !acknowledged(t, r, x.asked) {
			return
		}
		x.last = x.asked
	}
}

func (*crashReplacer) touched() []string { return nil }

func (x *crashReplacer) check(t *testing.T, _ *client.Client, r *client.Relay, count *crashCount) {
	t.Helper()
	if x.last == nil {
		return
	}
	events, o := r.Query(t.Context(), client.Filter{Authors: []string{x.key.Pubkey}})
	if o != nil || len(events) != 1 || events[0].ID != x.last.ID && events[0].ID != x.asked.ID {
		t.Errorf("replaceable event: got %v (%v), want %s or %s alone", events, o, x.last.ID, x.asked.ID)
		return
	}
	count.events++
	x.last = events[0]
}

// A crashHeld is an announcement in purgatory.
type crashHeld struct {
	ev    *nostr.Event
	path  string
	since time.Time // before it was sent
	over  time.Time // by then its time is over
}

// A crashHolder announces repositories that get no data.
type crashHolder struct {
	name string
	n    int
	held []crashHeld
}

func newCrashHolder(name string) *crashHolder { return &crashHolder{name: name} }

func (x *crashHolder) work(t *testing.T, _ *client.Client, r *client.Relay) {
	for {
		x.n++
		key := client.NewKey(x.name, fmt.Sprint("holder", x.n/20))
		one := crashHeld{path: fmt.Sprintf("/%s/held%d.git", key.Npub, x.n), since: time.Now()}
		one.ev = client.Announce(key, client.AnnounceOpts{
			Identifier: fmt.Sprint("held", x.n), Clone: []string{origin + one.path},
			Relays: []string{strings.Replace(origin, "http", "ws", 1)}, CreatedAt: crashEpoch,
		})
		if !acknowledged(t, r, one.ev) {
			return
		}
		one.over = time.Now().Add(crashLife)
		x.held = append(x.held, one)
	}
}

func (*crashHolder) touched() []string { return nil }

// check sends what is held again, while it must be there, and looks for repositories whose time is over. Each is looked at
// until then.
func (x *crashHolder) check(t *testing.T, c *client.Client, r *client.Relay, count *crashCount) {
	t.Helper()
	var left []crashHeld
	for i, one := range x.held {
		if now := time.Now(); now.After(one.over.Add(time.Second)) {
			count.gone++
			if answer, is := c.Advertise(t.Context(), one.path, client.UploadPack, 0).(client.HTTPAnswer); !is || answer.Status != http.StatusNotFound {
				t.Errorf("%s: its time is over: got %v, want 404", one.path, answer)
			}
			continue
		}
		left = append(left, one)
		if i%4 != 0 {
			continue // never sent again: would it be held anew, its time would be another
		}
		ok, is := r.Publish(t.Context(), one.ev).(client.OKFrame)
		if time.Since(one.since) >= crashLife {
			left = left[:len(left)-1]
			continue
		}
		count.held++
		if !is || !ok.Accepted || !strings.Contains(ok.Text, "in purgatory") {
			t.Errorf("announcement %s was acknowledged: got %v, want it in purgatory", one.ev.ID, ok)
		}
	}
	x.held = left
}
