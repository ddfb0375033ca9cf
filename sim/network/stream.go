package network

import (
	"time"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/sim/kernel"
)

// A Stream is one direction of a connection, as TCP makes one of a way that loses messages: what is sent arrives once and in
// order, no two at one instant, or the connection breaks. What is lost is sent again, so that all it costs is time.
type Stream struct {
	way    *Way
	last   instant.Instant // when the last message arrives
	broken instant.Instant // when who sends learns that nothing arrives any more, if not 0
}

// How a stream sends again what was lost: first after so long, each time after twice as long, up to the longest wait; and
// after StreamPatience it is broken.
const (
	resendFirst    = 200 * time.Millisecond
	resendMost     = 10 * time.Second
	StreamPatience = time.Minute
)

// NewStream returns a stream along a way.
func NewStream(w *Way) *Stream { return &Stream{way: w} }

// Send sends a message of so many bytes, as Way.Send does. It reports when the message arrives; or that it does not, and when who
// sends it learns that the stream is broken.
func (s *Stream) Send(now instant.Instant, content kernel.Key, size int) (at instant.Instant, arrives bool) {
	if s.broken > 0 {
		return s.broken, false
	}
	wait := resendFirst
	for sent, n := now, uint64(0); sent < now.Add(StreamPatience); n++ {
		fate := s.way.Send(sent, content, size)
		if fate.N > 0 {
			s.last = max(s.last+1, fate.At[0])
			return s.last, true
		}
		content, size = content.WithText("again").With(n), 0 // the bytes have passed what is narrow, or will beside others
		sent = sent.Add(wait)
		wait = min(2*wait, resendMost)
	}
	s.broken = now.Add(StreamPatience)
	return s.broken, false
}

// Broken reports whether something that was sent will not arrive.
func (s *Stream) Broken() bool { return s.broken > 0 }
