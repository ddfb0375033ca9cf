package ledger

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"
)

// A File is where a ledger goes: an [os.File], or what stands for one.
type File interface {
	io.WriteCloser
	// Sync returns when everything that was written is durable.
	Sync() error
}

// A Ledger is written to. It may be used from several goroutines at once. Once a line could not be written no other one is, and
// each call says so: nothing is to be sent that is not listed.
type Ledger struct {
	mu      sync.Mutex
	file    File
	broken  error          // guarded by mu; why nothing is written any more
	written int64          // guarded by mu; lines
	keys    map[string]Key // guarded by mu; by public key, of which no event is listed yet
	counts  Counts         // guarded by mu

	syncing sync.Mutex
	durable int64 // guarded by syncing; lines that are on the disk for sure
}

// Counts say how much a ledger lists.
type Counts struct {
	Events, Pushes int
	Bytes          int64
}

// Create makes a file for a ledger, which must not be there, and writes the first line.
func Create(path string, first Run) (*Ledger, error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("create ledger: %w", err)
	}
	l, err := begin(file, first)
	if err != nil {
		_ = file.Close()
		_ = os.Remove(path) // nothing was sent
		return nil, err
	}
	return l, nil
}

// Append opens the file of a ledger to write more of the same run.
func Append(path string) (*Ledger, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return nil, fmt.Errorf("open ledger: %w", err)
	}
	if _, err := file.WriteString("\n"); err != nil { // behind a line that a killed run has not ended
		_ = file.Close() // the other error counts
		return nil, fmt.Errorf("write ledger: %w", err)
	}
	return &Ledger{file: file, keys: make(map[string]Key)}, nil
}

// New returns a ledger that is written to a file which somebody else has opened, and writes the first line.
func New(file File, first Run) (*Ledger, error) { return begin(file, first) }

func begin(file File, first Run) (*Ledger, error) {
	l := &Ledger{file: file, keys: make(map[string]Key)}
	first.Type, first.Schema = TypeRun, Schema
	return l, l.durably(first, Counts{})
}

// Key says whose a key is. It is listed with the first event of that key, which many have none of.
func (l *Ledger) Key(k Key) {
	k.Type = TypeKey
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, known := l.keys[k.Pubkey]; !known {
		l.keys[k.Pubkey] = k
	}
}

// Event lists an event. It is durable when this returns.
func (l *Ledger) Event(e Event) error {
	e.Type = TypeEvent
	if len(e.Identifier) > textMax || len(e.Address) > textMax {
		e.Identifier, e.Address, e.Repository = "", "", ""
	}
	if err := l.author(e.Pubkey); err != nil {
		return err
	}
	return l.durably(e, Counts{Events: 1, Bytes: int64(e.Bytes)})
}

// Push lists a push. It is durable when this returns.
func (l *Ledger) Push(p Push) error {
	p.Type = TypePush
	if len(p.Repository) > 3*textMax {
		return nil // no repository has such a name
	}
	return l.durably(p, Counts{Pushes: 1, Bytes: int64(p.Bytes)})
}

// Answer lists the answer to an event.
func (l *Ledger) Answer(id string, taken bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := l.write(Answer{Type: TypeAnswer, ID: id, Taken: taken})
	return err
}

// author lists the key of an event's author, if that is known and was not done yet.
func (l *Ledger) author(pubkey string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	k, known := l.keys[pubkey]
	if !known || k.Type == "" {
		return nil
	}
	if _, err := l.write(k); err != nil {
		return err
	}
	l.keys[pubkey] = Key{}
	return nil
}

// Counts is how much was listed through this value.
func (l *Ledger) Counts() Counts {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.counts
}

// Close ends writing. It returns what kept a line from being written, if anything did.
func (l *Ledger) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return l.broken
	}
	if err := l.file.Close(); err != nil && l.broken == nil {
		l.broken = fmt.Errorf("close ledger: %w", err)
	}
	l.file = nil
	return l.broken
}

// durably writes a line and waits until it is on the disk. Those who write meanwhile share the wait.
func (l *Ledger) durably(line any, counts Counts) error {
	l.mu.Lock()
	at, err := l.write(line)
	if err == nil {
		l.counts.Events += counts.Events
		l.counts.Pushes += counts.Pushes
		l.counts.Bytes += counts.Bytes
	}
	l.mu.Unlock()
	if err != nil {
		return err
	}
	l.syncing.Lock()
	defer l.syncing.Unlock()
	if l.durable >= at {
		return nil
	}
	l.mu.Lock()
	covered, file := l.written, l.file
	l.mu.Unlock()
	if file == nil {
		return fmt.Errorf("sync ledger: %w", os.ErrClosed)
	}
	if err := file.Sync(); err != nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.broken = fmt.Errorf("sync ledger: %w", err)
		return l.broken
	}
	l.durable = covered
	return nil
}

// write writes a line and returns its number. The caller holds mu.
func (l *Ledger) write(line any) (int64, error) {
	if l.broken != nil {
		return 0, l.broken
	}
	if l.file == nil {
		return 0, fmt.Errorf("write ledger: %w", os.ErrClosed)
	}
	text, err := json.Marshal(line)
	if err == nil {
		_, err = l.file.Write(append(text, '\n'))
	}
	if err != nil {
		l.broken = fmt.Errorf("write ledger: %w", err)
		return 0, l.broken
	}
	l.written++
	return l.written, nil
}
