package githost

import (
	"time"

	"github.com/graspkit/graspkit/conformance/target"
)

// Troubles says how a host behaves that a judge told how to, in the words of this package. Bytes is how much it holds,
// for a host that drips. What is about protocol versions and advertised tips is left to who speaks the protocol.
func Troubles(b target.HostBehavior, bytes int) []Trouble {
	trouble := Trouble{Mode: Mode(b.Mode), From: b.From, Period: b.Period, Delay: b.Delay}
	switch b.Mode { //nolint:exhaustive // the others have no settings of their own
	case target.HostLimits:
		trouble.RetryAfter = b.RetryAfter
	case target.HostRedirects:
		trouble.RedirectTo = b.RedirectTo
	case target.HostDrips:
		trouble.Slow = time.Duration(bytes/b.DripBytes+1) * time.Second
	}
	return []Trouble{{Delay: b.Delay}, trouble}
}
