package report

import (
	"fmt"
	"time"

	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/suite"
)

// headline ends the report: claims with denominators, what would unlock more, and the accounting.
func (p *printer) headline(spec record.Spec) {
	r := p.run
	p.line("\nGRASP-01 @ %.7s (lineage %s), %s", spec.Commit, spec.Lineage, origin(r.Seed, r.Nonce))
	p.counts("  MUST   ", "%d of %d verified, %d violated, %d not verifiable here", r.Claim.Must.Verified, r.Claim.Must.Total, r.Claim.Must.Violated, r.Claim.Must.Unverified)
	p.counts("  SHOULD ", "%d of %d kept, %d missed, %d not verifiable here", r.Claim.Should.Verified, r.Claim.Should.Total, r.Claim.Should.Violated, r.Claim.Should.Unverified)
	for i, fact := range r.Facts {
		if i == factsShown && !p.o.Verbose {
			p.line("  fact   ... and %d more: -v tells all", len(r.Facts)-i)
			break
		}
		p.text("  fact   ", fact)
	}
	for _, u := range Unlocks(r) {
		p.text("  unlock ", u.String())
	}
	p.open()
	p.counts("  asked  ", "%s, %s, %d HTTP requests, %s sent, in %v", counted(r.Cost.Events, "event", "events"), counted(r.Cost.Pushes, "push", "pushes"),
		r.Cost.Requests, amountOfBytes(r.Cost.Bytes), (time.Duration(r.MS) * time.Millisecond).Round(time.Second/10))
	a := r.Accounting
	p.counts("  run ", "%d + blocked %d + not applicable %d + planned %d = %s", a.Run, a.Blocked, a.NotApplicable, a.Planned,
		counted(a.Catalogue, "requirement", "requirements"))
	p.known()
	for _, reason := range r.ExitReasons {
		p.text(fmt.Sprintf("  exit %d ", r.Exit), reason)
	}
	p.line("Verdict: %s%s", p.paint(worthOf(r.Conformance), r.Conformance), remark(r))
}

// openShown bounds the requirements that are named for not being verified.
const openShown = 3

// open names each MUST that was not verified and for which there is no hint, with the reason.
func (p *printer) open() {
	hinted := make(map[string]bool)
	for _, c := range p.run.Checks {
		for _, f := range c.Findings {
			hinted[f.ID] = hinted[f.ID] || c.Unlock != "" || c.Verdict.Undecided() || c.Verdict.Violated()
		}
	}
	n := 0
	for _, row := range p.run.Requirements {
		if row.Score != "MUST" || hinted[row.ID] || !row.Verdict.NotRun() && row.Verdict != suite.Unsupported {
			continue
		}
		if n++; n <= openShown || p.o.Verbose {
			p.text("  open   ", fmt.Sprintf("%s %s: %s", row.ID, row.Verdict, row.Reason))
		}
	}
	if n > openShown && !p.o.Verbose {
		p.line("  open   ... and %d more: -v tells all", n-openShown)
	}
}

// worthOf is a verdict in whose color a word of a claim is shown.
func worthOf(word string) record.Verdict {
	switch word {
	case record.NonConformant:
		return suite.Fail
	case record.Partial, record.Unknown:
		return suite.Warn
	}
	return suite.Pass
}

// known counts what was expected, and what was and did not come.
func (p *printer) known() {
	n := 0
	for _, row := range p.run.Requirements {
		if row.Known.Excuses() {
			n++
		}
	}
	if n > 0 {
		p.line("  known  %s expected and count for nothing", counted(n, "failure is", "failures are"))
	}
}

// remark says what the word does not: of how much it is, where not everything was asked for.
func remark(r *record.Run) string {
	a := r.Accounting
	switch {
	case r.Selection != nil:
		s := fmt.Sprintf(" (of %s: %d of %d requirements", plain(r.Selection.String()), a.Catalogue, r.Selection.Catalogue)
		if a.Planned > 0 {
			s += fmt.Sprintf(", %d of them planned", a.Planned)
		}
		if r.Conformance == record.Partial {
			s += "; no violation found"
		}
		return s + ")"
	case r.Conformance == record.Partial:
		return " (no violation found)"
	case r.Conformance == record.Conformant && a.Planned > 0:
		return fmt.Sprintf(" (to the %d requirements judged; %d more are planned)", a.Catalogue-a.Planned, a.Planned)
	}
	return ""
}

func amountOfBytes(n int64) string {
	switch {
	case n >= 10<<20:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 10<<10:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return counted(int(n), "byte", "bytes")
}
