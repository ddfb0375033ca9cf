//go:build linux

package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

const (
	// badCrowd is how many bad relays announcements name at once, 20 each: about as many as there may be connections.
	badCrowd = 280
	// badCrowdMemory bounds the memory that the process of a server ever takes beside them, in MiB.
	badCrowdMemory = 300
)

// Anybody may publish announcements that name relays, so all relays but one may be bad. What bounds one of them adds up; what bounds all
// of them together does not, and the good one is heard among them.
func TestCrowdsOfBadRelays(t *testing.T) {
	if testing.Short() {
		t.Skip("floods of some seconds each")
	}
	for _, b := range badRelays() {
		if !slices.Contains([]string{"one page without end", "notices without end", "large frames", "names what it does not have"}, b.name) {
			continue
		}
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			good, bad := newBadRelay(t, badRelay{name: "good", answer: serves}), newBadRelay(t, b)
			server := spawn(t, "--memory", "--log-level", "error", "--sync", "--sync-private", "--sync-window", "1s", "--event-burst", "2000",
				"--address-event-burst", "5000")
			t.Cleanup(func() {
				if t.Failed() {
					t.Logf("processor %v, memory %+v, stderr %.3000s", server.processor(t), server.memory(t), server.stderr.String())
				}
			})
			live := talkWith(t, &server.serving, client.Options{Settle: time.Minute}) // on a busy machine, too
			began, used := time.Now(), server.processor(t)
			// names has somebody announce a repository that is at relays, too.
			names := func(who string, relays ...string) {
				owner := client.NewKey("crowd", who)
				publish(t, live, client.Announce(owner, client.AnnounceOpts{
					Identifier: who, Clone: []string{server.url + "/" + owner.Npub + "/" + who + ".git"}, CreatedAt: time.Now().Unix(),
					Relays: append([]string{strings.Replace(server.url, "http", "ws", 1)}, relays...),
				}))
			}
			for i := range badCrowd / 20 {
				var urls []string
				for j := range 20 {
					urls = append(urls, fmt.Sprintf("%s/%d", bad.url, 20*i+j))
				}
				names(fmt.Sprint("bad", i), urls...)
			}
			await(t, "the crowd", func() bool { return bad.connections.Load() >= badCrowd })
			list := client.Build(client.NewKey("crowd", "writer"), 10317, [][]string{{"g", "wss://grasp.example"}}, "", time.Now().Unix())
			good.events = []*nostr.Event{list}
			names("good", good.url)
			since := time.Now()
			await(t, "what the good relay has", func() bool { return len(servedOf(t, live, []string{list.ID})) == 1 })
			took := time.Since(since)
			<-time.After(max(0, badFor-took))
			used, mem := server.processor(t)-used, server.memory(t)
			t.Logf("from the good relay after %v; in %v: %v of processor, %d MiB at most, %d connections, %d messages and %d MiB taken of the bad relays or in sockets",
				took.Round(10*time.Millisecond), time.Since(began).Round(100*time.Millisecond), used, mem.most, bad.connections.Load(), bad.said.Load(), bad.bytes.Load()>>20)
			if most := 2*time.Second + time.Since(began)/5; used > most {
				t.Errorf("processor: got %v, want at most %v", used, most)
			}
			if mem.most > badCrowdMemory {
				t.Errorf("memory: got %d MiB, want at most %d", mem.most, badCrowdMemory)
			}
		})
	}
}
