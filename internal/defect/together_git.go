package defect

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// togetherGitDefects are mistakes that show where two ordinary things come together: of what decides about refs.
func togetherGitDefects() []Defect {
	return append(contributing([]Defect{
		{Name: "one-pull-request-a-place-waits", Filter: onePull(func(ev *nostr.Event) string {
			if !submits(ev) {
				return ev.ID
			}
			return ev.PubKey
		})},
		{Name: "refs-at-a-place-give-way-to-the-next", Filter: placesOfOne},
		{Name: "places-take-over-own-repositories", Filter: func() Filter {
			return refusingPushes(func(s *shelf, _ map[string]int, o core.PushOffered) bool { return s.placeOf(o.Repo) })
		}},
	}), []Defect{
		{Name: "broken-compression-fails", Front: gate(func(w http.ResponseWriter, r *http.Request) bool {
			return r.Header.Get("Content-Encoding") == "gzip" && cutShort(r) && fails(w)
		})},
		{Name: "newer-announcements-go-back-to-own-states", Filter: ownStateAgain},
		{Name: "newer-announcements-drop-held-states-of-others", Filter: othersDropped},
		{Name: "states-count-for-one-repository", Filter: oneRepository},
		{Name: "states-sought-among-eight", Filter: amongEight},
	}...)
}

// latestOf returns the newest state of an identifier by one of some authors, or nil.
func (s *shelf) latestOf(identifier string, authors ...string) *nostr.Event {
	var latest *nostr.Event
	for _, e := range s.all() {
		ev := e.event
		if ev.Kind == policy.KindState && ev.Tags.GetD() == identifier && slices.Contains(authors, ev.PubKey) && (latest == nil || repo.Newer(ev, latest)) {
			latest = ev
		}
	}
	return latest
}

// listedBy are the maintainers that an announcement lists itself.
func listedBy(ev *nostr.Event) []string {
	var keys []string
	for t := range ev.Tags.FindAll("maintainers") {
		keys = append(keys, t[1:]...)
	}
	return keys
}

// ownStateAgain moves the refs of a repository to what its owner's own latest state says when a newer announcement comes.
func ownStateAgain() Filter {
	s, versions, requests := &shelf{map[string]filed{}}, succession{}, core.RequestID(extra)
	return beside(func(_ core.Input, effects []core.Effect) []core.Effect {
		s.note(effects)
		for _, e := range effects {
			r, _ := e.(core.Record)
			former, is := versions.next(r)
			if !is || former.held || former.event.Kind != policy.KindAnnouncement {
				continue
			}
			d := r.Event.Tags.GetD()
			own, latest := s.latestOf(d, r.Event.PubKey), s.latestOf(d, append(listedBy(r.Event), r.Event.PubKey)...)
			if own != nil && latest.ID != own.ID {
				effects = append(effects, moving(&requests, own.PubKey, own, latest)...)
			}
		}
		return effects
	})
}

// othersDropped forgets the states of maintainers that wait when a newer announcement of the owner comes.
func othersDropped() Filter {
	s, versions := &shelf{map[string]filed{}}, succession{}
	return erasing(func(i core.Input, effects []core.Effect) []core.Message {
		s.note(effects)
		conn, published := published(i)
		var more []core.Message
		for _, e := range effects {
			r, _ := e.(core.Record)
			if former, is := versions.next(r); !is || former.event.Kind != policy.KindAnnouncement || published == nil {
				continue
			}
			for id, e := range s.all() {
				if o := e.event; e.held && o.Kind == policy.KindState && o.PubKey != published.PubKey && o.Tags.GetD() == published.Tags.GetD() {
					more = append(more, removal(conn, o.PubKey, o.CreatedAt, id))
				}
			}
		}
		return more
	})
}

