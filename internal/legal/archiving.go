package legal

import (
	"strings"
	"time"

	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
)

// keptService is the service of which archives keep everything. Nobody answers there.
const keptService = "https://kept-elsewhere.example.invalid"

// Archives returns archives (GRASP-05) that break no rule, each in its own way.
func Archives() []Sync {
	owner := "npub of the first member"
	all := []Sync{
		{Name: "archive-of-all", What: "keeps every repository", scope: []string{policy.ScopeAll}},
		{Name: "archive-of-all-only-read", What: "keeps every repository, and takes no push", scope: []string{policy.ScopeAll}, config: onlyRead},
		{Name: "archive-of-a-service", What: "keeps what lists another service", scope: []string{keptService}},
		{Name: "archive-of-a-service-only-read", What: "keeps what lists another service, and takes no push", scope: []string{keptService}, config: onlyRead},
		{Name: "archive-of-a-key", What: "keeps what somebody announces, whose key its judge has", scope: []string{owner}, Keys: members()[:1]},
		{Name: "archive-of-a-key-only-read", What: "keeps what somebody announces, whose key its judge has, and takes no push", scope: []string{owner}, Keys: members()[:1], config: onlyRead},
		{
			Name: "archive-of-somebody", What: "keeps what somebody announces, whose key nobody here has", scope: []string{owner},
			Unsaid: []string{"G05-01", "G05-02", "G05-03", "G05-04", "G05-05", "G05-06", "G05-07"},
		},
		{
			Name: "archive-of-a-repository", What: "keeps one repository of somebody whose key its judge has", scope: []string{owner + "/one"}, Keys: members()[:1],
			Unsaid: []string{"G05-01", "G05-02", "G05-03", "G05-04", "G05-05", "G05-06", "G05-07"},
		},
		{
			Name: "archive-of-an-identifier", What: "keeps all repositories of one identifier", scope: []string{"one"}, Keys: members()[:1],
			Unsaid: []string{"G05-01", "G05-02", "G05-03", "G05-04", "G05-05", "G05-06", "G05-07"},
		},
		{
			Name: "archive-beside-hosting", What: "hosts what lists it, and takes no push to what it archives", scope: []string{keptService},
			web: func(c *web.Config) {
				c.Curation = "Read-only sync of whitelisted repositories and maintainers"
			},
			filter: archivedOnlyRead,
		},
		{
			Name: "archive-with-rules", What: "names the page of its rules before what it keeps", scope: []string{keptService},
			web: func(c *web.Config) { c.Curation = "See https://rules.example.invalid/terms for our rules." },
		},
		{
			Name: "archive-curated", What: "takes pushes, and says under curation that it leaves spam out", scope: []string{keptService},
			web: func(c *web.Config) { c.Curation = "Spam is left out." },
		},
		{
			Name: "archive-without-purgatory", What: "serves everything at once", scope: []string{keptService},
			config: func(c *core.Config) {
				c.Manner = core.Manner{AnnouncementsAtOnce: true, StatesAtOnce: true, PullRequestsAtOnce: true}
			},
		},
		{
			Name: "archive-without-offers", What: "keeps what lists another service, and answers 403 to whoever asks for the advertisement of pushes",
			scope: []string{keptService}, config: onlyRead, answer: func(q web.Request, r web.Route) web.Route {
				if r.Kind == web.KindAdvertise && strings.Contains(q.Query, "git-receive-pack") {
					return web.Route{Kind: web.KindRespond, Response: web.Response{Status: 403, Header: web.Config{}.CORS(), Body: []byte("read only")}}
				}
				return r
			},
		},
		{
			Name: "archive-in-no-hurry", What: "begins to look for git data after half an hour", scope: []string{keptService},
			config: func(c *core.Config) { c.Hunt.UserDelay, c.PurgatoryLife = 30*time.Minute, 2*time.Hour },
		},
		{
			Name: "archive-by-polling", What: "asks each half hour for everything, and hears of nothing in between", scope: []string{keptService}, filter: withoutLive,
			config: func(c *core.Config) { c.Sync.DailyMin, c.Sync.DailyMax = 30*time.Minute, 31*time.Minute },
		},
		{
			Name: "no-archive", What: "keeps what lists it, and nothing else", Unlisted: true,
		},
	}
	for i := range all {
		all[i].Rows = "G05-"
		for n, entry := range all[i].scope {
			all[i].scope[n] = strings.Replace(entry, owner, npubOfMember(), 1)
		}
	}
	return all
}

func onlyRead(c *core.Config) { c.Archive.ReadOnly = true }

// npubOfMember is that of the first member.
func npubOfMember() string { return memberKey(0).Npub() }

// archivedOnlyRead refuses pushes to what does not list this service.
func archivedOnlyRead() defect.Filter {
	archived := map[repo.ID]bool{}
	f := barred(func(id repo.ID) bool { return archived[id] })
	in := f.In
	f.In = func(i core.Input) (core.Input, bool) {
		if m, is := i.(core.Message); is {
			if ev := eventOf(m); ev != nil && ev.Kind == kindAnnouncement {
				clone := ev.Tags.Find("clone")
				id := repo.ID{Owner: repo.PubKey(ev.PubKey), Identifier: ev.Tags.GetD()}
				archived[id] = !strings.Contains(strings.Join(clone, " "), "grasp.example:8080")
			}
		}
		return in(i)
	}
	return f
}
