package eventstore_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/eventstore"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

func event(id string, kind int, created nostr.Timestamp, tags ...nostr.Tag) *nostr.Event {
	return &nostr.Event{ID: id, PubKey: "alice", Kind: kind, CreatedAt: created, Tags: tags}
}

func ids(events []*nostr.Event) string {
	text := ""
	for _, ev := range events {
		text += ev.ID
	}
	return text
}

func TestSaveKeepsTheLatest(t *testing.T) {
	d := func(v string) nostr.Tag { return nostr.Tag{"d", v} }
	for _, c := range []struct {
		name          string
		first, second *nostr.Event
		want          eventstore.Outcome
		kept          string
	}{
		{"newer", event("a", 30617, 1, d("x")), event("b", 30617, 2, d("x")), eventstore.Stored, "b"},
		{"older", event("a", 30617, 2, d("x")), event("b", 30617, 1, d("x")), eventstore.Superseded, "a"},
		{"equal time, lower id", event("b", 30617, 1, d("x")), event("a", 30617, 1, d("x")), eventstore.Stored, "a"},
		{"equal time, higher id", event("a", 30617, 1, d("x")), event("b", 30617, 1, d("x")), eventstore.Superseded, "a"},
		{"other d", event("a", 30617, 1, d("x")), event("b", 30617, 2, d("y")), eventstore.Stored, "ba"},
		{"first d counts", event("a", 30617, 1, d("x"), d("y")), event("b", 30617, 2, d("x"), d("z")), eventstore.Stored, "b"},
		{"no d and empty d", event("a", 30617, 1), event("b", 30617, 2, d("")), eventstore.Stored, "b"},
		{"other kind", event("a", 30617, 1, d("x")), event("b", 30618, 2, d("x")), eventstore.Stored, "ba"},
		{"replaceable ignores d", event("a", 10317, 1, d("x")), event("b", 10317, 2, d("y")), eventstore.Stored, "b"},
		{"kind 0", event("a", 0, 1), event("b", 0, 2), eventstore.Stored, "b"},
		{"kind 3", event("a", 3, 1), event("b", 3, 2), eventstore.Stored, "b"},
		{"regular", event("a", 1, 1, d("x")), event("b", 1, 2, d("x")), eventstore.Stored, "ba"},
		{"ephemeral", event("a", 1, 1), event("b", 20000, 2), eventstore.Stored, "a"},
		{"same id", event("a", 1, 1), event("a", 1, 1), eventstore.Duplicate, "a"},
	} {
		s := eventstore.New(10)
		s.Save(c.first, eventstore.Room{})
		got, replaced := s.Save(c.second, eventstore.Room{})
		if got != c.want || ids(s.Sorted()) != c.kept {
			t.Errorf("%s: got outcome %d with %q kept, want %d with %q", c.name, got, ids(s.Sorted()), c.want, c.kept)
		}
		if gone := s.Get(c.first.ID) == nil; gone != (len(replaced) == 1 && replaced[0] == c.first) {
			t.Errorf("%s: got replaced %v", c.name, replaced)
		}
	}
}

// What takes the place of an event needs no place, and the bytes that it is larger by.
func TestRoomOfAReplacement(t *testing.T) {
	of := func(id string, at nostr.Timestamp, size int) *nostr.Event {
		ev := event(id, 10317, at)
		ev.Content = strings.Repeat("x", size)
		return ev
	}
	s := eventstore.New(1)
	small, large := of("a", 1, 100), of("b", 2, 200)
	s.LimitBytes(repo.Size(small) + 50)
	s.Save(small, eventstore.Room{})
	if s.HasRoom(large, eventstore.Room{}) || !s.HasRoom(of("c", 2, 150), eventstore.Room{}) || s.HasRoom(of("c", 2, 150), eventstore.Room{Bytes: 1}) {
		t.Error("the room of a replacement is not what it is larger by")
	}
	if got, _ := s.Save(large, eventstore.Room{}); got != eventstore.Full {
		t.Errorf("a larger one: got outcome %d, want Full", got)
	}
	if got, _ := s.Save(of("c", 2, 150), eventstore.Room{}); got != eventstore.Stored {
		t.Errorf("one as large as may be: got outcome %d, want Stored", got)
	}
}

