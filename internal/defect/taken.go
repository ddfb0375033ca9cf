package defect

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// takenDefects take one thing for all: one form of a request for every form, the first ref of a push for each of them, the answer to one
// client for that to the next one, a list as it was first for the list.
func takenDefects() []Defect {
	return []Defect{
		unjudgedWhere("compressed-pushes-unjudged", func(r *http.Request) bool { return r.Header.Get("Content-Encoding") != "" }),
		unjudgedWhere("pushes-in-chunks-unjudged", func(r *http.Request) bool { return r.ContentLength < 0 }),
		unjudgedWhere("pushes-with-a-query-unjudged", func(r *http.Request) bool { return r.URL.RawQuery != "" }),
		unjudgedWhere("pushes-of-other-types-unjudged", func(r *http.Request) bool {
			return r.Header.Get("Content-Type") != "application/x-git-receive-pack-request"
		}),
		unjudgedWhere("pushes-that-wait-to-go-on-unjudged", func(r *http.Request) bool { return r.Header.Get("Expect") != "" }),
		{Name: "deletions-behind-pull-requests-unjudged", Filter: func() Filter {
			return letting(nil, func(o core.PushOffered, _ policy.Ruling) bool {
				_, is := repo.PullRequestOf(o.Commands[0].Ref)
				return is && len(o.Commands) > 1 && !slices.ContainsFunc(o.Commands[1:], func(c gitproto.Command) bool { return !c.New.IsZero() })
			})
		}},
		{Name: "pushes-judged-by-their-first-ref", Filter: func() Filter {
			return letting(nil, func(o core.PushOffered, r policy.Ruling) bool {
				if len(o.Commands) < 2 || strings.HasPrefix(r.Requirement, "G01-PR-") {
					return false
				}
				_, is := repo.PullRequestOf(o.Commands[0].Ref)
				return is
			})
		}},
		{Name: "pushes-judged-by-their-first-fifty-refs", Filter: judgedByFirst(func(c []gitproto.Command) int { return min(len(c), 50) })},
		{Name: "pushes-judged-by-their-first-64-kilobytes", Filter: judgedByFirst(inKilobytes(64))},
		{Name: "states-cut-behind-five-hundred-refs", Backend: func(b gitstore.Backend) gitstore.Backend { return cutStates{backend{b}, 500} }},
		{Name: "listings-kept-for-any-version", Backend: func(b gitstore.Backend) gitstore.Backend {
			return keptListings{keeping(b, gitproto.UploadPackService)}
		}},
		{Name: "further-elements-of-refs-authorize", Filter: furtherElements},
		{Name: "maintainers-of-maintainers-kept", Filter: staleChains},
		{Name: "maintainers-of-maintainers-added-in-vain", Filter: lateChains},
		{Name: "head-moves-with-its-branch-alone", Backend: func(b gitstore.Backend) gitstore.Backend {
			return &besidePushes{backend: backend{b}, open: map[repo.ID][]gitproto.Command{}}
		}},
		{Name: "tags-stay-without-a-push", Backend: func(b gitstore.Backend) gitstore.Backend { return tagsStay{backend{b}} }},
		{Name: "pushes-beside-one-fail", Front: oneAtATime()},
	}
}

// unjudgedWhere carries out the commands of pushes that come in a form, before they are judged.
func unjudgedWhere(name string, form func(*http.Request) bool) Defect {
	s := &store{}
	return Defect{Name: name, Backend: s.set, Front: gate(func(_ http.ResponseWriter, r *http.Request) bool {
		id, is := repositoryOf(r)
		if !is || !pushed(r) || !form(r) {
			return false
		}
		list, pack := packets(bodyOf(r))
		var all []gitproto.Command
		for _, p := range list {
			if c, is := p.command(); is {
				all = append(all, c)
			}
		}
		s.moves(r, id, all, pack)
		return false
	})}
}

