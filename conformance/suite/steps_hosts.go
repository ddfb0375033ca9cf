package suite

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
)

// hostSteps speak of how much a git host of ours is asked, of how it misbehaves, and of the URLs that lead there.
func hostSteps() []step {
	return []step{
		{
			text: `{number} repositories(?: with {number} URLs each)? wait for data of the git host{name}(, spelled in three ways)?`,
			role: setUp, sees: answers, cost: cost{events: 2, each: true}, needs: []string{"reachback"},
			doc: "so many repositories of the owner, each with a state whose data the host has",
			run: func(w *world, a []string, _ [][]string) outcome {
				c := crowd{size: int(number(a[0])), urls: 1, host: a[2], spelled: a[3] != ""}
				if a[1] != "" {
					c.urls = int(number(a[1]))
				}
				return w.gather(c)
			},
		},
		{
			text: `after {number} seconds the {actor} announced the repository, which is at the git host`,
			role: setUp, sees: answers, cost: cost{events: 1}, needs: []string{"reachback"},
			doc: "time passes up to this instant; the announcement, which lists the host, was accepted",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.until(time.Duration(number(a[0])) * time.Second).then(func() outcome {
					return w.announce(announcing{actor: a[1], with: w.copies("")}).then(w.accepted)
				})
			},
		},
		{
			text: `the {actor} announced the repository, which is at:`,
			role: setUp, sees: answers, cost: cost{events: 1}, needs: []string{"reachback"},
			doc: "an announcement that lists the URLs of the table beside this service was accepted",
			run: func(w *world, a []string, table [][]string) outcome {
				return w.announceAt(a[0], table).then(w.accepted)
			},
		},
		{
			text: `the {actor} announced the repository with {number} URLs? at the git host{name}`,
			role: setUp, sees: answers, cost: cost{events: 1}, needs: []string{"reachback"},
			doc: "an announcement that lists so many URLs of the host was accepted",
			run: func(w *world, a []string, _ [][]string) outcome {
				var table [][]string
				for i := range number(a[1]) {
					table = append(table, []string{fmt.Sprintf("%s/%02d.git", w.host(a[2]).URL(), i)})
				}
				return w.announceAt(a[0], table).then(w.accepted)
			},
		},
		{
			text: `from now on the git host{name} takes {number} seconds to answer`,
			role: setUp, sees: hostsAsked, needs: []string{"reachback"},
			doc: "the host delays every answer",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.behaveAs(a[0], target.HostBehavior{Delay: time.Duration(number(a[1])) * time.Second})
			},
		},
		{
			text: `from now on the git host{name} limits requests for {number} seconds`,
			role: setUp, sees: hostsAsked, needs: []string{"reachback"},
			doc: "the host answers 429 with Retry-After",
			run: func(w *world, a []string, _ [][]string) outcome {
				after := time.Duration(number(a[1])) * time.Second
				return w.behaveAs(a[0], target.HostBehavior{Mode: target.HostLimits, RetryAfter: after})
			},
		},
		{
			text: `from now on the git host{name} fails for {number} seconds and serves for {number}`,
			role: setUp, sees: hostsAsked, needs: []string{"reachback"},
			doc: "the host fails and serves by turns",
			run: func(w *world, a []string, _ [][]string) outcome {
				if a[1] != a[2] {
					return harnessError("a host that flaps takes as long for the one as for the other")
				}
				return w.behaveAs(a[0], target.HostBehavior{Mode: target.HostFails, Period: time.Duration(number(a[1])) * time.Second})
			},
		},
		{
			text: `from now on the git host{name} redirects to the git host{name}`,
			role: setUp, sees: hostsAsked, needs: []string{"reachback"},
			doc: "the host redirects to another one",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.behaveAs(a[0], target.HostBehavior{Mode: target.HostRedirects, RedirectTo: w.host(a[1]).URL()})
			},
		},
		{
			text: `the git host{name} dies`,
			role: act, sees: hostsAsked, needs: []string{"reachback"},
			doc: "the host takes no connection any more",
			run: func(w *world, a []string, _ [][]string) outcome {
				if err := w.host(a[0]).Close(); err != nil {
					return harnessError("end of a git host: %v", err)
				}
				return outcome{}
			},
		},
		{
			text: `after {number} seconds the git host{name} has been asked {number} times?`,
			role: assertion, sees: hostsAsked, needs: []string{"reachback"},
			doc: "fetches begun at the host by this instant",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.until(time.Duration(number(a[0])) * time.Second).then(func() outcome {
					return w.askedTimes(a[1], int(number(a[2])))
				})
			},
		},
		{
			text: `after {number} seconds the state is (not )?served`,
			role: assertion, sees: servedEvents, absent: true, needs: []string{"reachback"},
			doc: "the state is served, or not, at this instant",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.until(time.Duration(number(a[0])) * time.Second).then(func() outcome {
					if a[1] != "" {
						return w.notServed(w.event("state"), true)
					}
					return w.served(w.event("state"))
				})
			},
		},
		{
			text: `(?:after {number} seconds )?at most {number} requests were under way at the git host{name} at once`,
			role: assertion, sees: hostsAsked, needs: []string{"reachback"},
			doc: "the most requests that the host was answering at one time",
			run: func(w *world, a []string, _ [][]string) outcome {
				out := outcome{}
				if a[0] != "" {
					out = w.until(time.Duration(number(a[0])) * time.Second)
				}
				return out.then(func() outcome { return w.underWay(a[2], int(number(a[1]))) })
			},
		},
		{
			text: `it is recorded how much the git host{name} was asked at once and in a minute`,
			role: record, sees: hostsAsked, needs: []string{"reachback"},
			doc: "notes the most requests at one time and in a minute",
			run: func(w *world, a []string, _ [][]string) outcome {
				w.note("most fetches begun within a minute: %d", target.BusiestWindow(w.host(a[0]).Requests(), time.Minute))
				return w.underWay(a[0], target.HostRequestsMax)
			},
		},
		{
			text: `no two requests for one URL were under way at the git host{name} at once`,
			role: assertion, sees: hostsAsked, needs: []string{"reachback"},
			doc: "a request for a URL began when the one before had ended",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.underWayOnce(a[0])
			},
		},
		{
			text: `no repository was asked for more than {number} times at the git host{name}`,
			role: assertion, sees: hostsAsked, needs: []string{"reachback"},
			doc: "fetches by repository",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.takeTurns(a[1], int(number(a[0])))
			},
		},
		{
			text: `no request is under way at the git host{name}`,
			role: assertion, sees: hostsAsked, needs: []string{"reachback"},
			doc: "every request has ended",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.nothingUnderWay(a[0])
			},
		},
		{
			text: `the git host{name} was asked for full object ids only`,
			role: assertion, sees: hostsAsked, needs: []string{"reachback"},
			doc: "every want is a whole object id",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.wantsFull(a[0])
			},
		},
		{
			text: `the git host{name} was asked exactly at:`,
			role: assertion, sees: hostsAsked, needs: []string{"reachback"},
			doc: "the paths of all requests",
			run: func(w *world, a []string, table [][]string) outcome {
				return w.askedAt(a[0], table)
			},
		},
		{
			text: `no request at the git host{name} had credentials`,
			role: assertion, sees: hostsAsked, needs: []string{"reachback"},
			doc: "no header of a request names a user",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.withoutCredentials(a[0])
			},
		},
	}
}

