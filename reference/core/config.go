package core

import (
	"cmp"
	"errors"
	"time"

	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// A Config is the settings of a server.
type Config struct {
	Service       repo.Service  // the own origin, as announcements list it; required
	Model         repo.Model    // how maintainer sets are computed; zero means legacy
	PurgatoryLife time.Duration // how long an event waits for git data; zero means PurgatoryLife (G01-PURG-11)
	SoftLife      time.Duration // how long an announcement is known after it has lost its repository; zero means SoftLife (REF-PURG-02)
	ExpiredLife   time.Duration // how long expired ids are remembered; zero means ExpiredLife (REF-PURG-10)
	// How long a ref below refs/nostr/ waits for its event; zero means PlaceholderLife (G01-PR-07).
	PlaceholderLife time.Duration
	Hunt            HuntConfig
	Sync            SyncConfig
	Contributions   ContributionConfig
	Archive         ArchiveConfig
	StoredMax       int // events in the store; zero means StoredMax
	StoredBytesMax  int // bytes of them, by repo.Size; zero means StoredBytesMax
	HeldMax         int // events in purgatory, and as many announcements in their second phase; zero means HeldMax
	HeldPerKeyMax   int // events in purgatory of one author; zero means HeldPerKeyMax
	HeldBytesMax    int // bytes of them, by repo.Size; zero means HeldBytesMax
	// Bytes of events in purgatory of one author, by repo.Size; zero means HeldBytesPerKeyMax.
	HeldBytesPerKeyMax int
	ExpiredMax         int // expired ids; zero means ExpiredMax
	// References of deletion requests, and keys that have vanished; zero means TombstonesMax. Beyond them what is here is
	// deleted and remembered all the same.
	TombstonesMax   int
	PlaceholdersMax int // refs below refs/nostr/ that wait for their event; zero means PlaceholdersMax
	MinWork         int // leading zero bits that the id of every event has to have (N13-01); zero asks for none
	// Units of eventstore.Search that a question may cost in a step; zero means SearchAtOnce, and with less nothing is
	// answered in its step.
	SearchAtOnce int
	SearchMax    int // units that it may cost at all; zero means SearchMax
	// Stored events of an author who vanishes that go in one step; zero means VanishAtOnce. The others go in later ones.
	VanishAtOnce int
	// Bytes of the filters of one connection, by relay.FilterBytes; zero means relay.FilterBytesMax.
	FilterBytesMax int
	// Bytes of the filters of all connections; zero means FilterBytesTotalMax. A connection that has few of them is
	// served even so, see FilterBytesSure.
	FilterBytesTotalMax int
	TidyPacks           int           // packs that a repository gets until it is tidied; zero means TidyPacks
	TidyInterval        time.Duration // from one time that it is tidied to the next, at least; zero means TidyInterval
	TidyGrace           time.Duration // how long objects stay that no ref reaches any more; zero means TidyGrace
	Lists               *policy.Lists // whom and what it keeps out; nil means nobody
	Manner              Manner
	Private             PrivateConfig
}

// Defaults of the settings, and limits that are not settings.
const (
	PurgatoryLife          = 30 * time.Minute
	SoftLife               = 24 * time.Hour
	ExpiredLife            = 7 * 24 * time.Hour
	ExpiredMax             = 100_000
	PlaceholderLife        = 20 * time.Minute
	StoredMax              = 100_000
	StoredBytesMax         = 1 << 30
	HeldMax                = 10_000
	HeldPerKeyMax          = 500
	HeldBytesMax           = 128 << 20
	HeldBytesPerKeyMax     = 16 << 20
	PlaceholdersMax        = 10_000
	TombstonesMax          = 200_000
	FilterBytesTotalMax    = 256 << 20
	FilterBytesSure        = 64 << 10 // bytes of filters that a connection may have whatever the other ones have
	PlaceholdersPerRepoMax = 1_000
	VanishAtOnce           = 250 // a step of some milliseconds
	TidyPacks              = 50  // as in git: so many packs do not slow down a clone by much
	TidyInterval           = time.Minute
	TidyGrace              = time.Hour // as long as one git process may run
	JudgingMax             = 4_096     // events that wait for an answer of the shell
	JobsMax                = 64        // jobs that wait for one repository
)

func (c Config) withDefaults() Config {
	c.PurgatoryLife = cmp.Or(c.PurgatoryLife, PurgatoryLife)
	c.SoftLife = cmp.Or(c.SoftLife, SoftLife)
	c.ExpiredLife = cmp.Or(c.ExpiredLife, ExpiredLife)
	c.PlaceholderLife = cmp.Or(c.PlaceholderLife, PlaceholderLife)
	c.StoredMax = cmp.Or(c.StoredMax, StoredMax)
	c.StoredBytesMax = cmp.Or(c.StoredBytesMax, StoredBytesMax)
	c.HeldBytesMax = cmp.Or(c.HeldBytesMax, HeldBytesMax)
	c.HeldBytesPerKeyMax = cmp.Or(c.HeldBytesPerKeyMax, HeldBytesPerKeyMax)
	c.HeldMax = cmp.Or(c.HeldMax, HeldMax)
	c.HeldPerKeyMax = cmp.Or(c.HeldPerKeyMax, HeldPerKeyMax)
	c.ExpiredMax = cmp.Or(c.ExpiredMax, ExpiredMax)
	c.TombstonesMax = cmp.Or(c.TombstonesMax, TombstonesMax)
	c.PlaceholdersMax = cmp.Or(c.PlaceholdersMax, PlaceholdersMax)
	c.SearchAtOnce = cmp.Or(c.SearchAtOnce, SearchAtOnce)
	c.SearchMax = cmp.Or(c.SearchMax, SearchMax)
	c.VanishAtOnce = cmp.Or(c.VanishAtOnce, VanishAtOnce)
	c.FilterBytesMax = cmp.Or(c.FilterBytesMax, relay.FilterBytesMax)
	c.FilterBytesTotalMax = cmp.Or(c.FilterBytesTotalMax, FilterBytesTotalMax)
	c.TidyPacks = cmp.Or(c.TidyPacks, TidyPacks)
	c.TidyInterval = cmp.Or(c.TidyInterval, TidyInterval)
	c.TidyGrace = cmp.Or(c.TidyGrace, TidyGrace)
	c.Hunt = c.Hunt.withDefaults()
	c.Contributions = c.Contributions.withDefaults()
	c.Model = cmp.Or(c.Model, repo.Legacy)
	return c
}

// Validate reports the first setting that cannot work. Zero values stand for defaults and are fine.
func (c Config) Validate() error {
	switch {
	case c.Service.Host == "":
		return errors.New("core: the service has no host")
	case c.PurgatoryLife < 0 || c.SoftLife < 0 || c.ExpiredLife < 0 || c.PlaceholderLife < 0:
		return errors.New("core: a life in purgatory is negative")
	case c.StoredMax < 0 || c.HeldMax < 0 || c.HeldPerKeyMax < 0 || c.PlaceholdersMax < 0 || c.TombstonesMax < 0 || c.ExpiredMax < 0:
		return errors.New("core: a limit is negative")
	case c.SearchMax < 0:
		return errors.New("core: the cost of a question is negative")
	case c.VanishAtOnce < 0:
		return errors.New("core: the portion of a vanishing is negative")
	case c.StoredBytesMax < 0 || c.HeldBytesMax < 0 || c.HeldBytesPerKeyMax < 0 || c.FilterBytesMax < 0 || c.FilterBytesTotalMax < 0:
		return errors.New("core: a limit of bytes is negative")
	case c.TidyPacks < 0 || c.TidyInterval < 0 || c.TidyGrace < 0:
		return errors.New("core: a limit of tidying is negative")
	case c.MinWork < 0 || c.MinWork > policy.WorkMax:
		return errors.New("core: the work that is asked for is not between 0 and 256 bits")
	}
	if err := c.Sync.Validate(); err != nil {
		return err
	}
	if err := c.Contributions.validate(); err != nil {
		return err
	}
	if c.Archive.ReadOnly && c.Contributions.On {
		return errors.New("core: an archive that is only read takes no contributions")
	}
	return c.Hunt.validate()
}
