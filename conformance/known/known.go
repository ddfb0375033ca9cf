// Package known is the list of failures that are expected: read from a file, laid over a document of runs, and written again.
//
// What an entry names is executed all the same; its failure is marked and counts for nothing, and if it does not come, the entry
// is stale. The package runs nothing, decides no exit code and reads no clock.
package known

import (
	"slices"
	"strings"

	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/features"
)

// An Entry excuses the failure of one requirement or of one check.
type Entry struct {
	Requirement string // id, such as "G01-PUSH-03"; "" if the entry names a check
	Check       string // id, such as "G01-PUSH-03.word"; "" if the entry names a requirement
	Reason      string // never ""
	Owner       string
	Link        string // URL
	Expires     string // the last day on which it excuses anything, "2027-01-31"; "" if there is none
	Flaky       bool   // the failure may stay away, and the entry is never stale
	Line        int    // in the file, from 1; 0 if it is in none
}

// Name is the id that the entry names.
func (e Entry) Name() string { return e.Requirement + e.Check }

// expired reports whether the day of the entry has passed. Days are compared as texts, which their form permits.
func (e Entry) expired(today string) bool { return e.Expires != "" && today > e.Expires }

// todo reports whether nobody has given a reason yet.
func (e Entry) todo() bool { return strings.HasPrefix(strings.ToUpper(e.Reason), Todo) }

// Todo is the reason of entries that were written by Update, until somebody gives one.
const Todo = "TODO"

// record is the entry in the form of documents.
func (e Entry) record() *record.Known {
	return &record.Known{Reason: e.Reason, Owner: e.Owner, Link: e.Link, Expires: e.Expires}
}

// A List is what one file holds, in its order.
type List struct {
	File    string // name, for messages
	Entries []Entry
}

// DayForm is how days are written.
const DayForm = "2006-01-02"

// A Catalogue is what entries may name.
type Catalogue struct{ requirements, checks []string }

// CatalogueOf is the catalogue of requirements, and the checks given.
func CatalogueOf(checks []features.Check) Catalogue {
	var c Catalogue
	for _, r := range spec.All() {
		c.requirements = append(c.requirements, r.ID)
	}
	for _, check := range checks {
		c.checks = append(c.checks, check.ID)
	}
	return c
}

func (c Catalogue) isRequirement(id string) bool { return slices.Contains(c.requirements, id) }

func (c Catalogue) isCheck(id string) bool { return slices.Contains(c.checks, id) }
