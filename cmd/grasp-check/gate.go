package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/conformance/known"
	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/features"
	"github.com/graspkit/graspkit/internal/cli"
)

// gateOptions are the flags by which a run says whether something may pass.
type gateOptions struct {
	profile     string
	known       string
	knownUpdate bool
	failOn      string
	failFast    bool
}

// profileUsage is what --profile says of itself.
func profileUsage() string {
	return "of a `PROFILE` alone: " + strings.Join(suite.ProfileNames(), ", ")
}

// profileWords are the profiles; what they are for stands behind a tab.
func profileWords() []string {
	var words []string
	for _, p := range suite.Profiles() {
		words = append(words, p.Name+"\t"+p.What)
	}
	return words
}

// profileText lists the profiles, a line each.
func profileText() string {
	var b strings.Builder
	b.WriteString("Profiles; --id and --tags select among what they have:\n")
	for _, p := range suite.Profiles() {
		fmt.Fprintf(&b, "  %-9s %s\n", p.Name, p.What)
	}
	return b.String()
}

func (o *gateOptions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.profile, "profile", "", "judge by the checks "+profileUsage())
	f.StringVar(&o.known, "known", "", "expect the failures that this `FILE` lists: they do not count, and one that does not come does")
	f.BoolVar(&o.knownUpdate, "known-update", false, "write the file of --known: take out what did not fail, add what did")
	f.StringVar(&o.failOn, "fail-on", "", "fail on these `THINGS` too, with commas between them: blocked, warn, inconclusive")
	f.BoolVar(&o.failFast, "fail-fast", false, "end the run at the first violated MUST that is not known")
}

// A gate is what a run is measured by: the failures that are expected, and what counts.
type gate struct {
	policy   record.Policy
	failFast bool
	today    string
	list     known.List
	text     []byte   // of the list
	update   *os.File // that the new list is written to, beside the list; nil if it is not asked for
}

// open reads the list of known failures, and opens the file for the new one, before anything is run.
func (o gateOptions) open(strict bool, now time.Time) (*gate, error) {
	policy, wrong, ok := record.ParsePolicy(o.failOn)
	switch {
	case !ok:
		usage := cli.Usagef("--fail-on %q: no such thing", wrong)
		usage.Hint = "want blocked, warn or inconclusive, with commas between them"
		return nil, usage
	case o.knownUpdate && o.known == "":
		usage := cli.Usagef("--known-update writes the file that --known names")
		usage.Hint = "add --known FILE"
		return nil, usage
	case o.knownUpdate && o.failFast:
		usage := cli.Usagef("--known-update needs a whole run, and --fail-fast ends it early")
		usage.Hint = "leave --fail-fast out"
		return nil, usage
	}
	policy.Warn = policy.Warn || strict
	g := &gate{policy: policy, failFast: o.failFast, today: now.UTC().Format(known.DayForm)}
	if o.known == "" {
		return g, nil
	}
	return g, g.read(o.known, o.knownUpdate)
}

func (g *gate) read(path string, update bool) error {
	text, err := os.ReadFile(path)
	switch {
	case err == nil:
	case update && errors.Is(err, fs.ErrNotExist):
	default:
		return &cli.ExitError{
			Code: cli.ExitUsage, Err: fmt.Errorf("--known: %w", err), Hint: "name a file that can be read; --known-update makes one that is not there",
		}
	}
	checks, err := features.Load(features.FS)
	if err != nil {
		return err
	}
	if g.list, err = known.Parse(path, text, known.CatalogueOf(checks)); err != nil {
		return &cli.ExitError{Code: cli.ExitUsage, Err: fmt.Errorf("--known: %w", err), Hint: `run "grasp-check list --checks" for the ids`}
	}
	g.text = text
	if !update {
		return nil
	}
	if g.update, err = os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*"); err != nil {
		return &cli.ExitError{
			Code: cli.ExitUsage, Err: fmt.Errorf("--known-update: %w", err), Hint: "name a file in a directory that exists and can be written to",
		}
	}
	return nil
}

// expects reports whether a list of known failures was given; a report waits for all runs then, for an entry is stale only if its
// failure has come in none of them.
func (g *gate) expects() bool { return g.list.File != "" }

// stop is what ends a run early, nil if nothing does.
func (g *gate) stop() func(suite.CheckResult) bool {
	if !g.failFast {
		return nil
	}
	return func(c suite.CheckResult) bool {
		var violated []string
		for _, f := range c.Findings {
			if f.Verdict == suite.Fail || g.policy.Warn && f.Verdict == suite.Warn {
				violated = append(violated, f.ID)
			}
		}
		return len(violated) > 0 && !g.list.Excuses(c.Check.ID, violated, g.today)
	}
}

// conclude marks what is known, writes the new list if that is asked for, and concludes the document. What it returns is to be
// told to the user.
func (g *gate) conclude(doc *record.Document) (told []string, err error) {
	if g.update != nil {
		if told, err = g.rewrite(doc); err != nil {
			return nil, err
		}
	}
	for _, f := range known.Apply(doc, g.list, g.today) {
		told = append(told, "warning: "+f.Text(g.list.File))
	}
	doc.Conclude(g.policy)
	return told, nil
}

// rewrite puts the new list in the place of the old one, at once and whole.
func (g *gate) rewrite(doc *record.Document) ([]string, error) {
	if doc.Interrupted() {
		return []string{g.list.File + ": left as it is, for the run did not come to its end"}, nil
	}
	text, gone, added := known.Update(doc, g.list, g.text, g.policy.Warn, g.today)
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(g.list.File); err == nil {
		mode = info.Mode().Perm()
	}
	_, err := g.update.Write(text)
	err = errors.Join(err, g.update.Chmod(mode), g.update.Close())
	if err == nil {
		err = os.Rename(g.update.Name(), g.list.File)
	}
	if err != nil {
		return nil, fmt.Errorf("--known-update: %w", err)
	}
	checks, err := features.Load(features.FS)
	if err != nil {
		return nil, err
	}
	if g.list, err = known.Parse(g.list.File, text, known.CatalogueOf(checks)); err != nil {
		return nil, fmt.Errorf("read what --known-update has written: %w", err)
	}
	return []string{fmt.Sprintf("%s: %d added, %d taken out, %d in all", g.list.File, len(added), len(gone), len(g.list.Entries))}, nil
}

// keep leaves the file of --known as it is.
func (g *gate) keep() {
	g.close()
	g.update = nil
}

// close takes away what was not written to.
func (g *gate) close() {
	if g.update != nil {
		_ = g.update.Close()
		_ = os.Remove(g.update.Name()) // after a rename there is none
	}
}

// selection is what the flags select, nil for everything.
func (o options) selection() *record.Selection {
	profile, _ := suite.ProfileOf(o.gate.profile)
	if profile.Whole() && o.id == "" && o.tags == "" {
		return nil
	}
	s := &record.Selection{ID: o.id, Tags: o.tags, Catalogue: len(spec.All())}
	if !profile.Whole() {
		s.Profile = profile.Name
	}
	return s
}
