package main

import (
	"net/netip"

	"github.com/spf13/pflag"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/fetch"
	"github.com/graspkit/graspkit/reference/gitexec"
	"github.com/graspkit/graspkit/reference/gitlayout"
	"github.com/graspkit/graspkit/reference/httpd"
	"github.com/graspkit/graspkit/reference/hunt"
	"github.com/graspkit/graspkit/reference/node"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/replicate"
)

// serveFlags are the settings of serve.
type serveFlags struct {
	addr, url, data   string
	metrics           string
	memory            bool
	backend           string
	maintainers       string
	name, description string
	logLevel          string

	connections, addressConnections     int
	eventRate, eventBurst               int
	addressEventRate, addressEventBurst int
	proxies                             []netip.Prefix

	lists                     policy.Lists
	authors, blocked, allowed string // of the lists, as given

	private                             privateFlags
	contributionRate, contributionBurst int // pushes below /prs/ of one address
	archive                             policy.Scope
	archiveText                         string // as given

	core   core.Config // but for the service and the model of maintainers
	limits httpd.Limits
	exec   gitexec.Options // PackMax and Quota hold for every backend that keeps repositories on disk
	fetch  fetch.Options
}

// defaultFlags are the settings of who gives none. Each value is that of the package that it belongs to.
func defaultFlags() serveFlags {
	return serveFlags{
		addr: "127.0.0.1:7334", maintainers: "legacy", logLevel: "info", connections: node.ConnectionsMax,
		addressConnections: node.AddressConnectionsMax, proxies: httpd.Loopback,
		eventRate: relay.EventRate, eventBurst: relay.EventBurst,
		contributionRate: httpd.ContributionRate, contributionBurst: httpd.ContributionBurst,
		addressEventRate: relay.AddressEventRate, addressEventBurst: relay.AddressEventBurst,

		name: "graspkit reference server", description: "A GRASP server for trying things out.",
		core: core.Config{
			PurgatoryLife: core.PurgatoryLife, SoftLife: core.SoftLife, ExpiredLife: core.ExpiredLife, PlaceholderLife: core.PlaceholderLife,
			StoredMax: core.StoredMax, StoredBytesMax: core.StoredBytesMax,
			HeldMax: core.HeldMax, HeldBytesMax: core.HeldBytesMax, HeldPerKeyMax: core.HeldPerKeyMax, HeldBytesPerKeyMax: core.HeldBytesPerKeyMax,
			PlaceholdersMax: core.PlaceholdersMax, TombstonesMax: core.TombstonesMax, ExpiredMax: core.ExpiredMax,
			FilterBytesMax: relay.FilterBytesMax, FilterBytesTotalMax: core.FilterBytesTotalMax,
			SearchMax: core.SearchMax,
			TidyPacks: core.TidyPacks, TidyInterval: core.TidyInterval, TidyGrace: core.TidyGrace,
			Hunt:          core.HuntConfig{UserDelay: core.UserDelay, Rate: hunt.Rate, Concurrent: hunt.Concurrent, FetchLife: hunt.FetchLife},
			Sync:          core.SyncConfig{Config: replicate.Defaults()},
			Contributions: defaultContributions(),
		},
		limits: httpd.Limits{
			PushBytes: httpd.PushBytesMax, FetchBytes: httpd.FetchBytesMax, GitAtOnce: httpd.GitAtOnceMax,
			GitEach: httpd.GitEachMax, Pace: httpd.PaceMin, Stall: httpd.StallMax,
		},
		exec: withQuota(gitexec.Defaults()), fetch: fetch.Defaults(),
	}
}

// withQuota bounds what repositories take on the disk, which nothing but the disk bounds otherwise.
func withQuota(opts gitexec.Options) gitexec.Options {
	opts.Quota = gitlayout.Quota{Repository: 4 << 30, Total: 64 << 30, Contributions: 8 << 30, Signer: 512 << 20}
	return opts
}

// shares are those of each client and each address.
func (f *serveFlags) shares() node.Shares {
	return node.Shares{
		Connections: f.addressConnections,
		Events:      relay.PerMinute(f.eventRate, f.eventBurst), Address: relay.PerMinute(f.addressEventRate, f.addressEventBurst),
	}
}

