package suite

import (
	"slices"
	"strings"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/features"
)

// A Profile is a selection of checks by a name.
type Profile struct {
	Name string
	What string // what it is for, in one line
	// A check belongs to the profile if one of these fits: the beginnings of ids of requirements, a tag, the check's own id.
	Prefixes []string
	Tags     []string // without their @
	Checks   []Choice
	core     bool // the requirements of spec.Core1 belong to it
}

// A Choice is one check of a profile, with what it stands for.
type Choice struct{ ID, Why string }

// Profiles are all there are, the smallest first.
func Profiles() []Profile {
	return []Profile{
		{
			Name: "smoke", What: "one check of each important area: is anything badly broken? A few seconds",
			Checks: []Choice{
				{"G01-N11-01", "the relay information document is there"},
				{"G01-N11-02", "it says that the server is a GRASP server"},
				{"G01-CORS-01.fetch-advert", "browsers may read what git reads"},
				{"G01-CORS-04.push", "browsers may ask beforehand"},
				{"N01-WS-01", "the relay answers where git does"},
				{"N01-EV-01", "an event is taken"},
				{"N01-EV-02.signature", "a forged one is not"},
				{"N01-REQ-01.ids", "events are found"},
				{"N01-REQ-01.live", "and sent to who waits for them"},
				{"N01-REP-01.upward", "a newer version takes the place of an older one"},
				{"N09-03.id", "a stranger deletes nothing"},
				{"G01-ANN-01", "an announcement makes a repository"},
				{"G01-ANN-02", "one of another service does not"},
				{"G01-REL-01.issue", "what belongs to a repository is taken"},
				{"G01-REL-05.issue", "what belongs to none is not"},
				{"G01-MNT-01", "maintainers have authority"},
				{"G01-MNT-03", "and nobody else has"},
				{"G01-PURG-05.state-id", "what waits for git data is not served"},
				{"G01-PURG-07", "a push releases it"},
				{"N34-ST-01", "a state is read"},
				{"G01-LAT-02", "an older one means nothing"},
				{"G01-PUSH-01", "a push that a state allows is taken"},
				{"G01-PUSH-02", "without a state none is"},
				{"G01-PUSH-03", "nor is another commit than it names"},
				{"G01-HEAD-01.v2", "HEAD follows the state"},
				{"G01-PR-01", "anybody may push what a pull request names"},
				{"G01-GIT-01", "the repository is where clients look for it"},
				{"G01-GIT-02.v2", "it can be cloned"},
				{"G01-GIT-10.fetch-advert", "and what is not there is not found"},
				{"G01-WEB-01", "a browser is shown a page"},
				{"SEC-01.tags", "junk takes nothing down"},
				{"SEC-03.option", "nothing that is sent is an option of a command"},
			},
		},
		{Name: "core", What: "the main path of GRASP-01, which every implementation meets first", core: true},
		{
			Name: "security", What: "attacks, forgeries and what strangers must not do",
			Tags: []string{"hostile"},
			Prefixes: []string{
				"SEC-", "N01-EV-02", "N09-03", "N42-", "N70-", "N77-04", "G01-ANN-10", "G01-MNT-03", "G01-MNT-04", "G01-MNT-08", "G01-LAT-02",
				"G01-PURG-05", "G01-PURG-23", "G01-DEL-05", "G01-PUSH-02", "G01-PUSH-03", "G01-PUSH-04", "G01-PUSH-08", "G01-PUSH-10",
				"G01-PUSH-14", "G01-PUSH-17", "G01-PUSH-18", "G01-PUSH-20", "G01-PUSH-21", "G01-PUSH-22", "G01-PUSH-29", "G01-PR-02",
				"G01-PR-11", "G01-XR-02", "G01-GIT-16", "G01-GIT-19", "G01-WEB-03", "G02-GIT-06", "G02-GIT-09", "G02-EV-03",
			},
		},
		{
			Name: "git", What: "pushes, fetches, refs and pull requests, with the installed git too where there is one",
			Tags:     []string{"client:git"},
			Prefixes: []string{"G01-PUSH-", "G01-GIT-", "G01-HEAD-", "G01-LAT-", "G01-PR-", "G01-XR-", "N34-ST-", "SEC-04", "SEC-06", "SEC-07", "SEC-10"},
		},
		{
			Name: "relay", What: "the nostr relay: its document, events, filters, deletion, reconciliation and further NIPs",
			Prefixes: []string{"G01-N11-", "N01-", "N09-", "N13-", "N22-", "N40-", "N42-", "N62-", "N70-", "N77-", "N98-", "N34-0", "G01-REL-", "SEC-01"},
		},
		{Name: "full", What: "everything", Prefixes: []string{""}},
	}
}

// ProfileNames are the names of all profiles, the smallest first.
func ProfileNames() []string {
	var names []string
	for _, p := range Profiles() {
		names = append(names, p.Name)
	}
	return names
}

// ProfileOf is the profile of that name; "" is that of everything.
func ProfileOf(name string) (Profile, bool) {
	all := Profiles()
	if name == "" {
		return all[len(all)-1], true
	}
	at := slices.IndexFunc(all, func(p Profile) bool { return p.Name == name })
	if at < 0 {
		return Profile{}, false
	}
	return all[at], true
}

// Whole reports whether everything belongs to the profile.
func (p Profile) Whole() bool { return slices.Contains(p.Prefixes, "") }

// fits reports whether a check belongs to the profile.
func (p Profile) fits(c features.Check) bool {
	return slices.ContainsFunc(p.Checks, func(choice Choice) bool { return choice.ID == c.ID }) ||
		slices.ContainsFunc(p.Tags, c.Has) ||
		slices.ContainsFunc(c.Requirements, p.names)
}

// names reports whether a requirement belongs to the profile, with all its checks.
func (p Profile) names(id string) bool {
	return p.core && spec.InCore1(id) || slices.ContainsFunc(p.Prefixes, func(prefix string) bool { return strings.HasPrefix(id, prefix) })
}
