package workload

import (
	"fmt"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// query asks for anything, counts it, or ends a question. Few names of subscriptions make that one takes the place of
// another.
func (s *script) query() {
	sub := fmt.Sprintf("q%d", s.choose("sub", 3))
	switch s.choose("query", 10) {
	case 0:
		s.say(relay.Close{Sub: sub})
	case 1:
		s.say(relay.Count{Sub: sub, Filters: s.filters()})
	case 2: // what is no event: the id is another one's, or the signature
		ev := *s.forgery()
		if s.choose("signature", 2) == 0 {
			s.add(Operation{After: s.soon(), Say: relay.Event{Event: &ev, IDOK: true}, Forged: true})
			break
		}
		ev.Content += "!"
		s.say(relay.Event{Event: &ev})
	case 3: // to a server that asked for nothing
		s.say(relay.Auth{Event: s.p.event(s.role, s.date(), 22242, "authentication", nostr.Tags{{"challenge", "none"}}), IDOK: true})
	case 4: // more at once than anybody may have open
		for i := range subsMany {
			s.say(relay.Req{Sub: fmt.Sprintf("many%d", i), Filters: s.filters()})
		}
	default:
		s.say(relay.Req{Sub: sub, Filters: s.filters()})
	}
}

// subsMany is more subscriptions than a connection may have open.
const subsMany = 24

// forgery is an event that is not sent as it is: a new one of any kind that follows a rule of its own, or an old one.
func (s *script) forgery() *nostr.Event {
	p := s.p
	switch s.choose("forged", 5) {
	case 0:
		return p.announce(s.role, s.date(), p.services, p.listed(s.role))
	case 1:
		return p.state(s.role, s.date(), p.refs, p.head)
	case 2:
		if n := len(p.history); n > 0 {
			return p.deletion(s.role, s.date(), nostr.Tag{"e", p.history[s.choose("event", n)].ID})
		}
	case 3:
		return p.vanish(s.role, s.date())
	}
	return p.issue(s.role, s.date())
}

func (s *script) say(m relay.ClientMessage) { s.add(Operation{After: s.soon(), Say: m}) }

func (s *script) filters() []relay.Filter {
	list := make([]relay.Filter, 1+s.choose("filters", 3))
	for i := range list {
		list[i] = s.filter()
	}
	return list
}

// filter draws each part by itself, so that they come in every combination.
func (s *script) filter() (f relay.Filter) {
	p := s.p
	part := func(name string) bool { return s.choose("filter "+name, 4) == 0 }
	second := func() *int64 {
		at := s.now.Unix() + []int64{-86400, -900, -60, -1, 0, 1, 900}[s.choose("second", 7)]
		return &at
	}
	if part("ids") {
		f.IDs = []string{strings.Repeat("0", 64)}
		for range s.choose("ids", 3) {
			if n := len(p.history); n > 0 {
				f.IDs = append(f.IDs, p.history[s.choose("id", n)].ID)
			}
		}
	}
	if part("authors") {
		for range 1 + s.choose("authors", 2) {
			f.Authors = append(f.Authors, p.people[s.choose("author", len(p.people))].PubKey)
		}
	}
	if part("kinds") {
		all := append([]int{repo.KindAnnouncement, repo.KindState, repo.KindPullRequest, repo.KindPullRequestUpdate, 5, 1621}, others...)
		f.Kinds = []int{all[s.choose("kind", len(all))], all[s.choose("kind", len(all))]}
	}
	if part("a") {
		f.Tags = append(f.Tags, relay.TagFilter{Letter: 'a', Values: []string{
			p.coordinate(repo.KindAnnouncement, Role(s.choose("at", len(p.people)))), p.coordinate(repo.KindAnnouncement, Owner),
		}[s.choose("places", 2):]})
	}
	if part("d") {
		f.Tags = append(f.Tags, relay.TagFilter{Letter: 'd', Values: []string{"none", p.Identifier}[s.choose("names", 2):]})
	}
	if part("since") {
		f.Since = second()
	}
	if part("until") {
		f.Until = second()
	}
	if part("limit") {
		limit := []int{0, 1, 2, 5000, 5001}[s.choose("limit", 5)]
		f.Limit = &limit
	}
	return f
}
