//go:build unix

package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// A crashMode is what the server does beside serving its own users while it is killed. Worlds go through them in turn.
type crashMode string

const (
	crashAlone    crashMode = "alone"
	crashSyncs    crashMode = "syncs"
	crashArchives crashMode = "archives"
)

var crashModes = []crashMode{crashAlone, crashSyncs, crashArchives}

// args are the flags of a mode; peer is the URL of a server that syncs nothing and is never killed.
func (m crashMode) args(peer string) []string {
	if m == crashAlone {
		return nil
	}
	all := []string{
		"--sync", "--sync-private", "--bootstrap", strings.Replace(peer, "http", "ws", 1), "--sync-backoff", "1s", "--sync-window", "1s",
	}
	if m == crashArchives {
		all = append(all, "--archive", "all", "--hunt", "--hunt-private")
	}
	return all
}

// A crashFeeder publishes at another server, from which the killed one has to get what it lacks after each start.
type crashFeeder struct {
	name string
	peer *client.Relay
	fed  []*nostr.Event
}

// crashFed is how many events a life is fed at most: the peer has them all, and every start compares them.
const crashFed = 20

func newCrashFeeder(name string, peer *client.Relay) *crashFeeder {
	return &crashFeeder{name: name, peer: peer}
}

func (x *crashFeeder) work(t *testing.T, _ *client.Client, r *client.Relay) {
	for n := 0; ; n++ {
		if n < crashFed {
			key := client.NewKey(x.name, fmt.Sprint("fed", len(x.fed)))
			list := client.Build(key, 10317, [][]string{{"g", "wss://grasp.example"}}, "", crashEpoch)
			publish(t, x.peer, list)
			x.fed = append(x.fed, list)
		}
		if _, o := r.Query(t.Context(), client.Filter{IDs: []string{x.fed[len(x.fed)-1].ID}}); o != nil {
			return // it was killed
		}
	}
}

func (x *crashFeeder) check(t *testing.T, _ *client.Client, r *client.Relay, count *crashCount) {
	t.Helper()
	var list []string
	for _, ev := range x.fed {
		list = append(list, ev.ID)
	}
	await(t, "what another server has", func() bool { return len(servedOf(t, r, list)) == len(list) })
	count.synced += len(list)
}

func (*crashFeeder) touched() []string { return nil }
