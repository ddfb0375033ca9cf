package suite

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/gitclient"
	"github.com/graspkit/graspkit/conformance/target"
)

// stockGit is what a check does by the installed git binary.
type stockGit struct {
	place  *gitclient.Place // nil until needed
	local  string           // the repository that has the check's history; "" until needed
	has    int              // how many objects of the history by name it has
	pushed gitclient.Answer
	repeat func() gitclient.Answer // tries the push again
	member stockMember
}

// findGit looks for the installed binary, once in a process.
var findGit = sync.OnceValues(func() (*gitclient.Git, error) { return gitclient.Find(context.Background()) })

// withoutGit says why no check can use the stock binary on the target, or is held: where there is no socket git cannot
// get to the service.
func withoutGit(t target.Target) outcome {
	if _, sockets := t.(target.RawDialer); !sockets {
		return blocked("git cannot connect to the target, which has no sockets", "judge a server by its URL")
	}
	if _, err := findGit(); err != nil {
		return blocked(err.Error(), "install git")
	}
	return outcome{}
}

// leaveGit removes what git has made.
func (w *world) leaveGit() {
	if w.stock.place == nil {
		return
	}
	if err := w.stock.place.Close(); err != nil {
		w.note("%v", err)
	}
	w.stock = stockGit{}
}

// gitPlace returns where git works for the check.
func (w *world) gitPlace() *gitclient.Place {
	if w.stock.place == nil {
		git, err := findGit()
		if err == nil {
			w.stock.place, err = git.NewPlace()
		}
		if err != nil {
			panic("suite: invariant: git: " + err.Error())
		}
	}
	return w.stock.place
}

// stockRun runs git with a version of the protocol in a folder of the check's place, and keeps what it said for the transcript.
func (w *world) stockRun(in string, version int, args ...string) gitclient.Answer {
	return w.stockRunWith(gitclient.Command{In: in, Version: version, Args: args})
}

// stockRunWith runs git.
func (w *world) stockRunWith(c gitclient.Command) gitclient.Answer {
	if c.Args[0] == "push" {
		if err := w.client.WritesTo(w.path("owner"), 0); err != nil {
			return gitclient.Answer{Command: gitclient.Command{Args: c.Args}, Exit: -1, Err: err}
		}
	}
	if c.Secret == "" {
		c.Secret = w.gitSecret(c.Args)
	}
	c.CA, c.Resolve = authorityOf(w.run.target), resolved(w.run.target.ServiceURL())
	for try := 1; ; try++ {
		a := w.gitPlace().Run(w.ctx, c)
		w.client.Remark("git", fmt.Sprintf("%v: exit %d", a.Command, a.Exit), a.Stdout+a.Stderr)
		if a.Exit <= 0 || try == stockTries || !stockBusy.MatchString(a.Stderr) || w.run.target.Sleep(w.ctx, stockPause) != nil {
			return a
		}
	}
}

// A server that has no time for the moment says so by a status, and when to come again (RFC 9110, 10.2.3). The suite's own client
// waits for that; git does not, and says which status it was.
const (
	stockTries = 4
	stockPause = 2 * time.Second
)

var stockBusy = regexp.MustCompile(`The requested URL returned error: (?:429|502|503)\b`)

// resolved says where a service below localhost is, which an older curl does not know; "" for any other.
func resolved(service string) string {
	u, err := url.Parse(service)
	if err != nil || !target.BelowLocalhost(u.Hostname()) {
		return ""
	}
	port := u.Port()
	switch {
	case port != "":
	case u.Scheme == "https":
		port = "443"
	default:
		port = "80"
	}
	return u.Hostname() + ":" + port + ":127.0.0.1,[::1]"
}

