package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/graspkit/graspkit/internal/cli"
	"github.com/graspkit/graspkit/reference/web"
)

// registerPlus makes the settings of sync plus flags.
func (f *serveFlags) registerPlus(flags *pflag.FlagSet) {
	s := &f.core.Sync
	flags.Var(plusSwitch{&s.Plus.On, &s.On}, "sync-plus",
		"with --sync, which it switches on: look for profiles, lists and answers of participants where they write (GRASP-03)")
	flags.Lookup("sync-plus").NoOptDefVal = "true"
	flags.Var(relayURLs{&s.Plus.Index}, "index-relay", "relays that are asked for profiles and lists first, as ws or wss `URLs` with commas between; may be given again")
	flags.Var(relayURLs{&s.Plus.Fallback}, "fallback-relay", "where participants without a list of relays are taken to write, as ws or wss `URLs` with commas between; may be given again")
	flags.Var(atLeast(1, &s.Plus.ParticipantsMax), "sync-plus-participants", "participants of whom anything is looked for")
	flags.Var(atLeast(1, &s.Plus.PerRepoMax), "sync-plus-participants-per-repository", "those that one repository may bring")
	flags.Var(atLeast(1, &s.Plus.RelaysMax), "sync-plus-relays", "relays that nothing but the lists of participants brings")
	flags.Var(atLeast(1, &s.Plus.OutboxMax), "sync-plus-relays-per-participant", "relays of one list that are looked at")
	flags.Var(atLeast(1, &s.Plus.RootsMax), "sync-plus-roots", "issues, patches and pull requests whose answers are looked for at one of them")
}

// checkPlus reports settings of sync plus that make no sense.
func (f *serveFlags) checkPlus() error {
	p := f.core.Sync.Plus
	switch {
	case p.On && f.private.membersFile != "":
		return cli.Usagef("--sync-plus tells other relays who takes part in repositories, which is nobody's business with --members: leave one out")
	case !p.On && len(p.Index) > 0:
		return cli.Usagef("--index-relay: participants are looked for with --sync-plus")
	case !p.On && len(p.Fallback) > 0:
		return cli.Usagef("--fallback-relay: participants are looked for with --sync-plus")
	}
	return nil
}

// plusPages says on pages that sync plus is on.
func (f *serveFlags) plusPages(pages *web.Config) {
	if f.core.Sync.Plus.On {
		pages.Grasps = append(pages.Grasps, web.GraspSyncPlus)
	}
}

// A plusSwitch is a switch that switches another one on with it.
type plusSwitch struct{ on, too *bool }

// Set implements pflag.Value.
func (s plusSwitch) Set(text string) error {
	on, err := strconv.ParseBool(text)
	if err != nil {
		return fmt.Errorf("%q: want true or false", text)
	}
	*s.on = on
	*s.too = *s.too || on
	return nil
}

// String implements pflag.Value.
func (s plusSwitch) String() string { return strconv.FormatBool(s.on != nil && *s.on) }

// Type implements pflag.Value.
func (plusSwitch) Type() string { return "bool" }
