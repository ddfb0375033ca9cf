package fault

// A Kind of point says what has just become of a server.
type Kind string

// The kinds of points. A life that ends at one has done all that came before, and nothing of what comes after.
const (
	AtStep    Kind = "step"    // the server has decided, and nothing of it is written: its records are lost as a whole
	AtCommit  Kind = "commit"  // records are durable, and nothing that follows from them has left
	AtMessage Kind = "message" // a client was sent something
	AtAnswer  Kind = "answer"  // a push was refused, or its pack let come or be used
	AtRefs    Kind = "refs"    // the refs of a push have moved, and the server does not know it
	AtReport  Kind = "report"  // and now it knows
	AtBegun   Kind = "begun"   // an order was given to the disk, which has done nothing of it
	AtOrder   Kind = "order"   // something was done in a repository, and the server does not know it
)

// Kinds lists the kinds of points.
func Kinds() []Kind {
	return []Kind{AtStep, AtCommit, AtMessage, AtAnswer, AtRefs, AtReport, AtBegun, AtOrder}
}

// Named are further words for points: any one, those of one order, and the first step of a life, which is given what survived.
func Named() []Kind { return []Kind{"point", "create", "remove", "update", "copy", "tidy", "start"} }

// A Counter says when the point of a fault has come.
type Counter struct {
	After Point
	n     int
	done  bool
}

// Came counts a point of a kind, with a word for what it was about, in a life of the server. It is true once, when the
// fault is due.
func (c *Counter) Came(kind Kind, what string, life int) bool {
	if c.done || c.After.Life > 0 && c.After.Life != life {
		return false
	}
	switch c.After.Kind {
	case kind, "point":
	case "start":
		if kind != AtStep || what != "core.Started" {
			return false
		}
	default:
		if kind != AtOrder || what != string(c.After.Kind) {
			return false
		}
	}
	c.n++
	c.done = c.n == c.After.N
	return c.done
}