// gitSecret is the header by which git is let in where members alone are, for the repository that a command names, or the owner's. Its
// token is of now: git may take as long as one counts.
func (w *world) gitSecret(args []string) string {
	path := w.path("owner")
	for _, arg := range args {
		if below, is := strings.CutPrefix(arg, w.run.target.ServiceURL()); is {
			path = below
		}
	}
	if token := w.client.Authorization(path); token != "" {
		return "Authorization: " + token
	}
	return ""
}

// authorityOf is the file with the certificates that git has to trust.
func authorityOf(t target.Target) string {
	if certified, is := t.(target.Certified); is {
		return certified.Authority()
	}
	return ""
}

// gitURL is where git finds the owner's repository.
func (w *world) gitURL() string {
	r := w.repository("owner", "")
	return w.client.CloneURL(r.owner.Pubkey, r.identifier)
}

// localRepository returns a repository that has every object that the check has named so far.
func (w *world) localRepository() string {
	h, place := w.git.history, w.gitPlace()
	var err error
	if w.stock.local == "" {
		w.stock.local = place.New()
		err = place.Make(w.stock.local, nil)
	}
	if err == nil && len(h.oids) > w.stock.has {
		w.stock.has = len(h.oids)
		err = place.Add(w.ctx, w.stock.local, h.Pack(slices.Sorted(maps.Values(h.oids)), nil))
	}
	if err != nil {
		panic("suite: invariant: " + err.Error())
	}
	return w.stock.local
}

// localEmpty returns a repository that has nothing.
func (w *world) localEmpty() string {
	name := w.gitPlace().New()
	if err := w.gitPlace().Make(name, nil); err != nil {
		panic("suite: invariant: " + err.Error())
	}
	return name
}

// Sentences by which git tells how an exchange ended that proves nothing by itself.
var (
	gitUnreached = regexp.MustCompile(`Could not resolve|[Cc]ould(n't| not) connect|Failed to connect|timed out|error: (408|429)\b|HTTP (408|429)\b`)
	gitBroken    = regexp.MustCompile(`error: 5\d\d\b|HTTP 5\d\d\b|RPC failed; curl|Empty reply|Recv failure|early EOF|unexpected disconnect|hung up`)
	gitFailed    = regexp.MustCompile(`(?:error: |HTTP )5\d\d\b`)
	gitUnread    = regexp.MustCompile(`protocol error: `)
	gitStatus    = regexp.MustCompile(`(?:error: |HTTP )(4\d\d)\b`)
)

// unproven is the outcome of a run that says nothing about the server's decision; it is held for any other.
func unproven(a gitclient.Answer) outcome {
	switch {
	case a.Err != nil:
		return harnessError("%v", a)
	case a.Late:
		return outcome{verdict: Inconclusive, reason: a.String()}
	case !a.Well() && gitUnreached.MatchString(a.Stderr):
		return outcome{verdict: Inconclusive, reason: a.String(), dead: true}
	}
	return outcome{}
}

// cutOff reports whether an exchange ended by a dropped connection or a fault of the server. Git hangs up itself on an answer
// that it cannot read: that is another matter.
func cutOff(a gitclient.Answer) bool {
	return !a.Well() && gitBroken.MatchString(a.Stderr) && !gitStatus.MatchString(a.Stderr) && !gitUnread.MatchString(a.Stderr)
}

// gitHas runs git for something that has to succeed. What breaks off is tried a second time: twice, while the repository
// answers, is no accident.
func (w *world) gitHas(run func() gitclient.Answer) (gitclient.Answer, outcome) {
	a := run()
	if cutOff(a) {
		a = run()
	}
	return a, w.well(a)
}

// well judges a run that has to succeed, and that was tried again if it broke off.
func (w *world) well(a gitclient.Answer) outcome {
	if out := unproven(a); !out.held() || a.Well() {
		return out
	}
	if cutOff(a) {
		o := w.client.Advertise(w.ctx, w.path("owner"), client.UploadPack, 0)
		if _, listed := o.(client.Advert); !listed {
			return inconclusive(a.String(), o)
		}
	}
	return violated("%v", a)
}
