package core

import (
	"errors"
	"time"

	"github.com/graspkit/graspkit/reference/repo"
)

// A Config is the settings of a server.
type Config struct {
	Service       repo.Service  // the own origin, as announcements list it; required
	Model         repo.Model    // how maintainer sets are computed; zero means legacy
	PurgatoryLife time.Duration // how long an event waits for git data; zero means PurgatoryLife (G01-PURG-11)
	// How long a ref below refs/nostr/ waits for its event; zero means PlaceholderLife (G01-PR-07).
	PlaceholderLife time.Duration
	StoredMax       int // events in the store; zero means StoredMax
	HeldMax         int // events in purgatory; zero means HeldMax
	HeldPerKeyMax   int // events in purgatory of one author; zero means HeldPerKeyMax
	TombstonesMax   int // references of deletion requests; zero means TombstonesMax
	PlaceholdersMax int // refs below refs/nostr/ that wait for their event; zero means PlaceholdersMax
}

// Defaults of the settings, and limits that are not settings.
const (
	PurgatoryLife          = 30 * time.Minute
	PlaceholderLife        = 20 * time.Minute
	StoredMax              = 100_000
	HeldMax                = 10_000
	HeldPerKeyMax          = 500
	PlaceholdersMax        = 10_000
	TombstonesMax          = 200_000
	PlaceholdersPerRepoMax = 1_000
	JudgingMax             = 4_096 // events that wait for an answer of the shell
	JobsMax                = 64    // jobs that wait for one repository
)

func (c Config) withDefaults() Config {
	if c.PurgatoryLife == 0 {
		c.PurgatoryLife = PurgatoryLife
	}
	if c.PlaceholderLife == 0 {
		c.PlaceholderLife = PlaceholderLife
	}
	if c.PlaceholdersMax == 0 {
		c.PlaceholdersMax = PlaceholdersMax
	}
	if c.TombstonesMax == 0 {
		c.TombstonesMax = TombstonesMax
	}
	if c.StoredMax == 0 {
		c.StoredMax = StoredMax
	}
	if c.HeldMax == 0 {
		c.HeldMax = HeldMax
	}
	if c.HeldPerKeyMax == 0 {
		c.HeldPerKeyMax = HeldPerKeyMax
	}
	if c.Model == 0 {
		c.Model = repo.Legacy
	}
	return c
}

// Validate reports the first setting that cannot work. Zero values stand for defaults and are fine.
func (c Config) Validate() error {
	switch {
	case c.Service.Host == "":
		return errors.New("core: the service has no host")
	case c.PurgatoryLife < 0 || c.PlaceholderLife < 0:
		return errors.New("core: a life in purgatory is negative")
	case c.StoredMax < 0 || c.HeldMax < 0 || c.HeldPerKeyMax < 0 || c.PlaceholdersMax < 0 || c.TombstonesMax < 0:
		return errors.New("core: a limit is negative")
	}
	return nil
}
