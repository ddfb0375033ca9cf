package legal

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
)

// contributing are servers that take contributions (GRASP-06) in their own ways, or none.
func contributing() []Server {
	all := []Server{
		{
			Name: "places-for-half-an-hour", What: "keeps a ref at a place for half an hour without its event (AMB-15)",
			config: func(c *core.Config) { c.PlaceholderLife = 30 * time.Minute },
		},
		{
			Name: "places-few-a-signer", What: "keeps one ref at the places of a signer that waits for its event",
			config: func(c *core.Config) { c.Contributions.WaitingPerKeyMax = 1 },
			Unsaid: []string{"G06-PUSH-01", "G06-GC-01"},
		},
		{
			Name: "places-for-a-list", What: "takes pushes to the places of contributors on a list, of whom none is known here, and says so",
			web:    func(c *web.Config) { c.Curation = "Pull requests of contributors on a list only." },
			filter: func() defect.Filter { return barred(atPlace) },
		},
		{
			Name: "places-for-a-list-by-status", What: "answers 403 to pushes to places of whoever is not on a list, and says so",
			web: func(c *web.Config) { c.Curation = "Pull requests of contributors on a list only." },
			habits: answering(func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
				if at := target.RequestTarget(req); strings.HasPrefix(at, "/prs/") && strings.HasSuffix(at, "/git-receive-pack") {
					if _, err := whole(req); err != nil {
						return nil, err
					}
					return page{http.StatusForbidden, "restricted: pull requests of contributors on a list only\n"}.to(req), nil
				}
				return next(req)
			}),
		},
		{
			Name: "places-refuse-by-status", What: "answers 403 to pushes that it refuses",
			habits: answering(refusesByStatus),
		},
		{
			Name: "places-show-a-head", What: "says in the advertisement of an empty place where its HEAD would be",
			habits: func() []habit {
				return []habit{rewritten(func(req *http.Request, _ *http.Response) bool {
					at := target.RequestTarget(req)
					return strings.HasPrefix(at, "/prs/") && strings.HasSuffix(at, "service=git-upload-pack") && req.Header.Get("Git-Protocol") == ""
				}, func(_ *http.Response, body []byte) []byte { return headed(body) })}
			},
		},
		{
			Name: "places-with-nothing-held", What: "serves pull requests at once, whatever is at their places",
			config: func(c *core.Config) {
				c.Manner = core.Manner{AnnouncementsAtOnce: true, StatesAtOnce: true, PullRequestsAtOnce: true}
			},
			Owes: map[string]string{"G06-MIR-01": "it copies what is released alone, and releases nothing, which misses a SHOULD"},
		},
		{Name: "places-below-a-path", What: "lives below a path of its host", base: "/grasp"},
		{
			Name: "places-refuse-events", What: "refuses a pull request at whose place another commit was pushed", filter: refusedForCommit,
		},
		{
			Name: "places-not-found", What: "finds nothing at malformed paths, where others call them malformed",
			habits: answering(func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
				resp, err := next(req)
				if err == nil && strings.HasPrefix(target.RequestTarget(req), "/prs/") && resp.StatusCode == http.StatusBadRequest {
					return page{http.StatusNotFound, "nothing is here\n"}.to(req), nil
				}
				return resp, err
			}),
		},
		{
			Name: "places-for-pages", What: "shows browsers a page at the path of each place, and names all of them at the root",
			habits: answering(func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
				at := target.RequestTarget(req)
				resp, err := next(req)
				if err == nil && strings.HasPrefix(at, "/prs/") && strings.HasSuffix(at, ".git") && req.Method == http.MethodGet {
					return page{http.StatusOK, "a place for pull requests\n"}.to(req), nil
				}
				return resp, err
			}),
		},
		{Name: "places-with-copies", What: "shows pull requests that were pushed to their repository at the places of their signers, too", habits: copies},
		{
			Name: "places-late", What: "takes two seconds for every answer", habits: func() []habit { return []habit{lateByTwo()} },
		},
	}
	for i, s := range all {
		all[i].Rows = "G06-"
		all[i].config = func(c *core.Config) {
			c.Contributions.On = true
			if s.config != nil {
				s.config(c)
			}
		}
	}
	return append(all,
		Server{Name: "no-places", What: "takes no contributions, and says so", Rows: "G06-"},
		Server{
			Name: "no-places-and-no-posts", What: "takes no contributions, and no POST where no repository can be", Rows: "G06-",
			habits: answering(func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
				if strings.HasPrefix(target.RequestTarget(req), "/prs/") && req.Method == http.MethodPost {
					if _, err := whole(req); err != nil {
						return nil, err
					}
					return page{http.StatusMethodNotAllowed, "GET and HEAD only\n"}.to(req), nil
				}
				return next(req)
			}),
		},
	)
}

