package suite

import (
	"regexp"
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
)

// admissionSteps find out whether strangers may announce repositories at all, and whether the document says so if not.
func admissionSteps() []step {
	return []step{
		{
			text: `nobody unknown may announce a repository`,
			role: setUp, sees: answers, cost: cost{events: 3},
			doc: "three keys announce, and each is refused for who it is; where one is taken, the check is not applicable",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.refusesEverybody() },
		},
		{
			text: `the document says whom it takes`,
			role: assertion, sees: answers, // the refusals are what the document is held against
			doc: "limitation, curation or repo_acceptance_criteria speak of it; a text of other words is noted",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.saysWhom() },
		},
		{
			text: `the limitation in the document fits the refusal`,
			role: assertion, sees: answers, // the refusals are what the document is held against
			doc: "auth_required or payment_required is there if that is what the refusal asks for",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.limitationFits() },
		},
	}
}

// refusesEverybody holds if announcements by three keys are refused for who they are by. Whoever has taken something from
// keys that it cannot know refuses for another reason, as for want of room.
func (w *world) refusesEverybody() outcome {
	if len(w.run.cfg.Keys) == 0 && w.run.welcome() {
		return notApplicable("events of keys that nobody knows are taken")
	}
	for _, actor := range []string{"owner", "contributor", "stranger"} {
		if out := w.announce(announcing{actor: actor}); !out.held() {
			return out
		}
		ok, is := w.sent.answer.(client.OKFrame)
		switch {
		case !is:
			return inconclusive("publish "+describe(w.sent.last), w.sent.answer)
		case ok.Accepted || !policyPrefix(ok.Prefix) || ok.Prefix == "pow": // whoever works is taken
			return notApplicable("announcements are not refused for who publishes them: %v", ok)
		}
	}
	return outcome{}
}

// refusal is the prefix of the last answer.
func (w *world) refusal() string {
	ok, _ := w.sent.answer.(client.OKFrame)
	return ok.Prefix
}

var (
	speaksOfSome = regexp.MustCompile(`(?i)member|invit|allow|approv|authenticat|auth|paid|pay|fee|whitelist|list of|listed|restrict|regist|subscri|trust|known|vouch|only|request|contact|ask|proof`)
	speaksOfAll  = regexp.MustCompile(`(?i)\b(any|all|every|anybody|anyone|everybody|everyone|whoever|public|open to)\b`)
)

// saysWhom judges that a document of a service that refuses strangers does not promise to take everybody. That a
// repository has to list the service is no word about who may announce it.
func (w *world) saysWhom() outcome {
	document, out := w.document()
	if !out.held() {
		return out
	}
	limits, _ := document["limitation"].(map[string]any)
	for _, flag := range []string{"auth_required", "payment_required"} { // restricted_writes holds wherever events have to refer to a repository
		if limits[flag] == true {
			return outcome{}
		}
	}
	curation, _ := document["curation"].(string)
	if strings.TrimSpace(curation) != "" {
		return outcome{}
	}
	criteria, _ := document["repo_acceptance_criteria"].(string)
	criteria = listing.ReplaceAllString(criteria, "")
	switch {
	case strings.TrimSpace(criteria) != "" && speaksOfSome.MatchString(criteria):
		return outcome{}
	case strings.TrimSpace(criteria) == "" || speaksOfAll.MatchString(criteria):
		return violated("everybody is refused (%v), and no word of the document says so: repo_acceptance_criteria is %q", w.sent.answer, criteria)
	}
	w.note("everybody is refused (%v); repo_acceptance_criteria is %q", w.sent.answer, criteria)
	return outcome{}
}

// listing are words about what an announcement has to list.
var listing = regexp.MustCompile(`(?i)(whose announcements?|that|which)? ?lists? (this|the) (service|server|relay)[^.]*`)

// limitationFits judges what programs read: what a refusal asks for is a limit that the document states.
func (w *world) limitationFits() outcome {
	document, out := w.document()
	if !out.held() {
		return out
	}
	limits, _ := document["limitation"].(map[string]any)
	member := map[string]string{"auth-required": "auth_required", "payment-required": "payment_required"}[w.refusal()]
	if member != "" && limits[member] != true {
		return violated("everybody is refused (%v), and limitation.%s is %v", w.sent.answer, member, limits[member])
	}
	return outcome{}
}
