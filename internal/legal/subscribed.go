package legal

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
