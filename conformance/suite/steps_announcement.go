package suite

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/spec"
)

// announcing is one announcement as a step describes it.
type announcing struct {
	actor string            // whose key signs
	repo  string            // the name of the repository; "" is the one that the check is about
	with  map[string]string // tag to value, as in tables; see value
	name  string            // label
	date  int64
}

func announcementSteps() []step {
	return []step{
		{
			text: `the {actor} announces the repository{name}`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "announces the check's repository, or a named one, listing this service",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.announce(announcing{actor: a[0], repo: a[1]})
			},
		},
		{
			text: `the {actor} announced the repository{name}`,
			role: setUp, sees: answers, cost: cost{events: 1},
			doc: "an announcement that lists this service, of the check's repository or of a named one, was accepted",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.announce(announcing{actor: a[0], repo: a[1]}).then(w.accepted)
			},
		},
		{
			text: `the {actor} announced the repository{name} naming {actors}`,
			role: setUp, sees: answers, cost: cost{events: 1},
			doc: "an announcement that lists this service and names the actors as maintainers was accepted",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.announceNaming(a[0], a[1], a[2])
			},
		},
		{
			text: `the {actor} announces the repository with:`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "announces with the tags of the table in place of the usual ones; (none) leaves a tag out, (bare) leaves its value out, (empty) is no text",
			run: func(w *world, a []string, table [][]string) outcome {
				return w.announce(announcing{actor: a[0], with: values(table)})
			},
		},
		{
			text: `the {actor} announced the repository with:`,
			role: setUp, sees: answers, cost: cost{events: 1},
			doc: "an announcement with the tags of the table in place of the usual ones was accepted",
			run: func(w *world, a []string, table [][]string) outcome {
				return w.announce(announcing{actor: a[0], with: values(table)}).then(w.accepted)
			},
		},
		{
			text: `the identifier ends in "([^"]+)"`,
			role: setUp,
			doc:  "every identifier of the check gets this ending",
			run: func(w *world, a []string, _ [][]string) outcome {
				w.base = w.identifier
				w.identifier += a[0]
				return outcome{}
			},
		},
		{
			text: `the events of the check are dated a day ago`,
			role: setUp,
			doc:  "what follows is dated from that time on, in the order of the steps",
			run: func(w *world, _ []string, _ [][]string) outcome {
				w.start -= int64((24 * time.Hour).Seconds())
				return outcome{}
			},
		},
		{
			text: `the identifier begins with {any}`,
			role: setUp,
			doc:  "every identifier of the check gets this beginning, with the words in braces filled in",
			run: func(w *world, a []string, _ [][]string) outcome {
				w.identifier = w.filler(w.key("owner")).Replace(a[0]) + w.identifier
				return outcome{}
			},
		},
		{
			text: `nothing is there under the ending "([^"]+)"`,
			role: assertion, sees: advertised,
			doc: "both advertisements of the owner's path with this ending are a client error",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.notAt(w.client.RepoPath(w.key("owner").Pubkey, w.base+a[0]))
			},
		},
		{
			text: `the {actor} sends the (announcement|state|event(?: "[a-z]+")?|pull request) again`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "sends an earlier event of the check, the last of its sort, once more; what came in between has to have been accepted",
			run: func(w *world, a []string, _ [][]string) outcome {
				ev := w.event(a[1])
				if key := w.key(a[0]); ev.PubKey != key.Pubkey {
					return harnessError("the %s did not write the last %s: give it a name", a[0], a[1])
				}
				return w.sendAgain(ev)
			},
		},
		{
			text: `the announcement is served as it was signed`,
			role: assertion, sees: servedEvents, within: spec.ReleaseWithin,
			doc: "a query brings the event byte for byte as it was sent",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.servedVerbatim(w.event("announcement"))
			},
		},
		{
			text: `it is recorded whether the (announcement|state|event|pull request) is served`,
			role: record, sees: servedEvents, absent: true,
			doc: "behind a barrier, notes whether a query by id brings the event",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.recordServed(w.event(a[0]))
			},
		},
		{
			text: `{number} announcements by the {actor} arrive`,
			role: act, sees: answers, answered: true, cost: cost{events: 1, each: true},
			doc: "publishes so many announcements of different identifiers, until the server shows a limit; each has to be answered, and how many were taken is noted",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.announceMany(int(number(a[0])), func(int) client.Key { return w.key(a[1]) })
			},
		},
		{
			text: `{number} others announced the repository, each with a state of main at (\w+)`,
			role: setUp, sees: answers, cost: cost{events: 2, each: true},
			doc: "as many keys of their own announced a repository of that identifier and published a state of it, all accepted",
			run: func(w *world, a []string, _ [][]string) outcome { return w.othersAnnounced(int(number(a[0])), a[1]) },
		},
		{
			text: `{number} announcements by as many keys arrive`,
			role: act, sees: answers, answered: true, cost: cost{events: 1, each: true},
			doc: "publishes so many announcements, each by a key of its own, until the server shows a limit; each has to be answered, and how many were taken is noted",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.announceMany(int(number(a[0])), func(i int) client.Key {
					return w.run.newKey(fmt.Sprint(w.check.ID, "/crowd/", i), false).Working(w.run.facts.work)
				})
			},
		},
		{
			text: `the {actor}'s announcement{name}{date} and then{name}{date} arrive`,
			role: act, sees: answers, answered: true, cost: cost{events: 2},
			doc: "publishes two versions of one announcement with the dates given, whatever the answers",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.announceTwo(a)
			},
		},
		{
			text: `two versions of the {actor}'s announcement of one time arrive, the (lower|higher) id first`,
			role: act, sees: answers, answered: true, cost: cost{events: 2},
			doc: "publishes two versions of one announcement and one date in the order of ids given, whatever the answers",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.announceTie(a[0], a[1])
			},
		},
		{
			text: `two versions of the {actor}'s announcement of one time that differ in name and maintainer arrived, the (lower|higher) id first`,
			role: setUp, sees: answers, cost: cost{events: 2},
			doc: "two versions of one announcement and one date were answered, in the order of ids given; one names the maintainer, the other one the stranger",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.announceRivals(a[0], a[1])
			},
		},
		{
			text: `the page names nothing of the version with the higher id`,
			role: assertion, sees: pages,
			doc: "the name and the description of the version that lost are not on the page",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.namesWinner() },
		},
		{
			text: `whom the version with the (lower|higher) id names sends the state:`,
			role: act, sees: answers, cost: cost{events: 1}, answered: true,
			doc: "the maintainer of that version publishes a state, whatever the answer",
			run: func(w *world, a []string, table [][]string) outcome {
				return w.publishState(w.namedBy(w.event("announcement "+quote(a[0]))), "", w.tick(), table).then(w.answeredAtAll)
			},
		},
		{
			text: `the same announcement (?:listing this service|with the identifier) is accepted`,
			role: twin, sees: answers, cost: cost{events: 1},
			doc: "the announcement of the check, made proper, is accepted",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.announce(announcing{actor: w.sent.announced.actor}).then(w.accepted)
			},
		},
	}
}

