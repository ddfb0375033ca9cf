// Package instant holds the one time type of the core: an Instant is a number of nanoseconds, so that a
// clock is an argument and never ambient. It reads no clock and knows no time zone.
package instant

import (
	"strconv"
	"time"
)

// An Instant is a point in time in nanoseconds since the Unix epoch.
type Instant int64

// FromUnix returns the Instant at sec seconds since the Unix epoch.
func FromUnix(sec int64) Instant { return Instant(sec * int64(time.Second)) }

// Add returns the instant d later.
func (i Instant) Add(d time.Duration) Instant { return i + Instant(d) }

// Sub returns the duration from j to i.
func (i Instant) Sub(j Instant) time.Duration { return time.Duration(i - j) }

// Unix returns whole seconds since the Unix epoch, rounded down.
func (i Instant) Unix() int64 {
	sec := int64(i) / int64(time.Second)
	if int64(i)%int64(time.Second) < 0 {
		sec--
	}
	return sec
}

// String prints the instant as decimal nanoseconds, the form that traces use.
func (i Instant) String() string { return strconv.FormatInt(int64(i), 10) }
