package suite

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
)

// A fetch that is due begins within askedWithin of its instant: as much as it takes to answer the fetches before it.
const askedWithin = time.Second

// huntSteps speak of git hosts of ours that events name, and of when the target asks them for what. In tables
// {git host}, or {git host one}, is the clone URL of the check's repository there.
func huntSteps() []step {
	modes := []string{"serves"}
	for _, mode := range target.HostModes() {
		if mode != target.HostServes && mode != target.HostRedirects {
			modes = append(modes, string(mode))
		}
	}
	const at = `(the git hosts?(?:(?:,| and)? "[a-z]+")*)`
	hosting := []step{
		{
			text: `a git host{name} has:`,
			role: setUp, sees: hostsAsked, needs: []string{"reachback"},
			doc: "a git host of the suite with the refs of the table in the check's repository",
			run: func(w *world, a []string, table [][]string) outcome {
				_, out := w.newHost(a[0])
				if out.held() {
					w.put(a[0], table)
				}
				return out
			},
		},
		{
			text: `the git host{name} gets:`,
			role: act, sees: hostsAsked, needs: []string{"reachback"},
			doc: "the host has the refs of the table from now on",
			run: func(w *world, a []string, table [][]string) outcome {
				w.put(a[0], table)
				return outcome{}
			},
		},
		{
			text: `from now on the git host{name} (` + strings.Join(modes, "|") + `)`,
			role: setUp, sees: hostsAsked, needs: []string{"reachback"},
			doc: "how the host answers",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.behave(a[0], a[1])
			},
		},
		{
			text: `from now on the git host{name} answers after {number} seconds`,
			role: setUp, sees: hostsAsked, needs: []string{"reachback"},
			doc: "the host delays every answer",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.behaves(a[0], target.HostBehavior{Delay: time.Duration(number(a[1])) * time.Second})
			},
		},
	}
	publishing := []step{
		{
			text: `the {actor} announced the repository, which is at ` + at,
			role: setUp, sees: answers, cost: cost{events: 1}, needs: []string{"reachback"},
			doc: "an announcement that lists the hosts beside this service was accepted",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.announce(announcing{actor: a[0], with: w.copies(a[1])}).then(w.accepted)
			},
		},
		{
			text: `the {actor}'s repository is served(?:, naming {actors})?, which is at ` + at + `, with:`,
			role: setUp, sees: reports, cost: cost{events: 2, pushes: 1}, needs: []string{"reachback"},
			doc: "as without hosts, and the announcement lists them",
			run: func(w *world, a []string, table [][]string) outcome {
				with := w.copies(a[2])
				if a[1] != "" {
					with["maintainers"] = w.pubkeys(a[1])
				}
				return w.serve(announcing{actor: a[0], with: with}, table)
			},
		},
		{
			text: `the {actor} published (a pull request|an update) of the commit (\w+), which is at ` + at,
			role: setUp, sees: answers, cost: cost{events: 1}, needs: []string{"reachback"},
			doc: "a pull request, or an update, whose clone tag names the hosts was accepted",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.publishPull(pulling{actor: a[0], label: labelOf(a[1]), commit: a[2], at: a[3]}).then(w.accepted)
			},
		},
		{
			text: `the {actor} publishes (a pull request|an update) of the commit (\w+), which is at ` + at,
			role: act, sees: answers, cost: cost{events: 1}, needs: []string{"reachback"},
			doc: "publishes a pull request, or an update, whose clone tag names the hosts",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.publishPull(pulling{actor: a[0], label: labelOf(a[1]), commit: a[2], at: a[3]})
			},
		},
	}
	return slices.Concat(hosting, publishing, askingSteps())
}

// askingSteps judge what the target asks of git hosts.
func askingSteps() []step {
	return []step{
		{
			text: `the time is taken`,
			role: setUp, sees: passing,
			doc: "instants are counted from here",
			run: func(w *world, _ []string, _ [][]string) outcome {
				w.hosts.since = w.run.target.Now()
				return outcome{}
			},
		},
		{
			text: `the git host{name} forgets what it was asked for`,
			role: setUp, sees: hostsAsked, needs: []string{"reachback"},
			doc: "what the host was asked for so far does not count",
			run: func(w *world, a []string, _ [][]string) outcome {
				w.forgetWanted(a[0])
				return outcome{}
			},
		},
		{
			text: `{number} seconds pass`,
			role: act, sees: passing,
			doc: "time passes",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.pass(time.Duration(number(a[0])) * time.Second)
			},
		},
		{
			text: `the git host{name} is asked after ([0-9, ]+) seconds, and at no other time`,
			role: assertion, sees: hostsAsked, needs: []string{"reachback"},
			doc: "fetches begin at these instants, each at most a second late, and at no others",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.askedAfter(a[0], a[1])
			},
		},
		{
			text: `the git host{name} has been asked {number} times?`,
			role: assertion, sees: hostsAsked, needs: []string{"reachback"},
			doc: "fetches begun at the host so far",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.askedTimes(a[0], int(number(a[1])))
			},
		},
		{
			text: `the git host{name} has been asked for exactly the commits? (\w+(?:(?:,| and) \w+)*)`,
			role: assertion, sees: hostsAsked, needs: []string{"reachback"},
			doc: "the objects that the host was asked for",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.askedFor(a[0], regexp.MustCompile(`(?:,| and) `).Split(a[1], -1))
			},
		},
		{
			text: `the {label} is served within an hour`,
			role: assertion, sees: servedEvents, within: fetchedWithin, needs: []string{"reachback"},
			doc: "the event comes to be served",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.servedInAnHour(w.event(a[0]))
			},
		},
		{
			text: `it is recorded when the git host{name} was asked`,
			role: record, sees: hostsAsked, needs: []string{"reachback"},
			doc: "notes when the host was asked",
			run: func(w *world, a []string, _ [][]string) outcome {
				w.recordAsked(a[0])
				return outcome{}
			},
		},
		{
			text: `the commit (\w+) is not in the {actor}'s repository`,
			role: assertion, sees: fetched,
			doc: "a want of the commit is not answered with it",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.lacksCommit(a[1], a[0])
			},
		},
	}
}

