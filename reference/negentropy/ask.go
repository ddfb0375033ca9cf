package negentropy

// An inquiry is how far a set has come in asking another. What lies in no open range is settled.
type inquiry struct {
	open   []span // in order; none overlaps another
	sent   int    // those that the last message asks about, the first ones
	opened int    // ranges that were ever open
	told   int    // ids that were ever returned
}

// A span is a range that is not settled, and how it is asked about: by the fingerprint of our items in it, or by their ids.
type span struct {
	lower, upper bound
	mode         byte
	cut          bool // what was below lower has been settled, or is a span of its own
}

// Begin is the first message of the side that asks, of at most frameMax bytes. What was asked before is forgotten. It panics
// if frameMax is less than FrameMin.
func (s *Set) Begin(frameMax int) []byte {
	open := s.cut(nil, bound{}, infinity)
	s.asked = inquiry{open: open, opened: len(open)}
	return s.ask(frameMax)
}

// cut appends a range in parts that are to be asked about: one whose ids are asked for if few of our items are in it, else
// several with as many of them each.
func (s *Set) cut(open []span, from, to bound) []span {
	lower := s.search(0, from)
	upper := s.search(lower, to)
	if upper-lower <= listedMax {
		return append(open, span{lower: from, upper: to, mode: modeList})
	}
	size, larger := (upper-lower)/bucketsOfSplit, (upper-lower)%bucketsOfSplit
	for i := range bucketsOfSplit {
		lower += size
		if i < larger {
			lower++
		}
		edge := to
		if lower < upper {
			edge = between(s.items[lower-1], s.items[lower])
		}
		open = append(open, span{lower: from, upper: edge, mode: modeFingerprint})
		from = edge
	}
	return open
}

// ask writes a message about the first open ranges, as many as fit.
func (s *Set) ask(frameMax int) []byte {
	if frameMax < FrameMin {
		panic("negentropy: invariant: the frame limit is too small")
	}
	w, end := writer{out: []byte{Version}}, bound{}
	s.asked.sent = 0
	for _, open := range s.asked.open {
		before := w
		if open.lower.compare(end.Item) > 0 {
			w.header(open.lower, modeSkip)
		}
		w.header(open.upper, open.mode)
		lower := s.search(0, open.lower)
		upper := s.search(lower, open.upper)
		if open.mode == modeFingerprint {
			ours := s.fingerprint(lower, upper)
			w.out = append(w.out, ours[:]...)
		} else {
			w.ids(s.items[lower:upper])
		}
		if len(w.out) > frameMax {
			return before.out
		}
		end = open.upper
		s.asked.sent++
	}
	return w.out
}
