package purgatory

import (
	"slices"

	"github.com/graspkit/graspkit/reference/repo"
)

// places are the placeholders of places for contributions (repo.Contribution), which anybody may push to: they have limits of
// their own, and are found by the event that they wait for.
type places struct {
	all int
	of  map[repo.PubKey]int  // by the signer whose place it is
	by  map[string][]repo.ID // by event, sorted
}

func newPlaces() places { return places{of: map[repo.PubKey]int{}, by: map[string][]repo.ID{}} }

func (x *places) add(h *Placeholder) {
	if !h.Repo.IsContribution() {
		return
	}
	x.all++
	x.of[h.Repo.Owner]++
	at, _ := slices.BinarySearchFunc(x.by[h.Event], h.Repo, repo.ID.Compare)
	x.by[h.Event] = slices.Insert(x.by[h.Event], at, h.Repo)
}

func (x *places) remove(h *Placeholder) {
	if !h.Repo.IsContribution() {
		return
	}
	x.all--
	if x.of[h.Repo.Owner]--; x.of[h.Repo.Owner] == 0 {
		delete(x.of, h.Repo.Owner)
	}
	at, _ := slices.BinarySearchFunc(x.by[h.Event], h.Repo, repo.ID.Compare)
	if x.by[h.Event] = slices.Delete(x.by[h.Event], at, at+1); len(x.by[h.Event]) == 0 {
		delete(x.by, h.Event)
	}
}

// Contributed is the number of placeholders of places for contributions: of all of them and of those of one signer.
func (p *Placeholders) Contributed(signer repo.PubKey) (all, his int) {
	return p.places.all, p.places.of[signer]
}

// Places returns the places for contributions with a placeholder of an event, sorted. The caller must not keep or change the
// slice.
func (p *Placeholders) Places(event string) []repo.ID { return p.places.by[event] }
