// Package record is the one form in which runs are kept: a document that is written as run.json, read again, and that every
// report is made from. Of makes it of results, Read and Write know its JSON, and the schema beside this file is published with it.
//
// It judges nothing, renders nothing for people and knows no target.
package record

import (
	"strings"
	"time"

	"github.com/graspkit/graspkit/conformance/suite"
)

// A Verdict says how a check, or a requirement in one run, ended.
type Verdict = suite.Verdict

// Schema names the form of the document. Members are only ever added to it.
const Schema = "graspkit.run/1"

// A Document is one execution of grasp-check: one run for each target.
type Document struct {
	Schema string `json:"schema"`
	Suite  Suite  `json:"suite"`
	Spec   Spec   `json:"spec"`
	// Written is when the document was made.
	Written time.Time `json:"written"`
	// Strict says that a missed SHOULD counts like a violated MUST.
	Strict bool  `json:"strict"`
	Runs   []Run `json:"runs"`
}

// A Suite says which build of the checks has judged.
type Suite struct {
	Version string `json:"version"`
	Commit  string `json:"commit"`
}

// A Spec says by which text it was judged.
type Spec struct {
	Commit  string `json:"commit"`
	Lineage string `json:"lineage"` // "A", "B" or "C"
}

// A Run is what came of one target.
type Run struct {
	Target   string `json:"target"` // name
	URL      string `json:"url"`
	World    string `json:"world"`    // "sim", "serve" or "live"
	Software string `json:"software"` // of the relay information document; "" if not told
	Seed     string `json:"seed"`
	Nonce    string `json:"nonce"`
	// Arguments are those of the command that judged, without the targets; a script that repeats a finding needs them.
	Arguments []string  `json:"arguments,omitempty"`
	Began     time.Time `json:"began"`
	MS        int64     `json:"ms"`

	// Selection is what was judged of the catalogue; nil is all of it. The word of the claim is of that alone.
	Selection   *Selection `json:"selection,omitempty"`
	Conformance string     `json:"conformance"` // the word of the claim
	Claim       Claim      `json:"claim"`
	Exit        int        `json:"exit"` // the exit code that this run alone earns
	// ExitReasons say why Exit is not zero, one sentence each.
	ExitReasons []string `json:"exit_reasons"`
	Down        string   `json:"down,omitempty"` // why the target counts as unreachable or dead
	Unreachable bool     `json:"unreachable,omitempty"`
	Interrupted bool     `json:"interrupted,omitempty"`

	Facts        []string      `json:"facts"`
	Causes       []Cause       `json:"causes"`
	Requirements []Requirement `json:"requirements"` // in the order of the catalogue
	Checks       []Check       `json:"checks"`       // in the order of the features
	Accounting   Accounting    `json:"accounting"`
	Cost         Cost          `json:"cost"`
	// Shared is what went over the wire until the repository was served that checks share.
	Shared []Exchange `json:"shared,omitempty"`
}

// A Selection is a part of the catalogue: what of it the id, the tags and the profile have in common.
type Selection struct {
	Profile   string `json:"profile,omitempty"`
	ID        string `json:"id,omitempty"` // that the ids begin with
	Tags      string `json:"tags,omitempty"`
	Catalogue int    `json:"catalogue"` // requirements of the whole catalogue
}

// String tells what was selected by.
func (s *Selection) String() string {
	var parts []string
	if s.Profile != "" {
		parts = append(parts, "profile "+s.Profile)
	}
	if s.ID != "" {
		parts = append(parts, "id "+s.ID)
	}
	if s.Tags != "" {
		parts = append(parts, "tags "+s.Tags)
	}
	return strings.Join(parts, ", ")
}

// A Claim says, with denominators, what one run allows to say about its target.
type Claim struct {
	Must     Tally `json:"must"`
	Should   Tally `json:"should"`
	Observed int   `json:"observed"`
}

// A Tally counts requirements of one score. Rows that are planned or not applicable are not in it.
type Tally struct {
	Total      int `json:"total"`
	Verified   int `json:"verified"`
	Violated   int `json:"violated"`
	Unverified int `json:"unverified"`
}

// A Cause is a broken requirement that other checks rest on.
type Cause struct {
	ID     string `json:"id"`
	Checks int    `json:"checks"` // that could not be judged because of it
	Reason string `json:"reason"`
}

// A Requirement is one row of the catalogue in the light of its checks.
type Requirement struct {
	ID      string  `json:"id"`
	Score   string  `json:"score"` // "MUST", "SHOULD" or "OBSERVE"
	Verdict Verdict `json:"verdict"`
	Section string  `json:"section"`
	Text    string  `json:"text"`   // the clause, in our words
	Reason  string  `json:"reason"` // of the worst check; why nothing judges it; "" where it passed
	// Coverage is what judges the row at all: "check", "watched", "proven", "unobservable" or "planned".
	Coverage     string `json:"coverage"`
	Checks       int    `json:"checks"`
	Verified     int    `json:"verified"`     // checks that verified it
	Observations int    `json:"observations"` // of a watched row: how often it was put to the test and held
	// Known is the entry of the list of known failures that fits the row, if one does.
	Known *Known `json:"known,omitempty"`
}

