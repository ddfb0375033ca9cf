package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/internal/cli"
	"github.com/graspkit/graspkit/reference"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
)

// The values of --backend.
const (
	backendExec   = "exec"
	backendDisk   = "disk"
	backendMemory = "memory"
)

// stopWait is how long an orderly end waits for pushes and clients.
const stopWait = 10 * time.Second

// serveCommand returns the command that runs the reference server.
func serveCommand() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve (--data DIR | --memory)",
		Short: "Run the reference server on real sockets",
		Long: `Serve runs the reference server: a nostr relay and a git host at one URL.

Once it takes connections it prints one line on stdout, "listening http://host:port". Logs go to stderr. SIGTERM, SIGINT
and SIGHUP end it in order: pushes that run may finish, clients are told. With --members, SIGHUP has it read the list of
members again instead.

With --data everything is kept below DIR: DIR/events.db and its logs hold the events, DIR/git the repositories. With
--memory nothing outlives the process.

Each flag may be given in the environment too, as GRASP_ and its name in upper case, with _ for -: GRASP_HUNT_RATE=10
is --hunt-rate 10. A flag wins over the environment.`,
		Example: `  grasp-sim serve --memory
  grasp-sim serve --addr 127.0.0.1:0 --data /var/lib/grasp
  grasp-sim serve --addr 127.0.0.1:7334 --url https://grasp.example.com --data /var/lib/grasp`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			unknown, err := fromEnvironment(cmd.Flags(), os.Environ())
			if err != nil {
				return err
			}
			return f.run(cmd, unknown)
		},
	}
	f = defaultFlags()
	f.register(cmd.Flags())
	return cmd
}

// settings are the flags, read and checked.
type settings struct {
	addr    string
	data    string       // "" is in memory
	service repo.Service // zero if it follows from the address
	secure  bool
	model   repo.Model
	level   slog.Level
	flags   serveFlags // the rest, as they are
}

func (f serveFlags) parse() (settings, error) {
	s := settings{addr: f.addr, data: f.data, flags: f}
	switch {
	case f.memory && f.data != "":
		return s, cli.Usagef("--data and --memory exclude each other")
	case !f.memory && f.data == "":
		return s, cli.Usagef("where should events and repositories be kept? give --data DIR or --memory")
	}
	if err := f.checkBackend(); err != nil {
		return s, err
	}
	if err := f.checkSync(); err != nil {
		return s, err
	}
	if err := s.flags.checkPrivate(); err != nil {
		return s, err
	}
	if err := s.flags.checkPlus(); err != nil {
		return s, err
	}
	if err := f.checkArchive(); err != nil {
		return s, err
	}
	if err := s.level.UnmarshalText([]byte(f.logLevel)); err != nil {
		return s, cli.Usagef("--log-level %q: want debug, info, warn or error", f.logLevel)
	}
	var known bool
	if s.model, known = repo.ParseModel(f.maintainers); !known {
		return s, cli.Usagef("--maintainers %q: want legacy or reciprocal", f.maintainers)
	}
	host, _, err := net.SplitHostPort(f.addr)
	if err != nil {
		return s, cli.Usagef("--addr %q: want host:port, such as 127.0.0.1:7334", f.addr)
	}
	if f.url != "" {
		if s.service, err = repo.ParseService(f.url); err != nil {
			return s, cli.Usagef("--url %q: want an origin such as https://grasp.example.com, at most with a base path", f.url)
		}
		s.secure = strings.HasPrefix(f.url, "https:") || strings.HasPrefix(f.url, "wss:")
	} else if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		return s, cli.Usagef("--addr %q listens on every address, so the URL that clients use is unknown: give --url", f.addr)
	}
	return s, nil
}

func (f serveFlags) checkBackend() error {
	switch f.backend {
	case "":
	case backendExec, backendDisk:
		if f.memory {
			return cli.Usagef("--backend %s keeps repositories on disk: give --data DIR instead of --memory", f.backend)
		}
	case backendMemory:
		if !f.memory {
			return cli.Usagef("--backend memory forgets repositories at the end: give --memory instead of --data")
		}
	default:
		return cli.Usagef("--backend %q: want exec or disk (with --data), or memory (with --memory)", f.backend)
	}
	return nil
}

