package suite

import (
	"fmt"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/features"
)

// A Result is one run of the suite against one target.
type Result struct {
	Target       string // name of the target
	URL          string
	World        string // "sim", "serve" or "live"
	Software     string // software and version of the relay information document; "" if not told
	Seed         string
	Nonce        string // "" if the run had none
	Lineage      spec.Lineage
	Down         string // why the target counts as unreachable or dead; "" if it does not
	Unreachable  bool   // no TCP connection could be made, or nothing was answered at the start
	Facts        []string
	Causes       []Cause             // what checks could not be judged for, the most frequent first
	Checks       []CheckResult       // in the order of the features
	Requirements []RequirementResult // in the order of the catalogue
	Accounting   Accounting
	// Shared is what went over the wire until the repository was served that checks share; empty if it never was.
	Shared []client.Entry
	Began  time.Time // by Config.Clock, as what is told of checks
	Took   time.Duration
	Spent  client.Spent // by all checks, and by what they share
}

// A CheckResult is one judged check.
type CheckResult struct {
	Check    features.Check
	Verdict  Verdict
	Reason   string // what was seen, for every verdict but Pass
	Unlock   string // of Blocked: what the user can do
	Findings []Finding
	Notes    []string  // facts recorded on the way
	Began    time.Time // by Config.Clock; zero if it was not run
	Took     time.Duration
	Spent    client.Spent // what was sent, but by the installed git
	Steps    []StepResult // of checks that are violated or undecided, as the transcript
	Missed   int          // number of the step that Reason is about, from 1; 0 if it is about none
	// Transcript is what went over the wire.
	Transcript []client.Entry
	// Log is what the server wrote between begin and end of a check that did not pass, at most target.LogMax bytes, where
	// the target has that; with several checks at a time it holds lines of the others too.
	Log string

	// Cause is the requirement whose violation kept the check from being judged, if that is known.
	Cause string

	dead      bool // ended without any answer of the target
	broken    bool // by a connection that ended, or that did not come about
	putOff    bool // an event of it was refused for the moment
	shaken    bool // the target was away behind it, and back soon
	closed    bool // the relay has ended a subscription of it by CLOSED, as it may
	outlived  bool // it took longer than what waits is kept
	late      bool // its time ran out at a server that was quicker before
	lacksRoom bool // an announcement of it was refused by policy, though there are others
	paced     bool // ended by a request for a slower pace
	told      bool // the server has said no to what the check rests on
	disturbed bool // the server went meanwhile, and not by this check
}

// A StepResult is one step of a check, and what came of it.
type StepResult struct {
	Step    features.Step
	Role    string // "set-up", "act", "assertion", "record", "twin" or "control"
	Outcome StepOutcome
}

// A StepOutcome is what came of a step.
type StepOutcome uint8

// The outcomes of steps; the zero value is invalid.
const (
	StepHeld StepOutcome = iota + 1
	StepFailed
	StepNotRun
)

// A Finding is the verdict of a check on one of its requirements.
type Finding struct {
	ID      string
	Verdict Verdict
	Reason  string
}

// A RequirementResult is one requirement in the light of its checks.
type RequirementResult struct {
	Requirement spec.Requirement
	Verdict     Verdict
	Reason      string // of the worst check
	Verified    int    // checks that verified it
	Checks      int    // checks that carry it and were selected
	// Observations is how often a Watched requirement was put to the test and held.
	Observations int
}

// Accounting counts the selected requirements. Run + Blocked + NotApplicable + Planned = Catalogue.
type Accounting struct {
	Run, Blocked, NotApplicable, Planned, Catalogue int
}

// requirements judges the selected rows by the findings of the checks.
func requirements(rows []spec.Requirement, checks []CheckResult) []RequirementResult {
	findings := make(map[string][]Finding)
	further := make(map[string][]Finding) // of checks that were not run, and only add to what others judge
	for _, c := range checks {
		for _, f := range c.Findings {
			if f.Verdict == LiveOnly || c.Check.Has("further") && f.Verdict.NotRun() {
				further[f.ID] = append(further[f.ID], f)
				continue
			}
			findings[f.ID] = append(findings[f.ID], f)
		}
	}
	for id, alone := range further {
		if len(findings[id]) == 0 {
			findings[id] = alone
		}
	}
	var results []RequirementResult
	for _, row := range rows {
		r := RequirementResult{Requirement: row, Checks: len(findings[row.ID])}
		switch {
		case row.Coverage.Kind == spec.Planned:
			r.Verdict, r.Reason = PlannedOnly, row.Coverage.Text
		case row.Coverage.Kind == spec.Unobservable:
			r.Verdict, r.Reason = NotObservable, row.Coverage.Text
		case row.Coverage.Kind == spec.Proven:
			r.Verdict, r.Reason = ProvenByTest, "by "+row.Coverage.Text+": "+row.Coverage.Rest
		case row.Coverage.Kind == spec.Watched: // judged by what its witness says
		case r.Checks == 0:
			r.Verdict, r.Reason = Blocked, "none of its checks was selected"
		}
		for _, f := range findings[row.ID] {
			if f.Verdict.Verified() {
				r.Verified++
			}
			worst := worse(r.Verdict, f.Verdict)
			if row.Score == spec.Should && (r.Verdict == Warn || f.Verdict == Warn) {
				worst = Warn // what was seen to be missed is not hidden by what could not be judged
			}
			switch {
			case worst != r.Verdict:
				r.Verdict, r.Reason = worst, f.Reason
			case r.Verdict == Observed && f.Verdict == Observed && r.Reason == "":
				r.Reason = f.Reason // what deviates is told, whatever else was as the row has it
			}
		}
		results = append(results, r)
	}
	return results
}

// account counts the requirements. It panics if the sum does not come out.
func account(results []RequirementResult) Accounting {
	a := Accounting{Catalogue: len(results)}
	for _, r := range results {
		switch {
		case r.Verdict == PlannedOnly:
			a.Planned++
		case r.Verdict == NotApplicable || r.Verdict == NotObservable || r.Verdict == ProvenByTest:
			a.NotApplicable++
		case r.Verdict.NotRun():
			a.Blocked++
		case r.Verdict != "":
			a.Run++
		}
	}
	if a.Run+a.Blocked+a.NotApplicable+a.Planned != a.Catalogue {
		panic(fmt.Sprintf("suite: invariant: accounting %+v does not add up", a))
	}
	return a
}