// values reads a table of tags and values.
func values(table [][]string) map[string]string {
	with := make(map[string]string)
	for _, row := range table {
		with[row[0]] = row[1]
	}
	return with
}

// The values of tables that stand for no tag, for a tag without a value and for an empty value.
const (
	valueNone  = "(none)"
	valueBare  = "(bare)"
	valueEmpty = "(empty)"
)

// build makes the event of an announcement. What the table does not name lists this service.
func (w *world) build(a announcing) *nostr.Event {
	key, own := w.key(a.actor), w.repository(a.actor, a.repo)
	fill := w.filler(key)
	identifier := own.identifier
	if d, ok := a.with["d"]; ok && d != valueNone && d != valueBare {
		identifier = strings.ReplaceAll(fill.Replace(d), valueEmpty, "")
	}
	listed := identifier
	if listed == "" {
		listed = own.identifier
	}
	defaults := []struct{ tag, value string }{
		{"d", identifier},
		{"name", own.identifier},
		{"description", w.run.purpose()},
		{"clone", w.client.CloneURL(key.Pubkey, listed)},
		{"relays", w.client.RelayURL()},
		{"maintainers", valueNone},
	}
	var tags [][]string
	usual := make(map[string]bool)
	for _, d := range defaults {
		usual[d.tag] = true
		value, given := a.with[d.tag]
		if !given || d.tag == "d" && value != valueNone && value != valueBare {
			value = d.value
		} else {
			value = fill.Replace(value)
		}
		switch value {
		case valueNone:
			continue
		case valueBare:
			tags = append(tags, []string{d.tag})
			continue
		}
		tag := []string{d.tag, value}
		if slices.Contains([]string{"maintainers", "clone", "relays"}, d.tag) {
			tag = append(tag[:1], strings.Split(strings.ReplaceAll(value, valueEmpty, ""), ", ")...)
		}
		tags = append(tags, tag)
	}
	for _, name := range slices.Sorted(maps.Keys(a.with)) {
		switch value := a.with[name]; {
		case usual[name] || value == valueNone:
		case value == valueBare:
			tags = append(tags, []string{name})
		default:
			tags = append(tags, append([]string{name}, strings.Split(fill.Replace(value), ", ")...))
		}
	}
	worn := w.sent.dressing.worn
	return client.Build(key, client.KindAnnouncement, slices.Concat(tags, worn.tags, w.markers()), worn.content, a.date)
}

