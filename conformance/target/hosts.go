package target

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Hosts is the optional power to offer git data from elsewhere: fake git hosts that the server under test can reach, as
// the clone URLs of an event name them. Every request at them is recorded with its instant, so that a server is
// measured from outside.
type Hosts interface {
	// Reachback reports whether the server under test can reach the hosts at all.
	Reachback() bool
	// NewHost starts a host that holds nothing and behaves. The caller closes it. It returns an error that wraps
	// ErrUnsupported if the server under test cannot reach it.
	NewHost(ctx context.Context) (GitHost, error)
}

// A GitHost is one fake git host: repositories for reading over smart HTTP, to which nobody can push. It may be used
// from several goroutines at once.
type GitHost interface {
	// URL is the origin of the host, "http://host:port", without a trailing slash. A clone URL is URL and a path.
	URL() string
	// Put replaces the refs of the repository at a path, such as "/alice/demo.git", and adds objects to those that it
	// holds. A path that nothing was put at does not exist. Nothing is checked: a ref may name an object that is not
	// there, and an object what the host lacks.
	Put(path string, refs []GitRef, objects []GitObject)
	// Drop takes a repository with all its objects away.
	Drop(path string)
	// Behave says how requests are answered that begin from now on. An error names the setting that makes no sense.
	Behave(HostBehavior) error
	// Requests returns what came so far, in the order in which it began. No more than HostRequestsMax are kept; then
	// the oldest are gone.
	Requests() []HostRequest
	// Close ends the host with everything that it still answers. A second call is harmless.
	Close() error
}

// HostRequestsMax is how many requests a host remembers.
const HostRequestsMax = 100_000

// A GitObject is a git object as git hashes it, without its header.
type GitObject struct {
	Type string // "commit", "tree", "blob" or "tag"
	Data []byte
}

// A GitRef is a ref with the object that it points to. The name "HEAD" stands for a detached HEAD.
type GitRef struct {
	Name string // "refs/heads/main"
	OID  string
}

// A HostMode is what a host does with a request.
type HostMode string

// The modes of a host.
const (
	HostServes    HostMode = ""          // answers as git does
	HostRefuses   HostMode = "refuses"   // every connection is reset before a byte is read
	HostDrops     HostMode = "drops"     // reads the request and closes the connection
	HostDenies    HostMode = "denies"    // 401, asks for credentials
	HostLacks     HostMode = "lacks"     // 404
	HostLimits    HostMode = "limits"    // 429 with Retry-After
	HostFails     HostMode = "fails"     // 500
	HostHangs     HostMode = "hangs"     // reads the request and never answers
	HostDrips     HostMode = "drips"     // sends the body slowly
	HostTruncates HostMode = "truncates" // ends in the middle of a pack
	HostCorrupts  HostMode = "corrupts"  // sends a pack whose bytes were changed
	HostCheats    HostMode = "cheats"    // sends a sound pack of other objects than those that were asked for
	HostLies      HostMode = "lies"      // advertises refs at objects that it does not have, and then sends nothing of them
	HostFloods    HostMode = "floods"    // sends a pack that never ends
	HostRedirects HostMode = "redirects" // 302 to the same path at RedirectTo
)

// HostModes lists all modes.
func HostModes() []HostMode {
	return []HostMode{
		HostServes, HostRefuses, HostDrops, HostDenies, HostLacks, HostLimits, HostFails, HostHangs, HostDrips,
		HostTruncates, HostCorrupts, HostCheats, HostLies, HostFloods, HostRedirects,
	}
}