// What is kept for others is no room, but for what is put into it.
func TestRoomIsKept(t *testing.T) {
	s := eventstore.New(2)
	one := eventstore.Room{Events: 1}
	if got, _ := s.Save(event("a", 1, 1), one); got != eventstore.Stored {
		t.Errorf("beside the room that is kept: got outcome %d, want Stored", got)
	}
	if got, _ := s.Save(event("b", 1, 1), one); got != eventstore.Full || s.HasRoom(event("b", 1, 1), one) || !s.HasRoom(event("b", 1, 1), eventstore.Room{}) {
		t.Errorf("into the room that is kept: got outcome %d, want Full", got)
	}
	for _, id := range []string{"c", "d"} {
		if got, _ := s.Restore(event(id, 1, 1)); got != eventstore.Stored {
			t.Errorf("restored: got outcome %d, want Stored", got)
		}
	}
}

func TestSaveBound(t *testing.T) {
	s := eventstore.New(2)
	s.Save(event("a", 1, 1), eventstore.Room{})
	s.Save(event("b", 30617, 1), eventstore.Room{})
	if got, _ := s.Save(event("c", 1, 2), eventstore.Room{}); got != eventstore.Full || s.Len() != 2 {
		t.Errorf("got outcome %d and %d events, want Full and 2", got, s.Len())
	}
	if got, replaced := s.Save(event("d", 30617, 2), eventstore.Room{}); got != eventstore.Stored || ids(replaced) != "b" {
		t.Errorf("a replacement: got outcome %d, replaced %q", got, ids(replaced))
	}
	if !s.Remove("a") || s.Remove("a") {
		t.Error("want the first removal only to find the event")
	}
	if got, _ := s.Save(event("c", 1, 2), eventstore.Room{}); got != eventstore.Stored {
		t.Errorf("after a removal: got outcome %d", got)
	}
	if got := s.Latest(30617, "alice", ""); got == nil || got.ID != "d" {
		t.Errorf("got latest %v, want d", got)
	}
	s.Remove("d")
	if got := s.Latest(30617, "alice", ""); got != nil {
		t.Errorf("got latest %v after its removal", got)
	}
	seen := ""
	for _, ev := range s.Sorted() {
		seen += ev.ID
	}
	if seen != "c" {
		t.Errorf("got %q, want c", seen)
	}
}

func TestQueryLimits(t *testing.T) {
	s := eventstore.New(1000)
	var all []string
	for i := range 600 {
		id := fmt.Sprintf("%03d", i)
		all = append(all, id)
		s.Save(event(id, 1, 7, nostr.Tag{"t", "x"}, nostr.Tag{"t", "x"}, nostr.Tag{"t", "y"}), eventstore.Room{})
	}
	limit := func(n int) *int { return &n }
	for _, c := range []struct {
		name   string
		filter relay.Filter
		want   []string
	}{
		{"default", relay.Filter{}, all[:eventstore.QueryMax]},
		{"lowest ids first", relay.Filter{Limit: limit(3)}, all[:3]},
		{"zero", relay.Filter{Limit: limit(0)}, nil},
		{"more than there are", relay.Filter{Limit: limit(1 << 30)}, all},
		{"as many as ids", relay.Filter{IDs: all}, all},
		{"each event once", relay.Filter{Tags: []relay.TagFilter{{Letter: 't', Values: []string{"x", "y", "x"}}}, Limit: limit(2)}, all[:2]},
		{"no ids", relay.Filter{IDs: []string{}}, nil},
	} {
		var got []string
		for _, ev := range query(s, c.filter) {
			got = append(got, ev.ID)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func BenchmarkSaveAndQuery(b *testing.B) {
	s := eventstore.New(100_000)
	for i := range 50_000 {
		ev := event(fmt.Sprintf("%06d", i), 1, nostr.Timestamp(i%977), nostr.Tag{"e", fmt.Sprint(i % 100)})
		ev.PubKey = fmt.Sprint(i % 50)
		s.Save(ev, eventstore.Room{})
	}
	b.Run("query", func(b *testing.B) {
		limit := 100
		filters := []relay.Filter{{Authors: []string{"7"}, Kinds: []int{1}, Limit: &limit}}
		for b.Loop() {
			if len(query(s, filters...)) != limit {
				b.Fatal("wrong answer")
			}
		}
	})
	b.Run("save", func(b *testing.B) {
		ev := event("x", 1, 500, nostr.Tag{"e", "5"})
		for b.Loop() {
			s.Save(ev, eventstore.Room{})
			s.Remove("x")
		}
	})
}
