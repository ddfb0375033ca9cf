package purgatory_test

import (
	"slices"
	"testing"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/purgatory"
	"github.com/graspkit/graspkit/reference/repo"
)

func TestEntriesOfOneAuthor(t *testing.T) {
	p := purgatory.New()
	entry := func(id, author, content string) *purgatory.Entry {
		ev := &nostr.Event{ID: id, PubKey: author, Content: content}
		state := repo.State{Event: ev, Identifier: "demo"}
		return &purgatory.Entry{Event: ev, State: &state, Deadline: 1}
	}
	b, a, c := entry("b", "alice", "x"), entry("a", "alice", "xyz"), entry("c", "bob", "")
	for _, e := range []*purgatory.Entry{b, a, c} {
		p.Hold(e)
	}
	p.Pin(a)
	if got := p.By("alice"); !slices.Equal(got, []*purgatory.Entry{a, b}) {
		t.Errorf("got %d entries, want the two of alice by id", len(got))
	}
	if got, want := p.ActiveOf("alice").Bytes, repo.Size(a.Event)+repo.Size(b.Event); got != want || p.All().Bytes != want+repo.Size(c.Event) {
		t.Errorf("got %d bytes of alice and %d in all, want %d and %d", got, p.All().Bytes, want, want+repo.Size(c.Event))
	}
	for _, e := range []*purgatory.Entry{b, a, c} {
		p.Drop(e)
	}
	if p.By("alice") != nil || p.All() != (purgatory.Load{}) || p.ActiveOf("alice") != (purgatory.Load{}) {
		t.Errorf("got %d entries and %d bytes, want none", len(p.By("alice")), p.All().Bytes)
	}
}