// behaveAs has a git host answer so from now on.
func (w *world) behaveAs(name string, b target.HostBehavior) outcome {
	if err := w.host(name).Behave(b); err != nil {
		return harnessError("%v", err)
	}
	return outcome{}
}

// authority is the host and port of a git host.
func (w *world) authority(name string) string {
	_, authority, _ := strings.Cut(w.host(name).URL(), "://")
	return authority
}

// places fills {at} or {at one} in a URL, the authority of a git host, and {AT} or {AT ONE}, the same in upper case.
func (w *world) places(text string) string {
	for _, name := range slices.Sorted(maps.Keys(w.hosts.byName)) {
		word := strings.TrimSpace("at " + name)
		text = strings.NewReplacer(
			"{"+word+"}", w.authority(name), "{"+strings.ToUpper(word)+"}", strings.ToUpper(w.authority(name)),
		).Replace(text)
	}
	return text
}

// announceAt announces the repository at URLs beside the one here.
func (w *world) announceAt(actor string, table [][]string) outcome {
	list := []string{"{scheme}://{host}/{npub}/{identifier}.git"}
	for _, row := range table {
		list = append(list, w.places(row[0]))
	}
	return w.announce(announcing{actor: actor, with: map[string]string{"clone": strings.Join(list, ", ")}})
}

// A crowd is many repositories of the owner, each with a state that waits for data of one git host.
type crowd struct {
	size, urls int
	host       string
	spelled    bool // in turn plainly, with the scheme in upper case, and with a user
}

