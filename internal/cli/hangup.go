package cli

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// A hangup is what becomes of SIGHUP: it ends the command, unless that has asked to be told instead.
type hangup struct {
	mu    sync.Mutex    // guards told
	told  chan struct{} // nil if it ends the command
	heard chan os.Signal
}

type hangupKey struct{}

// Hangups has SIGHUP end the command no more: what is returned is told of it, of several once if nobody looks in between. It is for
// commands that read files again. ctx is that of a command that Run carries out; of any other one nothing is ever told.
func Hangups(ctx context.Context) <-chan struct{} {
	h, is := ctx.Value(hangupKey{}).(*hangup)
	if !is {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.told == nil {
		h.told = make(chan struct{}, 1)
		signal.Notify(h.heard, syscall.SIGHUP) // also where it was ignored, so that the command outlives its terminal
	}
	return h.told
}

// watchHangup begins to listen for SIGHUP, and has end called when it is not for the command. What it returns ends that.
func watchHangup(ctx context.Context, end func()) (context.Context, func()) {
	h := &hangup{heard: make(chan os.Signal, 1)}
	if !signal.Ignored(syscall.SIGHUP) { // else it is meant to outlive its terminal
		signal.Notify(h.heard, syscall.SIGHUP)
	}
	over := make(chan struct{})
	context.AfterFunc(ctx, func() { time.AfterFunc(Together, h.ends) })
	var listener sync.WaitGroup
	listener.Go(func() {
		for {
			select {
			case <-h.heard:
				h.tell(end)
			case <-over:
				return
			}
		}
	})
	return context.WithValue(ctx, hangupKey{}, h), func() {
		signal.Stop(h.heard)
		close(over)
		listener.Wait()
	}
}

// ends has a further SIGHUP end the process once the command is about to end.
func (h *hangup) ends() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.told == nil {
		signal.Stop(h.heard)
	}
}

func (h *hangup) tell(end func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.told == nil {
		end()
		return
	}
	select {
	case h.told <- struct{}{}:
	default: // it has not been looked at, and is as good as another one
	}
}
