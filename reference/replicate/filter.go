package replicate

import (
	"cmp"
	"maps"
	"slices"

	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// items lists what is wanted, in one order, as far as a condition holds.
func (l *link) items(such func(*standing) bool) []item {
	all := slices.SortedFunc(maps.Keys(l.wanted), compareItems)
	return slices.DeleteFunc(all, func(it item) bool { return !such(l.wanted[it]) })
}

func compareItems(a, b item) int {
	return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.value, b.value))
}

// filters are what a relay is asked for items, sorted by class: at most so many values each.
func filters(items []item, valuesMax int) []relay.Filter {
	var list []relay.Filter
	for len(items) > 0 {
		c, n := items[0].class, 1
		for n < len(items) && n < valuesMax && items[n].class == c {
			n++
		}
		values := make([]string, n)
		for i, it := range items[:n] {
			values[i] = it.value
		}
		items = items[n:]
		switch c {
		case announcements:
			list = append(list, relay.Filter{Kinds: []int{policy.KindAnnouncement, policy.KindUserGraspList}})
		case states:
			list = append(list, relay.Filter{Kinds: []int{policy.KindState}, Tags: tags('d', values)})
		case repositories:
			list = append(list, relay.Filter{Tags: tags('a', values)}, relay.Filter{Tags: tags('A', values)}, relay.Filter{Tags: tags('q', values)})
		case roots:
			list = append(list, relay.Filter{Tags: tags('e', values)}, relay.Filter{Tags: tags('E', values)}, relay.Filter{Tags: tags('q', values)})
		case authors:
			list = append(list, relay.Filter{Kinds: []int{policy.KindDeletion, policy.KindVanish}, Authors: values})
		case profiles:
			list = append(list, relay.Filter{Kinds: []int{policy.KindProfile, policy.KindRelayList, policy.KindUserGraspList}, Authors: values})
		case single:
			list = append(list, relay.Filter{IDs: values})
		case versions:
			list = append(list, announcementsOf(values))
		}
	}
	return list
}

// announcementsOf asks for the announcements of some coordinates, in one question for all: what fits it besides is wanted anyway.
func announcementsOf(coordinates []string) relay.Filter {
	var owners, identifiers []string
	for _, key := range coordinates {
		id, _ := repo.ParseCoordinate(key)
		owners, identifiers = inserted(owners, string(id.Owner)), inserted(identifiers, id.Identifier)
	}
	return relay.Filter{Kinds: []int{policy.KindAnnouncement}, Authors: owners, Tags: tags('d', identifiers)}
}

func tags(letter byte, values []string) []relay.TagFilter {
	return []relay.TagFilter{{Letter: letter, Values: values}}
}
