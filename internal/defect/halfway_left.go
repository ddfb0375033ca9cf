package defect

import (
	"errors"
	"io"
	"sync"

	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// latched locks a repository for each push, and leaves it locked where the pack broke off.
type latched struct {
	backend
	mu     sync.Mutex
	locked map[repo.ID]bool // guarded by mu
}

func (l *latched) Receive(c gitstore.Cancel, id repo.ID, push gitstore.Push, pack io.Reader) (gitstore.Report, error) {
	l.mu.Lock()
	locked := l.locked[id]
	l.mu.Unlock()
	if locked {
		report := gitstore.Report{Unpack: "unable to lock the repository"}
		for _, command := range push.Commands {
			report.Results = append(report.Results, gitstore.Result{Ref: command.Ref, Reason: "unable to lock the repository"})
		}
		return report, push.Arrived()
	}
	whole := &broken{Reader: pack}
	report, err := l.Backend.Receive(c, id, push, whole)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.locked[id] = whole.off || c.Err() != nil
	return report, err
}

// broken reads, and knows whether what it reads broke off.
type broken struct {
	io.Reader
	off bool
}

// Read implements io.Reader.
func (b *broken) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	b.off = b.off || err != nil && !errors.Is(err, io.EOF)
	return n, err
}
