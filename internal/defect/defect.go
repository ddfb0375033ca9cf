// Package defect plants known mistakes into the reference server, so that the suite can be seen to catch each of them.
// A defect sits at the server's seams: its settings, the inputs and effects of its core, its HTTP answers, its git
// backend; a few are edits of its source, for a build of their own. It contains no check, and nothing here runs unless a defect is named.
package defect

import (
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/httpd"
	"github.com/graspkit/graspkit/reference/web"
)

// A Defect is one planted mistake; what it is, and which requirement has to catch it, says spec.Defects. Hooks that are
// nil change nothing.
type Defect struct {
	Name     string // in lower-case words joined by hyphens
	Private  bool   // it is one of a service for members alone, and shows there only
	Archive  bool   // it is one of an archive, and shows there only
	ReadOnly bool   // of one that is only read
	InSource bool   // it is a mistake of the source, which a build with the edits of Edits alone can make
	Config   func(*core.Config)
	Web      func(*web.Config)
	Answer   func(web.Request, web.Route) web.Route
	Filter   func() Filter // a fresh filter for each server
	Backend  func(gitstore.Backend) gitstore.Backend
	Body     func(gitproto.Service, io.Reader) io.Reader // the body of a git request, unpacked
	Limits   func(*httpd.Limits)                         // of real sockets only
	Core     func(core.Machine) core.Machine             // around the core, for what needs the time or the repository that is asked for
	Sent     func(*http.Request, *Answer) error          // an HTTP answer on its way to the client; an error cuts the connection
	Frame    func([]byte) []byte                         // a message of the relay on its way to the client
	Heard    func([]byte) []byte                         // a message of a client on its way to the relay, before it is read
	Burst    func([][]byte) (passed, answers [][]byte)   // messages of a client, which did not wait in between: what reaches the relay, and what is answered in its place
	Front    func(http.Handler) http.Handler             // stands before all that is answered over HTTP
}

// An Answer is one whole HTTP answer on its way to the client.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// AtDoor reports whether the mistake is made between the server and its client, where a process of its own has no seam.
func (d Defect) AtDoor() bool {
	return d.Sent != nil || d.Frame != nil || d.Heard != nil || d.Burst != nil
}

// A Filter stands between a core and its shell. Hooks that are nil change nothing.
type Filter struct {
	// In changes an input before the core sees it; false swallows it.
	In func(core.Input) (core.Input, bool)
	// Out changes the effects that an input caused.
	Out func(in core.Input, effects []core.Effect) []core.Effect
	// Early picks pushes that are refused before their packs come; all others are let come, and judged then.
	Early func(core.PushOffered) bool
	// View changes what the web and git endpoints learn about a repository.
	View func(web.Repository) web.Repository
	// Also makes further inputs that the core gets after one and its effects. Nobody hears the answers to them.
	Also func(in core.Input, effects []core.Effect) []core.Input
}

// All returns every defect, sorted by name.
func All() []Defect {
	all := slices.Concat(
		overflowDefects(), earlyDefects(), unreadDefects(),
		restartDefects(),
		relayDefects(), orderDefects(), announcementDefects(), refusalDefects(), leakDefects(), purgatoryDefects(),
		pushDefects(), webDefects(), pathDefects(), gitDefects(), transferDefects(), negentropyDefects(),
		siblingDefects(), pullRequestDefects(), deletionDefects(), transportDefects(), referenceDefects(), huntDefects(),
		hostDefects(), listedDefects(), submittedDefects(),
		signatureDefects(), severalDefects(), partlyDefects(), visibleDefects(), lookalikeDefects(), browserDefects(),
		answerDefects(), tieDefects(), phaseDefects(), aliasDefects(), collectorDefects(), askedDefects(), lifeDefects(),
		answeredDefects(), roundsDefects(), spellingDefects(), smuggledDefects(), certifiedDefects(), escapeDefects(), eventsFirstDefects(),
		dyingDefects(), framesDefects(), heardDefects(), releasedDefects(), besideDefects(), headedDefects(), broadDefects(), sourceDefects(), staleDefects(),
		followedDefects(), followedBadlyDefects(), racedDefects(), privateDefects(), tokenDefects(), plusDefects(), archiveDefects(),
		placeDefects(), archivePushDefects(), privateShownDefects(), toldDefects(), metDefects(), metChainDefects(), metWebDefects(), metQueryDefects(), metHeldDefects(),
		valuesDefects(), asWrittenDefects(), lastingDefects(), namedDefects(), togetherDefects(), togetherGitDefects(), togetherRestartDefects(),
		againDefects(), boundDefects(), repeatedDefects(), crossDefects(), unusualDefects(),
		selectedDefects(), writtenDefects(), classesDefects(), shapesDefects(), spokenDefects(), resumedDefects(),
		methodsDefects(), turnsDefects(), waitedDefects(), refsDefects(), followedKindsDefects(), archiveKindsDefects(), tokenPartsDefects(), statedDefects(),
		furtherDefects(), furtherKeptDefects(), takenDefects(), aloneDefects(), patternDefects(), numberDefects(), breathDefects(), keptDefects(),
		halfwayDefects(), behindDefects(), behindRefsDefects(), unlikeDefects(), wordsDefects(), indexDefects(), escapableDefects(),
		sequelDefects(), grantedDefects(), libraryDefects(), contextDefects(), dressedDefects(), strayDefects(), vouchedDefects(), typedDefects(),
		crossedDefects(), passedOverDefects(), partedDefects(), pluggedDefects(), longListDefects(), characterDefects(), evictingDefects(),
		closingDefects(), lendingDefects(), twinDefects(), versionDefects(), datedDefects(), cutDefects(), chainDefects(), thinDefects(),
	)
	slices.SortFunc(all, func(a, b Defect) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// Lookup returns the defect of that name.
func Lookup(name string) (Defect, bool) {
	all := All()
	at := slices.IndexFunc(all, func(d Defect) bool { return d.Name == name })
	if at < 0 {
		return Defect{}, false
	}
	return all[at], true
}

// Names returns the names of all defects, sorted.
func Names() []string {
	var names []string
	for _, d := range All() {
		names = append(names, d.Name)
	}
	return names
}