// announce publishes an announcement.
func (w *world) announce(a announcing) outcome {
	if a.date == 0 {
		a.date = w.tick()
	}
	ev := w.build(a)
	w.sent.announced = a
	w.remember("announcement", cmp.Or(a.name, a.repo), ev)
	return w.publish(ev)
}

// announceNaming publishes an announcement that names maintainers; it has to be accepted.
func (w *world) announceNaming(actor, repo, maintainers string) outcome {
	with := map[string]string{"maintainers": w.pubkeys(maintainers)}
	return w.announce(announcing{actor: actor, repo: repo, with: with}).then(w.accepted).asSetup()
}

// announceTwo publishes two versions of given dates, whatever the relay thinks of the second.
func (w *world) announceTwo(a []string) outcome {
	pair := []announcing{
		{actor: a[0], name: a[1], date: w.dated(a[2])},
		{actor: a[0], name: a[3], date: w.dated(a[4])},
	}
	for i := range pair {
		pair[i].with = map[string]string{"description": "version " + pair[i].name}
	}
	return w.announceEach(pair)
}

// announceTie publishes two versions of one time in the order of ids that the step names.
func (w *world) announceTie(actor, order string) outcome {
	date := w.dated("300")
	pair := []announcing{
		{actor: actor, date: date, with: map[string]string{"description": "one version"}},
		{actor: actor, date: date, with: map[string]string{"description": "another version"}},
	}
	if w.build(pair[1]).ID < w.build(pair[0]).ID {
		pair[0], pair[1] = pair[1], pair[0]
	}
	pair[0].name, pair[1].name = "lower", "higher"
	if order == "higher" {
		pair[0], pair[1] = pair[1], pair[0]
	}
	return w.announceEach(pair)
}

// announceEach publishes announcements, whatever the answers.
func (w *world) announceEach(all []announcing) outcome {
	for _, v := range all {
		if out := w.announce(v).then(w.answeredAtAll); !out.held() {
			return out
		}
	}
	return outcome{}
}

// announceRivals publishes two versions of one time, of different names, descriptions and maintainers, in the order of ids
// that the step names.
func (w *world) announceRivals(actor, order string) outcome {
	date := w.dated("300")
	var pair []announcing
	for _, rival := range []string{"maintainer", "stranger"} {
		words := "words of the version for the " + rival
		pair = append(pair, announcing{actor: actor, date: date, with: map[string]string{
			"name": words, "description": words, "maintainers": w.key(rival).Pubkey,
		}})
	}
	if w.build(pair[1]).ID < w.build(pair[0]).ID {
		slices.Reverse(pair)
	}
	pair[0].name, pair[1].name = "lower", "higher"
	if order == "higher" {
		slices.Reverse(pair)
	}
	return w.announceEach(pair)
}

// namedBy is the actor that an announcement names as maintainer.
func (w *world) namedBy(ev *nostr.Event) string {
	for _, a := range actors() {
		if list := ev.Tags.Find("maintainers"); list != nil && list[1] == w.key(a).Pubkey {
			return a
		}
	}
	panic("suite: invariant: an announcement of nobody")
}

// namesWinner judges that a page has nothing of the version that lost.
func (w *world) namesWinner() outcome {
	answer, out := w.answer()
	if !out.held() {
		return out
	}
	words := w.event(`announcement "higher"`).Tags.Find("name")[1]
	if strings.Contains(string(answer.Body), words) {
		return violated("the page holds %q, of the version that lost by its id", words)
	}
	return outcome{}
}

// answeredAtAll holds if the last event was answered, yes or no.
func (w *world) answeredAtAll() outcome {
	if _, is := w.sent.answer.(client.OKFrame); is {
		return outcome{}
	}
	return w.limited(w.sent.last, w.sent.answer).orElse(unlessInconclusive("publish "+describe(w.sent.last), w.sent.answer))
}
