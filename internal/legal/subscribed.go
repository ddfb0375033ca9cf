package legal

import "time"

// subscribed keeps something of each subscription of each connection, by its id.
type subscribed[T any] map[*line]map[string]T

func (s subscribed[T]) set(l *line, sub string, what T) {
	if s[l] == nil {
		s[l] = map[string]T{}
	}
	s[l][sub] = what
}

// left forgets a connection that has ended.
func (s subscribed[T]) left(l *line) { delete(s, l) }

// spoken lets through what is said, but for events and ends of subscriptions that are not open any more.
func (s subscribed[T]) spoken(_ time.Time, l *line, msg []byte) (time.Duration, bool) {
	m := read(msg)
	_, open := s[l][m.name]
	return 0, open || m.verb != "EVENT" && m.verb != "EOSE"
}
