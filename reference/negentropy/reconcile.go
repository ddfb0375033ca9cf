package negentropy

// The modes of a range.
const (
	modeSkip        = 0 // nothing to say about it
	modeFingerprint = 1 // the fingerprint of what the sender has in it
	modeList        = 2 // the ids of what the sender has in it
)

// Reconcile answers one message of a client with at most frameMax bytes. What does not fit is summed up in one last
// fingerprint, which the client asks about in its next message. A message of another protocol version is answered with
// the one that is spoken here (N77-02). The error is a *MalformedError.
//
// The work is bounded by the length of the message and the size of the set: no item is looked at more than four times.
// It panics if frameMax is less than FrameMin.
func (s *Set) Reconcile(message []byte, frameMax int) ([]byte, error) {
	if frameMax < FrameMin {
		panic("negentropy: invariant: the frame limit is too small")
	}
	r := reader{data: message}
	version, err := r.take(1)
	if err != nil {
		return nil, err
	}
	a := answer{set: s, max: frameMax, writer: writer{out: []byte{Version}}}
	if version[0] != Version {
		return a.out, nil
	}
	lower := 0
	for r.more() && !a.full {
		upper, err := a.answerRange(&r, lower)
		if err != nil {
			return nil, err
		}
		lower = upper
	}
	return a.out, nil
}

// An answer is the message that goes back. Ranges about which there is nothing to say are joined, and left out at the
// end.
type answer struct {
	writer
	set     *Set
	max     int
	end     bound // of the last range that was answered
	skipped bool  // the last range, and maybe more before it, were not written
	full    bool
}

// answerRange reads one range and answers it. The items in it begin at lower; those of the next begin at the index
// that it returns.
func (a *answer) answerRange(r *reader, lower int) (int, error) {
	b, err := r.bound()
	if err != nil {
		return 0, err
	}
	mode, err := r.varint()
	if err != nil {
		return 0, err
	}
	upper := a.set.search(lower, b)
	switch mode {
	case modeSkip:
		a.skipped = true
	case modeFingerprint:
		theirs, err := r.take(fingerprintSize)
		if err != nil {
			return 0, err
		}
		if ours := a.set.fingerprint(lower, upper); string(theirs) == string(ours[:]) {
			a.skipped = true
		} else {
			a.split(lower, upper, b)
		}
	case modeList:
		// What a client lists says nothing that the answer depends on.
		if _, err := r.ids(); err != nil {
			return 0, err
		}
		a.list(lower, upper, b)
	default:
		return 0, r.malformed("a mode is unknown")
	}
	a.end = b
	return upper, nil
}

// split answers a range with different content by finer ranges, or by its ids if they are few.
func (a *answer) split(lower, upper int, b bound) {
	if upper-lower <= listedMax {
		a.list(lower, upper, b)
		return
	}
	before := *a
	a.flush()
	size, larger := (upper-lower)/bucketsOfSplit, (upper-lower)%bucketsOfSplit
	from := lower
	for i := range bucketsOfSplit {
		to := from + size
		if i < larger {
			to++
		}
		edge := b
		if to < upper {
			edge = between(a.set.items[to-1], a.set.items[to])
		}
		ours := a.set.fingerprint(from, to)
		a.header(edge, modeFingerprint)
		a.out = append(a.out, ours[:]...)
		from = to
	}
	if len(a.out) > a.max-reserve {
		*a = before
		a.finish(lower)
	}
}

// list answers a range by the ids in it, or by as many as fit.
func (a *answer) list(lower, upper int, b bound) {
	before := *a
	a.flush()
	room := a.max - reserve - len(a.out) - headerMax - varintMax
	count := min(upper-lower, room/idSize)
	if room < 0 || count == 0 && upper > lower {
		*a = before
		a.finish(lower)
		return
	}
	if count < upper-lower {
		b = between(a.set.items[lower+count-1], a.set.items[lower+count])
	}
	a.header(b, modeList)
	a.ids(a.set.items[lower : lower+count])
	if count < upper-lower {
		a.finish(lower + count)
	}
}

// flush writes one range for all that were skipped.
func (a *answer) flush() {
	if a.skipped {
		a.header(a.end, modeSkip)
		a.skipped = false
	}
}

// finish sums up everything from lower on, because the answer is full.
func (a *answer) finish(lower int) {
	a.flush()
	rest := a.set.fingerprint(lower, len(a.set.items))
	a.header(infinity, modeFingerprint)
	a.out = append(a.out, rest[:]...)
	a.full = true
}
