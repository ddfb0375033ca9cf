package suite

import (
	"regexp"
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/features"
)

// ofArchive reports whether a check is about archives (GRASP-05).
func ofArchive(c features.Check) bool { return strings.HasPrefix(folderOf(c), archiveFolder) }

// archiveFolder has the checks of archives. Those of archives that are only read have a target of their own.
const (
	archiveFolder   = "grasp05"
	readOnlyArchive = archiveFolder + "/read-only"
)

// archivedName is the actor whose repositories are kept where the tester's keys say what is.
const archivedName = "owner"

// A keeping is what an archive keeps, as far as its document says so.
type keeping struct {
	services []string // all of one of these, whichever: origins with http or https, and with a base path if they have one
	all      bool
	words    string // what the document says
}

// known reports whether an announcement can be made that is kept by what the document says, whoever signs it.
func (k keeping) known() bool { return k.all || len(k.services) > 0 }

var (
	urlInWords   = regexp.MustCompile(`\b(?:https?|wss?)://[^\s,;"'()<>]+`)
	keepsAll     = regexp.MustCompile(`(?i)\b(?:all|every|any) (?:git )?repositor(?:ies|y)(?: found|[.,;]|$)`)
	saysReadOnly = regexp.MustCompile(`(?i)\bread[- ]only\b|\bonly read\b|\b(?:no|refuses?( all)?|without) push(?:es)?\b`)
)

const pointsAtEnd = "./" // which are not of the URL before them

// keeps reads what the target keeps.
func (r *run) keeps() keeping {
	curation, _ := r.facts.document["curation"].(string)
	criteria, _ := r.facts.document["repo_acceptance_criteria"].(string)
	k := keeping{words: strings.TrimSpace(curation + " " + criteria)}
	k.all = keepsAll.MatchString(curation) || keepsAll.MatchString(criteria)
	own := strings.TrimSuffix(strings.Replace(r.client.RelayURL(), "ws", "http", 1), "/")
	for _, found := range urlInWords.FindAllString(k.words, -1) {
		found = strings.TrimRight(found, pointsAtEnd)
		if strings.HasPrefix(found, "ws") {
			found = "http" + strings.TrimPrefix(found, "ws")
		}
		if found != own && !slices.Contains(k.services, found) && len(k.services) < servicesMax {
			k.services = append(k.services, found)
		}
	}
	return k
}

// Services that nobody knows, and whose names never mean a host.
const (
	someService  = "https://kept.example.invalid"
	otherService = "https://unkept.example.invalid"
)

// servicesMax is how many URLs in the words of a document may be that of the service whose repositories are kept.
const servicesMax = 8

// at are the services that an announcement lists to be kept: where words name several, one of them may be a page of rules.
func (k keeping) at() []string {
	if len(k.services) > 0 && !k.all {
		return k.services
	}
	return []string{someService}
}

// kept are the clone and relays values of an announcement that lists services, git hosts and relays of ours, and not the target.
func (w *world) kept(services []string, hosts string, other bool) map[string]string {
	var clone, relays []string
	for _, service := range services {
		clone = append(clone, service+"/{npub}/{identifier}.git")
		relays = append(relays, strings.Replace(service, "http", "ws", 1))
	}
	if hosts != "" {
		clone = append(clone, w.hostURLs(hosts)...)
	}
	if other {
		relays = append(relays, w.other("").URL())
	}
	return map[string]string{"clone": strings.Join(clone, ", "), "relays": strings.Join(relays, ", ")}
}

// announceKept announces what is kept. Without a word about it and without a key of somebody whose repositories are kept nothing can
// be.
func (w *world) announceKept(actor string, with map[string]string) outcome {
	if !w.run.keeps().known() && len(w.run.cfg.Keys) == 0 {
		return blocked("the document does not say what is archived, in words that are known here", unlockArchive)
	}
	return w.announce(announcing{actor: actor, with: with})
}

// unlockArchive is what a tester can do about an archive of which nothing is known.
const unlockArchive = "--keys FILE, the first one the secret key of somebody whose repositories are archived"

// keptAccepted holds if what should be kept is, whichever way that was found out.
func (w *world) keptAccepted() outcome {
	ok, is := w.sent.answer.(client.OKFrame)
	if is && !ok.Accepted && !w.run.keeps().known() {
		return blocked("the archive does not keep what the first key announces: "+ok.String(), unlockArchive)
	}
	return w.accepted()
}

// keepsAsSaid judges that what the document says is kept is.
func (w *world) keepsAsSaid() outcome {
	ok, is := w.sent.answer.(client.OKFrame)
	if k := w.run.keeps(); is && !ok.Accepted && k.known() {
		return violated("the document says %q, and an announcement that lists %s is answered by %v", k.words, strings.Join(k.at(), " and "), ok)
	}
	return w.keptAccepted()
}

// announceBeside announces what is not kept: by another service, or by somebody else where keys say what is kept.
func (w *world) announceBeside() outcome {
	k := w.run.keeps()
	switch {
	case k.all:
		return notApplicable("everything is archived: %q", k.words)
	case k.known():
		return w.announce(announcing{actor: archivedName, with: w.kept([]string{otherService}, "", false)})
	case len(w.run.cfg.Keys) == 0:
		return blocked("the document does not say what is archived, in words that are known here", unlockArchive)
	}
	return w.announce(announcing{actor: "stranger", with: w.kept([]string{someService}, "", false)})
}

