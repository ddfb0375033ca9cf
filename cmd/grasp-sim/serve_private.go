package main

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"os"

	"github.com/spf13/pflag"

	"github.com/graspkit/graspkit/internal/cli"
	"github.com/graspkit/graspkit/reference"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/servicekey"
	"github.com/graspkit/graspkit/reference/web"
)

// privateFlags are the settings of a service that is for its members alone, and of the key by which it shows others who it is.
type privateFlags struct {
	membersFile string
	members     policy.Members
	keyFile     string
	key         *servicekey.Key
}

func (f *serveFlags) registerPrivate(flags *pflag.FlagSet) {
	flags.StringVar(&f.private.membersFile, "members", "",
		"serve nobody but the members that the `file` lists, an npub or a public key in hex on each line (GRASP-08); it is read again on SIGHUP")
	flags.StringVar(&f.private.keyFile, "service-key", "",
		"`file` with the secret key, as nsec or in hex, by which the server authenticates to other services, whose members it has to be among")
}

// checkPrivate reads the files, and reports what goes with nothing else.
func (f *serveFlags) checkPrivate() error {
	p := &f.private
	var err error
	if p.keyFile != "" {
		if p.key, err = readKey(p.keyFile); err != nil {
			return cli.Usagef("--service-key: %w", err)
		}
	}
	if p.membersFile == "" {
		return nil
	}
	if p.members, err = readMembers(p.membersFile); err != nil {
		return cli.Usagef("--members: %w", err)
	}
	if f.core.Sync.On && p.key == nil {
		return cli.Usagef("--members with --sync: other services let nobody in whom they do not know; give --service-key too")
	}
	return nil
}

func readMembers(path string) (policy.Members, error) {
	text, err := readList(path)
	if err != nil {
		return nil, err
	}
	members, err := policy.ParseMembers(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return members, nil
}

func readKey(path string) (*servicekey.Key, error) {
	text, err := readList(path)
	if err != nil {
		return nil, err
	}
	key, err := servicekey.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return key, nil
}

// warnKey says if a file with a secret is for more people than its owner.
func (p privateFlags) warnKey(logger *slog.Logger) {
	const others fs.FileMode = 0o077
	if info, err := os.Stat(p.keyFile); p.key != nil && err == nil && info.Mode()&others != 0 {
		logger.LogAttrs(context.Background(), slog.LevelWarn, "others may read the key of the service: chmod 600",
			slog.String("file", p.keyFile), slog.String("mode", info.Mode().String()))
	}
}

// privatePages says on pages what a private service is.
func (p privateFlags) privatePages(pages *web.Config) {
	if p.membersFile == "" {
		return
	}
	pages.Grasps = append(pages.Grasps, web.GraspPrivate)
	if pages.Criteria == "" {
		pages.Criteria = web.CriteriaMembers
	} else {
		pages.Criteria = "Members of this service only. " + pages.Criteria
	}
}

// rereadMembers takes another list of members whenever SIGHUP asks for it, until ctx ends. With a list that cannot be read all stays
// as it is: nobody is let in or shut out by a file that is half written.
func (p privateFlags) rereadMembers(ctx context.Context, hangups <-chan struct{}, server *reference.Server, logger *slog.Logger) {
	for {
		select {
		case <-hangups:
		case <-ctx.Done():
			return
		}
		members, err := readMembers(p.membersFile)
		if err == nil {
			err = server.Node.SetMembers(ctx, members)
		}
		if err != nil {
			logger.LogAttrs(ctx, slog.LevelError, "the list of members stays as it was", slog.Any("error", err))
			continue
		}
		logger.LogAttrs(ctx, slog.LevelInfo, "members read again", slog.Int("members", len(members)))
	}
}
