package ledger

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
)

// A Book is what a ledger says, read back.
type Book struct {
	Run  Run
	Keys map[string]Key // by public key
	// Events are each id once, in the order in which they were listed first. Where an id was sent in several forms, most of them
	// forged, it is the first one of a key in Keys.
	Events []Event
	Pushes map[string]int  // pushes by URL of the repository
	Taken  map[string]bool // by id, of the events that were answered: whether one of the answers took it
	// Repositories are those that were announced, by URL: the ids of what announces them.
	Repositories map[string][]string
	Cut          int            // lines that nobody can read, as the last one of a run that was killed
	Bytes        int64          // of all events and pushes
	known        map[string]int // places in Events, by id
}

// Errors of reading.
var (
	// ErrNoLedger is of a file that is none.
	ErrNoLedger = errors.New("ledger: the file is no ledger")
	// ErrBegun is of one whose first line was not written whole: nothing was sent.
	ErrBegun = errors.New("ledger: the run was ended before it had sent anything")
	// ErrTooLong is of one with more lines than anybody reads.
	ErrTooLong = errors.New("ledger: too many lines")
)

// Open reads a file.
func Open(path string) (*Book, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open ledger: %w", err)
	}
	defer file.Close()
	return Read(file)
}

// Read reads a ledger. Lines that are cut or damaged are counted and passed over, for whatever can still be removed should be; but
// the first one must say which run it is.
func Read(from io.Reader) (*Book, error) {
	b := &Book{
		Keys: make(map[string]Key), Pushes: make(map[string]int), Taken: make(map[string]bool), known: make(map[string]int),
		Repositories: make(map[string][]string),
	}
	in := bufio.NewReaderSize(from, LineMax)
	for n := 0; ; n++ {
		if n == LinesMax {
			return nil, fmt.Errorf("%w: more than %d", ErrTooLong, LinesMax)
		}
		line, whole, err := readLine(in)
		if n == 0 && !whole && begun(line) {
			return nil, ErrBegun
		}
		if n == 0 && (json.Unmarshal(line, &b.Run) != nil || b.Run.Type != TypeRun || b.Run.Schema != Schema) {
			return nil, fmt.Errorf("%w: the first line is not that of %s", ErrNoLedger, Schema)
		}
		if n > 0 && len(bytes.TrimSpace(line)) > 0 && (!whole || !b.take(line)) {
			b.Cut++
		}
		if errors.Is(err, io.EOF) {
			return b, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read ledger: %w", err)
		}
	}
}

// begun reports whether a line is the beginning of a first one.
func begun(line []byte) bool {
	const first = `{"type":"run"`
	n := min(len(line), len(first))
	return string(line[:n]) == first[:n]
}

// readLine reads to the end of a line. One that is too long, or has no end, is not whole.
func readLine(in *bufio.Reader) (line []byte, whole bool, err error) {
	line, err = in.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, err == nil, err
	}
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = in.ReadSlice('\n')
	}
	return []byte("too long"), false, err
}

// take files a line, and reports whether it says anything.
func (b *Book) take(line []byte) bool {
	var kind struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(line, &kind) != nil {
		return false
	}
	switch kind.Type {
	case TypeKey:
		var k Key
		if json.Unmarshal(line, &k) != nil || k.Pubkey == "" {
			return false
		}
		b.Keys[k.Pubkey] = k
	case TypeEvent:
		var e Event
		if json.Unmarshal(line, &e) != nil || e.ID == "" {
			return false
		}
		b.Bytes += int64(e.Bytes)
		if e.Repository != "" {
			b.Repositories[e.Repository] = append(b.Repositories[e.Repository], e.ID)
		}
		at, known := b.known[e.ID]
		if !known {
			b.known[e.ID] = len(b.Events)
			b.Events = append(b.Events, e)
		} else if b.Keys[b.Events[at].Pubkey].Pubkey == "" && b.Keys[e.Pubkey].Pubkey != "" {
			b.Events[at] = e
		}
	case TypePush:
		var p Push
		if json.Unmarshal(line, &p) != nil || p.Repository == "" {
			return false
		}
		b.Bytes += int64(p.Bytes)
		b.Pushes[p.Repository]++
	case TypeAnswer:
		var a Answer
		if json.Unmarshal(line, &a) != nil || a.ID == "" {
			return false
		}
		b.Taken[a.ID] = b.Taken[a.ID] || a.Taken
	default:
		return false
	}
	return true
}

// Refused reports whether an event was answered, and never taken.
func (b *Book) Refused(id string) bool {
	taken, answered := b.Taken[id]
	return answered && !taken
}

// Made are the URLs of the repositories that the server has, or may have, made, in order: those that were pushed to, and those that
// an event announces which was not refused.
func (b *Book) Made() []string {
	made := make(map[string]bool)
	for at, ids := range b.Repositories {
		if slices.ContainsFunc(ids, func(id string) bool { return !b.Refused(id) }) {
			made[at] = true
		}
	}
	for at := range b.Pushes {
		made[at] = true
	}
	return slices.Sorted(maps.Keys(made))
}
