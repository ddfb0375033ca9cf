package suite

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/graspkit/graspkit/conformance/target"
)

// A fetch that is due begins within askedWithin of its instant: as much as it takes to answer the fetches before it.
const askedWithin = time.Second

// huntSteps speak of git hosts of ours that events name, and of when the target asks them for what. In tables
// {git host}, or {git host one}, is the clone URL of the check's repository there.
func huntSteps() []definition {
	modes := []string{"serves"}
	for _, mode := range target.HostModes() {
		if mode != target.HostServes && mode != target.HostRedirects {
			modes = append(modes, string(mode))
		}
	}
	const at = `(the git hosts?(?:(?:,| and)? "[a-z]+")*)`
	return []definition{
		define(`a git host{name} has:`, func(w *world, a []string, table [][]string) outcome {
			_, out := w.newHost(a[0])
			if out.held() {
				w.put(a[0], table)
			}
			return out
		}),
		define(`the {actor} announced the repository, which is at `+at, func(w *world, a []string, _ [][]string) outcome {
			return w.announce(announcing{actor: a[0], with: w.copies(a[1])}).then(w.accepted).asSetup()
		}),
		define(`the time is taken`, func(w *world, _ []string, _ [][]string) outcome {
			w.hosts.since = w.run.target.Now()
			return outcome{}
		}),
		define(`{number} seconds pass`, func(w *world, a []string, _ [][]string) outcome {
			return w.pass(time.Duration(number(a[0])) * time.Second)
		}),
		define(`from now on the git host{name} (`+strings.Join(modes, "|")+`)`, func(w *world, a []string, _ [][]string) outcome {
			return w.behave(a[0], a[1])
		}),
		define(`the git host{name} is asked after ([0-9, ]+) seconds, and at no other time`, func(w *world, a []string, _ [][]string) outcome {
			return w.askedAfter(a[0], a[1])
		}),
		define(`the git host{name} has been asked {number} times?`, func(w *world, a []string, _ [][]string) outcome {
			return w.askedTimes(a[0], int(number(a[1])))
		}),
	}
}

// hostName is a name of a git host in a step.
var hostName = regexp.MustCompile(`"([a-z]+)"`)

// copies makes an announcement list git hosts beside this service.
func (w *world) copies(hosts string) map[string]string {
	list := []string{"{scheme}://{host}/{npub}/{identifier}.git"}
	named := hostName.FindAllStringSubmatch(hosts, -1)
	if named == nil {
		return map[string]string{"clone": list[0] + ", " + w.hostURL("")}
	}
	for _, m := range named {
		list = append(list, w.hostURL(m[1]))
	}
	return map[string]string{"clone": strings.Join(list, ", ")}
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
	close := func(got, want time.Duration) bool { return got >= want && got <= want+askedWithin }
	if !slices.EqualFunc(got, want, close) {
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

// seconds writes instants as steps do.
func seconds(all []time.Duration) string {
	var words []string
	for _, d := range all {
		words = append(words, fmt.Sprintf("%.3g", d.Seconds()))
	}
	return strings.Join(words, ", ") + " s"
}
