package target

// A Witness sees more of its server than a client does: it watches every step from the inside and keeps an account of
// its own of what must hold. Only worlds that run the server themselves have one.
type Witness interface {
	// Testify says what was seen so far, sorted by id. Nothing may be under way.
	Testify() []Testimony
}

// A Testimony is what a Witness has seen of one requirement.
type Testimony struct {
	ID           string   // of the requirement
	Observations int      // how often it was put to the test; nothing is proven if it never was
	Violations   []string // one sentence each, in order, none twice
}