// gather announces the repositories of a crowd and publishes their states; all have to be taken.
func (w *world) gather(c crowd) outcome {
	key := w.key("owner")
	for i := range c.size {
		name := fmt.Sprintf("%s-%s%dx%03d", w.identifier, c.host, c.urls, i)
		origin := w.host(c.host).URL()
		if c.spelled {
			origin = []string{origin, "HTTP://" + w.authority(c.host), "http://somebody:secret@" + w.authority(c.host)}[i%3]
		}
		clone := []string{w.client.CloneURL(key.Pubkey, name)}
		for u := range c.urls {
			clone = append(clone, fmt.Sprintf("%s/%s/%02d.git", origin, name, u))
		}
		for _, ev := range []*nostr.Event{
			client.Announce(key, client.AnnounceOpts{
				Identifier: name, Clone: clone, Relays: []string{w.client.RelayURL()}, CreatedAt: w.tick(), Extra: w.markers(),
			}),
			client.StateEvent(key, name, [][2]string{{"refs/heads/main", w.git.history.oid("first")}}, "", w.tick()),
		} {
			if out := w.publish(ev).then(w.accepted).asSetup(); !out.held() {
				return out
			}
		}
	}
	return outcome{}
}

// underWay judges the most requests that a git host was answering at once.
func (w *world) underWay(name string, limit int) outcome {
	noticed := target.NoticedWithin
	if w.run.movable() {
		noticed = 0
	}
	most := target.BusiestMoment(w.host(name).Requests(), noticed)
	w.note("%d requests under way at once", most)
	if most > limit {
		return violated("%d requests were under way at one host, want at most %d", most, limit)
	}
	return outcome{}
}

// underWayOnce judges that no request for a URL began before the last one had ended.
func (w *world) underWayOnce(name string) outcome {
	last := make(map[string]target.HostRequest)
	for _, r := range w.host(name).Requests() {
		what := r.Path + " " + r.Service
		if before, asked := last[what]; asked && (before.Ended.IsZero() || before.Ended.After(r.At)) {
			return violated("%s was asked for again %v after a request that had not ended", r.Path, r.At.Sub(before.At))
		}
		last[what] = r
	}
	return outcome{}
}

// takeTurns judges that a git host was asked for no repository more often than its turns allow.
func (w *world) takeTurns(name string, limit int) outcome {
	asked := make(map[string]int)
	for _, r := range w.host(name).Requests() {
		if r.Starts() {
			repository, _, _ := strings.Cut(strings.TrimPrefix(r.Path, "/"), "/")
			asked[repository]++
		}
	}
	for _, repository := range slices.Sorted(maps.Keys(asked)) {
		if asked[repository] > limit {
			return violated("%s was asked for %d times while others waited, want at most %d", repository, asked[repository], limit)
		}
	}
	return outcome{}
}

// nothingUnderWay judges that every request at a git host has ended.
func (w *world) nothingUnderWay(name string) outcome {
	for _, r := range w.host(name).Requests() {
		if r.Ended.IsZero() {
			return violated("a request for %s is under way for %v", r.Path, w.run.target.Now().Sub(r.At))
		}
	}
	return outcome{}
}

// fullID is a whole object id in its one spelling.
var fullID = regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})$`)

// wantsFull judges what a git host was asked for.
func (w *world) wantsFull(name string) outcome {
	for _, oid := range w.wanted(name) {
		if !fullID.MatchString(oid) {
			return violated("the git host was asked for %q, which is no full object id", oid)
		}
	}
	return outcome{}
}

// askedAt judges at which paths a git host was asked, in any order.
func (w *world) askedAt(name string, table [][]string) outcome {
	var want, got []string
	for _, row := range table {
		want = append(want, w.filler(w.key("owner")).Replace(row[0]))
	}
	for _, r := range w.host(name).Requests() {
		if r.Service != "" { // who lists a host like a service of its own is taken at its word, and asked for events there
			got = append(got, r.Path)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if got = slices.Compact(got); !slices.Equal(got, want) {
		return violated("the git host was asked at %q, want %q", got, want)
	}
	return outcome{}
}

// withoutCredentials judges that nobody introduced himself.
func (w *world) withoutCredentials(name string) outcome {
	for _, r := range w.host(name).Requests() {
		for _, header := range []string{"Authorization", "Cookie", "Proxy-Authorization"} {
			if r.Header.Get(header) != "" {
				return violated("a request for %s had the header %s", r.Path, header)
			}
		}
	}
	return outcome{}
}
