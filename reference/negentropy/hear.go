package negentropy

// Bounds of what the answers of the other side may make of an inquiry.
const (
	openedMax    = 4096          // ranges that one answer opens, but for the last, which is cut at once
	openedFirst  = 4 * openedMax // ranges that are opened in all, whatever the sets are
	openedByItem = 4             // ranges that are opened beyond for each item of this set and each id that was told
)

// Continue takes an answer. It returns the ids that the other side says it has and this set lacks, and the next message; nil
// when all is known. An id comes again if the other side tells it twice, and one that this set has comes if it is told under
// another time. After an error, a *MalformedError, only Begin may follow. It panics if frameMax is less than FrameMin.
//
// The work for one answer is bounded by its length and the size of the set, as that of Reconcile. The whole ends with
// whomever: each answer has to settle or cut a range that was asked about; what is cut is asked for by its ids, or has a
// sixteenth of our items in each part; and ranges are opened 16,384 times at most and four times for each item of the set and
// each id that was returned. There are at most twice as many answers. How many ids are too many is for the caller to say.
// What an answer has beyond openedMax ranges is asked for again when those are settled, so that no more are open than
// openedMax for each time that the items can be parted in sixteen.
func (s *Set) Continue(answer []byte, frameMax int) (next []byte, lacks []ID, err error) {
	h := hearing{reader: reader{data: answer}, set: s, left: s.asked.open, sent: s.asked.sent}
	version, err := h.take(1)
	if err != nil {
		return nil, nil, err
	}
	if version[0] != Version {
		return nil, nil, h.malformed("another version of the protocol is spoken")
	}
	for lower := 0; h.more() && h.opened < openedMax; {
		if lower, err = h.hear(lower); err != nil {
			return nil, nil, err
		}
	}
	h.finish()
	s.asked.open = h.open
	s.asked.opened += h.opened
	s.asked.told += len(h.lacks)
	switch {
	case h.settled == 0 && h.opened == 0:
		return nil, nil, h.malformed("nothing that was asked is answered")
	case s.asked.opened > openedFirst+openedByItem*(len(s.items)+s.asked.told):
		return nil, nil, h.malformed("more and more ranges differ")
	case len(h.open) == 0:
		return nil, h.lacks, nil
	}
	return s.ask(frameMax), h.lacks, nil
}

// A hearing is the reading of one answer.
type hearing struct {
	reader
	set  *Set
	left []span // what was open and has not been passed
	sent int    // those of them that were asked about, the first ones
	open []span // what stays open, and what is opened

	settled, opened int
	lacks           []ID
}

// hear reads one range. Our items in it begin at lower; those of the next begin at the index that it returns.
func (h *hearing) hear(lower int) (int, error) {
	b, err := h.bound()
	if err != nil {
		return 0, err
	}
	mode, err := h.varint()
	if err != nil {
		return 0, err
	}
	upper := h.set.search(lower, b)
	same := true
	switch mode {
	case modeSkip:
	case modeFingerprint:
		theirs, err := h.take(fingerprintSize)
		if err != nil {
			return 0, err
		}
		ours := h.set.fingerprint(lower, upper)
		same = string(theirs) == string(ours[:])
	case modeList:
		ids, err := h.ids()
		if err != nil {
			return 0, err
		}
		if len(h.left) > 0 && h.left[0].lower.compare(b.Item) < 0 {
			h.compare(h.set.items[lower:upper], ids)
		}
	default:
		return 0, h.malformed("a mode is unknown")
	}
	return upper, h.pass(b, same)
}

// compare notes the ids of a list that we lack in its range.
func (h *hearing) compare(ours []Item, theirs []byte) {
	known := make(map[ID]struct{}, len(ours)+len(theirs)/idSize)
	for _, item := range ours {
		known[item.ID] = struct{}{}
	}
	for ; len(theirs) > 0; theirs = theirs[idSize:] {
		id := ID(theirs[:idSize])
		if _, ok := known[id]; !ok {
			known[id] = struct{}{}
			h.lacks = append(h.lacks, id)
		}
	}
}

// pass goes on to a bound. What is open below it is settled, or is to be asked about again.
func (h *hearing) pass(to bound, settled bool) error {
	for len(h.left) > 0 && h.left[0].lower.compare(to.Item) < 0 {
		first := h.left[0]
		ends := first.upper.compare(to.Item) <= 0
		switch {
		case settled && ends:
			h.settled++
		case settled:
		case ends && !first.cut:
			h.open = append(h.open, first) // not answered: the answer was full, and sums up the rest
		case first.mode == modeList && !to.infinite():
			return h.malformed("ids were asked for, and a fingerprint is told")
		case ends:
			h.reopen(first.lower, first.upper)
		default:
			h.reopen(first.lower, to)
		}
		if !ends {
			h.left[0].lower, h.left[0].cut = to, true
			return nil
		}
		h.left = h.left[1:]
		h.sent--
	}
	return nil
}

// reopen asks about a part of what was asked about, in smaller parts.
func (h *hearing) reopen(from, to bound) {
	before := len(h.open)
	h.open = h.set.cut(h.open, from, to)
	h.opened += len(h.open) - before
}

// finish goes on behind the last range. What was asked about there is settled, unless the reading stopped early.
func (h *hearing) finish() {
	for _, first := range h.left {
		switch {
		case h.sent > 0 && !h.more():
			h.settled++
		case first.cut:
			h.reopen(first.lower, first.upper)
		default:
			h.open = append(h.open, first)
		}
		h.sent--
	}
}
