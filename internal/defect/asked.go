package defect

import (
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// askedDefects are mistakes that ask hosts which an event merely names.
func askedDefects() []Defect {
	return []Defect{
		{Name: "relays-asked-for-git-data", Web: lists02, Filter: asking(func(ev *nostr.Event, accepted bool) []string {
			if ev.Kind != policy.KindAnnouncement || !accepted {
				return nil
			}
			return listedIn(ev, "relays")
		})},
		{Name: "hints-asked-for-git-data", Web: lists02, Filter: asking(func(ev *nostr.Event, accepted bool) []string {
			if !accepted {
				return nil
			}
			return hintsOf(ev)
		})},
		{Name: "refused-announcements-asked-for", Web: lists02, Filter: asking(func(ev *nostr.Event, accepted bool) []string {
			if ev.Kind != policy.KindAnnouncement || accepted {
				return nil
			}
			return listedIn(ev, "clone")
		})},
		{Name: "forbidden-schemes-asked-at-once", Web: lists02, Filter: asking(func(ev *nostr.Event, accepted bool) []string {
			if ev.Kind != policy.KindAnnouncement || !accepted {
				return nil
			}
			var urls []string
			for _, value := range listedIn(ev, "clone") {
				if !strings.HasPrefix(value, "http://") && !strings.HasPrefix(value, "https://") {
					urls = append(urls, value)
				}
			}
			return urls
		})},
	}
}

// listedIn are the values of a tag.
func listedIn(ev *nostr.Event, name string) []string {
	var values []string
	for t := range ev.Tags.FindAll(name) {
		values = append(values, t[1:]...)
	}
	return values
}

// asking asks, as soon as an event is answered, what it names at some URLs, over plain HTTP.
func asking(named func(ev *nostr.Event, accepted bool) []string) func() Filter {
	return func() Filter {
		fetches, sent := core.FetchID(extra), map[string]*nostr.Event{}
		return beside(func(i core.Input, effects []core.Effect) []core.Effect {
			if _, ev := published(i); ev != nil {
				sent[ev.ID] = ev
			}
			for _, e := range slices.Clone(effects) {
				ev, accepted := answered(e, sent)
				if ev == nil {
					continue
				}
				for _, url := range named(ev, accepted) {
					fetches++
					effects = append(effects, fetching(fetches, ev, url)...)
				}
			}
			return effects
		})
	}
}

// answered returns the event that an effect answers.
func answered(e core.Effect, sent map[string]*nostr.Event) (ev *nostr.Event, accepted bool) {
	send, _ := e.(core.Send)
	m, is := send.Msg.(relay.OK)
	if !is {
		return nil, false
	}
	return sent[m.ID], m.Accepted
}

// fetching asks the host of a URL for an object that nobody has, unless it is this service or nobody.
func fetching(number core.FetchID, ev *nostr.Event, url string) []core.Effect {
	_, place, found := strings.Cut(url, "://")
	host, path, _ := strings.Cut(place, "/")
	if !found || host == "" || strings.HasPrefix(host, "grasp.") || strings.HasSuffix(host, ".invalid") {
		return nil
	}
	return []core.Effect{core.StartFetch{
		Fetch: number, Repo: repo.ID{Owner: repo.PubKey(ev.PubKey), Identifier: ev.Tags.GetD()}, URL: "http://" + host + "/" + path,
		OIDs: []repo.OID{repo.OID(strings.Repeat("1", 40))},
	}}
}
