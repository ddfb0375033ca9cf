package main

import (
	"context"
	"strings"
	"sync"

	"github.com/fiatjaf/khatru"
	"github.com/nbd-wtf/go-nostr"
	"github.com/nbd-wtf/go-nostr/nip19"
)

// The kinds of NIP-34 that decide something here.
const (
	kindAnnouncement = 30617
	kindState        = 30618
)

// A policy says which events the relay takes.
type policy struct {
	origin string // of the service, http://host:port
	repos  *repositories

	mu            sync.Mutex
	announcements map[string]*nostr.Event // guarded by mu; by address
	taken         map[string]bool         // guarded by mu; ids of events that others may refer to
}

func newRelay(origin string, repos *repositories) *khatru.Relay {
	kept := &store{}
	p := &policy{origin: origin, repos: repos, announcements: map[string]*nostr.Event{}, taken: map[string]bool{}}
	relay := khatru.NewRelay()
	relay.RejectEvent = append(relay.RejectEvent, p.reject)
	relay.StoreEvent = append(relay.StoreEvent, kept.save)
	relay.ReplaceEvent = append(relay.ReplaceEvent, kept.replace)
	relay.DeleteEvent = append(relay.DeleteEvent, kept.remove)
	relay.QueryEvents = append(relay.QueryEvents, kept.query)
	relay.CountEvents = append(relay.CountEvents, kept.count)
	relay.OnEventSaved = append(relay.OnEventSaved, p.saved)
	return relay
}

func address(ev *nostr.Event) string { return "30617:" + ev.PubKey + ":" + ev.Tags.GetD() }

// values are the values of all tags of a name.
func values(ev *nostr.Event, name string) []string {
	var all []string
	for _, tag := range ev.Tags {
		if len(tag) > 1 && tag[0] == name {
			all = append(all, tag[1:]...)
		}
	}
	return all
}

// lists reports whether an announcement names this service, as a git server and as a relay.
func (p *policy) lists(ev *nostr.Event) bool {
	npub, err := nip19.EncodePublicKey(ev.PubKey)
	if err != nil {
		return false
	}
	clone := p.origin + "/" + npub + "/" + escaped(ev.Tags.GetD()) + ".git"
	relay := "ws" + strings.TrimPrefix(p.origin, "http")
	var asGit, asRelay bool
	for _, url := range values(ev, "clone") {
		asGit = asGit || strings.TrimSuffix(url, "/") == clone
	}
	for _, url := range values(ev, "relays") {
		asRelay = asRelay || strings.TrimSuffix(url, "/") == relay
	}
	return asGit && asRelay
}

// maintained reports whether a key may say where the refs of a repository are: the owner and whom the announcement lists.
func maintained(announcement *nostr.Event, pubkey string) bool {
	if announcement.PubKey == pubkey {
		return true
	}
	for _, m := range values(announcement, "maintainers") {
		if m == pubkey {
			return true
		}
	}
	return false
}

// reject says why an event is not taken.
func (p *policy) reject(_ context.Context, ev *nostr.Event) (bool, string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, tag := range ev.Tags {
		if len(tag) == 1 && tag[0] == "d" && !nostr.IsRegularKind(ev.Kind) {
			return true, "invalid: an address has a value"
		}
	}
	switch ev.Kind {
	case kindAnnouncement:
		if !p.lists(ev) {
			return true, "blocked: the announcement does not list this service"
		}
		return false, ""
	case kindState:
		for _, announcement := range p.announcements {
			if announcement.Tags.GetD() == ev.Tags.GetD() && maintained(announcement, ev.PubKey) {
				return false, ""
			}
		}
		return true, "blocked: no announcement here has this author as its maintainer"
	case nostr.KindDeletion, nostr.KindProfileMetadata:
		return false, ""
	}
	for _, tag := range ev.Tags {
		if len(tag) < 2 {
			continue
		}
		switch tag[0] {
		case "a", "A", "q":
			if p.announcements[tag[1]] != nil || p.taken[tag[1]] {
				return false, ""
			}
		case "e", "E":
			if p.taken[tag[1]] {
				return false, ""
			}
		}
	}
	return true, "blocked: the event refers to nothing that is here"
}

// saved does what follows from an event: a repository is made, or its refs are allowed to move.
func (p *policy) saved(_ context.Context, ev *nostr.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken[ev.ID] = true
	switch ev.Kind {
	case kindAnnouncement:
		if known := p.announcements[address(ev)]; known == nil || order(ev, known) < 0 { // two may be saved at once
			p.announcements[address(ev)] = ev
		}
		p.repos.make(ev.PubKey, ev.Tags.GetD())
	case kindState:
		for _, announcement := range p.announcements {
			if announcement.Tags.GetD() == ev.Tags.GetD() && maintained(announcement, ev.PubKey) {
				p.repos.allow(announcement.PubKey, ev)
			}
		}
	}
}