// run serves until the context of the command ends. Unknown are names of the environment that are no settings.
func (f serveFlags) run(cmd *cobra.Command, unknown []string) (err error) {
	s, err := f.parse()
	if err != nil {
		return err
	}
	if name := needless(cmd.Flags(), "sync"); name != "" {
		return cli.Usagef("--%s: settings of the sync go with --sync", name)
	}
	if name := needless(cmd.Flags(), "sync-plus"); name != "" {
		return cli.Usagef("--%s: settings of sync plus go with --sync-plus", name)
	}
	if len(f.core.Sync.Bootstrap) > 0 && !f.core.Sync.On {
		return cli.Usagef("--bootstrap: relays are connected to with --sync")
	}
	if name := needless(cmd.Flags(), "contributors"); name != "" {
		return cli.Usagef("--%s: limits of contributions go with --contributors", name)
	}
	if name := needless(cmd.Flags(), "hunt"); name != "" && !f.core.Sync.On {
		return cli.Usagef("--%s: settings of the hunt go with --hunt", name)
	}
	realTime := clock.New()
	logger, endLogs := cli.NewQueuedLogger(cmd.ErrOrStderr(), s.level, realTime.Now)
	defer func() { _ = endLogs() }() // whoever does not take logs does not take an error either
	for _, name := range unknown {
		logger.LogAttrs(cmd.Context(), slog.LevelWarn, "no setting has this name in the environment", slog.String("name", name))
	}
	f = s.flags
	f.private.warnKey(logger)
	disk, err := openServeDisk(s.data, f, logger)
	if err != nil {
		return err
	}
	l, err := cli.Listen(cmd.Context(), "--addr", s.addr)
	if err != nil {
		return errors.Join(err, disk.journal.Close())
	}
	if s.service == (repo.Service{}) {
		if s.service, err = repo.ParseService("http://" + l.Addr().String()); err != nil {
			return errors.Join(err, l.Close(), disk.journal.Close())
		}
	}
	server, err := reference.Open(s.options(disk, logger, realTime))
	if err != nil {
		return errors.Join(disk.explain(err), l.Close())
	}
	endMetrics, err := serveMetrics(cmd.Context(), f.metrics, server.HTTP.Metrics(), logger)
	if err != nil {
		return errors.Join(err, stopServing(server), l.Close())
	}
	defer func() { err = errors.Join(err, endMetrics()) }()
	if f.private.membersFile != "" {
		watching, end := context.WithCancel(cmd.Context())
		var rereads sync.WaitGroup
		hangups := cli.Hangups(cmd.Context())
		rereads.Go(func() { f.private.rereadMembers(watching, hangups, server, logger) })
		defer rereads.Wait()
		defer end()
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	if err := cli.AnnounceAddress(cmd, l); err != nil {
		return errors.Join(err, stopServing(server), <-served)
	}
	select {
	case <-cmd.Context().Done():
		return errors.Join(stopServing(server), <-served)
	case <-server.Node.Done():
		return &cli.ExitError{
			Code: cli.ExitHarness, Err: fmt.Errorf("the server stopped: %w", errors.Join(stopServing(server), <-served)),
			Hint: "what was acknowledged is kept; look at the disk, then start again",
		}
	case err := <-served:
		return errors.Join(fmt.Errorf("the listener failed: %w", err), stopServing(server))
	}
}

// options are what a server on a disk is opened with. It closes the journal.
func (s settings) options(d serveDisk, logger *slog.Logger, c clock.Clock) reference.Options {
	cfg, limits, fetches := s.flags.core, s.flags.limits, s.flags.fetch
	cfg.Model, cfg.Lists = s.model, &s.flags.lists
	pages := web.Config{
		Service: s.service, Secure: s.secure, FilterBytes: cfg.FilterBytesMax, MinWork: cfg.MinWork,
		Name: s.flags.name, Description: s.flags.description,
		Software: "https://github.com/graspkit/graspkit", Version: cli.ThisBuild().String(), Grasps: []string{"GRASP-01"}, NIPs: web.NIPs(),
	}
	if cfg.Sync.On { // events and, as GRASP-02 has it, their git data
		cfg.Hunt.On, cfg.Sync.Seed = true, rand.Uint64()
		pages.Grasps = append(pages.Grasps, "GRASP-02")
	}
	if !s.flags.lists.Allowed.Empty() {
		pages.Criteria, pages.Curation = web.CriteriaAllowed, web.CurationAllowed
	}
	cfg.Private = core.PrivateConfig{On: s.flags.private.membersFile != "", Members: s.flags.private.members}
	s.flags.plusPages(&pages)
	s.flags.private.privatePages(&pages)
	s.flags.archives(&cfg)
	limits.Contributions = relay.PerMinute(s.flags.contributionRate, s.flags.contributionBurst)
	if limits.GitEach == 0 {
		limits.GitEach = -1 // no limit, where zero is the usual one
	}
	fetches.Limits.Narrow, fetches.Timeouts.Whole = -1, cfg.Hunt.FetchLife
	return reference.Options{
		Core: cfg, Pages: pages, Limits: limits, Proxies: s.flags.proxies, ConnectionsMax: s.flags.connections, Shares: s.flags.shares(),
		Fetches: fetches, Peers: s.flags.peers(), Key: s.flags.private.key, Backend: d.backend, Journal: d.journal, Clock: c, Logger: logger,
	}
}

func stopServing(server *reference.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), stopWait)
	defer cancel()
	return server.Close(ctx)
}
