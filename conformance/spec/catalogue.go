package spec

import (
	"regexp"
	"slices"
	"strings"
)

// IDPattern is the form of an id: family, area and number, such as G01-PURG-07, or family and number, such
// as SEC-04.
const IDPattern = `(?:[A-Z][0-9]{2}|REF|SEC|INV)(?:-[A-Z][A-Z0-9]*)?-[0-9]{2}`

// ValidID reports whether id has the form of a requirement id. Whether there is such a requirement is
// Lookup's answer.
func ValidID(id string) bool { return regexp.MustCompile(`^` + IDPattern + `$`).MatchString(id) }

// All is the whole catalogue in its order. The caller owns the slice.
func All() []Requirement {
	return slices.Concat(
		informationRows(),
		corsRows(),
		relayRows(),
		announcementRows(),
		relatedRows(),
		maintainerRows(),
		purgatoryRows(),
		deletionRows(),
		stateRows(),
		pushRows(),
		headRows(),
		siblingRows(),
		pullRequestRows(),
		gitRows(),
		webRows(),
		securityRows(),
		negentropyRows(),
		nipRows(),
		fetchRows(),
		syncRows(),
		syncPlusRows(),
		archiveRows(),
		contributorRows(),
		privateRows(),
		expiryRows(),
		restartRows(),
		releaseRows(),
		huntRows(),
		referenceSyncRows(),
		invariantRows(),
	)
}

// Lookup returns the requirement with this id.
func Lookup(id string) (Requirement, bool) {
	r, known := byID[id]
	return r, known
}

// byID is the catalogue by id: reports and checks look up rows by the thousand.
var byID = func() map[string]Requirement {
	rows := map[string]Requirement{}
	for _, r := range All() {
		rows[r.ID] = r
	}
	return rows
}()

// Select returns the requirements whose ids begin with prefix, in the catalogue's order.
func Select(prefix string) []Requirement {
	var chosen []Requirement
	for _, r := range All() {
		if strings.HasPrefix(r.ID, prefix) {
			chosen = append(chosen, r)
		}
	}
	return chosen
}

// section gives rows their section.
func section(title string, rows ...Requirement) []Requirement {
	for i := range rows {
		rows[i].Section = title
	}
	return rows
}

func must(id, text string, conditions ...Condition) Requirement {
	return Requirement{ID: id, Score: Must, Text: text, Conditions: conditions}
}

func should(id, text string, conditions ...Condition) Requirement {
	return Requirement{ID: id, Score: Should, Text: text, Conditions: conditions}
}

func observe(id, text string, conditions ...Condition) Requirement {
	return Requirement{ID: id, Score: Observe, Text: text, Conditions: conditions}
}

// checked marks rows that have a check in features/.
func checked(r Requirement) Requirement {
	r.Coverage = Coverage{Kind: Checked}
	return r
}
