package suite

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
)

// gitHosts are the git hosts of a check, by the names that steps give them, and the instant that their requests are
// counted from.
type gitHosts struct {
	byName map[string]target.GitHost
	since  time.Time
	seen   map[string]int // requests that wanted does not look at
}

// newHost starts a host that holds nothing.
func (w *world) newHost(name string) (target.GitHost, outcome) {
	powers, is := w.run.target.(target.Hosts)
	if !is {
		return nil, blocked("the server cannot reach git hosts of ours", "judge a server on loopback")
	}
	host, err := powers.NewHost(w.ctx)
	if err != nil {
		return nil, inconclusive("start of a git host", client.TransportError{Phase: "listen", Text: err.Error(), Err: err})
	}
	if w.hosts.byName == nil {
		w.hosts.byName = make(map[string]target.GitHost)
		w.hosts.since = w.run.target.Now()
	}
	w.hosts.byName[name] = host
	return host, outcome{}
}

// closeHosts ends the git hosts of the check.
func (w *world) closeHosts() {
	for _, name := range slices.Sorted(maps.Keys(w.hosts.byName)) {
		_ = w.hosts.byName[name].Close() // nobody asks it any more
	}
}

// host is a git host by its name, "" for the only one.
func (w *world) host(name string) target.GitHost {
	host := w.hosts.byName[name]
	if host == nil {
		panic("suite: invariant: no git host " + quote(name))
	}
	return host
}

// hostPath is where every git host has the check's repository.
func (w *world) hostPath() string { return "/" + w.identifier + ".git" }

// hostURL is the clone URL of the repository at a git host.
func (w *world) hostURL(name string) string { return w.host(name).URL() + w.hostPath() }

// hostWords are the words in braces that stand for git hosts, with what they mean.
func (w *world) hostWords() []string {
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(w.hosts.byName)) {
		word := "{git host}"
		if name != "" {
			word = "{git host " + name + "}"
		}
		at := "{" + strings.TrimSpace("at "+name) + "}"
		pairs = append(pairs, word, w.hostURL(name), at, w.authority(name))
	}
	return pairs
}

// put gives a git host refs, with all that their objects reach; other objects that it has stay.
func (w *world) put(name string, table [][]string) {
	var refs []target.GitRef
	var tips []string
	for _, row := range table {
		oid := w.git.history.oid(row[1])
		refs = append(refs, target.GitRef{Name: w.refName(row[0]), OID: oid})
		tips = append(tips, oid)
	}
	w.host(name).Put(w.hostPath(), refs, w.git.history.Objects(w.git.history.Closure(tips...)...))
}

// behave has a git host answer in a mode from now on.
func (w *world) behave(name, mode string) outcome {
	b := target.HostBehavior{Mode: target.HostMode(mode)}
	switch mode {
	case "serves":
		b.Mode = target.HostServes
	case "drips":
		b.DripBytes = 64
	}
	return w.behaves(name, b)
}

func (w *world) behaves(name string, b target.HostBehavior) outcome {
	if err := w.host(name).Behave(b); err != nil {
		panic("suite: invariant: " + err.Error())
	}
	return outcome{}
}

// starts are the fetches that have begun at a git host, counted from the time that was taken.
func (w *world) starts(name string) []time.Duration {
	var at []time.Duration
	for _, r := range w.host(name).Requests() {
		if r.Starts() {
			at = append(at, r.At.Sub(w.hosts.since))
		}
	}
	slices.Sort(at)
	return at
}

// forgetWanted has wanted begin anew.
func (w *world) forgetWanted(name string) {
	if w.hosts.seen == nil {
		w.hosts.seen = make(map[string]int)
	}
	w.hosts.seen[name] = len(w.host(name).Requests())
}

// wanted are the objects that a git host was asked for so far, sorted.
func (w *world) wanted(name string) []string {
	var oids []string
	for _, r := range w.host(name).Requests()[w.hosts.seen[name]:] {
		oids = append(oids, r.Wants...)
	}
	slices.Sort(oids)
	return slices.Compact(oids)
}

// pubkeys are the keys of actors, as the values of a tag in tables.
func (w *world) pubkeys(list string) string {
	var keys []string
	for _, actor := range actorsOf(list) {
		keys = append(keys, w.key(actor).Pubkey)
	}
	return strings.Join(keys, ", ")
}
