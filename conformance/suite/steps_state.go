package suite

import (
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

func stateSteps() []step {
	return []step{
		{
			text: `the {actor} publishes the state{name}{of}{date}:`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "publishes a state with the refs of the table; HEAD names a branch",
			run: func(w *world, a []string, table [][]string) outcome {
				return w.publishState(whose(a[0], a[2]), a[1], w.dated(a[3]), table)
			},
		},
		{
			text: `the {actor} published the state{name}{of}{date}:`,
			role: setUp, sees: answers, cost: cost{events: 1},
			doc: "a state with the refs of the table was accepted",
			run: func(w *world, a []string, table [][]string) outcome {
				return w.publishState(whose(a[0], a[2]), a[1], w.dated(a[3]), table).then(w.accepted)
			},
		},
		{
			text: `the {actor} sent the state{name}{of}{date}:`,
			role: setUp, sees: answers, cost: cost{events: 1},
			doc: "a state with the refs of the table was answered, yes or no",
			run: func(w *world, a []string, table [][]string) outcome {
				return w.publishState(whose(a[0], a[2]), a[1], w.dated(a[3]), table).then(w.answeredAtAll)
			},
		},
		{
			text: `the {actor} sends the state{name}{date}:`,
			role: act, sees: answers, cost: cost{events: 1}, answered: true,
			doc: "publishes a state with the refs of the table, which has to be answered, yes or no",
			run: func(w *world, a []string, table [][]string) outcome {
				return w.publishState(a[0], a[1], w.dated(a[2]), table).then(w.answeredAtAll)
			},
		},
		{
			text: `the same state by the {actor} is accepted`,
			role: twin, sees: answers, cost: cost{events: 1},
			doc: "the last state, signed by this actor, is accepted",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.publishState(a[0], "", w.tick(), w.git.state).then(w.accepted)
			},
		},
		{
			text: `the same state by the {actor}{date} moves the refs`,
			role: twin, sees: advertised, cost: cost{events: 1}, within: refsWithin,
			doc: "the last state, signed by this actor, is accepted, and the refs are there, if need be by a push",
			run: func(w *world, a []string, _ [][]string) outcome {
				state := w.git.state
				return w.publishState(a[0], "", w.dated(a[1]), state).then(w.accepted).then(func() outcome {
					return w.pushTwin("owner", refsOf(state)) // a state alone need not move refs
				}).then(func() outcome { return w.hasExactly(state) })
			},
		},
		{
			text: `two states of one time by the {actor} arrived, the (lower|higher) id first`,
			role: setUp, sees: answers, cost: cost{events: 2},
			doc: "two states with one created_at were answered, in the order of ids given",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.stateTie(a[0], a[0], a[1])
			},
		},
		{
			text: `two states of one time by the {actor} and the {actor} arrived`,
			role: setUp, sees: answers, cost: cost{events: 2},
			doc: "two states with one created_at by two authors were answered, the higher id first",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.stateTie(a[0], a[1], "higher")
			},
		},
	}
}

// buildState makes a state event of an actor's repository and a table: ref, object and further elements in each row; HEAD names a
// branch.
func (w *world) buildState(whose string, date int64, table [][]string) *nostr.Event {
	of := w.repositoryOf(whose)
	tags := [][]string{{"d", of.identifier}}
	for _, row := range table {
		switch row[0] {
		case "HEAD":
			tags = append(tags, []string{"HEAD", "ref: " + row[1]})
			continue
		case "HEAD (bare)":
			tags = append(tags, []string{"HEAD", row[1]})
			continue
		}
		tag := []string{w.refName(row[0])}
		for _, object := range row[1:] {
			if object != "" {
				tag = append(tag, w.entry(object))
			}
		}
		tags = append(tags, tag)
	}
	worn := w.sent.dressing.worn
	return client.Build(of.owner, client.KindState, slices.Concat(tags, worn.tags, w.markers()), worn.content, date)
}

// publishState publishes a state of an actor's repository; see whose.
func (w *world) publishState(whose, name string, date int64, table [][]string) outcome {
	ev := w.buildState(whose, date, table)
	w.git.state, w.git.states, w.git.signed = table, append(w.git.states, table), append(w.git.signed, ev)
	w.remember("state", name, ev)
	return w.publish(ev)
}

// entry is an element of a tag of a state: an object by its name, one of the malformed ids in brackets, or
// the text itself if it is the name of a ref.
func (w *world) entry(object string) string {
	switch object {
	case "(no hex)":
		return strings.Repeat("z", len(client.ZeroOID))
	case "(short)":
		return w.git.history.oid("second")[:12]
	case "(zero)":
		return client.ZeroOID
	case "(symbolic)":
		return "ref: refs/heads/main"
	case "(upper case)":
		return strings.ToUpper(w.git.history.oid("second"))
	case "(sha256)":
		return strings.Repeat("5", 64)
	}
	if strings.HasPrefix(object, "refs/") {
		return object
	}
	if m := oddID.FindStringSubmatch(object); m != nil {
		return w.oddID(m[1], m[2])
	}
	return w.git.history.oid(object)
}

// refName is the name of a ref in tables, with the words in braces filled in.
func (w *world) refName(name string) string {
	if !strings.Contains(name, "{") {
		return name
	}
	return w.filler(w.key("owner")).Replace(w.eventNames(name))
}

// refNames fills in the names of refs in a table of refs and objects.
func (w *world) refNames(table [][]string) [][]string {
	rows := make([][]string, len(table))
	for i, row := range table {
		rows[i] = append([]string{w.refName(row[0])}, row[1:]...)
	}
	return rows
}

// stateTie publishes two states of one time that differ in main, in the order of ids given.
func (w *world) stateTie(one, other, order string) outcome {
	date := w.dated("300")
	type version struct {
		actor string
		table [][]string
	}
	lower := version{one, [][]string{{"refs/heads/main", "side"}}}
	higher := version{other, [][]string{{"refs/heads/main", "second"}}}
	if w.buildState(higher.actor, date, higher.table).ID < w.buildState(lower.actor, date, lower.table).ID {
		lower, higher = higher, lower
	}
	w.git.lowest = lower.table
	pair := []version{lower, higher}
	if order == "higher" {
		pair = []version{higher, lower}
	}
	for _, v := range pair {
		out := w.publishState(v.actor, "", date, v.table).then(w.answeredAtAll).asSetup()
		if !out.held() {
			return out
		}
	}
	return outcome{}
}

// refsOf leaves of a state's table what a push can bring: no HEAD, no peeled entries.
func refsOf(table [][]string) [][]string {
	var refs [][]string
	for _, row := range table {
		if row[0] != "HEAD" && !strings.HasSuffix(row[0], "^{}") {
			refs = append(refs, row[:2])
		}
	}
	return refs
}
