package client

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Limits of a Recorder.
const (
	// RecordEntriesDefault is how many entries a Recorder keeps unless told otherwise.
	RecordEntriesDefault = 1_024
	// RecordBytesMax is how many bytes of one frame or body that came are kept.
	RecordBytesMax = 4_096
	// RecordSentMax is how many bytes of one frame or body that was sent are kept: who repeats a check by hand needs all of them.
	RecordSentMax = 131_072
	// RecordTotalMax is how many bytes are kept in all before each further message is cut like one that came.
	RecordTotalMax = 2 << 20
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
	Step    int       // the mark that was set last
	Channel string    // "relay#3" or "http#4"; counted per client
	Dir     Direction
	Head    string      // request or status line, or ""
	Header  http.Header // of HTTP; credentials are not in it
	Bytes   []byte      // the message, cut after RecordSentMax or RecordBytesMax
	Size    int         // its true size
}

// Spent is what was sent, whether it is kept or not.
type Spent struct {
	Events   int   // frames that publish an event
	Pushes   int   // requests to receive-pack
	Requests int   // over HTTP, pushes among them
	Bytes    int64 // of frames and bodies
}

// A Recorder keeps the latest messages of one or several clients in a ring. It may be used from
// several goroutines at once. Nothing secret passes through it: the client never sends a secret key.
type Recorder struct {
	mu    sync.Mutex
	ring  []Entry // guarded by mu
	next  int     // guarded by mu; where the next entry goes once the ring is full
	total int     // guarded by mu; entries ever recorded
	step  int     // guarded by mu; that entries belong to
	kept  int     // guarded by mu; bytes in the ring
	spent Spent   // guarded by mu
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

// Mark says to which step of a check all further entries belong.
func (r *Recorder) Mark(step int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.step = step
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

// record keeps a copy of one message.
func (c *Client) record(channel string, dir Direction, head string, msg []byte) {
	most := RecordBytesMax
	if dir == Sent {
		most = RecordSentMax
	}
	c.rec.add(Entry{
		At: c.target.Now(), Channel: channel, Dir: dir, Head: head, Bytes: slices.Clone(msg[:min(len(msg), most)]), Size: len(msg),
	})
}

// recordRequest keeps a copy of a request, with as much of its body as is kept, and with a header as it may be told.
func (c *Client) recordRequest(channel, method, path string, header http.Header, body payload) {
	c.rec.add(Entry{
		At: c.target.Now(), Channel: channel, Dir: Sent, Head: method + " " + path, Header: header,
		Bytes: body.start(RecordSentMax), Size: body.size(),
	})
}

// recordAnswer keeps a copy of an answer.
func (c *Client) recordAnswer(channel string, status int, header http.Header, body []byte) {
	c.rec.add(Entry{
		At: c.target.Now(), Channel: channel, Dir: Received, Head: fmt.Sprintf("HTTP %d", status), Header: header,
		Bytes: slices.Clone(body[:min(len(body), RecordBytesMax)]), Size: len(body),
	})
}

// withoutCredentials returns the header as it may be told.
func withoutCredentials(header http.Header) http.Header {
	told := header.Clone()
	for _, name := range []string{"Authorization", "Cookie", "Proxy-Authorization"} {
		if told.Get(name) != "" {
			told.Set(name, "(left out)")
		}
	}
	return told
}

func (r *Recorder) add(e Entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.total++
	r.spent.add(e)
	e.Step = r.step
	if r.kept > RecordTotalMax {
		e.Bytes = slices.Clip(slices.Clone(e.Bytes[:min(len(e.Bytes), RecordBytesMax)]))
	}
	r.kept += len(e.Bytes)
	if len(r.ring) < r.max {
		r.ring = append(r.ring, e)
		return
	}
	r.kept -= len(r.ring[r.next].Bytes)
	r.ring[r.next] = e
	r.next = (r.next + 1) % r.max
}

// Plus is both together.
func (s Spent) Plus(o Spent) Spent {
	return Spent{s.Events + o.Events, s.Pushes + o.Pushes, s.Requests + o.Requests, s.Bytes + o.Bytes}
}

// add counts one entry.
func (s *Spent) add(e Entry) {
	if e.Dir != Sent {
		return
	}
	s.Bytes += int64(e.Size)
	if e.Head == "" {
		if bytes.HasPrefix(bytes.TrimLeft(e.Bytes, " \t\r\n"), []byte(`["EVENT"`)) {
			s.Events++
		}
		return
	}
	s.Requests++
	if method, path, ok := strings.Cut(e.Head, " "); ok && requestKind(method, path) == ReceivePack {
		s.Pushes++
	}
}

// Spent is what was sent so far.
func (r *Recorder) Spent() Spent {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.spent
}

// Remark records something that was done on the client's behalf, such as by another program, and what came of it.
func (c *Client) Remark(channel, head, text string) { c.record(channel, Remark, head, []byte(text)) }
