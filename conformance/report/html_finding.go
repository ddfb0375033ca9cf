package report

import (
	"fmt"

	"github.com/graspkit/graspkit/conformance/record"
)

// A findingView is a check that is violated or open, or a requirement that a witness saw broken, with its evidence.
type findingView struct {
	Anchor, ID, Title  string
	Section            string
	Verdict            record.Verdict
	Class, Sign, Score string
	Place              string
	Expected, Seen     string
	Clauses            []clauseView
	Notes              []string
	Unlock             string
	Known              *record.Known
	Excused            bool
	MS                 int64
	Cost               string
	Steps              []stepView
	Twin               *twinView
	Transcript         []*exchangeView
	Messages           int
	LeftOut            int // messages of the transcript, by the run or by us
	Log                string
	Command            string
	Repro              bool   // that a script can be had
	Omitted            string // why evidence is missing
	Open               bool
	Others             []*findingView // further checks that say the same of the same requirement
}

// A clauseView is a requirement that a finding touches.
type clauseView struct {
	record.Finding
	Class, Sign, Score, Text string
	Listed                   bool // the run has a row of it
}

type stepView struct {
	record.Step
	Class, Sign string
	Failed      bool
	Messages    int
}

// A twinView sets what was judged beside what was accepted.
type twinView struct {
	Before      int // messages of the set-up, which are in the transcript
	Judged, Had []*exchangeView
	Steps       []stepView // the steps of the left column
	TwinSteps   []stepView
	NotRun      bool // the check ended before its twin was tried
	LeftOut     [2]int
}

// Bounds of evidence, in bytes of text and in messages. The whole transcript is in run.json.
const (
	evidenceBytesMax = 12 << 20 // of a document
	findingBytesMax  = 128 << 10
	messagesMax      = 400
	columnMax        = 40
	bodyBytesMax     = 6 << 10
	tableRowsMax     = 50
	notesMax         = 20
	openFindings     = 1 // that are unfolded at first
)

// findings tells what is violated or open, but not what waits for a root cause. It returns where each check is told.
func (v *runView) findings(rows map[string]*record.Requirement, room *int) (links map[string]string) {
	links = map[string]string{}
	rooted := map[string]bool{}
	for _, cause := range v.Causes {
		rooted[cause.ID] = true
	}
	for _, row := range alone(v.Run) {
		if s := standingOf(row.Verdict); s == violated || s == missed || s.open() {
			v.Told++
			v.Findings = append(v.Findings, &findingView{
				Anchor: v.Anchor + "-f-" + row.ID, ID: row.ID, Title: row.Text, Verdict: row.Verdict, Class: s.class(), Sign: s.sign(), Score: row.Score, Section: row.Section,
				Expected: row.Text, Seen: row.Reason, Known: row.Known, Excused: excused(row.Known), Command: again(v.Run, row.ID),
			})
		}
	}
	first := map[string]*findingView{}
	for _, c := range worst(v.Run) {
		if rooted[c.Cause] || len(links) >= findingsMax {
			continue
		}
		f := v.finding(c, rows, room)
		links[c.ID] = f.Anchor
		v.Told++
		key := primary(c) + " " + string(c.Verdict)
		if told := first[key]; told != nil && f.Known == nil {
			told.Others = append(told.Others, f)
			continue
		}
		first[key] = f
		f.Open = len(v.Findings) < openFindings
		v.Findings = append(v.Findings, f)
	}
	return links
}