// atPlace tells pushes to places.
func atPlace(id repo.ID) bool { return id.IsContribution() }

// barred refuses by policy the pushes to some repositories.
func barred(which func(repo.ID) bool) defect.Filter {
	ruling := policy.Ruling{Decision: policy.Refuse, Prefix: "restricted", Reason: "contributors on a list only"}
	offered := func(i core.Input) (core.PushID, repo.ID, bool) {
		switch i := i.(type) {
		case core.PushOffered:
			return i.Push, i.Repo, true
		case core.PushAsked:
			return i.Push, i.Repo, true
		}
		return 0, repo.ID{}, false
	}
	return defect.Filter{
		In: func(i core.Input) (core.Input, bool) {
			_, id, is := offered(i)
			return i, !is || !which(id)
		},
		Out: func(i core.Input, effects []core.Effect) []core.Effect {
			if push, id, is := offered(i); is && which(id) {
				return append(effects, core.PushRefused{Push: push, Ruling: ruling})
			}
			return effects
		},
		Early: func(o core.PushOffered) bool { return which(o.Repo) },
	}
}

// refusesByStatus answers 403 where the server inside refuses a push in the protocol of git.
func refusesByStatus(_ *front, req *http.Request, next exchange) (*http.Response, error) {
	resp, err := next(req)
	if err != nil || !strings.HasSuffix(target.RequestTarget(req), "/git-receive-pack") || resp.StatusCode != http.StatusOK {
		return resp, err
	}
	body, err := drain(resp)
	if err != nil {
		return nil, err
	}
	if at := bytes.Index(body, []byte("ERR ")); at >= 0 {
		return page{http.StatusForbidden, string(body[at+len("ERR "):])}.to(req), nil
	}
	refill(resp, body)
	return resp, nil
}

// headed adds to the capabilities of an empty advertisement where HEAD would be.
func headed(body []byte) []byte {
	lines := bytes.SplitAfterN(body, []byte("0000"), 2)
	at := bytes.Index(body, []byte("capabilities^{}\x00"))
	if len(lines) < 2 || at < 0 {
		return body
	}
	const size = 4 + 40 + 1 // of the length, the id and the gap before the name
	start := at - size
	end := start + bytes.IndexByte(body[start:], '\n')
	line := fmt.Sprintf("%s symref=HEAD:refs/heads/main\n", body[start+4:end])
	return slices.Concat(body[:start], fmt.Appendf(nil, "%04x%s", len(line)+4, line), body[end+1:])
}

// refusedForCommit says of a pull request that it is refused if something else is at its place.
func refusedForCommit() defect.Filter {
	pushed := map[string]repo.OID{} // by event
	return defect.Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		if o, is := i.(core.PushOffered); is && o.Repo.IsContribution() {
			for _, c := range o.Commands {
				if event, ok := repo.PullRequestOf(c.Ref); ok {
					pushed[event] = c.New
				}
			}
		}
		for n, e := range effects {
			send, _ := e.(core.Send)
			answer, is := send.Msg.(relay.OK)
			m, _ := i.(core.Message)
			sent, also := m.Msg.(relay.Event)
			if is && also && pushed[answer.ID] != "" && !names(sent.Event, pushed[answer.ID]) {
				send.Msg = relay.OK{ID: answer.ID, Text: "invalid: another commit was pushed for this event"}
				effects[n] = send
			}
		}
		return effects
	}}
}

func names(ev *nostr.Event, commit repo.OID) bool {
	return slices.ContainsFunc(ev.Tags, func(t nostr.Tag) bool { return len(t) > 1 && t[0] == "c" && t[1] == string(commit) })
}

// lateByTwo answers everything two seconds late.
func lateByTwo() habit {
	const late = 2 * time.Second
	return habit{
		says: func(time.Time, *line, []byte) (time.Duration, bool) { return late, true },
		answer: func(f *front, req *http.Request, next exchange) (*http.Response, error) {
			resp, err := next(req)
			if err == nil {
				err = f.Sleep(req.Context(), late)
			}
			return resp, err
		},
	}
}
