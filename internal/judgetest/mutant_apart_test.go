//go:build unix

package judgetest

import (
	"context"
	"strings"

	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/archived"
	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/reference/core"
)

// with is a server with a mistake that offers something besides.
func with(on defect.Defect, what func(*core.Config)) defect.Defect {
	own := on.Config
	on.Config = func(c *core.Config) {
		what(c)
		if own != nil {
			own(c)
		}
	}
	return on
}

func contributes(c *core.Config) { c.Contributions.On = true }

// offering opens what a mutant is judged as besides: a service for members alone, one that does sync plus, and archives.
func offering(on defect.Defect) besides {
	all := besides{}
	for folder, what := range map[string]func(*core.Config){
		"grasp08":           func(c *core.Config) { c.Private.On = true },
		"grasp03":           func(c *core.Config) { c.Sync.Plus.On = true },
		"grasp05":           func(c *core.Config) { c.Archive = archived.Config(false) },
		"grasp05/read-only": func(c *core.Config) { c.Archive = archived.Config(true) },
	} {
		all[folder] = func(context.Context) (target.Target, func() error, error) {
			return simulatedTrusting(with(on, what), nil), func() error { return nil }, nil
		}
	}
	return all
}

// notKept reports whether a check of a row that is scored nowhere says that it is not kept: the honest server keeps them all.
func notKept(c suite.CheckResult, f suite.Finding) bool {
	folder, _, _ := strings.Cut(c.Check.File, "/")
	switch folder {
	case "grasp03", "grasp05", "grasp06", "grasp08":
		return f.Verdict == suite.Observed && f.Reason != ""
	}
	return false
}
