package report_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/features"
)

// checks are those of this tree.
var checks = sync.OnceValues(func() ([]features.Check, error) { return features.Load(features.FS) })

// made returns a document of one run in which all checks of this tree passed, but for those that change says otherwise of.
func made(t testing.TB, change func(c *record.Check)) *record.Document {
	t.Helper()
	all, err := checks()
	if err != nil {
		t.Fatal(err)
	}
	run := record.Run{
		Target: "http://127.0.0.1:7334", URL: "http://127.0.0.1:7334", World: "live", Software: "a-server 1.2.3", Seed: "f00d", Nonce: "7",
		Arguments: []string{"--write", "--time-budget", "66m"}, Began: time.Date(2026, 11, 25, 1, 30, 0, 0, time.UTC), Conformance: record.Conformant,
		ExitReasons: []string{}, Facts: []string{"the server is away for 1.2 s after a restart"}, Causes: []record.Cause{},
	}
	found := map[string][]record.Finding{}
	for i, check := range all {
		row, _ := spec.Lookup(check.Requirements[0])
		c := record.Check{
			ID: check.ID, Check: check.Title, File: check.File, Line: check.Line, Section: row.Section, Score: row.Score.String(), Tags: check.Tags, WaitMS: check.Wait().Milliseconds(),
			Verdict: "PASS", StartMS: int64(i * 37), MS: int64(20 + i%97*3), Cost: record.Cost{Events: 3, Pushes: 1, Requests: 5, Bytes: 4000},
		}
		if check.Wait() > 0 {
			c.MS = check.Wait().Milliseconds() / 40
		}
		for _, id := range check.Requirements {
			c.Findings = append(c.Findings, record.Finding{ID: id, Verdict: "PASS"})
		}
		if change != nil {
			change(&c)
		}
		if c.Verdict != "PASS" {
			c.Findings[0].Verdict, c.Findings[0].Reason = c.Verdict, c.Reason
			for _, step := range check.Steps {
				c.Steps = append(c.Steps, record.Step{
					Number: len(c.Steps) + 1, Keyword: step.Keyword, Text: step.Text, Table: step.Table, Line: step.Line, Role: "set-up", Outcome: record.StepHeld,
				})
			}
			evidence(&c)
		}
		for _, f := range c.Findings {
			found[f.ID] = append(found[f.ID], f)
		}
		run.Checks = append(run.Checks, c)
		run.MS = max(run.MS, c.StartMS+c.MS)
		run.Cost.Events += c.Cost.Events
	}
	for _, row := range spec.All() {
		run.Requirements = append(run.Requirements, rowOf(row, found[row.ID]))
	}
	count(&run)
	return &record.Document{
		Schema: record.Schema, Suite: record.Suite{Version: "v0.9.0", Commit: "0123456789abcdef"}, Spec: record.Spec{Commit: spec.Commit, Lineage: "C"},
		Written: run.Began.Add(time.Duration(run.MS) * time.Millisecond), Runs: []record.Run{run},
	}
}

func rowOf(row spec.Requirement, found []record.Finding) record.Requirement {
	r := record.Requirement{
		ID: row.ID, Score: row.Score.String(), Section: row.Section, Text: row.Text, Coverage: "check", Checks: len(found), Verdict: "PASS",
	}
	switch row.Coverage.Kind {
	case spec.Planned:
		r.Verdict, r.Reason, r.Coverage = "PLANNED", row.Coverage.Text, "planned"
	case spec.Unobservable:
		r.Verdict, r.Reason, r.Coverage = "UNOBSERVABLE", row.Coverage.Text, "unobservable"
	case spec.Proven:
		r.Verdict, r.Reason, r.Coverage = "PROVEN", row.Coverage.Text, "proven"
	case spec.Watched:
		r.Verdict, r.Reason, r.Coverage = "SIM_ONLY", "its witness watches the simulated world alone", "watched"
	default:
	}
	for _, f := range found {
		if f.Verdict == "PASS" {
			r.Verified++
		} else if r.Verdict == "PASS" || r.Verdict == "BLOCKED" || f.Verdict == "FAIL" {
			r.Verdict, r.Reason = f.Verdict, f.Reason
		}
	}
	return r
}

// count makes the sums of a run from its rows.
func count(r *record.Run) {
	r.Claim, r.Accounting = record.Claim{}, record.Accounting{Catalogue: len(r.Requirements)}
	for _, row := range r.Requirements {
		tally := &r.Claim.Must
		if row.Score == "SHOULD" {
			tally = &r.Claim.Should
		}
		switch row.Verdict {
		case "PLANNED":
			r.Accounting.Planned++
			continue
		case "UNOBSERVABLE", "PROVEN", "NOT_APPLICABLE":
			r.Accounting.NotApplicable++
			continue
		case "BLOCKED", "SIM_ONLY", "LIVE_ONLY":
			r.Accounting.Blocked++
			tally.Unverified++
		case "PASS":
			r.Accounting.Run++
			tally.Verified++
		case "FAIL", "WARN":
			r.Accounting.Run++
			tally.Violated++
		default:
			r.Accounting.Run++
			tally.Unverified++
		}
		tally.Total++
	}
	if r.Claim.Must.Violated > 0 {
		r.Conformance, r.Exit, r.ExitReasons = record.NonConformant, record.ExitViolated, []string{fmt.Sprintf("%d MUST are violated", r.Claim.Must.Violated)}
	}
}

