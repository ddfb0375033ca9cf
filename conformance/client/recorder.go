package client

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// Limits of a Recorder.
const (
	// RecordEntriesDefault is how many entries a Recorder keeps unless told otherwise.
	RecordEntriesDefault = 1_024
	// RecordBytesMax is how many bytes of one frame or body are kept.
	RecordBytesMax = 4_096
)

// A Direction says who sent a recorded message.
type Direction uint8

// Directions; the zero value is invalid.
const (
	Sent Direction = iota + 1
	Received
	Remark // something that the client noticed, such as a connection that ended
)

// String draws the direction as transcripts show it.
func (d Direction) String() string {
	switch d {
	case Sent:
		return ">"
	case Received:
		return "<"
	case Remark:
		return "*"
	}
	return "?"
}

// An Entry is one recorded message.
type Entry struct {
	At      time.Time // by the target's clock
	Channel string    // "relay#3" or "http#4"; counted per client
	Dir     Direction
	Head    string // request or status line, or ""
	Bytes   []byte // the message, cut after RecordBytesMax
	Size    int    // its true size
}

// A Recorder keeps the latest messages of one or several clients in a ring. It may be used from
// several goroutines at once. Nothing secret passes through it: the client never sends a secret key.
type Recorder struct {
	mu    sync.Mutex
	ring  []Entry // guarded by mu
	next  int     // guarded by mu; where the next entry goes once the ring is full
	total int     // guarded by mu; entries ever recorded
	max   int
}

// NewRecorder returns a recorder of the latest entries; zero means RecordEntriesDefault.
func NewRecorder(entries int) *Recorder {
	if entries <= 0 {
		entries = RecordEntriesDefault
	}
	return &Recorder{max: entries}
}

// Entries returns what is kept, oldest first.
func (r *Recorder) Entries() []Entry {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := make([]Entry, 0, len(r.ring))
	out = append(out, r.ring[r.next:]...)
	return append(out, r.ring[:r.next]...)
}

// Total is how many entries were ever recorded since the last Reset.
func (r *Recorder) Total() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.total
}

// Reset forgets everything.
func (r *Recorder) Reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ring, r.next, r.total = nil, 0, 0
}

// String is the transcript: one line per entry, times relative to the first entry kept.
func (r *Recorder) String() string {
	var b strings.Builder
	entries := r.Entries()
	for _, e := range entries {
		fmt.Fprintf(&b, "%10.3fs %s %s", e.At.Sub(entries[0].At).Seconds(), e.Channel, e.Dir)
		if e.Head != "" {
			b.WriteString(" " + e.Head)
		}
		if e.Size > 0 {
			fmt.Fprintf(&b, " %q", e.Bytes)
		}
		if e.Size > len(e.Bytes) {
			fmt.Fprintf(&b, " ... (%d bytes)", e.Size)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// record keeps a copy of one message.
func (c *Client) record(channel string, dir Direction, head string, msg []byte) {
	c.recordPart(channel, dir, head, msg[:min(len(msg), RecordBytesMax)], len(msg))
}

// recordPart keeps a copy of the start of one message, with the size of the whole.
func (c *Client) recordPart(channel string, dir Direction, head string, start []byte, size int) {
	c.rec.add(Entry{At: c.target.Now(), Channel: channel, Dir: dir, Head: head, Bytes: slices.Clone(start), Size: size})
}

func (r *Recorder) add(e Entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.total++
	if len(r.ring) < r.max {
		r.ring = append(r.ring, e)
		return
	}
	r.ring[r.next] = e
	r.next = (r.next + 1) % r.max
}

// Remark records something that was done on the client's behalf, such as by another program, and what came of it.
func (c *Client) Remark(channel, head, text string) { c.record(channel, Remark, head, []byte(text)) }
