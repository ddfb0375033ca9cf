// Package policy answers one question: is this event accepted, held or refused? Its answers are Rulings, computed from
// the event and a view of what is held and stored. It stores nothing, moves no refs and knows no connections.
package policy

// A Decision is the short form of a Ruling.
type Decision uint8

// The decisions on an event or a push.
const (
	Accept Decision = iota + 1 // take it
	Refuse                     // do not; Prefix and Reason say why
)

// A Ruling is the decision on one event or push. A rejection is a Ruling and never an error.
type Ruling struct {
	Decision    Decision
	Prefix      string // NIP-01 machine-readable prefix, "" when accepted
	Reason      string // for the person who reads it
	Requirement string // id of the rule that decided, "G01-ANN-02"
	Waits       bool   // a refusal for want of something that may still come
}

// Accepted reports whether the ruling lets the event or push in.
func (r Ruling) Accepted() bool { return r.Decision == Accept }

// Passes reports whether a refusal is about the moment: the same event may be taken later.
func (r Ruling) Passes() bool { return r.Prefix == "error" || r.Prefix == "rate-limited" }

// Text is what an OK message carries: "prefix: reason", or "" when accepted without a remark.
func (r Ruling) Text() string {
	if r.Prefix == "" {
		return r.Reason
	}
	return r.Prefix + ": " + r.Reason
}

func refuse(requirement, prefix, reason string) Ruling {
	return Ruling{Decision: Refuse, Prefix: prefix, Reason: reason, Requirement: requirement}
}

// wants is the refusal of something for which a dependency may still come.
func wants(requirement, prefix, reason string) Ruling {
	r := refuse(requirement, prefix, reason)
	r.Waits = true
	return r
}
