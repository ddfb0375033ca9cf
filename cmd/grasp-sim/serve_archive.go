package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/graspkit/graspkit/internal/cli"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
)

// registerArchive makes the settings of the archive flags.
func (f *serveFlags) registerArchive(flags *pflag.FlagSet) {
	flags.Var(archived{&f.archive, &f.archiveText}, "archive", "`scope` of repositories that are kept whatever services they list (GRASP-05): npub, npub/identifier, identifier, the URL of a service, or all; may be given again")
	flags.BoolVar(&f.core.Archive.ReadOnly, "archive-read-only", f.core.Archive.ReadOnly, "take no push, and host nothing new but the archive")
}

// checkArchive reports settings of the archive that cannot work.
func (f *serveFlags) checkArchive() error {
	switch {
	case f.archive.Empty() && f.core.Archive.ReadOnly:
		return cli.Usagef("--archive-read-only: what should the archive have? give --archive SCOPE, or --archive all")
	case f.archive.Empty():
	case !f.core.Sync.On:
		return cli.Usagef("--archive: an archive gets what it has from other servers: give --sync")
	case f.core.Archive.ReadOnly && f.core.Contributions.On:
		return cli.Usagef("--archive-read-only and --contributors exclude each other: contributions are pushes")
	}
	return nil
}

// archives enters the archive into the settings of a server. The relay of a service that is archived as a whole is always
// connected to: that is where its announcements are.
func (f *serveFlags) archives(cfg *core.Config) {
	if f.archive.Empty() {
		return
	}
	cfg.Archive.Scope = &f.archive
	cfg.Sync.Bootstrap = slices.Clone(cfg.Sync.Bootstrap)
	for _, entry := range f.archive.Entries() {
		if scheme, rest, is := strings.Cut(entry, "://"); is {
			relay := map[string]string{"http": "ws", "https": "wss"}[strings.ToLower(scheme)]
			if relay == "" {
				relay = scheme
			}
			cfg.Sync.Bootstrap = append(cfg.Sync.Bootstrap, relay+"://"+rest)
		}
	}
}

// An archived is a flag for the scope of an archive, with commas between or in a file of one entry a line.
type archived struct {
	at   *policy.Scope
	text *string // as it was given
}

// Set implements pflag.Value. Given again, it adds.
func (a archived) Set(text string) error {
	entries, err := listEntries(text)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if err := a.at.Add(entry); err != nil {
			return err
		}
	}
	if a.at.Empty() {
		return fmt.Errorf("%q names nothing: want npubs, npub/identifier, identifiers, URLs or all, with commas between, or @FILE with one a line", text)
	}
	*a.text = strings.TrimPrefix(*a.text+","+text, ",")
	return nil
}

// String implements pflag.Value.
func (a archived) String() string {
	if a.text == nil {
		return ""
	}
	return *a.text
}

// Type implements pflag.Value.
func (a archived) Type() string { return "scope" }
