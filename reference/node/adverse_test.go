package node_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/google/go-cmp/cmp"
	"github.com/nbd-wtf/go-nostr"
	"pgregory.net/rapid"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitlock"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/node"
	"github.com/graspkit/graspkit/reference/repo"
)

// A twin writes the same into a file and into memory.
type twin struct {
	file   *node.BoltJournal
	memory *node.MemoryJournal
}

func (j twin) Load() (core.Started, []error, error) { return j.file.Load() }
func (j twin) Close() error                         { return j.file.Close() }
func (j twin) Room() error                          { return j.file.Room() }
func (j twin) Write(records []core.Record) error {
	return errors.Join(j.file.Write(records), j.memory.Write(records))
}

// Whatever strangers send, everything that the core records about it fits into the file, and is read again as it was:
// the server goes on when it comes, when it runs out, and after a restart.
func TestEveryRecordFitsTheJournal(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		a := &adversary{t: t, rt: rt, clock: clock.NewMock(), path: filepath.Join(t.TempDir(), "events.db")}
		a.clock.Set(time.Unix(1_767_225_600, 0))
		a.journal.memory, a.backend = node.NewMemoryJournal(), gitlock.New(gitstore.NewMemory(gitstore.Limits{}), 0)
		a.begin()
		defer func() { _ = a.node.Close(canceled()) }()
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			switch rapid.SampledFrom([]string{"publish", "publish", "publish", "wait", "restart"}).Draw(rt, "step") {
			case "publish":
				a.publish()
			case "wait":
				a.clock.Set(a.clock.Now().Add(rapid.SampledFrom([]time.Duration{time.Second, time.Minute, 25 * time.Hour}).Draw(rt, "wait")))
			case "restart":
				a.end()
				a.begin()
			}
			if err := a.node.Sync(t.Context()); err != nil {
				rt.Fatalf("Sync: %v, the node ended with: %v", err, a.node.Err())
			}
		}
		a.end()
		want := load(t, a.journal.memory)
		a.journal.file = openJournal(t, a.path)
		defer closeJournal(t, a.journal.file)
		got := load(t, a.journal.file)
		if diff := cmp.Diff(want, got, sameEvents); diff != "" {
			rt.Errorf("the file and memory differ (-memory +file):\n%.2000s", diff)
		}
	})
}

// An adversary sends what is allowed at its longest and oddest.
type adversary struct {
	t       *testing.T
	rt      *rapid.T
	clock   *clock.Mock
	path    string
	journal twin
	backend gitstore.Backend
	node    *node.Node
	ids     []string // of what it has sent
}

func (a *adversary) begin() {
	a.journal.file = openJournal(a.t, a.path)
	a.journal.file.Unsynced()
	n, err := node.New(node.Config{Core: coreConfig(a.t), Backend: a.backend, Journal: a.journal, Clock: a.clock})
	if err != nil {
		a.rt.Fatalf("New: %v", err)
	}
	a.node = n
}

func (a *adversary) end() {
	if err := a.node.Close(a.t.Context()); err != nil {
		a.rt.Fatalf("Close: %v", err)
	}
}

func (a *adversary) publish() {
	kind := rapid.SampledFrom([]int{5, 5, 5, 62, 1, 1618, 10317, 30078, 30617, 30617, 30618}).Draw(a.rt, "kind")
	ev := signed(a.t, a.clock, kind, a.tags()...)
	a.ids = append(a.ids, ev.ID)
	c := connect(a.t, a.node)
	defer c.Close()
	receive(a.t, c, `["EVENT",`+ev.String()+`]`)
}

func (a *adversary) tags() nostr.Tags {
	author, identifier := keyOf(a.t), a.text()
	tags := nostr.Tags{{"d", identifier}}
	if rapid.Bool().Draw(a.rt, "listed") {
		id := repo.ID{Owner: repo.PubKey(author), Identifier: identifier}
		host := strings.Repeat("h", rapid.SampledFrom([]int{1, 253, 1000}).Draw(a.rt, "host")) + ".example:8080"
		tags = append(tags, nostr.Tag{"relays", "ws://grasp.test"}, nostr.Tag{"clone", "http://grasp.test" + id.Path(), "https://" + host + "/x"})
	}
	for range rapid.IntRange(0, 4).Draw(a.rt, "tags") {
		switch rapid.SampledFrom([]string{"a", "a", "e", "expiration", "relay", "c", "ref", "odd"}).Draw(a.rt, "tag") {
		case "a":
			kind := rapid.SampledFrom([]int{-1, 0, 5, 10317, 30078, 30617, 30618, 1 << 40}).Draw(a.rt, "of kind")
			tags = append(tags, nostr.Tag{"a", fmt.Sprintf("%d:%s:%s", kind, author, a.text())})
		case "e":
			tags = append(tags, nostr.Tag{"e", rapid.SampledFrom(append(a.ids, a.text(), strings.Repeat("f", 64))).Draw(a.rt, "id")})
		case "expiration":
			tags = append(tags, expiration(a.clock, rapid.SampledFrom([]time.Duration{time.Second, time.Hour}).Draw(a.rt, "life")))
		case "relay":
			tags = append(tags, nostr.Tag{"relay", rapid.SampledFrom([]string{"ALL_RELAYS", "ws://grasp.test", "x"}).Draw(a.rt, "relay")})
		case "c":
			tags = append(tags, nostr.Tag{"c", strings.Repeat("1", 40)})
		case "ref":
			tags = append(tags, nostr.Tag{"refs/heads/" + a.text(), strings.Repeat("1", 40)})
		case "odd":
			tags = append(tags, nostr.Tag{a.text(), a.text(), a.text()})
		}
	}
	return tags
}

// text is short, odd, as long as an identifier of a repository may be and a byte longer, or around the longest key.
func (a *adversary) text() string {
	unit := rapid.SampledFrom([]string{"x", "/", ":", "\x00", "\x7f", "\u2028", "é", "\U0001f600", " ", "\"", "\\"}).Draw(a.rt, "unit")
	size := rapid.SampledFrom([]int{0, 1, 1, 64, 200, 201, 4_096, 32_768, 40_000}).Draw(a.rt, "size")
	return strings.Repeat(unit, (size+len(unit)-1)/len(unit))
}
