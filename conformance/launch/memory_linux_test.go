package launch_test

import (
	"errors"
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/launch"
)

// A server is weighed with whatever it has begun, as long as it lives.
func TestWeigh(t *testing.T) {
	for name, command := range map[string]launch.Command{
		"alone":  fake("good"),
		"behind": {Args: []string{"sh", "-c", "fake-server good {addr} {data}; true"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, command)
			const little = 4 << 20 // a shell has less, a program in Go has more
			for range 2 {
				if got, err := s.Weigh(t.Context()); err != nil || got < little {
					t.Errorf("got %d bytes, %v, want more than %d", got, err, little)
				}
			}
			_ = s.Close() // what a shell has begun survives it, which is an error of its own
			if got, err := s.Weigh(t.Context()); !errors.Is(err, launch.ErrClosed) {
				t.Errorf("once it is closed: got %d bytes, %v, want %v", got, err, launch.ErrClosed)
			}
		})
	}
}

// A server that takes more than it may is ended, with whatever it has begun, before nobody else has any; it is told why it died.
func TestMemoryMax(t *testing.T) {
	c := fake("good")
	c.MemoryMax = 1 << 10
	s := start(t, c)
	for limit := time.Now().Add(20 * time.Second); time.Now().Before(limit); {
		if err := s.Alive(); err != nil {
			if !errors.Is(err, launch.ErrDied) || !errors.Is(err, launch.ErrGrown) {
				t.Errorf("got %v, want %v and %v", err, launch.ErrDied, launch.ErrGrown)
			}
			return
		}
	}
	t.Error("it lives on")
}