// register makes every setting a flag. The order is that of the help and of docs/settings.md, which are made from this.
func (f *serveFlags) register(flags *pflag.FlagSet) {
	flags.SortFlags = false

	flags.StringVar(&f.addr, "addr", f.addr, "`host:port` to listen on; port 0 takes a free one")
	flags.StringVar(&f.url, "url", f.url, "`origin` that clients use, if it is not http://host:port")
	flags.StringVar(&f.data, "data", f.data, "`directory` for events and repositories; it is made if it is not there")
	flags.BoolVar(&f.memory, "memory", f.memory, "keep everything in memory")
	flags.StringVar(&f.backend, "backend", f.backend, "how repositories are kept: exec (by the installed git; the default with --data), disk (without one) or memory (with --memory)")
	flags.StringVar(&f.name, "name", f.name, "`name` of the service, in its document and on its pages")
	flags.StringVar(&f.description, "description", f.description, "what the service is, in a `sentence`, for the same")
	flags.StringVar(&f.maintainers, "maintainers", f.maintainers, "`model` of maintainers: legacy (whoever is listed counts) or reciprocal (who lists back)")
	flags.StringVar(&f.metrics, "metrics", f.metrics, "`host:port` where GET /metrics tells what the server has done, for Prometheus; nowhere without it")
	flags.StringVar(&f.logLevel, "log-level", f.logLevel, "debug, info, warn or error")

	flags.Var(listed{&f.lists.Authors, &f.authors, true}, "event-blacklist", "authors of whom no event is taken: npubs with commas between, or @FILE with one a line")
	flags.Var(listed{&f.lists.Blocked, &f.blocked, false}, "repo-blacklist", "repositories that may not be announced: `list` of npub, npub/identifier or identifier, written as in clone URLs")
	flags.Var(listed{&f.lists.Allowed, &f.allowed, false}, "repo-whitelist", "the only repositories that may be hosted: `list` of the same; without it all may")

	flags.Var(span{&f.core.PurgatoryLife}, "purgatory-life", "how long an event waits for its git data")
	flags.Var(span{&f.core.SoftLife}, "soft-life", "how long an announcement is known after its repository without data has gone")
	flags.Var(span{&f.core.PlaceholderLife}, "placeholder-life", "how long a ref below refs/nostr/ waits for its event")
	flags.Var(span{&f.core.ExpiredLife}, "expired-life", "how long the ids of events that got no git data are remembered")

	flags.Var(atLeast(1, &f.core.StoredMax), "stored", "events in the store")
	flags.Var(size[int]{&f.core.StoredBytesMax}, "stored-bytes", "memory that the events in the store may take")
	flags.Var(atLeast(1, &f.core.HeldMax), "held", "events in purgatory")
	flags.Var(size[int]{&f.core.HeldBytesMax}, "held-bytes", "memory that the events in purgatory may take")
	flags.Var(atLeast(1, &f.core.HeldPerKeyMax), "held-per-key", "events in purgatory of one author")
	flags.Var(size[int]{&f.core.HeldBytesPerKeyMax}, "held-bytes-per-key", "memory that the events in purgatory of one author may take")
	flags.Var(atLeast(1, &f.core.PlaceholdersMax), "placeholders", "refs below refs/nostr/ that wait for their event")
	flags.Var(atLeast(1, &f.core.TombstonesMax), "tombstones", "references of deletion requests that are remembered")
	flags.Var(atLeast(1, &f.core.ExpiredMax), "expired", "ids of events that got no git data that are remembered")
	flags.Var(count{&f.core.MinWork, 0, policy.WorkMax}, "min-work", "`bits` of work that the id of every event has to have (NIP-13)")

	flags.Var(atLeast(1, &f.connections), "connections", "clients that may be connected to the relay at a time")
	flags.Var(count{&f.addressConnections, 0, countMax}, "connections-per-address", "how many of them may come from one address, or one /64 of IPv6; 0 sets no limit")
	flags.Var(count{&f.eventRate, 0, rateMax}, "event-rate", "events a minute that a connection may send in the long run, one to another relay too; 0 sets no limit")
	flags.Var(count{&f.eventBurst, 1, rateMax}, "event-burst", "events that a connection may send at once")
	flags.Var(count{&f.addressEventRate, 0, rateMax}, "address-event-rate", "events a minute of all connections of one address; 0 sets no limit")
	flags.Var(count{&f.addressEventBurst, 1, rateMax}, "address-event-burst", "events at once of all connections of one address")
	flags.Var(places{&f.proxies}, "proxies", "where a proxy stands that names the client's address in X-Forwarded-For; what it does not name has no limit by address")
	flags.Var(size[int]{&f.core.FilterBytesMax}, "filter-bytes", "memory that the filters of one connection may take")
	flags.Var(size[int]{&f.core.FilterBytesTotalMax}, "filter-bytes-total", "memory that the filters of all connections may take")
	flags.Var(atLeast(1, &f.core.SearchMax), "query-cost", "events, and tags where a filter names some, that one question may look at")

	flags.Var(size[int64]{&f.limits.PushBytes}, "push-bytes", "body of a push, unpacked from its transfer encoding")
	flags.Var(size[int64]{&f.limits.FetchBytes}, "fetch-bytes", "body of a request to fetch, likewise")
	flags.Var(size[int64]{&f.exec.Limits.PackMax}, "pack-bytes", "pack of a push")
	flags.Var(sizeOrNone{size[int64]{&f.exec.Quota.Repository}}, "repository-bytes", "disk space that one repository may take, with --data; 0 sets no limit")
	flags.Var(sizeOrNone{size[int64]{&f.exec.Quota.Total}}, "git-bytes", "disk space that all repositories may take, with --data; 0 sets no limit")
	flags.Var(atLeast(1, &f.limits.GitAtOnce), "git-at-once", "git requests that run at a time; further ones are asked to come again")
	flags.Var(count{&f.limits.GitEach, 0, countMax}, "git-per-address", "how many of them one address may have, or one /64 of IPv6; 0 sets no limit")
	flags.Var(size[int64]{&f.limits.Pace}, "git-pace", "what a git client has to send, and to take, in a second")
	flags.Var(span{&f.limits.Stall}, "stall", "how long it may fall behind that")
	flags.Var(atLeast(1, &f.core.TidyPacks), "tidy-packs", "pushes and copies that a repository gets until its objects are packed together and those that nobody needs are removed")
	flags.Var(span{&f.core.TidyInterval}, "tidy-interval", "how long a repository is left alone after that, at least")
	flags.Var(span{&f.core.TidyGrace}, "tidy-grace", "how long objects stay that no ref reaches any more")
	flags.Var(atLeast(1, &f.exec.Children), "git-children", "git processes of one kind at a time, of four kinds, with --backend exec; of fetches, and of pushes, one address has half at most")
	flags.Var(span{&f.exec.Lifetime}, "git-life", "how long one git process may take, with --backend exec")

	flags.BoolVar(&f.core.Hunt.On, "hunt", f.core.Hunt.On, "look for missing git data at the hosts that events name")
	flags.BoolVar(&f.core.Hunt.AllowPrivate, "hunt-private", f.core.Hunt.AllowPrivate, "ask hosts in private networks and on this machine too")
	flags.Var(span{&f.core.Hunt.UserDelay}, "hunt-delay", "how long a push is waited for before hosts are asked")
	flags.Var(atLeast(1, &f.core.Hunt.Rate), "hunt-rate", "requests that start at one host within a minute")
	flags.Var(atLeast(1, &f.core.Hunt.Concurrent), "hunt-at-once", "requests under way at one host")
	flags.Var(atLeast(1, &f.fetch.Limits.Fetches), "hunt-fetches", "requests under way at all hosts")
	flags.Var(size[int64]{&f.fetch.Limits.Pack}, "hunt-pack-bytes", "pack that a host may send")
	flags.Var(span{&f.core.Hunt.FetchLife}, "hunt-fetch-life", "how long one request to a host may take")
	flags.Var(span{&f.fetch.Timeouts.Connect}, "hunt-connect-wait", "how long a host may take to be connected to")
	flags.Var(span{&f.fetch.Timeouts.Header}, "hunt-header-wait", "how long a host may take to begin an answer")
	flags.Var(span{&f.fetch.Timeouts.Idle}, "hunt-idle-wait", "how long a host may pause within an answer")

	f.registerSync(flags)
	f.registerPlus(flags)
	f.registerPrivate(flags)
	f.registerContributions(flags)
	f.registerArchive(flags)
}