// A HostBehavior is how a host answers. The zero value is a good host. Times are of the target's world.
type HostBehavior struct {
	Mode HostMode
	// From is how long after Behave the mode begins; until then the host serves.
	From time.Duration
	// Period, if not zero, makes the host flap: Mode for one period, then serving for one, and so on.
	Period time.Duration
	// Delay is how long every answer takes to begin.
	Delay time.Duration

	RetryAfter time.Duration // of HostLimits, in whole seconds; zero sends no Retry-After
	RedirectTo string        // of HostRedirects: an origin, "http://127.0.0.1:1234"
	DripBytes  int           // of HostDrips: bytes in one second, at least 1

	// Version is the highest git protocol version that is spoken; zero means 2, and VersionOld 0.
	Version int
	// TipsOnly refuses wants that no ref points to, and makes a host of version 0 or 1 offer no wants by id.
	TipsOnly bool
}

// VersionOld is the HostBehavior.Version of a host that knows no protocol version but 0.
const VersionOld = -1

// Validate returns an error that names the setting that makes no sense.
func (b HostBehavior) Validate() error {
	switch {
	case !slices.Contains(HostModes(), b.Mode):
		return fmt.Errorf("host behavior: no mode %q", b.Mode)
	case b.From < 0 || b.Period < 0 || b.Delay < 0 || b.RetryAfter < 0:
		return errors.New("host behavior: a time is negative")
	case b.RetryAfter%time.Second != 0:
		return fmt.Errorf("host behavior: Retry-After of %v is no whole number of seconds", b.RetryAfter)
	case b.Mode == HostDrips && b.DripBytes < 1:
		return errors.New("host behavior: a host that drips sends at least one byte in a second")
	case b.Version < VersionOld || b.Version > 2:
		return fmt.Errorf("host behavior: no protocol version %d", b.Version)
	case b.Mode != HostRedirects:
		return nil
	}
	to, err := url.Parse(b.RedirectTo)
	if err != nil || to.Scheme == "" || strings.HasSuffix(b.RedirectTo, "/") {
		return fmt.Errorf("host behavior: %q is no origin to redirect to", b.RedirectTo)
	}
	return nil
}

// A HostRequest is one HTTP request at a host, or a connection that was reset before there was one.
type HostRequest struct {
	At      time.Time   // when it began
	Ended   time.Time   // when the last byte was sent, or the asker left; zero until then
	Method  string      // "" if the connection was reset first
	Path    string      // path of the repository, "/alice/demo.git", if it is a git request, else the whole path
	Service string      // "info/refs", "git-upload-pack"; "" if it is none of them
	Header  http.Header // as it came; a copy
	Wants   []string    // oids that were wanted, in order
	Status  int         // of the answer; 0 if there is none
}

// Starts reports whether the request begins a fetch: every fetch begins with exactly one such request, unless it is
// sent elsewhere in between.
func (r HostRequest) Starts() bool { return r.Service == "info/refs" || r.Method == "" }

// NoticedWithin is how late a host in real time may notice that an asker has left.
const NoticedWithin = 100 * time.Millisecond

// BusiestMoment is the largest number of requests that were under way at once. One whose end was noted no later than so
// long after another began does not count beside it, for its asker may have left before. Where the clock moves by our
// word alone that is no time at all: who left at the instant at which another came was gone.
func BusiestMoment(requests []HostRequest, noticed time.Duration) int {
	most := 0
	var open []HostRequest
	for _, r := range requests {
		over := r.At.Add(noticed)
		open = slices.DeleteFunc(open, func(o HostRequest) bool { return !o.Ended.IsZero() && !o.Ended.After(over) })
		open = append(open, r)
		most = max(most, len(open))
	}
	return most
}

// BusiestWindow is the largest number of fetches that began within a window of time, the first instant of the window
// included and the last not.
func BusiestWindow(requests []HostRequest, window time.Duration) int {
	var starts []time.Time
	for _, r := range requests {
		if r.Starts() {
			starts = append(starts, r.At)
		}
	}
	slices.SortFunc(starts, time.Time.Compare)
	most, first := 0, 0
	for i, at := range starts {
		for at.Sub(starts[first]) >= window {
			first++
		}
		most = max(most, i-first+1)
	}
	return most
}
