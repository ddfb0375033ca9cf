package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/internal/cli"
	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/fetch"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/httpd"
	"github.com/graspkit/graspkit/reference/hunt"
	"github.com/graspkit/graspkit/reference/node"
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

// serveFlags are the flags of serve.
type serveFlags struct {
	addr, url, data string
	metrics         string
	memory          bool
	backend         string
	maintainers     string
	defect, null    string
	logLevel        string
	hunt, private   bool
	huntRate        int

	filterBytes, filterBytesTotal int
}

// serveCommand returns the command that runs the reference server.
func serveCommand() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve (--data DIR | --memory)",
		Short: "Run the reference server on real sockets",
		Long: `Serve runs the reference server: a nostr relay and a git host at one URL.

Once it takes connections it prints one line on stdout, "listening http://host:port". Logs go to stderr. SIGTERM and
SIGINT end it in order: pushes that run may finish, clients are told.

With --data everything is kept below DIR: DIR/events.db holds the events, DIR/git the repositories. With --memory
nothing outlives the process.`,
		Example: `  grasp-sim serve --memory
  grasp-sim serve --addr 127.0.0.1:0 --data /var/lib/grasp
  grasp-sim serve --addr 127.0.0.1:7334 --url https://grasp.example.com --data /var/lib/grasp`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.addr, "addr", "127.0.0.1:7334", "`host:port` to listen on; port 0 takes a free one")
	flags.StringVar(&f.url, "url", "", "`origin` that clients use, if it is not http://host:port")
	flags.StringVar(&f.data, "data", "", "`directory` for events and repositories; it is made if it is not there")
	flags.StringVar(&f.metrics, "metrics", "", "`host:port` where GET /metrics tells what the server has done, for Prometheus; nowhere without it")
	flags.BoolVar(&f.memory, "memory", false, "keep everything in memory")
	flags.StringVar(&f.backend, "backend", "", "how repositories are kept: exec (by the installed git; the default with --data), disk (without one) or memory (with --memory)")
	flags.StringVar(&f.maintainers, "maintainers", "legacy", "`model` of maintainers: legacy (whoever is listed counts) or reciprocal (who lists back)")
	flags.StringVar(&f.defect, "defect", "", "plant the mistake of that `name`, to see that a check catches it")
	flags.StringVar(&f.null, "null", "", "serve nothing, by one habit: a `kind` of null server instead of the reference")
	flags.BoolVar(&f.hunt, "hunt", false, "look for missing git data at the hosts that events name")
	flags.IntVar(&f.huntRate, "hunt-rate", hunt.Rate, "requests a minute to one host, with --hunt")
	flags.BoolVar(&f.private, "hunt-private", false, "ask hosts in private networks and on this machine too, with --hunt")
	flags.IntVar(&f.filterBytes, "filter-bytes", relay.FilterBytesMax, "memory in `bytes` that the filters of one connection may take")
	flags.IntVar(&f.filterBytesTotal, "filter-bytes-total", core.FilterBytesTotalMax, "memory in `bytes` that the filters of all connections may take")
	flags.StringVar(&f.logLevel, "log-level", "info", "debug, info, warn or error")
	return cmd
}

// settings are the flags, read and checked.
type settings struct {
	addr    string
	data    string       // "" is in memory
	service repo.Service // zero if it follows from the address
	secure  bool
	model   repo.Model
	planted defect.Defect
	null    *defect.Null // instead of the reference
	level   slog.Level
	hunt    core.HuntConfig

	filterBytes, filterBytesTotal int
}

func (f serveFlags) parse() (settings, error) {
	s := settings{addr: f.addr, data: f.data}
	s.hunt = core.HuntConfig{On: f.hunt, Rate: f.huntRate, AllowPrivate: f.private}
	s.filterBytes, s.filterBytesTotal = f.filterBytes, f.filterBytesTotal
	switch {
	case f.filterBytes < 1 || f.filterBytesTotal < 1:
		return s, cli.Usagef("--filter-bytes and --filter-bytes-total: want at least 1")
	case f.huntRate < 1:
		return s, cli.Usagef("--hunt-rate %d: want at least 1", f.huntRate)
	case !f.hunt && (f.private || f.huntRate != hunt.Rate):
		return s, cli.Usagef("--hunt-rate and --hunt-private go with --hunt")
	case f.null != "":
		if f.memory || f.data != "" || f.backend != "" || f.defect != "" {
			return s, cli.Usagef("--null keeps nothing: it goes with --addr and --log-level only")
		}
	case f.memory && f.data != "":
		return s, cli.Usagef("--data and --memory exclude each other")
	case !f.memory && f.data == "":
		return s, cli.Usagef("where should events and repositories be kept? give --data DIR or --memory")
	}
	if err := f.checkBackend(); err != nil {
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
	if f.null != "" {
		null, ok := defect.LookupNull(f.null)
		if !ok {
			return s, cli.Usagef("--null %q is unknown; there are: %s", f.null, strings.Join(nullKinds(), ", "))
		}
		s.null = &null
		return s, nil
	}
	if f.url != "" {
		if s.service, err = repo.ParseService(f.url); err != nil {
			return s, cli.Usagef("--url %q: want an origin such as https://grasp.example.com, at most with a base path", f.url)
		}
		s.secure = strings.HasPrefix(f.url, "https:") || strings.HasPrefix(f.url, "wss:")
	} else if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		return s, cli.Usagef("--addr %q listens on every address, so the URL that clients use is unknown: give --url", f.addr)
	}
	if f.defect != "" {
		planted, ok := defect.Lookup(f.defect)
		if !ok {
			return s, cli.Usagef("--defect %q is unknown; there are: %s", f.defect, strings.Join(defect.Names(), ", "))
		}
		if planted.AtDoor() {
			return s, cli.Usagef("--defect %q lies between a server and its client, where a process has no seam: go test ./internal/judgetest plants it", f.defect)
		}
		s.planted = planted
	}
	return s, nil
}

