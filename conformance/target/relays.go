package target

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nbd-wtf/go-nostr"
)

// Relays is the optional power to offer events from elsewhere: fake relays that the server under test can reach, as
// announcements name them. Who comes and what is asked is recorded with its instant, so that a server is measured from
// outside.
type Relays interface {
	// Reachback reports whether the server under test can reach the relays at all.
	Reachback() bool
	// NewRelay starts a relay that has no events and behaves. The caller closes it. It returns an error that wraps
	// ErrUnsupported if the server under test cannot reach it.
	NewRelay(ctx context.Context) (FakeRelay, error)
}

// A FakeRelay is one fake relay. It may be used from several goroutines at once.
type FakeRelay interface {
	// URL is the address of the relay, "ws://host:port", without a trailing slash.
	URL() string
	// Put gives the relay events, and shows them to who has asked for their like. Of versions it keeps the newest.
	Put(events ...*nostr.Event)
	// Stray gives it events that it sends unasked, in the modes that do.
	Stray(events ...*nostr.Event)
	// Drop takes events away, by their ids. Nobody is told.
	Drop(ids ...string)
	// Behave says how the relay behaves from now on. An error names the setting that makes no sense.
	Behave(RelayBehavior) error
	// Visits are the attempts to connect so far, in their order. No more than RelayRecordMax are kept; then the oldest
	// are gone.
	Visits() []RelayVisit
	// Asked are the messages that came so far, in their order; as many are kept.
	Asked() []RelayMessage
	// Close ends the relay with all its connections. A second call is harmless.
	Close() error
}

// RelayRecordMax is how many visits and how many messages a relay remembers.
const RelayRecordMax = 100_000

// A RelayMode is what a relay does with who asks it.
type RelayMode string

// The modes of a relay.
const (
	RelayServes  RelayMode = ""        // answers as NIP-01 has it
	RelayRefuses RelayMode = "refuses" // takes no connection, and ends those that there are
	RelayDrops   RelayMode = "drops"   // ends a connection at its After-th message
	RelayHangs   RelayMode = "hangs"   // takes all that it is sent, and says nothing
	RelayFreezes RelayMode = "freezes" // is gone without a word: connections stay half open, and attempts get no answer
	RelayCloses  RelayMode = "closes"  // answers each question with CLOSED and Text
	RelayDenies  RelayMode = "denies"  // wants its askers to authenticate (NIP-42)
	RelayOmits   RelayMode = "omits"   // never says EOSE
	RelayForges  RelayMode = "forges"  // sends events with signatures that do not fit
	RelayStrays  RelayMode = "strays"  // sends what nobody asked for beside what was asked for
	RelayRepeats RelayMode = "repeats" // sends each event twice
	RelaySticks  RelayMode = "sticks"  // knows no since and no until: each page is the first one
	RelayFloods  RelayMode = "floods"  // answers questions without end
)

// RelayModes lists all modes.
func RelayModes() []RelayMode {
	return []RelayMode{
		RelayServes, RelayRefuses, RelayDrops, RelayHangs, RelayFreezes, RelayCloses, RelayDenies, RelayOmits, RelayForges,
		RelayStrays, RelayRepeats, RelaySticks, RelayFloods,
	}
}

// A RelayBehavior is how a relay behaves. The zero value is a good relay with negentropy. Times are of the target's world.
type RelayBehavior struct {
	Mode RelayMode
	// From is how long after Behave the mode begins, and Until when it is over, if not zero; else the relay serves.
	From, Until time.Duration
	Delay       time.Duration // of every answer
	After       int           // of RelayDrops, from 1
	Text        string        // of RelayCloses

	// Negentropy is what is done with a NEG-OPEN: "" answers, "unknown" says so in a NOTICE, "declines" is a NEG-ERR, and
	// "ignores" is silence.
	Negentropy string
	PageMax    int // most events of an answer to one filter; zero is 500
	// PerMinute is how many questions are answered in any 60 s; zero is no limit. The others are CLOSED, or, with
	// LimitNotice, passed over with a NOTICE.
	PerMinute   int
	LimitNotice bool
	Members     bool // answers nobody who has not authenticated (NIP-42), whatever its mode; any key will do
	Challenges  bool // says AUTH to whoever connects, and wants nothing by it
}

// Validate returns an error that names the setting that makes no sense.
func (b RelayBehavior) Validate() error {
	switch {
	case !slices.Contains(RelayModes(), b.Mode):
		return fmt.Errorf("relay behavior: no mode %q", b.Mode)
	case b.From < 0 || b.Delay < 0 || b.Until < 0 || b.Until != 0 && b.Until <= b.From:
		return errors.New("relay behavior: a time is negative, or an end not after its beginning")
	case (b.Mode == RelayDrops) != (b.After != 0) || b.After < 0:
		return errors.New("relay behavior: after which message it drops belongs to that mode, and is 1 or more")
	case b.Mode != RelayCloses && b.Text != "":
		return errors.New("relay behavior: a text belongs to the mode closes")
	case !slices.Contains([]string{"", "unknown", "declines", "ignores"}, b.Negentropy):
		return fmt.Errorf("relay behavior: no way %q with negentropy", b.Negentropy)
	case b.PageMax < 0 || b.PerMinute < 0:
		return errors.New("relay behavior: a number is negative")
	}
	return nil
}

// A RelayVisit is an attempt to connect to a relay, and the connection that came of it.
type RelayVisit struct {
	Conn  int       // of RelayMessage.Conn
	At    time.Time // when it was tried
	Taken bool      // a connection came of it
	Ended time.Time // when that ended; zero while it is open
}

// A RelayMessage is a message that a relay was sent.
type RelayMessage struct {
	At      time.Time
	Conn    int
	Verb    string        // "REQ", "CLOSE", "COUNT", "EVENT", "AUTH", "NEG-OPEN", "NEG-MSG", "NEG-CLOSE"; "" if it is none of them
	Sub     string        // subscription, if it has one
	Filters []RelayFilter // of REQ and COUNT, and the one of NEG-OPEN
}

// A RelayFilter is a NIP-01 filter that a relay was sent. A list that is nil was not there.
type RelayFilter struct {
	IDs, Authors []string
	Kinds        []int
	Tags         map[string][]string // by letter
	Since, Until *int64
	Limit        *int
}

// Live reports whether the filter asks for what comes, and for nothing that is there.
func (f RelayFilter) Live() bool { return f.Limit != nil && *f.Limit == 0 }
