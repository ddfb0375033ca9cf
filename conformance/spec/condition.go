package spec

import (
	"fmt"
	"strings"
)

// A ConditionKind says what a condition asks. The zero value is invalid.
type ConditionKind uint8

// The kinds of conditions.
const (
	PurgatoryDetected ConditionKind = iota + 1 // the server holds events that wait for git data
	PowRequired                                // the server asks for proof of work
	NIPListed                                  // Number is in supported_nips of the relay information document
	GRASPListed                                // Number is in supported_grasps
	GRASPNotListed                             // Number is not in supported_grasps
	InLineage                                  // the run is judged by one of Lineages
	InProfile                                  // the tester states the maintainer model Name
	ReferenceWorld                             // the target is this project's own server
	GitFetching                                // the server gets git data from elsewhere: it lists GRASP-02, or is this project's own
)

// A Condition has to hold for a requirement to apply.
type Condition struct {
	Kind     ConditionKind
	Number   int       // of NIPListed, GRASPListed and GRASPNotListed
	Lineages []Lineage // of InLineage
	Name     string    // of InProfile
}

// String tells the condition as reports print it, such as "NIP-45 listed".
func (c Condition) String() string {
	switch c.Kind {
	case PurgatoryDetected:
		return "purgatory detected"
	case PowRequired:
		return "proof of work required"
	case NIPListed:
		return fmt.Sprintf("NIP-%02d listed", c.Number)
	case GRASPListed:
		return fmt.Sprintf("GRASP-%02d listed", c.Number)
	case GRASPNotListed:
		return fmt.Sprintf("GRASP-%02d not listed", c.Number)
	case InLineage:
		var letters []string
		for _, l := range c.Lineages {
			letters = append(letters, l.String())
		}
		return "lineage " + strings.Join(letters, " or ")
	case InProfile:
		return "profile " + c.Name
	case ReferenceWorld:
		return "reference worlds"
	case GitFetching:
		return "GRASP-02 listed, or the reference"
	}
	return "invalid condition"
}

func ifFetching() Condition          { return Condition{Kind: GitFetching} }
func ifPurgatory() Condition         { return Condition{Kind: PurgatoryDetected} }
func ifPow() Condition               { return Condition{Kind: PowRequired} }
func nip(n int) Condition            { return Condition{Kind: NIPListed, Number: n} }
func grasp(n int) Condition          { return Condition{Kind: GRASPListed, Number: n} }
func notGrasp(n int) Condition       { return Condition{Kind: GRASPNotListed, Number: n} }
func lineage(l ...Lineage) Condition { return Condition{Kind: InLineage, Lineages: l} }
func profile(name string) Condition  { return Condition{Kind: InProfile, Name: name} }