func nullKinds() []string {
	var kinds []string
	for _, n := range defect.Nulls() {
		kinds = append(kinds, n.Kind)
	}
	return kinds
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

func (f serveFlags) run(cmd *cobra.Command) (err error) {
	s, err := f.parse()
	if err != nil {
		return err
	}
	if s.null != nil {
		return serveNull(cmd, s)
	}
	realTime := clock.New()
	logger := cli.NewLogger(cmd.ErrOrStderr(), s.level, realTime.Now)
	disk, err := openServeDisk(s.data, f.backend, logger)
	if err != nil {
		return err
	}
	l, err := listen(cmd.Context(), "--addr", s.addr)
	if err != nil {
		return errors.Join(err, disk.journal.Close())
	}
	if s.service == (repo.Service{}) {
		if s.service, err = repo.ParseService("http://" + l.Addr().String()); err != nil {
			return errors.Join(err, l.Close(), disk.journal.Close())
		}
	}
	fetches := s.fetcher(disk.backend, realTime)
	defer fetches.Close()
	server, n, err := s.start(disk, fetches, logger, realTime)
	if err != nil {
		return errors.Join(err, l.Close())
	}
	endMetrics, err := serveMetrics(cmd.Context(), f.metrics, server.Metrics(), logger)
	if err != nil {
		return errors.Join(err, stopServing(server), l.Close())
	}
	defer func() { err = errors.Join(err, endMetrics()) }()
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	if err := announceAddress(cmd, l); err != nil {
		return errors.Join(err, stopServing(server), <-served)
	}
	select {
	case <-cmd.Context().Done():
		return errors.Join(stopServing(server), <-served)
	case <-n.Done():
		return &cli.ExitError{
			Code: cli.ExitHarness, Err: fmt.Errorf("the server stopped: %w", errors.Join(stopServing(server), <-served)),
			Hint: "what was acknowledged is kept; look at the disk, then start again",
		}
	case err := <-served:
		return errors.Join(fmt.Errorf("the listener failed: %w", err), stopServing(server))
	}
}

// announceAddress prints the line that says where the server is, and that it takes connections.
func announceAddress(cmd *cobra.Command, l net.Listener) error {
	if _, err := fmt.Fprintf(cmd.OutOrStdout(), "listening http://%s\n", l.Addr()); err != nil {
		return fmt.Errorf("print the address: %w", err)
	}
	return nil
}

// start starts node and HTTP server. The journal is closed with them.
func (s settings) start(d serveDisk, fetches *fetch.Fetcher, logger *slog.Logger, c clock.Clock) (*httpd.Server, *node.Node, error) {
	cfg := core.Config{
		Service: s.service, Model: s.model, Hunt: s.hunt,
		FilterBytesMax: s.filterBytes, FilterBytesTotalMax: s.filterBytesTotal,
	}
	pages := web.Config{
		Service: s.service, Secure: s.secure, FilterBytes: s.filterBytes,
		Name: "graspkit reference server", Description: "A GRASP server for trying things out.",
		Software: "https://github.com/graspkit/graspkit", Version: cli.ThisBuild().String(), Grasps: []string{"GRASP-01"}, NIPs: []int{1, 9, 11, 34, 40, 42, 45, 62, 70, 77},
	}
	if s.planted.Config != nil {
		s.planted.Config(&cfg)
	}
	if s.planted.Web != nil {
		s.planted.Web(&pages)
	}
	if s.planted.Backend != nil {
		d.backend = s.planted.Backend(d.backend)
	}
	n, err := node.New(node.Config{
		Machine: s.planted.Machine(core.New(cfg)), Backend: d.backend, Journal: d.journal, Clock: c, Logger: logger,
		Fetcher: fetch.Carrier{Fetcher: fetches},
	})
	if err != nil {
		return nil, nil, d.explain(err)
	}
	var limits httpd.Limits
	if s.planted.Limits != nil {
		s.planted.Limits(&limits)
	}
	server := httpd.New(httpd.Config{
		Node: n, Backend: d.backend, Web: pages, Answer: s.planted.Answer, Body: s.planted.Body, Front: s.planted.Front, Limits: limits,
		Logger: logger,
	})
	return server, n, nil
}

// fetcher is what fetches go through. What they bring goes to the store itself, without a planted mistake.
func (s settings) fetcher(backend gitstore.Backend, c clock.Clock) *fetch.Fetcher {
	return fetch.New(fetch.Options{
		Backend: backend, Clock: c, AllowLocal: s.hunt.AllowPrivate, Limits: fetch.Limits{Narrow: -1},
	})
}

func stopServing(server *httpd.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), stopWait)
	defer cancel()
	return server.Close(ctx)
}
