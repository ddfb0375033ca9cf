package client_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
)

// full is a server that takes so many connections at a time.
type full struct{ most, open int }

func (*full) Name() string                                    { return "full" }
func (*full) ServiceURL() string                              { return "http://127.0.0.1:7334" }
func (*full) Now() time.Time                                  { return time.Now() }
func (*full) Sleep(_ context.Context, d time.Duration) error  { <-time.After(d); return nil }
func (*full) RoundTrip(*http.Request) (*http.Response, error) { return nil, target.ErrClosed }
func (f *full) Send(context.Context, []byte) error            { return nil }
func (f *full) Recv(ctx context.Context) ([]byte, error)      { <-ctx.Done(); return nil, target.ErrIdle }
func (f *full) Close() error                                  { f.open--; return nil }
func (f *full) Dial(context.Context) (target.Conn, error) {
	if f.open == f.most {
		return nil, errors.New("the handshake was answered with HTTP 429")
	}
	f.open++
	return f, nil
}

// Who holds a connection waits a short while for a further one, and asks for none any more once it was not to be had; who holds none, or
// is alone, is patient.
func TestWhoHoldsAConnectionGivesUpSoon(t *testing.T) {
	for name, c := range map[string]struct {
		shares, holds bool
		first, second [2]time.Duration
	}{
		"holding":       {true, true, [2]time.Duration{5 * time.Second, 10 * time.Second}, [2]time.Duration{0, 0}},
		"holding alone": {false, true, [2]time.Duration{50 * time.Second, time.Minute}, [2]time.Duration{50 * time.Second, time.Minute}},
		"with nothing":  {true, false, [2]time.Duration{50 * time.Second, time.Minute}, [2]time.Duration{50 * time.Second, time.Minute}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server, pace := &full{most: 1}, client.NewPace(0)
				holder := client.New(server, client.Options{Pace: pace})
				if c.holds {
					holder = client.New(server, client.Options{Shares: c.shares, Pace: pace})
				}
				held := connect(t.Context(), t, holder)
				asks := holder
				if !c.holds {
					asks = client.New(server, client.Options{Shares: c.shares, Pace: pace})
				}
				for _, within := range [][2]time.Duration{c.first, c.second} {
					begun := time.Now()
					_, o := asks.Relay(t.Context())
					if took := time.Since(begun); !client.Inconclusive(o) || took < within[0] || took > within[1] {
						t.Errorf("got %v after %v, want it within %v", o, took, within)
					}
				}
				held.Close()
				connect(t.Context(), t, asks).Close()
			})
		})
	}
}

// Who is alone and holds all connections that there are is told that there is no place for another; who shares them, that they are asked for
// too fast.
func TestWhoHoldsAllConnectionsIsTold(t *testing.T) {
	for _, shares := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			c := client.New(&full{most: 2}, client.Options{Shares: shares, Pace: client.NewPace(0)})
			defer connect(t.Context(), t, c).Close()
			defer connect(t.Context(), t, c).Close()
			_, o := c.Relay(t.Context())
			if got, is := o.(client.NoPlace); is == shares || is && got.Open != 2 {
				t.Errorf("shares %t: got %v", shares, o)
			}
		})
	}
}
