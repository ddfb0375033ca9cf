package suite

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	tagexpressions "github.com/cucumber/tag-expressions/go/v6"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/features"
)

// Select returns the checks and the requirements that cfg selects, both in their own order. Without a tag
// expression the requirements are all whose id fits, planned ones too; with one they are those of the
// selected checks. Of both only those of the profile are left: the rows that it names, and those of its checks. It returns
// ErrNothingSelected, wrapped, if there are neither, and an error for an unknown profile and a malformed tag expression or
// feature file.
func Select(cfg Config) ([]features.Check, []spec.Requirement, error) {
	all, err := features.Load(cfg.Features)
	if err != nil {
		return nil, nil, err
	}
	if cfg.Tags != "" && !strings.Contains(cfg.Tags, "@") {
		return nil, nil, fmt.Errorf("tag expression %q: no tag in it; a tag starts with @", cfg.Tags)
	}
	expression, err := parseTags(cfg.Tags)
	if err != nil {
		return nil, nil, fmt.Errorf("tag expression %q: %w", cfg.Tags, err)
	}
	profile, known := ProfileOf(cfg.Profile)
	if !known {
		return nil, nil, fmt.Errorf("%w %q", ErrNoProfile, cfg.Profile)
	}
	begins := strings.FieldsFunc(cfg.ID, func(r rune) bool { return r == ',' || r == ' ' })
	if len(begins) == 0 {
		begins = []string{""}
	}
	var checks []features.Check
	carried := make(map[string]bool)
	for _, c := range all {
		if !idFits(c, begins) || !expression.Evaluate(c.Tags) || !profile.fits(c) {
			continue
		}
		checks = append(checks, c)
		for _, id := range c.Requirements {
			carried[id] = true
		}
	}
	var rows []spec.Requirement
	for _, r := range spec.All() {
		fits := slices.ContainsFunc(begins, func(begin string) bool {
			return strings.HasPrefix(r.ID, begin) || (strings.HasPrefix(begin, r.ID) && carried[r.ID])
		})
		if fits && (carried[r.ID] || cfg.Tags == "" && profile.names(r.ID)) {
			rows = append(rows, r)
		}
	}
	if len(checks) == 0 && (len(rows) == 0 || cfg.Tags != "") {
		within := ""
		if cfg.Profile != "" {
			within = fmt.Sprintf(" in the profile %s", cfg.Profile)
		}
		return nil, nil, fmt.Errorf("%w by id %q and tags %q%s", ErrNothingSelected, cfg.ID, cfg.Tags, within)
	}
	return checks, rows, nil
}

// parseTags reads a tag expression. The library panics on some that end too early, which is the caller's mistake and
// not ours.
func parseTags(text string) (expression tagexpressions.Evaluatable, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("an operand is missing; write it as in '@a and not (@b or @c)'")
		}
	}()
	return tagexpressions.Parse(strings.Join(strings.Fields(text), " ")) // its errors quote the text, and are to be one line
}

// idFits reports whether the check, or a requirement that it carries, has an id that begins with one of these.
func idFits(c features.Check, begins []string) bool {
	fits := func(id string) bool {
		return slices.ContainsFunc(begins, func(begin string) bool { return strings.HasPrefix(id, begin) })
	}
	return fits(c.ID) || slices.ContainsFunc(c.Requirements, fits)
}
