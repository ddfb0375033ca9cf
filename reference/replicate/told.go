package replicate

// A Fact says what Told is about.
type Fact uint8

// The facts.
const (
	RelayStatus     Fact = iota // Status is the new one; Reason says why, if something is wrong
	RelayLeftOut                // it is not connected to
	RelayLimited                // it says that we ask too much
	RelayPlain                  // it does not reconcile: pages only
	RelayOutOfReach             // more events of one second than its page holds
	BatchEnded                  // Count items are confirmed; Reason says why they are not
	RefusedAgain                // Count refused events are judged again
)

// Told is a fact. No decision is made of it.
type Told struct {
	Fact   Fact
	URL    string
	Status Status
	Reason string
	Count  int
}

// A Status is how a relay and we stand to each other. The numbers are those of the metric (D-35).
type Status uint8

// The statuses.
const (
	Disconnected Status = iota
	Connecting
	Syncing
	Connected
	ConnectedWithFailures
	Disconnecting
)

var statusNames = [...]string{"disconnected", "connecting", "syncing", "connected", "connected with failures", "disconnecting"}

// String is the status in words.
func (s Status) String() string { return statusNames[s] }

// live reports whether messages go over a connection.
func (s Status) live() bool { return s == Syncing || s == Connected || s == ConnectedWithFailures }

// A Failure says why a connection ended or did not come.
type Failure uint8

// The failures. NoName, NoTrust and NoRelay are about the relay and not about the moment: it is let alone for a while.
const (
	NoFailure   Failure = iota // an orderly end
	Unreachable                // refused, reset, gone
	TimedOut
	NoName    // there is no such host
	NoTrust   // its certificate is not valid
	NoRelay   // no WebSocket there
	Forbidden // its address may not be connected to
	Public    // it answers anybody, where only private services may be asked
	Unwelcome // it does not let us in
)

var failureNames = [...]string{"ended", "unreachable", "timeout", "no such name", "not trusted", "no relay", "forbidden", "public", "not let in"}

// String is the failure in words.
func (f Failure) String() string { return failureNames[f] }

func (f Failure) naughty() bool { return f >= NoName && f != Unwelcome }
