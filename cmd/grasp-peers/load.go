package main

import (
	"fmt"
	"strings"

	"github.com/nbd-wtf/go-nostr"
	"github.com/nbd-wtf/go-nostr/nip19"
)

// Connections that take part, and events that each has under way.
const (
	connections = 8
	unanswered  = 32
)

// A load is what every server gets.
type load struct {
	events, alone, delivered, subscribers, queries int

	relays                  []string // that the announcement names beside the reference
	owner                   string   // secret key
	npub                    string
	announcement            frame
	many, single, announced []frame
}

// A frame is a signed event as it is sent.
type frame struct{ id, text string }

const created = 1_760_000_000

func (l *load) event(key string, n, kind int, tags nostr.Tags, content string) frame {
	ev := nostr.Event{CreatedAt: nostr.Timestamp(created + n), Kind: kind, Tags: tags, Content: content}
	if err := ev.Sign(key); err != nil {
		panic(err)
	}
	return frame{ev.ID, `["EVENT",` + ev.String() + `]`}
}

// sign makes all events: issues of a repository by a hundred people.
func (l *load) sign() {
	l.owner = secret(0)
	pub, err := nostr.GetPublicKey(l.owner)
	if err != nil {
		panic(err)
	}
	l.npub, err = nip19.EncodePublicKey(pub)
	if err != nil {
		panic(err)
	}
	l.announcement = l.event(l.owner, 0, 30617, nostr.Tags{
		{"d", "demo"},
		{"clone", origin + "/" + l.npub + "/demo.git"},
		append(nostr.Tag{"relays", strings.Replace(origin, "http", "ws", 1)}, l.relays...),
	}, "")
	issues := func(from, n int) (list []frame) {
		for i := from; i < from+n; i++ {
			tags := nostr.Tags{{"a", "30617:" + pub + ":demo"}, {"p", pub}, {"subject", fmt.Sprint("issue ", i)}}
			list = append(list, l.event(secret(1+i%100), i, 1621, tags, strings.Repeat("some words ", 30)))
		}
		return list
	}
	l.many = issues(1, l.events)
	l.single = issues(1+l.events, l.alone)
	l.announced = issues(1+l.events+l.alone, l.delivered)
}

// secret is the key of a person.
func secret(n int) string { return fmt.Sprintf("%064x", n+1) }
