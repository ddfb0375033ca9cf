package replicate_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/replicate"
	"github.com/graspkit/graspkit/reference/repo"
)

// by is an event of somebody else than the owner.
func by(who, name string, kind int, created int64, tags ...nostr.Tag) *nostr.Event {
	ev := event(name, kind, created, tags...)
	ev.PubKey = idOf("key of " + who)
	return ev
}

const (
	index     = "wss://index.test"
	outbox    = "wss://outbox.test"
	elsewhere = "wss://elsewhere.test"
)

func plusConfig() replicate.Config {
	return replicate.Config{Plus: replicate.PlusConfig{On: true, Index: []string{index + "/"}}}
}

// What tags an accepted issue comes from where its author writes, and who the author is from where that is kept; nobody else's, and no
// relay of participants is asked for anything else (G03-02, G03-03, G03-05).
func TestSyncPlus(t *testing.T) {
	w := newWorld(t, plusConfig())
	issue := by("bob", "issue", 1621, 2000, about("demo"))
	list := by("bob", "list", 10002, 100, nostr.Tag{"r", outbox}, nostr.Tag{"r", elsewhere, "read"}, nostr.Tag{"r", "ws://own.test"})
	profile, grasps := by("bob", "profile", 0, 100), by("bob", "grasps", 10317, 100)
	answer := by("carol", "answer", 1111, 3000, nostr.Tag{"E", issue.ID})
	carols := by("carol", "carol's profile", 0, 100)
	strangers, unrelated := by("mallory", "profile of a stranger", 0, 100), announcement("unrelated", "other")
	at := map[string]*fake{
		index:     w.relay(index, list, carols, strangers, unrelated, answer),
		outbox:    w.relay(outbox, answer, profile, grasps, unrelated),
		elsewhere: w.relay(elsewhere, profile),
	}
	w.m.Start(w.now)
	w.store(announcement("a0", "demo", peer))
	w.store(issue)
	passing := by("erin", "passing", 1621, 2000, about("demo"))
	w.store(passing)
	w.m.Unstored(w.now, passing.ID)
	if !w.m.Participates(issue.PubKey) || w.m.Participates(passing.PubKey) || !w.m.Participates(string(owner)) || w.m.Participates(carols.PubKey) {
		t.Error("who has a part in a repository is not known at once")
	}
	w.until(time.Minute)
	w.complete([]*nostr.Event{list, answer, profile, grasps, carols})
	if w.have[strangers.ID] != nil || w.have[unrelated.ID] != nil {
		t.Error("got what nobody has a part in")
	}
	if at[elsewhere].said != nil {
		t.Error("a relay that is only read from was asked")
	}
	if asked := at[index].asked(); strings.Contains(asked, issue.ID) || strings.Contains(asked, "30617") {
		t.Errorf("the index was asked %s", asked)
	}
	if asked := at[outbox].asked(); strings.Contains(asked, "30617") || strings.Contains(asked, "30618") {
		t.Errorf("where somebody writes was asked %s", asked)
	}
	later := by("dave", "later", 1111, 4000, nostr.Tag{"e", issue.ID})
	w.publish(at[outbox], later)
	w.complete([]*nostr.Event{later})

	w.store(by("bob", "newer list", 10002, 200, nostr.Tag{"r", elsewhere, "write"}))
	w.m.Unstored(w.now, list.ID)
	w.until(2 * time.Minute)
	if at[outbox].peer != 0 || at[elsewhere].peer == 0 {
		t.Error("who writes elsewhere is not looked for there alone")
	}
	w.store(announcement("kept", "kept", peer))
	w.m.Gone(w.now, repo.ID{Owner: owner, Identifier: "demo"})
	w.until(3 * time.Minute)
	if at[index].peer == 0 {
		t.Error("the owner of what is left is looked for no more")
	}
	w.m.Gone(w.now, repo.ID{Owner: owner, Identifier: "kept"})
	w.until(4 * time.Minute)
	if at[index].peer != 0 || at[elsewhere].peer != 0 || w.m.Participates(issue.PubKey) {
		t.Error("participants of what has gone are looked for")
	}
	for url, f := range at {
		if strings.Contains(f.asked(), "demo") {
			t.Errorf("%s was asked for the repository that has gone", url)
		}
	}
}

// Who is known to write nowhere is looked for where the operator says, and of nobody is anything asked when it is switched off.
func TestSyncPlusFallback(t *testing.T) {
	for _, on := range []bool{true, false} {
		cfg := plusConfig()
		cfg.Plus.On, cfg.Plus.Fallback = on, []string{outbox}
		w := newWorld(t, cfg)
		issue := by("bob", "issue", 1621, 2000, about("demo"))
		answer := by("carol", "answer", 1111, 3000, nostr.Tag{"E", issue.ID})
		first := w.relay(index)
		w.relay(outbox, answer)
		w.m.Start(w.now)
		w.store(announcement("a0", "demo", peer))
		w.store(issue)
		w.until(time.Minute)
		if got := w.have[answer.ID] != nil; got != on || (first.said != nil) != on {
			t.Errorf("on %v: the answer came: %v", on, got)
		}
	}
}

