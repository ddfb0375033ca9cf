package suite

import (
	"maps"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
)

// relayed are the powers that steps about relays of ours need.
var relayed = []string{"reachback", "relays"}

// relaySteps speak of relays of ours that announcements list, of what they have, and of what comes from there.
func relaySteps() []step {
	return slices.Concat(listingSteps(), gettingSteps(), misbehavingSteps(), comingSteps())
}

// listingSteps set up relays, and repositories that list them.
func listingSteps() []step {
	const at = `(the other relays?(?:(?:,| and)? "[a-z]+")*|no other relay)`
	return []step{
		{
			text: `there is another relay{name}`,
			role: setUp, sees: relaysAsked, needs: relayed,
			doc: "a relay of the suite, which has no events and which the server can reach",
			run: func(w *world, a []string, _ [][]string) outcome { return w.newRelay(a[0]) },
		},
		{
			text: `the {actor}'s repository is served(?:, naming {actors})?(?:, which is at (the git hosts?(?:(?:,| and)? "[a-z]+")*))?, listing ` + at + `, with:`,
			role: setUp, sees: reports, cost: cost{events: 2, pushes: 1}, needs: relayed,
			doc: "as without other relays, and the announcement lists them",
			run: func(w *world, a []string, table [][]string) outcome {
				with := w.listing(a[3])
				if a[1] != "" {
					with["maintainers"] = w.pubkeys(a[1])
				}
				if a[2] != "" {
					maps.Copy(with, w.copies(a[2]))
				}
				return w.serve(announcing{actor: a[0], with: with}, table)
			},
		},
		{
			text: `the {actor} announced the repository anew, listing ` + at,
			role: setUp, sees: answers, cost: cost{events: 1}, needs: relayed,
			doc: "a newer announcement, which lists these relays beside this service, was accepted",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.announce(announcing{actor: a[0], with: w.listing(a[1])}).then(w.accepted)
			},
		},
		{
			text: `the {actor}'s issue{name} on the owner's repository was accepted`,
			role: setUp, sees: answers, cost: cost{events: 1},
			doc: "an issue on the owner's repository was accepted here",
			run: func(w *world, a []string, _ [][]string) outcome {
				ev := w.elsewhereIssue(a[0], w.latest(), "issue "+a[1])
				w.remember("issue", a[1], ev)
				return w.publish(ev).then(w.accepted)
			},
		},
		{
			text: `GRASP-02 is not listed`,
			role: setUp, sees: pages,
			doc: "a service that lists it is not judged",
			run: func(w *world, _ []string, _ [][]string) outcome {
				if w.run.facts.grasps[2] {
					return notApplicable("GRASP-02 is listed")
				}
				return outcome{}
			},
		},
	}
}