// judgedByFirst judges a push by the first of its commands: the longest list of which judged reports how many.
func judgedByFirst(judged func([]gitproto.Command) int) func() Filter {
	return func() Filter {
		s := &shelf{map[string]filed{}}
		filter := letting(nil, func(o core.PushOffered, _ policy.Ruling) bool {
			state, n := s.latestOf(o.Repo.Identifier, string(o.Repo.Owner)), judged(o.Commands)
			return state != nil && len(o.Commands) > n && declares(state, o.Commands[:n])
		})
		return Filter{In: filter.In, Out: func(i core.Input, effects []core.Effect) []core.Effect {
			s.note(effects)
			return filter.Out(i, effects)
		}}
	}
}

// inKilobytes is how many commands begin within so many kilobytes of a list.
func inKilobytes(most int) func([]gitproto.Command) int {
	return func(commands []gitproto.Command) int {
		size := 0
		for n, c := range commands {
			if size > most<<10 {
				return n
			}
			size += len(pktLine(string(c.Old) + " " + string(c.New) + " " + c.Ref))
		}
		return len(commands)
	}
}

// cutStates moves the first refs of a state that needs no push, and leaves the others.
type cutStates struct {
	backend
	most int
}

func (s cutStates) Update(id repo.ID, commands []gitproto.Command, head string) error {
	return s.Backend.Update(id, commands[:min(len(commands), s.most)], head)
}

// keptTexts answers who asks for what a service advertises as the one before him, whatever version of the protocol he asks in, until
// somebody pushes.
type keptTexts struct {
	backend
	service gitproto.Service
	mu      sync.Mutex
	texts   map[repo.ID][]byte
}

func keeping(b gitstore.Backend, service gitproto.Service) *keptTexts {
	return &keptTexts{backend: backend{b}, service: service, texts: map[repo.ID][]byte{}}
}

func (k *keptTexts) forget(id repo.ID) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.texts, id)
}