// refusingPushes stops pushes by what is there.
func refusingPushes(stop func(s *shelf, came map[string]int, o core.PushOffered) bool) Filter {
	s, came, n := &shelf{map[string]filed{}}, map[string]int{}, 0
	filter := refuses(func(o core.PushOffered) bool { return stop(s, came, o) })()
	return Filter{In: filter.In, Out: func(i core.Input, effects []core.Effect) []core.Effect {
		if _, ev := published(i); ev != nil && ev.Kind == policy.KindAnnouncement {
			n++
			if came[ev.PubKey+ev.Tags.GetD()] == 0 {
				came[ev.PubKey+ev.Tags.GetD()] = n
			}
		}
		s.note(effects)
		return filter.Out(i, effects)
	}}
}

// oneRepository lets the state of a maintainer authorize pushes to the repository whose owner has listed the maintainer first.
func oneRepository() Filter {
	return refusingPushes(func(s *shelf, came map[string]int, o core.PushOffered) bool {
		d, mine := o.Repo.Identifier, s.announcement(string(o.Repo.Owner), o.Repo.Identifier)
		if mine.event == nil {
			return false
		}
		latest := s.latestOf(d, append(listedBy(mine.event), string(o.Repo.Owner))...)
		if latest == nil || latest.PubKey == string(o.Repo.Owner) {
			return false
		}
		for _, e := range s.all() {
			ev := e.event
			if ev.Kind == policy.KindAnnouncement && ev.Tags.GetD() == d && slices.Contains(listedBy(ev), latest.PubKey) && came[ev.PubKey+d] < came[string(o.Repo.Owner)+d] {
				return true
			}
		}
		return false
	})
}

// amongEight looks for the state of an owner among the newest eight of its identifier, whoever has signed them.
func amongEight() Filter {
	return refusingPushes(func(s *shelf, _ map[string]int, o core.PushOffered) bool {
		own := s.latestOf(o.Repo.Identifier, string(o.Repo.Owner))
		newer := 0
		for _, e := range s.all() {
			if ev := e.event; ev.Kind == policy.KindState && ev.Tags.GetD() == o.Repo.Identifier && own != nil && repo.Newer(ev, own) {
				newer++
			}
		}
		return newer >= 8
	})
}

// placesOfOne takes the refs of the earlier pull requests from a place when the next one of its signer becomes served.
func placesOfOne() Filter {
	var served []*nostr.Event
	requests := core.RequestID(extra)
	return beside(func(_ core.Input, effects []core.Effect) []core.Effect {
		for _, e := range slices.Clone(effects) {
			r, is := e.(core.Record)
			if !is || r.Op != core.OpStore || !isPull(r.Event) || !submits(r.Event) {
				continue
			}
			for _, old := range served {
				pr, _ := repo.ParsePullRequest(old)
				if old.PubKey != r.Event.PubKey || len(pr.Repos) == 0 {
					continue
				}
				requests++
				effects = append(effects, core.UpdateRefs{
					Request: requests, Repo: repo.Contribution(repo.PubKey(old.PubKey), pr.Repos[0].Identifier),
					Commands: []gitproto.Command{{Old: pr.Commit, New: repo.ZeroOID, Ref: pr.Ref()}},
				})
			}
			served = append(served, r.Event)
		}
		return effects
	})
}

// placeOf reports whether the owner of a repository has signed a pull request that names its place for that identifier.
func (s *shelf) placeOf(id repo.ID) bool {
	for _, e := range s.all() {
		pr, _ := repo.ParsePullRequest(e.event)
		named := func(r repo.ID) bool { return r.Identifier == id.Identifier }
		if e.event.PubKey == string(id.Owner) && submits(e.event) && slices.ContainsFunc(pr.Repos, named) {
			return true
		}
	}
	return false
}

// cutShort reports whether the compressed body of a request ends too soon; it can be read again.
func cutShort(r *http.Request) bool {
	if r.Body == nil {
		return false
	}
	raw, _ := io.ReadAll(io.LimitReader(r.Body, bodyMax)) // what is cut off is the server's to judge
	r.Body = io.NopCloser(bytes.NewReader(raw))
	unpacked, err := gzip.NewReader(bytes.NewReader(raw))
	if err == nil {
		_, err = io.Copy(io.Discard, io.LimitReader(unpacked, bodyMax))
	}
	return err != nil
}
