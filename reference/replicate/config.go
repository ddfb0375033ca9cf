package replicate

import (
	"cmp"
	"errors"
	"time"

	"github.com/graspkit/graspkit/reference/repo"
)

// A Config is the settings of replication. Zero values stand for the defaults.
type Config struct {
	Own          repo.Service // the own service, which is never connected to
	Bootstrap    []string     // relays that are always wanted, ws or wss URLs
	AllowPrivate bool         // relays may have addresses that are not global
	Seed         uint64       // of what is drawn: when the daily pass comes

	Window       time.Duration // in which changes are collected before a relay is asked for what is new
	QuickLimit   time.Duration // up to which a gap is closed by what came since, and not anew
	Margin       time.Duration // by which such a request begins earlier than the gap
	Answer       time.Duration // that a relay has for the next message of an answer
	Connect      time.Duration // that an attempt at a connection may take
	Leave        time.Duration // that the end of a connection may take
	Probe        time.Duration // of silence, after which a relay is asked whether it is there
	BackoffBase  time.Duration // after the first failure; each one doubles it
	BackoffMax   time.Duration
	DeadAfter    time.Duration // of failures, from when on a relay is tried each DeadEvery
	DeadEvery    time.Duration
	Cooldown     time.Duration // after a notice that we ask too much
	Stable       time.Duration // connected, until earlier failures are forgotten
	NaughtyLife  time.Duration // for which a relay that is none is let alone
	RetryBase    time.Duration // after a batch that failed; each one doubles it
	RetryMax     time.Duration
	DailyMin     time.Duration // from one complete pass to the next, at least
	DailyMax     time.Duration // and at most
	HotLife      time.Duration // of refused events, whole
	ColdLife     time.Duration // of their ids
	PageLimit    int           // events that a page asks for
	ValuesMax    int           // values of one filter
	ByIDMax      int           // ids of one request for events
	WalksMax     int           // requests for the past under way at one relay
	AnswersMax   int           // events that answers of all relays under way have been heard to have, and ours that are compared with them
	LiveMax      int           // live subscriptions at one relay, beyond which they are made anew
	RelaysMax    int           // relays that are known
	OpenMax      int           // connections
	PerRepoMax   int           // relays of one repository
	NoNegentropy bool          // pages only
	// Identity says that challenges of relays can be answered: each one is asked first whether it wants that; see knock.go.
	Identity bool
	Plus     PlusConfig
	Private  bool // only relays that ask who one is before they say anything are asked about repositories (G08-10)
}

// The defaults. What is a number of messages, bytes or events and no setting stands where it is used.
const (
	Window      = 5 * time.Second
	QuickLimit  = 15 * time.Minute
	Margin      = 15 * time.Minute
	Answer      = 30 * time.Second
	Connect     = 15 * time.Second
	Leave       = 10 * time.Second
	Probe       = 2 * time.Minute
	BackoffBase = 5 * time.Second
	BackoffMax  = time.Hour
	DeadAfter   = 24 * time.Hour
	DeadEvery   = 24 * time.Hour
	Cooldown    = 65 * time.Second
	Stable      = 5 * time.Minute
	NaughtyLife = 12 * time.Hour
	RetryBase   = time.Minute
	RetryMax    = time.Hour
	DailyMin    = 23 * time.Hour
	DailyMax    = 25 * time.Hour
	HotLife     = 2 * time.Minute
	ColdLife    = 7 * 24 * time.Hour
	PageLimit   = 500
	ValuesMax   = 100
	ByIDMax     = 300
	WalksMax    = 5
	AnswersMax  = 300_000
	LiveMax     = 70
	RelaysMax   = 1_000
	OpenMax     = 300
	PerRepoMax  = 20
)

// Defaults is the settings of who gives none.
func Defaults() Config { return Config{}.withDefaults() }

func (c Config) withDefaults() Config {
	for _, d := range c.durations() {
		*d.value = cmp.Or(*d.value, d.usual)
	}
	for _, n := range c.numbers() {
		*n.value = cmp.Or(*n.value, n.usual)
	}
	c.Plus = c.Plus.withDefaults()
	c.Plus.On = c.Plus.On && !c.Private // what members write of is nobody else's business (G03-04)
	return c
}

type setting[T any] struct {
	value *T
	usual T
}

func (c *Config) durations() []setting[time.Duration] {
	return []setting[time.Duration]{
		{&c.Window, Window},
		{&c.QuickLimit, QuickLimit},
		{&c.Margin, Margin},
		{&c.Answer, Answer},
		{&c.Connect, Connect},
		{&c.Leave, Leave},
		{&c.Probe, Probe},
		{&c.BackoffBase, BackoffBase},
		{&c.BackoffMax, BackoffMax},
		{&c.DeadAfter, DeadAfter},
		{&c.DeadEvery, DeadEvery},
		{&c.Cooldown, Cooldown},
		{&c.Stable, Stable},
		{&c.NaughtyLife, NaughtyLife},
		{&c.RetryBase, RetryBase},
		{&c.RetryMax, RetryMax},
		{&c.DailyMin, DailyMin},
		{&c.DailyMax, DailyMax},
		{&c.HotLife, HotLife},
		{&c.ColdLife, ColdLife},
	}
}

func (c *Config) numbers() []setting[int] {
	return []setting[int]{
		{&c.PageLimit, PageLimit},
		{&c.ValuesMax, ValuesMax},
		{&c.ByIDMax, ByIDMax},
		{&c.WalksMax, WalksMax},
		{&c.AnswersMax, AnswersMax},
		{&c.LiveMax, LiveMax},
		{&c.RelaysMax, RelaysMax},
		{&c.OpenMax, OpenMax},
		{&c.PerRepoMax, PerRepoMax},
	}
}

// Validate reports the first setting that cannot work.
func (c Config) Validate() error {
	for _, d := range c.durations() {
		if *d.value < 0 {
			return errors.New("replicate: a duration is negative")
		}
	}
	for _, n := range c.numbers() {
		if *n.value < 0 {
			return errors.New("replicate: a limit is negative")
		}
	}
	if full := c.withDefaults(); full.DailyMin > full.DailyMax {
		return errors.New("replicate: the daily pass has a least time above its most")
	}
	return c.Plus.validate()
}