// gettingSteps give events to other relays, dated at the time of the target. The server does not get them from us.
func gettingSteps() []step {
	return []step{
		{
			text: `the other relay{name} (?:has|gets) the {actor}'s issue{name}`,
			role: act, sees: relaysAsked, needs: relayed,
			doc: "an issue on the owner's repository is published there",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.lodge(a[0], "issue", a[2], w.elsewhereIssue(a[1], w.latest(), "issue "+a[2]))
			},
		},
		{
			text: `the other relay{name} (?:has|gets) the {actor}'s (comment|note|patch|status|label){name} naming the (issue(?: "[a-z]+")?|owner's repository) by (\w)`,
			role: act, sees: relaysAsked, needs: relayed,
			doc: "an event that refers to the issue or the repository by this tag is published there. It refers to nothing else, but a comment that names it " +
				"by E or A answers another comment, which is nowhere",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.lodge(a[0], "event", a[3], w.elsewhereAnswer(a[1], kindOf("a "+a[2]), a[4], a[5]))
			},
		},
		{
			text: `the other relay{name} (?:has|gets) {number} of the {actor}'s issues(, all of one time)?`,
			role: act, sees: relaysAsked, needs: relayed,
			doc: "so many issues on the owner's repository are published there, a second apart or with one created_at",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.lodgeMany(a[0], a[2], int(number(a[1])), a[3] != "")
			},
		},
		{
			text: `the other relay{name} (?:has|gets) the {actor}'s announcement{name}, which is at (the git hosts?(?:(?:,| and)? "[a-z]+")*)`,
			role: act, sees: relaysAsked, needs: relayed,
			doc: "an announcement of the check's repository that lists this service and the git hosts is published there",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.lodge(a[0], "announcement", a[2], w.build(announcing{actor: a[1], with: w.copies(a[3]), date: w.latest()}))
			},
		},
		{
			text: `the other relay{name} (?:has|gets) the {actor}'s state{name}:`,
			role: act, sees: relaysAsked, needs: relayed,
			doc: "a state of the check's repository is published there",
			run: func(w *world, a []string, table [][]string) outcome {
				return w.lodge(a[0], "state", a[2], w.buildState(a[1], w.latest(), table))
			},
		},
		{
			text: `the other relay{name} gets the {label} as well`,
			role: act, sees: relaysAsked, needs: relayed,
			doc: "the event, which was published here, is published there",
			run: func(w *world, a []string, _ [][]string) outcome {
				w.other(a[0]).Put(w.event(a[1]))
				return outcome{}
			},
		},
		{
			text: `the other relay{name} gets the {actor}'s request to delete the {label}`,
			role: act, sees: relaysAsked, needs: relayed,
			doc: "a deletion request (NIP-09) for the event, by its id, is published there",
			run: func(w *world, a []string, _ [][]string) outcome {
				w.sent.doomed = w.event(a[2])
				w.other(a[0]).Put(client.Deletion(w.key(a[1]), []string{w.sent.doomed.ID}, nil, w.latest()))
				return outcome{}
			},
		},
		{
			text: `the other relay{name} gets the {actor}'s request to delete the {label} by address`,
			role: act, sees: relaysAsked, needs: relayed,
			doc: "a deletion request (NIP-09) for the event, by its address, is published there",
			run: func(w *world, a []string, _ [][]string) outcome {
				w.sent.doomed = w.event(a[2])
				w.other(a[0]).Put(client.Deletion(w.key(a[1]), nil, []string{addressOf(w.sent.doomed)}, w.latest()))
				return outcome{}
			},
		},
		{
			text: `the other relay{name} has the {actor}'s article{name} on the owner's repository`,
			role: act, sees: relaysAsked, needs: relayed,
			doc: "an addressable event (kind 30023) that names the owner's repository by a is published there",
			run: func(w *world, a []string, _ [][]string) outcome {
				tags := append([][]string{{"d", w.identifier}, {"a", client.RepoAddress(w.key("owner").Pubkey, w.identifier)}}, w.markers()...)
				return w.lodge(a[0], "event", a[2], client.Build(w.key(a[1]), client.KindArticle, tags, w.run.purpose(), w.latest()))
			},
		},
		{
			text: `the other relay{name} gets the {actor}'s request to vanish`,
			role: act, sees: relaysAsked, needs: relayed,
			doc: "a request to vanish from all relays (NIP-62) is published there",
			run: func(w *world, a []string, _ [][]string) outcome {
				w.other(a[0]).Put(client.Build(w.key(a[1]), client.KindVanish, [][]string{{"relay", "ALL_RELAYS"}}, "", w.latest()))
				return outcome{}
			},
		},
		{
			text: `the other relay{name} has the {actor}'s note{name} that nobody asks for`,
			role: act, sees: relaysAsked, needs: relayed,
			doc: "a note that refers to nothing, which the relay sends unasked where it strays or floods",
			run: func(w *world, a []string, _ [][]string) outcome {
				ev := client.Note(w.key(a[1]), w.markers(), w.run.purpose(), w.latest())
				w.remember("event", a[2], ev)
				w.sent.answer = nil
				w.other(a[0]).Stray(ev)
				return outcome{}
			},
		},
	}
}

