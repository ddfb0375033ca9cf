package judgetest

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
)

func browserScripts() map[string]func(*probe) {
	pages := func(p *probe) {
		p.serve("a", "x", "one", 1)
		page := http.Header{"Origin": {"https://page.example"}}
		advertisement := p.c.RepoPath(p.key("a").Pubkey, "x") + "/info/refs?service=git-upload-pack"
		for _, header := range []http.Header{nil, page} {
			p.get(http.MethodGet, "/", header)
			p.get(http.MethodGet, advertisement, header)
			p.get(http.MethodDelete, "/", header)
		}
	}
	pushes := func(p *probe) {
		p.serve("a", "x", "one", 1)
		p.main("a", "x", "two")
		p.refs("a", "x")
	}
	all := map[string]func(*probe){
		"pushes-applied-and-answered-500": pushes, "refused-pushes-cut-off": pushes,
		"accepted-pushes-without-cors": func(p *probe) {
			p.publish("announcement", p.announcement("a", "x", 1))
			p.publish("state", p.state("a", "x", "one", 1))
			one := p.commit("one")
			body := client.PushBody(client.PushOpts{
				Commands: []client.Command{{Old: client.ZeroOID, New: one, Ref: "refs/heads/main"}}, Pack: p.h.Pack([]string{one}, nil),
			})
			path := p.c.RepoPath(p.key("a").Pubkey, "x") + "/git-receive-pack"
			o := p.c.Do(p.t.Context(), http.MethodPost, path, http.Header{"Content-Type": {"application/x-git-receive-pack-request"}}, body)
			if answer, is := o.(client.HTTPAnswer); is {
				p.note("push: %d, allows %q", answer.Status, answer.Header.Values("Access-Control-Allow-Origin"))
			}
		},
	}
	for _, name := range []string{
		"origins-allowed-twice", "origins-allowed-twice-by-git", "origins-echoed", "origins-allowed-on-request-only",
		"pages-of-browsers-unallowed", "landing-page-without-cors", "wrong-methods-without-cors",
	} {
		all[name] = pages
	}
	return all
}

func phaseScripts() map[string]func(*probe) {
	ties := func(p *probe) {
		p.serve("a", "x", "one", 1)
		p.push("a", "x", "refs/nostr/"+strings.Repeat("a", 64), "two") // that its objects are here
		states := []*nostr.Event{p.state("a", "x", "one", 5), p.state("a", "x", "two", 5)}
		slices.SortFunc(states, func(a, b *nostr.Event) int { return strings.Compare(a.ID, b.ID) })
		p.publish("winner", states[0])
		p.publish("loser", states[1])
		p.refs("a", "x")
		p.main("a", "x", "one")
		p.main("a", "x", "two")
		p.refs("a", "x")
	}
	page := func(p *probe) {
		p.serve("a", "x", "one", 1)
		var both []*nostr.Event
		for _, name := range []string{"apple", "pear"} {
			both = append(both, client.Announce(p.key("a"), client.AnnounceOpts{
				Identifier: "x", Name: name, CreatedAt: p.base + 5,
				Clone: []string{p.c.CloneURL(p.key("a").Pubkey, "x")}, Relays: []string{p.c.RelayURL()},
			}))
		}
		slices.SortFunc(both, func(a, b *nostr.Event) int { return strings.Compare(a.ID, b.ID) })
		p.publish("winner", both[0])
		p.publish("loser", both[1])
		o := p.c.Get(p.t.Context(), p.c.RepoPath(p.key("a").Pubkey, "x"), nil)
		if answer, is := o.(client.HTTPAnswer); is {
			p.note("page: %t", strings.Contains(string(answer.Body), both[0].Tags.Find("name")[1]))
		}
	}
	return map[string]func(*probe){
		"losers-of-ties-authorize": ties, "losers-of-ties-move-refs": ties, "losers-of-ties-name-the-page": page,
		"older-states-authorize": func(p *probe) {
			p.serve("a", "x", "one", 5)
			p.publish("older state", p.state("a", "x", "two", 1))
			p.main("a", "x", "two")
		},
		"strangers-held-states-authorize": func(p *probe) {
			p.serve("a", "x", "one", 1)
			p.publish("stranger's announcement", p.announcement("s", "x", 2))
			p.publish("stranger's state", p.state("s", "x", "two", 3))
			p.main("a", "x", "two")
		},
		"strangers-served-states-authorize-held": func(p *probe) {
			p.serve("s", "x", "two", 1)
			p.publish("announcement", p.announcement("a", "x", 2))
			p.publish("state", p.state("a", "x", "one", 3))
			p.main("a", "x", "two")
		},
	}
}

