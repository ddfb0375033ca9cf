package relay

// What an open subscription takes in memory beside its texts, rounded up: with its sets and its places in the lists of
// an audience. A test compares it with the heap.
const (
	filterBytes = 768 // a filter with its share of the subscription
	letterBytes = 128 // a tag that is asked for
	valueBytes  = 288 // one value of any list
)

// Bytes is the account of the memory that a filter takes while a subscription has it.
func (f Filter) Bytes() int {
	n := filterBytes + valueBytes*len(f.Kinds)
	texts := func(values []string) {
		n += valueBytes * len(values)
		for _, value := range values {
			n += len(value)
		}
	}
	texts(f.IDs)
	texts(f.Authors)
	for _, tag := range f.Tags {
		n += letterBytes
		texts(tag.Values)
	}
	return n
}

// FilterBytes is the account of filters together.
func FilterBytes(filters []Filter) int {
	n := 0
	for _, f := range filters {
		n += f.Bytes()
	}
	return n
}

// Reserve adds filters to the account that are no subscription and stay for a while, and Free takes them out again.
func (s *Session) Reserve(bytes int) {
	s.bytes += bytes
	if s.audience != nil {
		s.audience.bytes += bytes
	}
}

// Free ends what Reserve began. A session leaves its audience with nothing reserved.
func (s *Session) Free(bytes int) { s.Reserve(-bytes) }

// Bytes is the account of the filters of all open subscriptions of the session, and of what is reserved.
func (s *Session) Bytes() int { return s.bytes }

// BytesOf is the account of the filters of one subscription; 0 if it is not open.
func (s *Session) BytesOf(sub string) int {
	if at := s.index(sub); at >= 0 {
		return s.subs[at].bytes
	}
	return 0
}

// Bytes is the account of the filters of all open subscriptions of all sessions.
func (a *Audience) Bytes() int { return a.bytes }