// misbehavingSteps say how other relays answer.
func misbehavingSteps() []step {
	modes := []string{"serves"}
	for _, mode := range target.RelayModes() {
		if !slices.Contains([]target.RelayMode{target.RelayServes, target.RelayDrops, target.RelayCloses}, mode) {
			modes = append(modes, string(mode))
		}
	}
	behave := func(w *world, name string, b target.RelayBehavior) outcome {
		if err := w.other(name).Behave(b); err != nil {
			return harnessError("%v", err)
		}
		return outcome{}
	}
	return []step{
		{
			text: `from now on the other relay{name} (` + strings.Join(modes, "|") + `)(, knows no negentropy, and pages by {number})?`,
			role: setUp, sees: relaysAsked, needs: relayed,
			doc: "how the relay behaves; knowing no negentropy is answering a NEG-OPEN with a NOTICE",
			run: func(w *world, a []string, _ [][]string) outcome {
				b := target.RelayBehavior{Mode: target.RelayMode(a[1])}
				if a[1] == "serves" {
					b.Mode = ""
				}
				if a[2] != "" {
					b.Negentropy, b.PageMax = "unknown", int(number(a[3]))
				}
				return behave(w, a[0], b)
			},
		},
		{
			text: `from now on the other relay{name} ends each connection at message {number}`,
			role: setUp, sees: relaysAsked, needs: relayed,
			doc: "the relay hangs up when the message comes",
			run: func(w *world, a []string, _ [][]string) outcome {
				return behave(w, a[0], target.RelayBehavior{Mode: target.RelayDrops, After: int(number(a[1]))})
			},
		},
		{
			text: `from now on the other relay{name} closes every subscription with "([^"]*)"`,
			role: setUp, sees: relaysAsked, needs: relayed,
			doc: "the relay answers each question with CLOSED and this text",
			run: func(w *world, a []string, _ [][]string) outcome {
				return behave(w, a[0], target.RelayBehavior{Mode: target.RelayCloses, Text: a[1]})
			},
		},
		{
			text: `from now on the other relay{name} (knows no|declines|ignores) negentropy(?:, and pages by {number})?`,
			role: setUp, sees: relaysAsked, needs: relayed,
			doc: "the relay answers a NEG-OPEN with a NOTICE, with NEG-ERR or with nothing, and brings at most so many events for one filter",
			run: func(w *world, a []string, _ [][]string) outcome {
				b := target.RelayBehavior{Negentropy: map[string]string{"knows no": "unknown"}[a[1]]}
				if b.Negentropy == "" {
					b.Negentropy = a[1]
				}
				if a[2] != "" {
					b.PageMax = int(number(a[2]))
				}
				return behave(w, a[0], b)
			},
		},
		{
			text: `from now on the other relay{name} pages by {number}`,
			role: setUp, sees: relaysAsked, needs: relayed,
			doc: "the relay knows negentropy, and brings at most so many events for one filter, the newest, also where it is asked for more by their ids",
			run: func(w *world, a []string, _ [][]string) outcome {
				return behave(w, a[0], target.RelayBehavior{PageMax: int(number(a[1]))})
			},
		},
		{
			text: `from now on the other relay{name} answers {number} questions a minute(, and tells in a notice)?`,
			role: setUp, sees: relaysAsked, needs: relayed,
			doc: "what goes beyond is CLOSED as rate-limited, or passed over with a NOTICE",
			run: func(w *world, a []string, _ [][]string) outcome {
				return behave(w, a[0], target.RelayBehavior{PerMinute: int(number(a[1])), LimitNotice: a[2] != ""})
			},
		},
	}
}

// comingSteps judge what comes from other relays, and what they are asked.
func comingSteps() []step {
	return []step{
		{
			text: `the {label} comes to be served within an hour`,
			role: assertion, sees: servedEvents, within: syncedWithin, needs: relayed,
			doc: "the event, which another relay has, is served; five minutes more are given for getting it",
			run: func(w *world, a []string, _ [][]string) outcome { return w.comes(w.event(a[0])) },
		},
		{
			text: `the {label} came to be served within an hour`,
			role: setUp, sees: servedEvents, within: syncedWithin, needs: relayed,
			doc: "the same, as what the check rests on",
			run: func(w *world, a []string, _ [][]string) outcome { return w.comes(w.event(a[0])) },
		},
		{
			text: `all of these issues come to be served within an hour`,
			role: assertion, sees: servedEvents, within: syncedWithin, needs: relayed,
			doc: "the many issues are served, every one",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.comes(w.elsewhere.crowd...) },
		},
		{
			text: `the {label} is gone within an hour`,
			role: assertion, sees: servedEvents, within: syncedWithin, needs: relayed,
			doc: "the event is not served any more; five minutes more are given",
			run: func(w *world, a []string, _ [][]string) outcome { return w.goes(w.event(a[0])) },
		},
		{
			text: `the other relay{name} is connected to within an hour`,
			role: assertion, sees: relaysAsked, within: syncedWithin, needs: relayed,
			doc: "a connection is taken there",
			run: func(w *world, a []string, _ [][]string) outcome { return w.connectedTo(a[0]) },
		},
		{
			text: `the other relay{name} was tried at most {number} times`,
			role: assertion, sees: relaysAsked, needs: relayed,
			doc: "connections and attempts at one so far",
			run: func(w *world, a []string, _ [][]string) outcome { return w.visitedAtMost(a[0], int(number(a[1]))) },
		},
		{
			text: `the other relay{name} was sent at most {number} messages`,
			role: assertion, sees: relaysAsked, needs: relayed,
			doc: "messages that the server has sent there so far",
			run: func(w *world, a []string, _ [][]string) outcome { return w.askedAtMost(a[0], int(number(a[1]))) },
		},
		{
			text: `it is recorded how the other relay{name} was asked`,
			role: record, sees: relaysAsked, needs: relayed,
			doc: "notes connections and messages",
			run: func(w *world, a []string, _ [][]string) outcome {
				w.recordOther(a[0])
				return outcome{}
			},
		},
	}
}