// announceAlike announces by a URL that only looks like that of the service that is kept.
func (w *world) announceAlike(how string) outcome {
	k := w.run.keeps()
	if k.all || len(k.services) == 0 {
		return notApplicable("no service is named of which all is archived")
	}
	scheme, host, _ := strings.Cut(k.services[0], "://")
	host, _, _ = strings.Cut(host, "/")
	alike := map[string]string{
		"a host that begins like the one that is kept": scheme + "://" + host + ".example.invalid",
		"a user called like the host that is kept":     scheme + "://" + host + "@unkept.example.invalid",
		"a path that ends in the service that is kept": otherService + "/" + k.services[0],
		"the host that is kept, at another port":       scheme + "://" + onlyHost(host) + ":" + portUnkept,
	}[how]
	if alike == "" {
		panic("suite: invariant: unknown look-alike " + how)
	}
	return w.announce(announcing{actor: archivedName, with: w.kept([]string{alike}, "", false)})
}

// portUnkept is a port at which nobody keeps a service.
const portUnkept = "7331"

// onlyHost is a host without its port.
func onlyHost(host string) string {
	if at := strings.LastIndexByte(host, ':'); at > strings.LastIndexByte(host, ']') {
		return host[:at]
	}
	return host
}

// fillKept has the target get an archived repository from a git host.
func (w *world) fillKept(table [][]string) outcome {
	return w.publishState(archivedName, "", w.tick(), table).then(w.accepted).then(func() outcome {
		return w.servedInAnHour(w.event("state"))
	}).then(func() outcome { return w.served(w.event("announcement")) })
}

// saysOnlyRead holds where the document says that no push is taken.
func (w *world) saysOnlyRead() outcome {
	if k := w.run.keeps(); !saysReadOnly.MatchString(k.words) {
		return notApplicable("the document does not say that the archive is only read")
	}
	return outcome{}
}

// comeFromHost has the git host get the refs of the last push, and waits until they are in the repository.
func (w *world) comeFromHost() outcome {
	rows := w.git.pushed.rows
	w.put("", rows)
	var complaint string
	come, o := w.client.Poll(w.ctx, fetchedWithin, func() (bool, client.Observation) {
		w.close()
		o := w.client.Advertise(w.ctx, w.path(archivedName), client.UploadPack, 0)
		advert, is := o.(client.Advert)
		if !is {
			return false, o
		}
		at := slices.IndexFunc(w.refNames(rows), func(row []string) bool {
			oid, _ := advert.Ref(row[0])
			return oid != w.git.history.oid(row[1])
		})
		if at >= 0 {
			complaint = rows[at][0] + " is not there"
		}
		return at < 0, nil
	})
	switch {
	case come:
		return outcome{}
	case o != nil:
		return passed(o)
	}
	return violated("the refs do not come from the git host within %v: %s", fetchedWithin, complaint)
}

// toldOnlyRead judges that an archive that takes no push says so.
func (w *world) toldOnlyRead() outcome {
	document, out := w.document()
	if !out.held() {
		return out
	}
	answer := w.git.pushed.answer
	if report, is := answer.(client.PushReport); is && report.Accepted() {
		return notApplicable("the archive takes pushes")
	}
	if _, refused := client.Refusal(answer); !refused {
		return unlessInconclusive("the push", answer)
	}
	if out := w.announce(announcing{actor: "stranger"}); !out.held() {
		return out
	}
	listing, is := w.sent.answer.(client.OKFrame)
	switch {
	case !is:
		return unlessInconclusive("an announcement that lists the archive", w.sent.answer)
	case listing.Accepted:
		return notApplicable("the archive hosts what lists it, and takes pushes there")
	}
	if text, _ := document["curation"].(string); strings.TrimSpace(text) == "" {
		return violated("a push that a state has signed is refused (%v), and so is what lists the archive; curation is %#v", answer, document["curation"])
	}
	return outcome{}
}

// issueOn is an issue by one actor on the check's repository of another one.
func (w *world) issueOn(owner, author string) *nostr.Event {
	tags := append([][]string{{"a", client.RepoAddress(w.key(owner).Pubkey, w.identifier)}, {"subject", "an issue"}}, w.markers()...)
	return client.Build(w.key(author), client.KindIssue, tags, w.run.purpose(), w.tick())
}

// recordKept notes whether somebody's announcement is accepted.
func (w *world) recordKept(what string, a announcing) outcome {
	return w.announce(a).then(w.answeredAtAll).then(func() outcome {
		w.note("%s: %v", what, w.sent.answer)
		return outcome{}
	})
}

// recordWords notes what the document says, and how that was read.
func (w *world) recordWords() {
	k := w.run.keeps()
	w.note("the document says %q", k.words)
	switch {
	case k.all:
		w.note("read as everything")
	case len(k.services) > 0:
		w.note("read as all of %s", strings.Join(k.services, " or "))
	default:
		w.note("read as nothing")
	}
}

// recordKeptPush notes whether the last push was taken.
func (w *world) recordKeptPush() outcome {
	answer := w.git.pushed.answer
	report, is := answer.(client.PushReport)
	_, refused := client.Refusal(answer)
	switch {
	case is && report.Accepted():
		w.note("the push is taken")
	case refused:
		w.note("the push is refused: %v", answer)
	default:
		return unlessInconclusive("the push", answer)
	}
	return outcome{}
}