// A Check is one judged check.
type Check struct {
	ID      string   `json:"id"`
	Check   string   `json:"check"` // its title
	File    string   `json:"file"`
	Line    int      `json:"line"`
	Section string   `json:"section"`
	Score   string   `json:"score"` // of its primary requirement
	Tags    []string `json:"tags,omitempty"`
	Verdict Verdict  `json:"verdict"`
	Reason  string   `json:"reason"` // what was seen
	// Expected is what the step that did not hold asks for; "" if none is to blame.
	Expected string    `json:"expected,omitempty"`
	Cause    string    `json:"cause,omitempty"` // the requirement whose violation kept the check from being judged
	Unlock   string    `json:"unlock"`          // what the user can do so that it runs
	Findings []Finding `json:"findings,omitempty"`
	Notes    []string  `json:"notes,omitempty"`
	// WaitMS is how much time has to pass in the check, which is real time at a live server.
	WaitMS  int64  `json:"wait_ms,omitempty"`
	StartMS int64  `json:"start_ms"` // since the run began
	MS      int64  `json:"ms"`
	Cost    Cost   `json:"cost"`
	Known   *Known `json:"known,omitempty"`

	// What follows is kept of checks that are violated or undecided only.

	Steps      []Step     `json:"steps,omitempty"`
	Transcript []Exchange `json:"transcript,omitempty"`
	// LeftOut is how many messages of the transcript are missing from its middle.
	LeftOut int    `json:"left_out,omitempty"`
	Log     string `json:"log,omitempty"` // what a launched server wrote meanwhile
}

// A Finding is the verdict of a check on one of its requirements.
type Finding struct {
	ID      string  `json:"id"`
	Verdict Verdict `json:"verdict"`
	Reason  string  `json:"reason"`
}

// A Step is one line of a check.
type Step struct {
	Number  int        `json:"number"` // from 1
	Keyword string     `json:"keyword"`
	Text    string     `json:"text"`
	Table   [][]string `json:"table,omitempty"`
	Line    int        `json:"line"`
	// Role is "set-up", "act", "assertion", "record", "twin" or "control".
	Role string `json:"role"`
	// Outcome is "held", "failed" or "not run".
	Outcome string `json:"outcome"`
}

// The outcomes of steps.
const (
	StepHeld   = "held"
	StepFailed = "failed"
	StepNotRun = "not run"
)

// An Exchange is one message that went over the wire, or a remark of the client's, such as that a connection ended.
type Exchange struct {
	MS   int64 `json:"ms"`   // since the first message of the check
	Step int   `json:"step"` // during which it went; 0 before the first
	// Channel is "relay#3", "http#4" or "git": each connection and exchange has a name of its own.
	Channel   string   `json:"channel"`
	Direction string   `json:"direction"` // "sent", "received" or "remark"
	Head      string   `json:"head,omitempty"`
	Headers   []string `json:"headers,omitempty"` // "Name: value", in order of their names
	Size      int      `json:"size"`              // true size in bytes, whatever is kept
	// Form is how the body is told: "text", "pkt-lines" (Lines) or "bytes" (Base64).
	Form   string   `json:"form,omitempty"`
	Text   string   `json:"text,omitempty"`
	Lines  []string `json:"lines,omitempty"`
	Base64 string   `json:"base64,omitempty"` // the bytes as they went, where Text does not have them all
	Cut    bool     `json:"cut,omitempty"`    // not all bytes are kept
}

// The directions and the forms of exchanges.
const (
	Sent     = "sent"
	Received = "received"
	Remark   = "remark"

	FormText     = "text"
	FormPktLines = "pkt-lines"
	FormBytes    = "bytes"
)

// A Cost is what was asked of the target.
type Cost struct {
	Events   int   `json:"events"`
	Pushes   int   `json:"pushes"`
	Requests int   `json:"requests"`
	Bytes    int64 `json:"bytes"` // sent
}

// An Accounting counts the selected requirements: the first four add up to the last one.
type Accounting struct {
	Run           int `json:"run"`
	Blocked       int `json:"blocked"`
	NotApplicable int `json:"not_applicable"`
	Planned       int `json:"planned"`
	Catalogue     int `json:"catalogue"`
}

// A Known says that a failure was expected.
type Known struct {
	Reason  string `json:"reason"`
	Owner   string `json:"owner,omitempty"`
	Link    string `json:"link,omitempty"`
	Expires string `json:"expires,omitempty"` // a day, "2027-01-31"
	// Stale says that the failure was expected and did not come.
	Stale bool `json:"stale,omitempty"`
	// Expired says that the day has passed; the entry excuses nothing any more.
	Expired bool `json:"expired,omitempty"`
}

// The words of a claim.
const (
	Conformant    = "CONFORMANT"     // every MUST that has a check was verified
	Partial       = "PARTIAL"        // no violation found, something not verified
	NonConformant = "NON-CONFORMANT" // a MUST is violated
	Unknown       = "UNKNOWN"        // less than half was verified, or the target is down
)

// Exit codes of a run.
const (
	ExitGood        = 0   // nothing violated, no MUST inconclusive
	ExitViolated    = 1   // a MUST is violated
	ExitHarness     = 3   // a fault of ours, or a MUST that stayed inconclusive
	ExitUnreachable = 4   // the target was not reached, or died
	ExitBlocked     = 5   // opt-in: something was not verified
	ExitStale       = 6   // a failure was expected and did not come
	ExitInterrupted = 130 // it was ended before all checks had their turn
)
