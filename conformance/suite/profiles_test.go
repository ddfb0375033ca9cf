package suite_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/features"
)

func TestProfiles(t *testing.T) {
	t.Parallel()
	all, err := features.Load(features.FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range suite.Profiles() {
		if p.What == "" {
			t.Errorf("profile %s: nothing says what it is for", p.Name)
		}
		checks, rows, err := suite.Select(suite.Config{Features: features.FS, Seed: "x", Profile: p.Name})
		if err != nil {
			t.Fatal(err)
		}
		if whole := len(checks) == len(all) && len(rows) == len(spec.All()); whole != (p.Name == "full") || whole != p.Whole() {
			t.Errorf("profile %s: got %d checks of %d requirements, whole %v", p.Name, len(checks), len(rows), p.Whole())
		}
		for _, c := range p.Checks {
			if c.Why == "" || !slices.ContainsFunc(all, func(known features.Check) bool { return known.ID == c.ID && known.Wait() == 0 }) {
				t.Errorf("profile %s: got %+v, want a check that waits for nothing, with a reason", p.Name, c)
			}
		}
		if len(p.Checks) > 0 && len(checks) != len(p.Checks) {
			t.Errorf("profile %s: got %d checks, want the %d named ones", p.Name, len(checks), len(p.Checks))
		}
		for _, prefix := range p.Prefixes {
			if len(spec.Select(prefix)) == 0 {
				t.Errorf("profile %s: no requirement begins with %s", p.Name, prefix)
			}
		}
		for _, tag := range p.Tags {
			if !slices.ContainsFunc(all, func(c features.Check) bool { return c.Has(tag) }) {
				t.Errorf("profile %s: no check is tagged %s", p.Name, tag)
			}
		}
	}
	if _, _, err := suite.Select(suite.Config{Features: features.FS, Seed: "x", Profile: "smok"}); !errors.Is(err, suite.ErrNoProfile) {
		t.Errorf("unknown profile: got %v, want ErrNoProfile", err)
	}
}

// What an id and tags select of a profile is what all of them have.
func TestProfileMeetsSelection(t *testing.T) {
	t.Parallel()
	of := func(cfg suite.Config) (ids, rows []string) {
		cfg.Features, cfg.Seed = features.FS, "x"
		checks, requirements, err := suite.Select(cfg)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range checks {
			ids = append(ids, c.ID)
		}
		for _, r := range requirements {
			rows = append(rows, r.ID)
		}
		return ids, rows
	}
	whole, wholeRows := of(suite.Config{Profile: "security"})
	for _, cfg := range []suite.Config{{ID: "G01-PUSH"}, {Tags: "@hostile"}, {ID: "G01-PUSH", Tags: "@hostile"}} {
		alone, aloneRows := of(cfg)
		cfg.Profile = "security"
		got, rows := of(cfg)
		for _, id := range alone {
			if slices.Contains(got, id) != slices.Contains(whole, id) {
				t.Errorf("%+v: check %s: got %v, want what the profile says", cfg, id, slices.Contains(got, id))
			}
		}
		for _, id := range append(slices.Clone(got), rows...) {
			if !slices.Contains(alone, id) && !slices.Contains(aloneRows, id) || !slices.Contains(whole, id) && !slices.Contains(wholeRows, id) {
				t.Errorf("%+v: got %s, which one of both does not select", cfg, id)
			}
		}
	}
	if _, _, err := suite.Select(suite.Config{Features: features.FS, Seed: "x", Profile: "git", ID: "N40"}); !errors.Is(err, suite.ErrNothingSelected) {
		t.Errorf("nothing in common: got %v, want ErrNothingSelected", err)
	}
}
