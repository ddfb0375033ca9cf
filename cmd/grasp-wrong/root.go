package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/internal/cli"
	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/reference"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitlock"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/node"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
)

// stopWait is how long an orderly end waits for pushes and clients.
const stopWait = 10 * time.Second

// flags are what is wrong, and where it is served.
type flags struct {
	addr, defect, null string
	members            string // a file
	mended             bool
}

func rootCommand() *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "grasp-wrong (--defect NAME | --null KIND)",
		Short: "Serve with one mistake, to see what a check sees",
		Long: `grasp-wrong serves the reference with one planted mistake, or a null server, which has one habit and nothing else.
With --mended it serves what the mistake is planted in, without it: a relay for members alone, an archive, or a server for everybody.
Everything is in memory. Once it takes connections it prints one line on stdout, "listening http://host:port".

Exit codes: 0 it was stopped, 2 the command line cannot be used, 3 it cannot serve.`,
		Example: `  grasp-wrong --defect soft-404
  grasp-wrong --null always-500 --addr 127.0.0.1:7335`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	cmd.Flags().StringVar(&f.addr, "addr", "127.0.0.1:7335", "`host:port` to listen on; port 0 takes a free one")
	cmd.Flags().StringVar(&f.defect, "defect", "", "plant the mistake of that `name`")
	cmd.Flags().StringVar(&f.null, "null", "", "serve nothing, by one habit: a `kind` of null server")
	cmd.Flags().StringVar(&f.members, "members", "", "serve for members alone, whatever is wrong: a `file` says who they are, an npub or a public key in hex on each line")
	cmd.Flags().BoolVar(&f.mended, "mended", false, "leave the mistake of --defect out, to see what is right in its place")
	return cmd
}

func (f flags) run(cmd *cobra.Command) error {
	if _, _, err := net.SplitHostPort(f.addr); err != nil {
		return cli.Usagef("--addr %q: want host:port, such as 127.0.0.1:7335", f.addr)
	}
	switch {
	case (f.defect == "") == (f.null == ""):
		return cli.Usagef("what should be wrong? give --defect NAME or --null KIND")
	case f.null != "" && f.mended:
		return cli.Usagef("--mended: a null server has no mistake to leave out; it goes with --defect NAME")
	case f.null != "":
		null, known := defect.LookupNull(f.null)
		if !known {
			return cli.Usagef("--null %q is unknown; there are: %s", f.null, strings.Join(nullKinds(), ", "))
		}
		return serveNull(cmd, f.addr, null)
	}
	planted, known := defect.Lookup(f.defect)
	if known && f.mended {
		planted = mended(planted)
	}
	switch {
	case !known:
		return cli.Usagef("--defect %q is unknown; there are: %s", f.defect, strings.Join(defect.Names(), ", "))
	case planted.InSource:
		return cli.Usagef("--defect %q lies in the source of the server: go test ./internal/judgetest plants it in a build of its own", f.defect)
	case planted.AtDoor():
		return cli.Usagef("--defect %q lies between a server and its client, where a process has no seam: go test ./internal/judgetest plants it", f.defect)
	}
	planted.Private = planted.Private || f.members != ""
	members, err := f.readMembers()
	if err != nil {
		return err
	}
	return serveDefect(cmd, f.addr, planted, members)
}

// readMembers reads who is let in; nobody is without --members.
func (f flags) readMembers() (policy.Members, error) {
	if f.members == "" {
		return nil, nil
	}
	text, err := os.ReadFile(f.members)
	if err != nil {
		return nil, cli.Usagef("--members: %w", err)
	}
	members, err := policy.ParseMembers(string(text))
	if err != nil {
		return nil, cli.Usagef("--members %s: %w", f.members, err)
	}
	return members, nil
}

func nullKinds() []string {
	var kinds []string
	for _, n := range defect.Nulls() {
		kinds = append(kinds, n.Kind)
	}
	return kinds
}

// serveDefect serves the reference with a mistake until the context of the command ends.
func serveDefect(cmd *cobra.Command, addr string, planted defect.Defect, members policy.Members) error {
	l, err := cli.Listen(cmd.Context(), "--addr", addr)
	if err != nil {
		return err
	}
	service, err := repo.ParseService("http://" + l.Addr().String())
	if err != nil {
		return errors.Join(err, l.Close())
	}
	server, err := reference.Open(options(planted, members, service, cli.NewLogger(cmd.ErrOrStderr(), slog.LevelWarn, clock.New().Now)))
	if err != nil {
		return errors.Join(err, l.Close())
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	if err = cli.AnnounceAddress(cmd, l); err == nil {
		select {
		case <-cmd.Context().Done():
		case <-server.Node.Done():
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopWait)
	defer cancel()
	return errors.Join(err, server.Close(ctx), <-served)
}

// mended is what a mistake is planted in, without it.
func mended(planted defect.Defect) defect.Defect {
	var c core.Config
	planted.Settings(&c)
	if planted.Web != nil { // it lists what it does not do
		var pages web.Config
		planted.Web(&pages)
		c.Contributions.On = c.Contributions.On || slices.Contains(pages.Grasps, "GRASP-06")
	}
	return defect.Defect{
		Private: planted.Private, Archive: planted.Archive, ReadOnly: planted.ReadOnly,
		Config: func(to *core.Config) { to.Contributions.On, to.Sync.Plus.On = c.Contributions.On, c.Sync.Plus.On },
	}
}

// options are those of a server in memory with what a defect changes. It asks hosts on this machine, too, where the judge has its own.
func options(planted defect.Defect, members policy.Members, service repo.Service, logger *slog.Logger) reference.Options {
	o := reference.Options{
		Pages: web.Config{
			Service: service, Name: "graspkit reference server", Description: "A GRASP server with a mistake.",
			Grasps: []string{"GRASP-01", "GRASP-02"}, NIPs: web.NIPs(),
		},
		Backend: gitlock.New(gitstore.NewMemory(gitstore.Limits{}), 0), Journal: node.NewMemoryJournal(), Logger: logger,
	}
	o.Core.Hunt.On, o.Core.Hunt.AllowPrivate = true, true
	o.Core.Sync.On, o.Core.Sync.AllowPrivate = true, true
	o.Core.Private.Members = members
	planted.Plant(&o)
	if o.Core.Sync.Plus.On && !slices.Contains(o.Pages.Grasps, web.GraspSyncPlus) {
		o.Pages.Grasps = append(o.Pages.Grasps, web.GraspSyncPlus)
	}
	return o
}
