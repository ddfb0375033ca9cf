package main

import (
	"context"
	"io"
	"net"
	"net/netip"
	"net/url"
	"os/exec"
	"runtime"
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/launch/admission"
	"github.com/graspkit/graspkit/conformance/livetarget"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/archived"
	"github.com/graspkit/graspkit/internal/cli"
	"github.com/graspkit/graspkit/internal/hosts"
	"github.com/graspkit/graspkit/internal/servetarget"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/simtarget"
)

// This file is the only one that knows where targets come from.

// An opening makes a target when its turn comes; the function returned ends it.
type opening struct {
	name     string
	parallel int                // checks at a time unless told otherwise
	side     int                // fresh targets that share the checks, at a time; 0 is one target for all
	memory   int64              // bytes that this process aims at; 0 if what is judged keeps all its data in it
	keeps    bool               // it is somebody's server, and keeps what is written to it
	launched bool               // it is started by this process, and its data directory ends with it
	members  *admission.Command // says whom it is for; nil where nothing does
	model    string             // of maintainers, that the target is known to follow; "" if nobody but the tester knows it
	open     opener
	apart    map[string]opener // opens it with what some folders of features are about
}

// An opener opens a target; the function that it returns ends it.
type opener = func(context.Context) (target.Target, func() error, error)

// parallelSockets is how many checks run at a time at a server elsewhere.
const parallelSockets = 4

// serveWorlds is how many served references there are at a time, and parallelServed how many checks each of them has at a
// time: several clients of one server are judged too.
const (
	serveWorlds    = 3
	parallelServed = 2
)

// simWorlds is how many simulated worlds there are at a time. Each has one thread; the same checks share a world whatever
// their number. There are eight at most on whatever machine: what the checks of all worlds push is in memory at once, but for
// the largest pushes, of which there is one at a time.
var simWorlds = min(runtime.GOMAXPROCS(0), 8)

// judgeMemory is the memory that a judge aims at. It makes large pushes while it sends them, and a server in this process holds
// the fifty megabytes of one at a time; collecting what is left of the one before costs less than keeping it.
const judgeMemory = 96 << 20

// openings reads the TARGET arguments; none, and nothing to launch, means both reference worlds.
func openings(args []string, opts options, warn io.Writer) ([]opening, error) {
	if err := checkReachback(opts.reachback); err != nil {
		return nil, err
	}
	roots, err := readRoots(opts.ca)
	if err != nil {
		return nil, err
	}
	live := livetarget.Options{
		Roots: roots, Authority: absolute(opts.ca), TimeBudget: opts.timeBudget, Reachback: opts.reachback, NewHost: hosts.NewHost, NewRelay: hosts.NewRelay,
	}
	all, err := startings(opts, live, warn)
	if err != nil {
		return nil, err
	}
	if err := opts.operated.check(args, opts.launch.command != "", opts.write); err != nil {
		return nil, err
	}
	members, err := opts.operated.admitting()
	if err != nil {
		return nil, err
	}
	if len(all) == 0 && len(args) == 0 {
		args = []string{"sim", "serve"}
	}
	for _, arg := range args {
		switch {
		case arg == "sim":
			all = append(all, opening{
				name: arg, parallel: 1, side: simWorlds, memory: judgeMemory, model: opts.model().String(),
				open: openSim(opts.settings()), apart: apart(openSim, opts),
			})
		case arg == "serve":
			all = append(all, opening{
				name: arg, parallel: parallelServed, side: serveWorlds, memory: judgeMemory, model: opts.model().String(),
				open: openServe(opts.settings()), apart: apart(openServe, opts),
			})
		case isURL(arg) && opts.operated.given():
			commands, err := opts.operated.parse(live)
			if err != nil {
				return nil, err
			}
			all = append(all, operating(arg, commands, warn))
		case isURL(arg):
			t, err := livetarget.New(arg, live)
			if err != nil {
				return nil, &cli.ExitError{
					Code: cli.ExitUsage, Err: err, Hint: "give the URL of the service, such as ws://127.0.0.1:7334",
				}
			}
			all = append(all, opening{name: arg, parallel: parallelSockets, memory: judgeMemory, keeps: true, open: func(context.Context) (target.Target, func() error, error) {
				return t, func() error { return nil }, nil
			}})
		default:
			usage := cli.Usagef("target %q: neither sim, serve nor a URL", arg)
			usage.Hint = "write the URL with its scheme, such as ws://127.0.0.1:7334"
			if _, port, err := net.SplitHostPort(arg); err == nil && port != "" {
				usage.Hint = "write it with its scheme: ws://" + arg
			}
			return nil, usage
		}
	}
	for i := range all { // there is one of them where members are not nil
		all[i].members = members
	}
	return all, nil
}

func isURL(arg string) bool {
	scheme, _, ok := strings.Cut(arg, "://")
	switch strings.ToLower(scheme) {
	case "http", "https", "ws", "wss":
		return ok
	}
	return false
}

// model is the maintainer model that the reference follows; config has checked the flag.
func (o options) model() repo.Model {
	m, _ := repo.ParseModel(o.maintainers)
	return m
}

// checkReachback judges the flag: a host name or an address, without scheme and port, or ReachbackNone.
func checkReachback(host string) error {
	if host == "" {
		return nil
	}
	_, err := netip.ParseAddr(host)
	u, wrong := url.Parse("http://" + host)
	if err == nil || wrong == nil && u.Host == host && u.Port() == "" && u.Hostname() == host {
		return nil
	}
	usage := cli.Usagef("--reachback %q: neither a host name nor an address", host)
	usage.Hint = "write it without scheme and port: the port is a free one, and another for each host"
	return usage
}

// settings are those of the reference that is judged.
func (o options) settings() core.Config {
	return core.Config{Model: o.model(), Hunt: core.HuntConfig{Rate: o.huntRate}, Contributions: core.ContributionConfig{On: true}}
}

// apart opens the reference for those alone who are members, as one that does sync plus, and as an archive.
func apart(open func(core.Config) opener, o options) map[string]opener {
	private, plus := o.settings(), o.settings()
	private.Private.On, private.Contributions.On = true, false
	plus.Sync.Plus.On = true
	archive, read := o.settings(), o.settings()
	archive.Archive, read.Archive, read.Contributions.On = archived.Config(false), archived.Config(true), false
	return map[string]opener{
		"grasp08": open(private), "grasp03": open(plus), "grasp05": open(archive), "grasp05/read-only": open(read),
	}
}

func openSim(given core.Config) opener {
	follow := func(c *core.Config) {
		c.Model, c.Hunt.Rate, c.Private, c.Sync.Plus = given.Model, given.Hunt.Rate, given.Private, given.Sync.Plus
		c.Contributions.On, c.Archive = given.Contributions.On, given.Archive
	}
	return func(context.Context) (target.Target, func() error, error) {
		return simtarget.New(simtarget.Options{Config: follow, Signed: client.Signed}), func() error { return nil }, nil
	}
}

// openServe starts the reference with the git backend that a live server would have.
func openServe(given core.Config) opener {
	return func(ctx context.Context) (target.Target, func() error, error) {
		backend := servetarget.BackendDisk
		if _, err := exec.LookPath("git"); err == nil {
			backend = servetarget.BackendExec
		}
		t, err := servetarget.New(ctx, servetarget.Options{Backend: backend, Core: given})
		if err != nil {
			return nil, nil, err
		}
		return t, t.Close, nil
	}
}
