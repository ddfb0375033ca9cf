package negentropy

// Open is how many ranges are not settled.
func (s *Set) Open() int { return len(s.asked.open) }