// Nothing of a repository that is marked as private, by whomever of its maintainers, is asked of other relays than its own, and nothing
// of a private service is (G03-04).
func TestSyncPlusKeepsSecrets(t *testing.T) {
	private := func(name string, tags ...nostr.Tag) *nostr.Event {
		ev := announcement(name, "demo", peer)
		ev.Tags = append(ev.Tags, tags...)
		return ev
	}
	maintainer := by("maintainer", "a1", 30617, 1000, private("x").Tags...)
	maintainer.Tags = append(maintainer.Tags, nostr.Tag{"private", "true"})
	for name, c := range map[string]struct {
		change func(*replicate.Config)
		list   []*nostr.Event
		open   bool
	}{
		"marked":             {list: []*nostr.Event{private("a0", nostr.Tag{"private", "true"})}},
		"by a maintainer":    {list: []*nostr.Event{private("a0", nostr.Tag{"maintainers", maintainer.PubKey}), maintainer}},
		"a private service":  {change: func(c *replicate.Config) { c.Private = true }, list: []*nostr.Event{private("a0")}},
		"marked later":       {list: []*nostr.Event{private("a0"), private("a2", nostr.Tag{"private", "true"})}},
		"marked as open":     {list: []*nostr.Event{private("a0", nostr.Tag{"private", "false"})}, open: true},
		"by somebody else":   {list: []*nostr.Event{private("a0"), maintainer}, open: true},
		"marked without why": {list: []*nostr.Event{private("a0", nostr.Tag{"private"})}, open: true},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := plusConfig()
			cfg.Plus.Fallback = []string{outbox}
			if c.change != nil {
				c.change(&cfg)
			}
			w := newWorld(t, cfg)
			issue := by("bob", "issue", 1621, 2000, about("demo"))
			first, last := w.relay(index), w.relay(outbox)
			w.m.Start(w.now)
			for _, ev := range c.list {
				w.store(ev)
			}
			w.store(issue)
			w.until(time.Minute)
			if asked := first.asked() + last.asked(); strings.Contains(asked, issue.ID) != c.open || strings.Contains(asked, string(owner)) != c.open {
				t.Errorf("other relays were asked %s", asked)
			}
			if w.m.Participates(string(owner)) != c.open {
				t.Errorf("the owner has a part in it: %v", !c.open)
			}
		})
	}
}

// However many write about a repository, and wherever they say that they do, so many are looked for and so many relays asked.
func TestSyncPlusIsBounded(t *testing.T) {
	for name, c := range map[string]struct {
		limits         replicate.PlusConfig
		people, relays int // beside the owner and the index
		roots          int // at one relay
	}{
		"people":          {replicate.PlusConfig{ParticipantsMax: 20}, 19, 50, 30},
		"of a repository": {replicate.PlusConfig{PerRepoMax: 6}, 10, 40, 30},
		"relays":          {replicate.PlusConfig{RelaysMax: 9}, 60, 9, 30},
		"of one":          {replicate.PlusConfig{ParticipantsMax: 4, OutboxMax: 2}, 3, 6, 30},
		"roots":           {replicate.PlusConfig{RootsMax: 3}, 60, 50, 3},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := plusConfig()
			c.limits.On, c.limits.Index = true, cfg.Plus.Index
			cfg.Plus = c.limits
			w := newWorld(t, cfg)
			first := w.relay(index)
			w.m.Start(w.now)
			for _, name := range []string{"one", "two"} {
				w.store(announcement(name, name, peer))
			}
			for n := range 60 {
				who := fmt.Sprintf("person %02d", n)
				w.store(by(who, fmt.Sprintf("issue %02d", n), 1621, 2000, about([]string{"one", "two"}[n%2])))
				var tags nostr.Tags
				for at := range 5 {
					url := fmt.Sprintf("wss://%d-%d.test", n, at)
					w.relay(url)
					tags = append(tags, nostr.Tag{"r", url})
				}
				w.store(by(who, fmt.Sprintf("list %02d", n), 10002, 2000, tags...))
			}
			w.until(time.Minute)
			people, relays := 0, 0
			for n := range 60 {
				if strings.Contains(first.asked(), idOf(fmt.Sprintf("key of person %02d", n))) {
					people++
				}
			}
			for url, f := range w.relays {
				if url == peer || url == index || f.said == nil {
					continue
				}
				relays++
				roots := 0
				for n := range 60 {
					if strings.Contains(f.asked(), idOf(fmt.Sprintf("issue %02d", n))) {
						roots++
					}
				}
				if roots > c.roots || roots == 0 {
					t.Errorf("%s was asked for %d root events, want %d at most", url, roots, c.roots)
				}
			}
			if people != c.people || relays != c.relays {
				t.Errorf("got %d people and %d relays, want %d and %d", people, relays, c.people, c.relays)
			}
		})
	}
}
