package features

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/conformance/spec"
)

// otherTag is the vocabulary of tags beside requirement ids.
var otherTag = regexp.MustCompile(`^@(` + strings.Join([]string{
	`read-only`,               // writes nothing, so it may run against any server
	`hostile`,                 // sends what an attacker would
	`serial`,                  // needs the target to itself
	`wait:[0-9]+m`,            // so much time has to pass
	`score:should`,            // a violation is a warning, by a position on the text
	`client:git`,              // the client is the installed git binary, not the suite's own
	`needs:clock`,             // the target's clock has to be movable
	`needs:raw`,               // bare connections
	`needs:kill`,              // the target can be crashed
	`needs:restart`,           // the target can be restarted
	`needs:stall`,             // a push can be made to take its time
	`needs:weight`,            // the memory of the target can be read
	`needs:reachback`,         // the target can reach git hosts that the suite starts
	`needs:held=[0-9,]+`,      // the target holds events of these kinds until git data arrives
	`needs:two-sided`,         // maintainers who do not list back must not count
	`needs:read-only-archive`, // the target is an archive that is only read, or nobody knows
	`needs:one-sided`,         // maintainers who do not list back have to count
	`needs:nip=[0-9]+`,        // the target lists the NIP
	`needs:grasp=[0-9]+`,      // the target lists the GRASP
	`sim-only`,
	`live-only`,
	`further`,         // where it cannot be run, its rows are judged by their other checks
	`because:[a-z-]+`, // why only one world can run it
}, `|`) + `)$`)

// Lint reports what is wrong with the checks of fsys against the catalogue, one finding a line, in order.
// Findings are: a check without a requirement, an unknown requirement, an unknown tag, an id or a title
// used twice, a check of a row that is planned, a row without the check that it claims, a file without a number of its own,
// and a rule of the reference among those for any server, or the other way round.
func Lint(fsys fs.FS, catalogue []spec.Requirement) ([]string, error) {
	checks, err := Load(fsys)
	if err != nil {
		return nil, err
	}
	rows := make(map[string]spec.Requirement)
	for _, r := range catalogue {
		rows[r.ID] = r
	}
	covered := make(map[string]bool)
	ids, titles := make(map[string]bool), make(map[string]bool)
	var findings []string
	for _, c := range checks {
		at := fmt.Sprintf("%s:%d: ", c.File, c.Line)
		found := func(format string, args ...any) { findings = append(findings, at+fmt.Sprintf(format, args...)) }
		if len(c.Requirements) == 0 {
			found("no requirement tag on %q", c.Title)
			continue
		}
		if ids[c.ID] {
			found("id %s is used twice; give the tag a word or the Examples a column %q", c.ID, idColumn)
		}
		if titles[c.File+c.Title] {
			found("title %q is used twice; let the title name what differs", c.Title)
		}
		ids[c.ID], titles[c.File+c.Title] = true, true
		for _, id := range c.Requirements {
			row, known := rows[id]
			switch {
			case !known:
				found("requirement %s is not in the catalogue", id)
			case row.Coverage.Kind != spec.Checked:
				found("requirement %s has a check, but the catalogue says %v", id, row.Coverage.Kind)
			}
			covered[id] = true
			if own := slices.Contains(FoldersOfTheReference(), path.Dir(c.File)); known && own != ofReference(row) {
				found("requirement %s: rules of the reference alone stand in the folders %v, and nothing else does", id, FoldersOfTheReference())
			}
		}
		findings = append(findings, lintTags(at, c)...)
	}
	findings = append(findings, lintFiles(checks)...)
	for _, r := range catalogue {
		if r.Coverage.Kind == spec.Checked && !covered[r.ID] {
			findings = append(findings, fmt.Sprintf("requirement %s: the catalogue claims a check, but no check carries its tag", r.ID))
		}
	}
	return findings, nil
}

// lintTags judges the tags that are no requirement ids.
func lintTags(at string, c Check) []string {
	var findings []string
	for _, tag := range c.Tags {
		if !requirementTag.MatchString(tag) && !otherTag.MatchString(tag) {
			findings = append(findings, at+fmt.Sprintf("tag %s is neither a requirement id nor a known word", tag))
		}
	}
	only := slices.ContainsFunc(c.Tags, func(t string) bool { return t == "@sim-only" || t == "@live-only" })
	if _, because := c.Value("because:"); only != because {
		findings = append(findings, at+"a check for one world needs a tag because, and no other check has one")
	}
	return findings
}

// numbered is the name of a feature file: an even number, so that there is room between two, and its subject.
var numbered = regexp.MustCompile(`^([0-9][02468])_[a-z_]+\.feature$`)

// lintFiles judges the names of files.
func lintFiles(checks []Check) []string {
	var findings []string
	owner := make(map[string]string) // of a folder's number
	for _, c := range checks {
		m := numbered.FindStringSubmatch(path.Base(c.File))
		if m == nil {
			findings = append(findings, fmt.Sprintf("%s: the name is not an even number of two digits, _ and a subject", c.File))
			continue
		}
		place := path.Dir(c.File) + "/" + m[1]
		if other, taken := owner[place]; taken && other != c.File {
			findings = append(findings, fmt.Sprintf("%s: %s has the same number", c.File, other))
		}
		owner[place] = c.File
	}
	slices.Sort(findings)
	return slices.Compact(findings)
}

// ofReference reports whether a row is a rule of the reference alone.
func ofReference(row spec.Requirement) bool {
	return slices.ContainsFunc(row.Conditions, func(c spec.Condition) bool { return c.Kind == spec.ReferenceWorld })
}