// bad returns a document with violations, waits and what could not be judged.
func bad(t testing.TB) *record.Document {
	t.Helper()
	doc := made(t, func(c *record.Check) {
		switch {
		case c.ID == "G01-PUSH-03":
			c.Verdict, c.Expected = "FAIL", "the push is refused: the report says ng refs/heads/main, or the request is refused"
			c.Reason = "the server answered unpack ok and ok refs/heads/main; the latest state names 7c1b2f0 there"
		case c.ID == "G01-PUSH-16":
			c.Verdict, c.Reason, c.Expected = "WARN", "the push of what is there was refused with HTTP 500", "the push is accepted and changes nothing"
		case strings.HasPrefix(c.ID, "G01-STATE-0"), strings.HasPrefix(c.ID, "N34-ST-01"):
			c.Verdict, c.Reason, c.Expected = "FAIL", "OK false invalid: no HEAD", "the state is taken"
		case strings.HasPrefix(c.ID, "G01-HEAD-"):
			c.Verdict, c.Cause, c.Reason = "DEPENDENCY_FAIL", "N34-ST-01", "the state could not be published"
		case strings.HasPrefix(c.ID, "G01-CORS-03"):
			c.Verdict, c.Reason = "INCONCLUSIVE", "no answer within 5 s, twice"
		case strings.HasPrefix(c.ID, "G02"):
			c.Verdict, c.Reason, c.Unlock, c.MS = "BLOCKED", "it waits 36 minutes", "--time-budget 36m", 0
		case strings.HasPrefix(c.ID, "N42"):
			c.Verdict, c.Reason, c.Unlock, c.MS = "BLOCKED", "it writes", "--write", 0
		}
	})
	run := &doc.Runs[0]
	run.Causes = []record.Cause{{ID: "N34-ST-01", Checks: 9, Reason: "OK false invalid: no HEAD"}}
	run.Exit, run.ExitReasons = record.ExitViolated, []string{"3 MUST are violated: G01-PUSH-03, N34-ST-01, N34-ST-02"}
	return doc
}

// evidence gives a check steps with roles and a transcript.
func evidence(c *record.Check) {
	acted, failed, twin := 0, 0, 0
	for i := range c.Steps {
		s := &c.Steps[i]
		switch {
		case s.Keyword == "When":
			s.Role, acted = "act", s.Number
		case s.Keyword == "But":
			s.Role, twin = "twin", s.Number
		case s.Keyword == "Then" && failed == 0:
			s.Role, s.Outcome, failed = "assertion", record.StepFailed, s.Number
		}
	}
	id, author := strings.Repeat("ab", 32), strings.Repeat("c4", 32)
	event := `["EVENT",{"id":"` + id + `","pubkey":"` + author + `","created_at":1764034200,"kind":30618,"tags":[["d","probe-1f"],["HEAD","ref: refs/heads/main"],["refs/heads/main","7c1b2f0e9a3d4c5b6a79880716253443526170ff"]],"content":"","sig":"` + strings.Repeat("0e", 64) + `"}]`
	push := []string{"7c1b2f0e9a3d4c5b6a79880716253443526170ff 19ad33c0e9a3d4c5b6a79880716253443526170ff refs/heads/main\x00 report-status side-band-64k agent=graspkit", "0000", "PACK (412 bytes)"}
	c.Transcript = []record.Exchange{
		{MS: 0, Step: 1, Channel: "relay#1", Direction: record.Remark, Head: "connected"},
		{MS: 2, Step: 1, Channel: "relay#1", Direction: record.Sent, Form: record.FormText, Text: event, Size: len(event)},
		{MS: 5, Step: 1, Channel: "relay#1", Direction: record.Received, Form: record.FormText, Text: `["OK","` + id + `",true,""]`, Size: 80},
		{MS: 12, Step: acted, Channel: "http#2", Direction: record.Sent, Head: "POST /npub1probe/probe-1f.git/git-receive-pack", Headers: []string{"Content-Type: application/x-git-receive-pack-request", "User-Agent: git/2.45"}, Form: record.FormPktLines, Lines: push, Size: 633},
		{MS: 31, Step: acted, Channel: "http#2", Direction: record.Received, Head: "200 OK", Headers: []string{"Access-Control-Allow-Origin: *", "Content-Type: application/x-git-receive-pack-result"}, Form: record.FormPktLines, Lines: []string{"unpack ok", "ok refs/heads/main", "0000"}, Size: 57},
	}
	if twin > 0 {
		c.Transcript = append(c.Transcript,
			record.Exchange{MS: 44, Step: twin, Channel: "http#3", Direction: record.Sent, Head: "POST /npub1probe/probe-1f.git/git-receive-pack", Headers: []string{"Content-Type: application/x-git-receive-pack-request"}, Form: record.FormPktLines, Lines: push, Size: 633},
			record.Exchange{MS: 61, Step: twin, Channel: "http#3", Direction: record.Received, Head: "200 OK", Form: record.FormPktLines, Lines: []string{"unpack ok", "ok refs/heads/main", "0000"}, Size: 57},
			record.Exchange{MS: 62, Step: twin, Channel: "git", Direction: record.Received, Form: record.FormBytes, Base64: base64.StdEncoding.EncodeToString([]byte("PACK\x00\x00\x00\x02")), Size: 8, Cut: true},
		)
	}
	c.Log = "2026-11-25T01:30:04Z INFO push accepted repo=probe-1f refs=1\n"
}
