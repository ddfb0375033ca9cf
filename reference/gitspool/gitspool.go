// Package gitspool keeps what goes between a client and a git process while one of the two is slower than the other: a little
// in memory, the rest in a file, all of them together no more than a limit. It knows nothing of what it keeps.
package gitspool

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/graspkit/graspkit/reference/gitlayout"
)

// ErrFull is returned by Write when the spools of a pool hold as much as they may.
var ErrFull = errors.New("gitspool: as much is held as may be")

// Busy is what ErrFull means to the sender of a pack.
const Busy = "the server holds too many packs at the moment, try again later"

// Limits are the settings of a Pool. A zero field means its default.
type Limits struct {
	Memory int64 // bytes that one spool keeps in memory before it gets a file; default 256 KiB
	Files  int64 // bytes in the files of all spools; default 8 GiB
}

func (l Limits) withDefaults() Limits {
	if l.Memory == 0 {
		l.Memory = 256 << 10
	}
	if l.Files == 0 {
		l.Files = 8 << 30
	}
	return l
}

// A Pool makes spools. It is safe for use by many goroutines.
type Pool struct {
	dir    string
	limits Limits

	mu   sync.Mutex // guards used
	used int64      // bytes in files
}

// New returns a pool whose files are in a folder of its own, which is made if it is not there, and emptied of what a crash
// has left.
func New(dir string, limits Limits) (*Pool, error) {
	if err := os.RemoveAll(dir); err != nil {
		return nil, fmt.Errorf("remove spools of a crash: %w", err)
	}
	if err := gitlayout.MakeDir(gitlayout.Unsynced{}, dir); err != nil {
		return nil, fmt.Errorf("make folder of spools: %w", err)
	}
	return &Pool{dir: dir, limits: limits.withDefaults()}, nil
}

// take counts bytes that go into a file, unless they are too many.
func (p *Pool) take(n int64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n > p.limits.Files-p.used {
		return ErrFull
	}
	p.used += n
	return nil
}

func (p *Pool) give(n int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.used -= n
}

// Open returns an empty spool. It must be closed.
func (p *Pool) Open() *Spool { return &Spool{pool: p} }

// A Spool takes bytes and gives them back as often as asked, until it is closed. It is for one goroutine.
type Spool struct {
	pool   *Pool
	memory []byte   // all, until there is a file
	file   *os.File // nil as long as all is in memory
	size   int64
}

var _ interface {
	io.Writer
	io.ReaderAt
} = (*Spool)(nil)

// Len returns how many bytes there are.
func (s *Spool) Len() int64 { return s.size }

// Write appends bytes, or returns ErrFull.
func (s *Spool) Write(b []byte) (int, error) {
	if s.file == nil && s.size+int64(len(b)) <= s.pool.limits.Memory {
		s.memory = append(s.memory, b...)
		s.size += int64(len(b))
		return len(b), nil
	}
	if s.file == nil {
		if err := s.spill(); err != nil {
			return 0, err
		}
	}
	if err := s.pool.take(int64(len(b))); err != nil {
		return 0, err
	}
	n, err := s.file.WriteAt(b, s.size)
	s.size += int64(n)
	s.pool.give(int64(len(b) - n))
	if err != nil {
		return n, fmt.Errorf("spool: %w", err)
	}
	return n, nil
}

// spill moves what is in memory to a file.
func (s *Spool) spill() error {
	if err := s.pool.take(s.size); err != nil {
		return err
	}
	f, err := os.CreateTemp(s.pool.dir, "")
	if err == nil {
		if _, err = f.WriteAt(s.memory, 0); err != nil {
			err = errors.Join(err, f.Close(), os.Remove(f.Name()))
		}
	}
	if err != nil {
		s.pool.give(s.size)
		return fmt.Errorf("spool: %w", err)
	}
	s.file, s.memory = f, nil
	return nil
}

// ReadAt implements io.ReaderAt.
func (s *Spool) ReadAt(b []byte, at int64) (int, error) {
	if s.file != nil {
		return s.file.ReadAt(b, at)
	}
	if at >= s.size {
		return 0, io.EOF
	}
	n := copy(b, s.memory[at:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

// reset forgets what there is. The next bytes are kept in memory again.
func (s *Spool) reset() error {
	memory := s.memory[:0]
	err := s.Close()
	s.memory, s.size = memory, 0
	return err
}

// Close forgets everything.
func (s *Spool) Close() error {
	if s.file == nil {
		s.memory = nil
		return nil
	}
	err := errors.Join(s.file.Close(), os.Remove(s.file.Name()))
	s.pool.give(s.size)
	s.file = nil
	return err
}
