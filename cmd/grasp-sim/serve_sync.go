package main

import (
	"time"

	"github.com/spf13/pflag"

	"github.com/graspkit/graspkit/internal/cli"
	"github.com/graspkit/graspkit/reference/peer"
	"github.com/graspkit/graspkit/reference/relay"
)

// registerSync makes the settings of the sync flags.
func (f *serveFlags) registerSync(flags *pflag.FlagSet) {
	s := &f.core.Sync
	flags.BoolVar(&s.On, "sync", s.On, "get events from the relays that announcements name, and their git data (GRASP-02); it hunts too")
	flags.Var(relayURLs{&s.Bootstrap}, "bootstrap", "relays that are always connected to, as ws or wss `URLs` with commas between; may be given again")
	flags.BoolVar(&s.AllowPrivate, "sync-private", s.AllowPrivate, "connect to relays in private networks and on this machine too")
	flags.BoolVar(&s.NoNegentropy, "sync-pages", s.NoNegentropy, "ask for pages only, never compare by negentropy")
	flags.Var(atLeast(1, &s.OpenMax), "sync-connections", "connections to relays")
	flags.Var(atLeast(1, &s.RelaysMax), "sync-relays", "relays that are known")
	flags.Var(atLeast(1, &s.PerRepoMax), "sync-relays-per-repository", "relays that the events of one repository may bring")

	flags.Var(span{&s.Window}, "sync-window", "how long changes are collected before relays are asked for what is new")
	flags.Var(span{&s.QuickLimit}, "sync-short-gap", "a gap that is shorter is closed by what was written since, a longer one by asking for everything")
	flags.Var(span{&s.Margin}, "sync-margin", "how much earlier than a gap that begins")
	flags.Var(span{&s.DailyMin}, "sync-pass-min", "from one comparison of everything with every relay to the next, at least")
	flags.Var(span{&s.DailyMax}, "sync-pass-max", "and at most")

	flags.Var(span{&s.Connect}, "sync-connect-wait", "how long a connection to a relay may take to come about")
	flags.Var(span{&s.Leave}, "sync-leave-wait", "how long one that is not wanted any more may take to end")
	flags.Var(span{&s.Answer}, "sync-answer-wait", "how long a relay may take for the next message of an answer")
	flags.Var(span{&s.Probe}, "sync-probe", "how long a relay may be silent before it is asked whether it is there")
	flags.Var(span{&s.BackoffBase}, "sync-backoff", "how long a relay that has failed is left alone; each further failure doubles it")
	flags.Var(span{&s.BackoffMax}, "sync-backoff-max", "up to this")
	flags.Var(span{&s.Stable}, "sync-stable", "how long a connection has to last until earlier failures are forgotten")
	flags.Var(span{&s.DeadAfter}, "sync-dead-after", "how long a relay has to fail to be taken for dead")
	flags.Var(span{&s.DeadEvery}, "sync-dead-every", "how long a dead relay is left alone")
	flags.Var(span{&s.NaughtyLife}, "sync-naughty-life", "how long what is no relay is left alone: no such name, a bad certificate, no WebSocket there")
	flags.Var(span{&s.Cooldown}, "sync-cooldown", "how long a relay that says that it is asked too much is asked nothing")
	flags.Var(span{&s.RetryBase}, "sync-retry", "how long questions that failed wait until they are asked again; each further failure doubles it")
	flags.Var(span{&s.RetryMax}, "sync-retry-max", "up to this")

	flags.Var(count{&s.PageLimit, 1, pageMost}, "sync-page", "events that one page asks for")
	flags.Var(count{&s.ValuesMax, 1, valuesMost}, "sync-values", "values of one filter")
	flags.Var(count{&s.ByIDMax, 1, valuesMost}, "sync-ids", "events that one question asks for by their ids")
	flags.Var(atLeast(1, &s.WalksMax), "sync-questions", "questions for the past under way at one relay")
	flags.Var(atLeast(1, &s.AnswersMax), "sync-answers", "events of answers under way that are known by their ids, of all relays together")
	flags.Var(atLeast(1, &s.LiveMax), "sync-subscriptions", "open subscriptions at one relay, beyond which they are made anew as few as may be")
	flags.Var(span{&s.HotLife}, "sync-hot-life", "how long a refused event is kept, for the case that what it lacks comes")
	flags.Var(span{&s.ColdLife}, "sync-cold-life", "how long its id is, so that it is not got again")
}

// What relays take at most: a page of more is cut, and a message with more values is too long.
const (
	pageMost   = 5_000
	valuesMost = 1_000
)

// checkSync reports settings of the sync that contradict each other.
func (f *serveFlags) checkSync() error {
	s := &f.core.Sync
	for _, pair := range []struct {
		least, most time.Duration
		from, to    string
	}{
		{s.DailyMin, s.DailyMax, "sync-pass-min", "sync-pass-max"},
		{s.BackoffBase, s.BackoffMax, "sync-backoff", "sync-backoff-max"},
		{s.RetryBase, s.RetryMax, "sync-retry", "sync-retry-max"},
		{s.HotLife, s.ColdLife, "sync-hot-life", "sync-cold-life"},
	} {
		if pair.least > pair.most {
			return cli.Usagef("--%s %s is more than --%s %s: make it less, or the other one more",
				pair.from, shownSpan(pair.least), pair.to, shownSpan(pair.most))
		}
	}
	return nil
}

// peers are the settings of the connections themselves. How many there are the core bounds; those that are about to end are beside
// them for a moment. Relays have the pace of clients, and all of them together that of the clients of one address.
func (f *serveFlags) peers() peer.Options {
	s := &f.core.Sync
	events, all := f.shares().Events, f.shares().Address
	for _, pace := range []*relay.Pace{&events, &all} {
		if *pace == (relay.Pace{}) {
			*pace = relay.Pace{Burst: rateMax, Every: 1}
		}
	}
	return peer.Options{
		Limits: peer.Limits{Open: 2 * s.OpenMax, Events: events, All: peer.All{Events: all}}, Timeouts: peer.Timeouts{Dial: s.Connect},
	}
}