func timeScripts() map[string]func(*probe) {
	merged := func(p *probe) {
		p.serve("a", "x", "one", 1)
		p.publish("pull request", p.pull(client.KindPullRequest, "two", 2, p.address("a", "x")))
		p.push("a", "x", "refs/nostr/"+p.last, "two")
		p.publish("state", p.state("a", "x", "two", 3))
		for range 3 {
			p.wait(11 * time.Minute)
			p.refs("a", "x")
		}
	}
	restart := func(p *probe) {
		if err := p.on.(target.Restarter).Restart(p.t.Context()); err != nil { //nolint:forcetypeassert // all of ours can
			p.t.Fatal(err)
		}
		p.connect()
	}
	asked := func(tell func(p *probe, host string)) func(*probe) {
		return func(p *probe) {
			host, err := p.on.(target.Hosts).NewHost(p.t.Context()) //nolint:forcetypeassert // all of ours can
			if err != nil {
				p.t.Fatal(err)
			}
			defer host.Close()
			p.serve("a", "x", "one", 1)
			tell(p, strings.TrimPrefix(host.URL(), "http://"))
			p.wait(30 * time.Second)
			for _, r := range host.Requests() {
				p.note("asked at %s", r.Path)
			}
		}
	}
	lists := func(clone, relay func(host string) string) func(*probe) {
		return asked(func(p *probe, host string) {
			opts := client.AnnounceOpts{Identifier: "y", CreatedAt: p.base + 2, Relays: []string{p.c.RelayURL()}}
			opts.Clone = []string{p.c.CloneURL(p.key("a").Pubkey, "y")}
			if clone != nil {
				opts.Clone = append(opts.Clone, clone(host))
			}
			if relay != nil {
				opts.Relays = append(opts.Relays, relay(host))
			}
			p.publish("announcement", client.Announce(p.key("a"), opts))
		})
	}
	return map[string]func(*probe){
		"merged-refs-collected-later": merged, "accepted-refs-collected-later": merged, "merged-refs-collected-in-a-minute": merged,
		"relays-asked-for-git-data":       lists(nil, func(host string) string { return "ws://" + host + "/" }),
		"forbidden-schemes-asked-at-once": lists(func(host string) string { return "ftp://" + host + "/y.git" }, nil),
		"hints-asked-for-git-data": asked(func(p *probe, host string) {
			p.publish("issue", client.Build(p.key("b"), 1621, [][]string{{"a", p.address("a", "x"), "ws://" + host + "/"}}, "", p.base+3))
		}),
		"refused-announcements-asked-for": asked(func(p *probe, host string) {
			p.publish("announcement", client.Announce(p.key("a"), client.AnnounceOpts{
				Identifier: "y", CreatedAt: p.base + 2, Clone: []string{"http://" + host + "/y.git"}, Relays: []string{"ws://" + host},
			}))
		}),
		"young-refs-lost-at-stop": func(p *probe) {
			p.serve("a", "x", "one", 1)
			p.push("a", "x", "refs/nostr/"+strings.Repeat("a", 64), "two")
			restart(p)
			p.refs("a", "x")
		},
		"lost-repositories-answer": func(p *probe) {
			p.publish("announcement", p.announcement("a", "x", 1))
			restart(p)
			p.wait(40 * time.Minute)
			p.refs("a", "x")
		},
		"deletions-forgotten-at-stop": func(p *probe) {
			p.serve("a", "x", "one", 1)
			issue := p.issue("b", p.address("a", "x"), "issue", 2)
			p.publish("issue", issue)
			p.publish("deletion", client.Deletion(p.key("b"), []string{issue.ID}, nil, p.base+3))
			restart(p)
			p.publish("issue", issue)
		},
		"talk-lost-at-stop": func(p *probe) {
			p.serve("a", "x", "one", 1)
			p.publish("issue", p.issue("b", p.address("a", "x"), "issue", 2))
			restart(p)
			p.query(client.Filter{Kinds: []int{1621}})
		},
	}
}
