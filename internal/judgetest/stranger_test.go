package judgetest

import (
	"context"
	"net/http"
	"time"

	"github.com/graspkit/graspkit/conformance/target"
)

// A foreigner is a server of ours as its URL would show it: its clock cannot be moved, it cannot be restarted, and no row
// about the reference alone applies to it.
type foreigner struct{ of target.Target }

// asForeign hides whose server a target is.
func asForeign(of target.Target) target.Target { return foreigner{of} }

// asForeignRaw is asForeign for a target with bare connections.
func asForeignRaw(of target.Target) target.Target {
	raw, is := of.(target.RawDialer)
	if !is {
		return foreigner{of}
	}
	return struct {
		foreigner
		target.RawDialer
	}{foreigner{of}, raw}
}

// World is "live".
func (f foreigner) World() string { return "live" }

func (f foreigner) Name() string { return "foreign" }

func (f foreigner) ServiceURL() string { return f.of.ServiceURL() }

func (f foreigner) Dial(ctx context.Context) (target.Conn, error) { return f.of.Dial(ctx) }

func (f foreigner) RoundTrip(req *http.Request) (*http.Response, error) { return f.of.RoundTrip(req) }

func (f foreigner) Now() time.Time { return f.of.Now() }

func (f foreigner) Sleep(ctx context.Context, d time.Duration) error { return f.of.Sleep(ctx, d) }
