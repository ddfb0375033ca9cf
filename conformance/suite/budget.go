package suite

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/graspkit/graspkit/features"
)

// HeavyBytes is from how many bytes on a push is heavy.
const HeavyBytes = 8 << 20

// reserve begins to count what checks are to cost, with what the run itself needs.
func (r *run) reserve() {
	r.planned = Estimate{}
	r.planned.add(lighthouseCost())
}

// afford says whether a check fits into what may be written, and counts it if it does. It is asked in the order of the checks, so
// which of them fit follows from that alone.
func (r *run) afford(c features.Check) outcome {
	cost := r.registry.estimate(c)
	switch {
	case c.Has("read-only"):
		return outcome{}
	case r.cfg.MaxEvents > 0 && r.planned.Events+cost.Events > r.cfg.MaxEvents && cost.Events > 0:
		return blocked(fmt.Sprintf("it writes %d events, and of %d that there may be %d are for other checks", cost.Events, r.cfg.MaxEvents, r.planned.Events),
			fmt.Sprintf("--max-events %d", r.planned.Events+cost.Events))
	case r.cfg.MaxBytes > 0 && r.planned.Bytes+cost.Bytes > r.cfg.MaxBytes && cost.Bytes > 0:
		return blocked(fmt.Sprintf("it writes %s, and of %s that there may be %s are for other checks", megabytes(cost.Bytes), megabytes(r.cfg.MaxBytes), megabytes(r.planned.Bytes)),
			fmt.Sprintf("--max-bytes %d", r.planned.Bytes+cost.Bytes))
	}
	r.planned.add(cost)
	return outcome{}
}

// spent is the outcome of a check that begins when more than may be written has been: what is tried again counts as well.
func (r *run) spentUp() outcome {
	if r.tally == nil {
		return outcome{}
	}
	written, broken := r.tally.written()
	switch {
	case broken != "":
		return outcome{verdict: Inconclusive, reason: "nothing more is written, for it cannot be listed: " + broken}
	case r.cfg.MaxEvents > 0 && written.Events >= r.cfg.MaxEvents:
		return blocked(fmt.Sprintf("%d events are written already", written.Events), "a greater --max-events")
	case r.cfg.MaxBytes > 0 && written.Bytes >= r.cfg.MaxBytes:
		return blocked(megabytes(written.Bytes)+" are written already", "a greater --max-bytes")
	}
	return outcome{}
}

// megabytes is a number of bytes for people.
func megabytes(n int64) string {
	const kilo, mega = 1 << 10, 1 << 20
	switch {
	case n >= mega:
		return fmt.Sprintf("%.1f MiB", float64(n)/mega)
	case n >= kilo:
		return fmt.Sprintf("%.1f KiB", float64(n)/kilo)
	}
	return fmt.Sprintf("%d bytes", n)
}

// ownTag tells the events of a check from equal ones of another check of the same keys, and from those of its first try.
func (w *world) ownTag() []string {
	name := w.check.ID
	if w.again {
		name += ", again"
	}
	if !w.run.cfg.NoMarkers {
		return []string{"audit-check", name}
	}
	digest := sha256.Sum256([]byte(w.run.short + name))
	return []string{"ref", hex.EncodeToString(digest[:8])}
}