func (v *runView) finding(c *record.Check, rows map[string]*record.Requirement, room *int) *findingView {
	s := standingOf(c.Verdict)
	f := &findingView{
		Anchor: v.Anchor + "-f-" + c.ID, ID: c.ID, Title: c.Check, Verdict: c.Verdict, Class: s.class(), Sign: s.sign(), Score: c.Score, Section: c.Section, Place: fmt.Sprintf("%s:%d", place(c), c.Line),
		Expected: c.Expected, Seen: c.Reason, Known: c.Known, Excused: excused(c.Known), Unlock: c.Unlock, MS: c.MS, LeftOut: c.LeftOut,
		Command: again(v.Run, c.ID), Messages: len(c.Transcript), Cost: costOf(c.Cost),
		Notes: c.Notes[:min(len(c.Notes), notesMax)], Repro: len(c.Transcript) > 0,
	}
	for i, finding := range c.Findings {
		row := rows[finding.ID]
		if i > 0 && standingOf(finding.Verdict) == verified {
			continue
		}
		told := standingOf(finding.Verdict)
		clause := clauseView{Finding: finding, Class: told.class(), Sign: told.sign(), Listed: row != nil}
		if row != nil {
			clause.Score, clause.Text = row.Score, row.Text
		}
		if finding.Reason == c.Reason {
			clause.Reason = "" // it is told above
		}
		f.Clauses = append(f.Clauses, clause)
	}
	f.Steps = stepsOf(c)
	if *room <= 0 {
		f.Omitted = "Messages and log are left out here to keep this page small; run.json has them."
		return f
	}
	left := min(findingBytesMax, *room)
	before := left
	f.Twin = twinOf(c, f.Steps, &left)
	f.Transcript, f.LeftOut = exchangesOf(c.Transcript, messagesMax, &left)
	f.LeftOut += c.LeftOut
	f.Log = block(c.Log, min(logTextMax, max(left, 1000)))
	*room -= before - left + len(f.Log)
	return f
}

func stepsOf(c *record.Check) []stepView {
	messages := map[int]int{}
	for _, e := range c.Transcript {
		messages[e.Step]++
	}
	var steps []stepView
	for _, step := range c.Steps {
		one := stepView{Step: step, Messages: messages[step.Number]}
		one.Table = step.Table[:min(len(step.Table), tableRowsMax)]
		switch step.Outcome {
		case record.StepHeld:
			one.Class, one.Sign = verified.class(), verified.sign()
		case record.StepFailed:
			one.Class, one.Sign, one.Failed = violated.class(), violated.sign(), true
		default:
			one.Class, one.Sign = notRun.class(), notRun.sign()
		}
		steps = append(steps, one)
	}
	return steps
}

// twinOf sets the messages of what was judged, from the last act before the step that failed to that step, beside those of the
// accepted twin. It is nil where a check has no twin.
func twinOf(c *record.Check, steps []stepView, left *int) *twinView {
	failed, act := len(steps), 0
	for i, step := range steps {
		if step.Failed {
			failed = i
			break
		}
	}
	for i := range steps[:min(failed+1, len(steps))] {
		if steps[i].Role == "act" {
			act = i
		}
	}
	side := map[int]int{} // 1 judged, 2 twin
	t := &twinView{}
	for i, step := range steps {
		switch {
		case step.Role == "twin":
			side[step.Number] = 2
			t.TwinSteps = append(t.TwinSteps, step)
		case i >= act && i <= failed && step.Role != "control":
			side[step.Number] = 1
			t.Steps = append(t.Steps, step)
		}
	}
	var sides [3][]record.Exchange
	for _, e := range c.Transcript {
		sides[side[e.Step]] = append(sides[side[e.Step]], e)
	}
	if len(t.TwinSteps) == 0 || len(sides[1]) == 0 {
		return nil
	}
	t.NotRun = len(sides[2]) == 0
	for _, e := range sides[0] {
		if len(t.Steps) > 0 && e.Step < t.Steps[0].Number {
			t.Before++
		}
	}
	half := *left / 4
	t.Judged, t.LeftOut[0] = exchangesOf(sides[1], columnMax, &half)
	*left -= *left/4 - half
	half = *left / 3
	t.Had, t.LeftOut[1] = exchangesOf(sides[2], columnMax, &half)
	*left -= *left/3 - half
	return t
}

func costOf(c record.Cost) string {
	if c == (record.Cost{}) {
		return ""
	}
	return fmt.Sprintf("%d events, %d pushes, %d requests, %s sent", c.Events, c.Pushes, c.Requests, bytesWord(c.Bytes))
}