// hostName is a name of a git host in a step.
var hostName = regexp.MustCompile(`"([a-z]+)"`)

// hostURLs are the clone URLs of the git hosts that a step names, "the git host" being the only one.
func (w *world) hostURLs(hosts string) []string {
	named := hostName.FindAllStringSubmatch(hosts, -1)
	if named == nil {
		return []string{w.hostURL("")}
	}
	var list []string
	for _, m := range named {
		list = append(list, w.hostURL(m[1]))
	}
	return list
}

// copies makes an announcement list git hosts beside this service.
func (w *world) copies(hosts string) map[string]string {
	own := "{scheme}://{host}/{npub}/{identifier}.git"
	return map[string]string{"clone": strings.Join(append([]string{own}, w.hostURLs(hosts)...), ", ")}
}

// pullClone are the clone URLs of a pull request.
func (w *world) pullClone(p pulling) []string {
	if p.at == "" {
		return []string{w.client.CloneURL(w.key("owner").Pubkey, w.identifier)}
	}
	return w.hostURLs(p.at)
}

// pass lets time pass.
func (w *world) pass(d time.Duration) outcome {
	w.close() // no connection has to live through the wait
	return passed(w.client.Wait(w.ctx, d))
}

// until lets time pass up to so long after the time that was taken.
func (w *world) until(d time.Duration) outcome {
	return w.pass(max(0, w.hosts.since.Add(d).Sub(w.run.target.Now())))
}

// askedAfter judges when the fetches at a git host begin, in seconds from the time that was taken up to the last one.
func (w *world) askedAfter(name, list string) outcome {
	var want []time.Duration
	for _, seconds := range strings.Split(list, ", ") {
		want = append(want, time.Duration(number(seconds))*time.Second)
	}
	if out := w.until(want[len(want)-1] + askedWithin); !out.held() {
		return out
	}
	got := w.starts(name)
	w.note("asked after %s", seconds(got))
	inTime := func(got, want time.Duration) bool { return got >= want && got <= want+askedWithin }
	if !slices.EqualFunc(got, want, inTime) {
		return violated("the git host is asked after %s, want %s", seconds(got), seconds(want))
	}
	return outcome{}
}

// askedTimes judges how many fetches have begun at a git host.
func (w *world) askedTimes(name string, want int) outcome {
	if got := w.starts(name); len(got) != want {
		return violated("the git host has been asked %d times (after %s), want %d", len(got), seconds(got), want)
	}
	return outcome{}
}

// recordAsked makes a fact of the instants at which fetches have begun at a git host.
func (w *world) recordAsked(name string) {
	fact := "git data of another host: asked for after " + seconds(w.starts(name))
	w.note("%s", fact)
	w.run.mu.Lock()
	defer w.run.mu.Unlock()
	w.run.measured = append(w.run.measured, fact+" ("+w.check.ID+")")
}

// seconds writes instants as steps do.
func seconds(all []time.Duration) string {
	if len(all) == 0 {
		return "no time"
	}
	var words []string
	for _, d := range all {
		words = append(words, strconv.FormatFloat(d.Round(time.Millisecond).Seconds(), 'f', -1, 64))
	}
	return strings.Join(words, ", ") + " s"
}

// askedFor judges which objects a git host has been asked for.
func (w *world) askedFor(name string, commits []string) outcome {
	var want []string
	for _, commit := range commits {
		want = append(want, w.git.history.oid(commit))
	}
	slices.Sort(want)
	if got := w.wanted(name); !slices.Equal(got, want) {
		return violated("the git host has been asked for %v, want %v (%s)", got, want, strings.Join(commits, ", "))
	}
	return outcome{}
}

// fetchedWithin is how long a server may take to fetch what another host has (GRASP-02).
const fetchedWithin = time.Hour

// servedInAnHour waits until an event is served whose git data has to be fetched.
func (w *world) servedInAnHour(ev *nostr.Event) outcome {
	found, o := w.client.Poll(w.ctx, fetchedWithin, func() (bool, client.Observation) {
		w.close() // no connection has to live through the wait
		events, out := w.query(client.Filter{IDs: []string{ev.ID}})
		return out.held() && holds(events, ev), nil
	})
	switch {
	case found:
		return outcome{}
	case o != nil:
		return passed(o)
	}
	return violated("%s is not served within %v", describe(ev), fetchedWithin)
}

// lacksCommit judges that an actor's repository, which answers git, does not hand a commit out.
func (w *world) lacksCommit(actor, commit string) outcome {
	if o := w.client.Advertise(w.ctx, w.path(actor), client.UploadPack, 0); !isAdvert(o) {
		return unlessInconclusive("advertisement", o)
	}
	oid := w.git.history.oid(commit)
	objects, o := w.client.Fetch(w.ctx, w.path(actor), 2, []string{oid}, client.FetchOpts{})
	switch {
	case o == nil && objects.Has(oid):
		return violated("the %s's repository has the commit %s (%s)", actor, oid, commit)
	case o != nil && client.Inconclusive(o):
		return inconclusive("fetch", o)
	}
	return outcome{}
}

func isAdvert(o client.Observation) bool { _, is := o.(client.Advert); return is }