func (k *keptTexts) Advertise(c gitstore.Cancel, id repo.ID, service gitproto.Service, version int, w io.Writer) error {
	if service != k.service {
		return k.Backend.Advertise(c, id, service, version, w)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.texts[id] == nil {
		var b bytes.Buffer
		if err := k.Backend.Advertise(c, id, service, version, &b); err != nil {
			return err
		}
		k.texts[id] = b.Bytes()
	}
	_, err := w.Write(k.texts[id])
	return err
}

func (k *keptTexts) Receive(c gitstore.Cancel, id repo.ID, push gitstore.Push, pack io.Reader) (gitstore.Report, error) {
	defer k.forget(id)
	return k.Backend.Receive(c, id, push, pack)
}

// keptListings are such answers to who fetches, forgotten whenever the refs change.
type keptListings struct{ *keptTexts }

func (k keptListings) Create(id repo.ID) error {
	k.forget(id)
	return k.Backend.Create(id)
}

func (k keptListings) Remove(id repo.ID) error {
	k.forget(id)
	return k.Backend.Remove(id)
}

func (k keptListings) Update(id repo.ID, commands []gitproto.Command, head string) error {
	defer k.forget(id)
	return k.Backend.Update(id, commands, head)
}

// furtherElements lets a ref be pushed to whatever its tag of the latest state names at any place.
func furtherElements() Filter {
	heard := &statesHeard{deleted: map[string]bool{}}
	return letting(heard.hear, func(o core.PushOffered, r policy.Ruling) bool {
		state := heard.latest(o.Repo)
		return r.Requirement == "G01-PUSH-03" && state != nil && !slices.ContainsFunc(o.Commands, func(c gitproto.Command) bool {
			return !slices.ContainsFunc(state.Tags, func(t nostr.Tag) bool { return t[0] == c.Ref && slices.Contains(t[1:], string(c.New)) })
		})
	})
}

// A chain is what announcements said of maintainers, the first version of each and all of them.
type chain struct {
	first, ever map[string]map[string][]string
} // by identifier and author

func newChain() chain {
	return chain{first: map[string]map[string][]string{}, ever: map[string]map[string][]string{}}
}

func (c chain) hear(i core.Input) {
	_, ev := published(i)
	if ev == nil || ev.Kind != policy.KindAnnouncement {
		return
	}
	d := ev.Tags.GetD()
	if c.first[d] == nil {
		c.first[d], c.ever[d] = map[string][]string{}, map[string][]string{}
	}
	if _, known := c.first[d][ev.PubKey]; !known {
		c.first[d][ev.PubKey] = listedBy(ev)
	}
	c.ever[d][ev.PubKey] = append(c.ever[d][ev.PubKey], listedBy(ev)...)
}

// staleChains lets pushes run that a state says by somebody whom a maintainer of the owner has named at some time.
func staleChains() Filter {
	heard, c := &statesHeard{deleted: map[string]bool{}}, newChain()
	return letting(func(i core.Input) {
		heard.hear(i)
		c.hear(i)
	}, func(o core.PushOffered, _ policy.Ruling) bool {
		owner, d := string(o.Repo.Owner), o.Repo.Identifier
		for _, by := range c.first[d][owner] {
			for _, key := range c.ever[d][by] {
				state := heard.latest(repo.ID{Owner: repo.PubKey(key), Identifier: d})
				if by != owner && key != owner && key != by && state != nil && fits(o, state) {
					return true
				}
			}
		}
		return false
	})
}

// lateChains refuses states of those whom maintainers of others have named later than in their first announcements.
func lateChains() Filter {
	c := newChain()
	f := rejecting(func(ev *nostr.Event) bool {
		if ev.Kind != policy.KindState {
			return false
		}
		d, late := ev.Tags.GetD(), false
		for by, keys := range c.ever[d] {
			switch {
			case by == ev.PubKey || !slices.Contains(keys, ev.PubKey):
			case slices.Contains(c.first[d][by], ev.PubKey):
				return false
			default:
				for other, named := range c.first[d] {
					late = late || other != by && slices.Contains(named, by)
				}
			}
		}
		return late
	}, nil)
	in := f.In
	f.In = func(i core.Input) (core.Input, bool) {
		c.hear(i)
		return in(i)
	}
	return f
}

// besidePushes leaves HEAD where it is behind a push that has not moved the branch to which it goes.
type besidePushes struct {
	backend
	mu   sync.Mutex
	open map[repo.ID][]gitproto.Command // of the last push that nothing has followed yet
}

func (b *besidePushes) Receive(c gitstore.Cancel, id repo.ID, push gitstore.Push, pack io.Reader) (gitstore.Report, error) {
	report, err := b.Backend.Receive(c, id, push, pack)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open[id] = push.Commands
	return report, err
}

func (b *besidePushes) Update(id repo.ID, commands []gitproto.Command, head string) error {
	b.mu.Lock()
	by, behind := b.open[id]
	delete(b.open, id)
	b.mu.Unlock()
	if behind && !slices.ContainsFunc(by, func(c gitproto.Command) bool { return c.Ref == head }) {
		head = ""
	}
	return b.Backend.Update(id, commands, head)
}

// tagsStay makes and moves no tag but by a push.
type tagsStay struct{ backend }

func (t tagsStay) Update(id repo.ID, commands []gitproto.Command, head string) error {
	return t.Backend.Update(id, slices.DeleteFunc(slices.Clone(commands), func(c gitproto.Command) bool {
		return strings.HasPrefix(c.Ref, "refs/tags/") && !c.New.IsZero()
	}), head)
}

// oneAtATime fails at a push that comes to a repository while another one is carried out there.
func oneAtATime() func(http.Handler) http.Handler {
	var mu sync.Mutex
	busy := map[repo.ID]bool{}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			id, is := repositoryOf(r)
			if !is || !pushed(r) {
				next.ServeHTTP(w, r)
				return
			}
			mu.Lock()
			was := busy[id]
			busy[id] = true
			mu.Unlock()
			if was {
				w.Header().Set(allowOrigin, "*")
				http.Error(w, "index.lock exists", http.StatusInternalServerError)
				return
			}
			defer func() {
				mu.Lock()
				defer mu.Unlock()
				delete(busy, id)
			}()
			next.ServeHTTP(w, r)
		})
	}
}
