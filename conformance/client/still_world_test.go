package client_test

import (
	"context"
	"net/http"
	"time"

	"github.com/graspkit/graspkit/conformance/target"
)

// A stillWorld is a target in which nothing happens but time, and that for free.
type stillWorld struct {
	now time.Time
	err error
}

func (w *stillWorld) Name() string       { return "still" }
func (w *stillWorld) ServiceURL() string { return "http://still.invalid" }

func (w *stillWorld) Dial(context.Context) (target.Conn, error) { return nil, target.ErrIdle }

func (w *stillWorld) RoundTrip(*http.Request) (*http.Response, error) { return nil, target.ErrIdle }

func (w *stillWorld) Now() time.Time { return w.now }

func (w *stillWorld) Sleep(_ context.Context, d time.Duration) error {
	if w.err != nil {
		return w.err
	}
	w.now = w.now.Add(d)
	return nil
}

// A movedWorld is one whose clock moves by our word alone.
type movedWorld struct{ stillWorld }

func (w *movedWorld) Advance(ctx context.Context, d time.Duration) error { return w.Sleep(ctx, d) }
