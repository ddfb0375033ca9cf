package eventstore

import (
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/repo"
)

// LimitBytes sets how many bytes all events may take, by repo.Size; zero is no limit. What is there already stays.
func (s *Store) LimitBytes(bytesMax int) { s.bytesMax = bytesMax }

// Bytes is what all events take, by repo.Size.
func (s *Store) Bytes() int { return s.bytes }

// heavy reports whether the store would take too much with an event in place of others, beside the bytes that are kept.
func (s *Store) heavy(ev *nostr.Event, replaced []*nostr.Event, kept int) bool {
	if s.bytesMax == 0 {
		return false
	}
	after := s.bytes + kept + repo.Size(ev)
	for _, old := range replaced {
		after -= repo.Size(old)
	}
	return after > s.bytesMax
}
