package suite

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
)

// waitSteps measure how long a private service takes to refuse (GRASP-08).
func waitSteps() []step {
	return []step{
		{
			text: `a visitor with the stranger's token asks in turns for (` + strings.Join(gitEndpoints(), "|") + `) of the owner's repository and of none`,
			role: act, sees: pages,
			doc: "asks forty times each for that of the repository, of one that is not there, and of that again, with a token for each, and measures the waits",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.waitInTurns(func(at repository) outcome {
					o := w.asks(a[0], w.token("the stranger's token", at), w.pathOf(at))
					answer, is := o.(client.HTTPAnswer)
					switch {
					case !is || tooFast(o):
						return inconclusive("a refusal", o)
					case answer.Status != http.StatusUnauthorized:
						return violated("a stranger's token is answered by %v", answer)
					}
					return outcome{}
				})
			},
		},
		{
			text: `a client of (nobody|the stranger) asks in turns for the owner's repository and for none`,
			role: act, sees: answers,
			doc: "asks by REQ forty times each for the announcement of the repository, for one that is not there, and for that again, on one connection, and measures the waits",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.relayInTurns(strings.TrimPrefix(a[0], "the "))
			},
		},
		{
			text: `the waits do not tell them apart`,
			role: assertion, sees: pages, refuses: true,
			doc: "by ranks who waits cannot guess which of them it was; two series of four have to say the same, and it is inconclusive if equal requests differ as much",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.waitsTellNothing() },
		},
	}
}

// Bounds of what is measured.
const (
	waitRounds = 40 // how often each thing is asked for in one series
	seriesMax  = 4  // series that are measured until two of them say the same
)

// waitInTurns measures series until two of them say the same. What comes first in a round changes from one to the next.
func (w *world) waitInTurns(ask func(at repository) outcome) outcome {
	there, missing := w.repository("owner", ""), w.repository("owner", "missing")
	if w.run.cfg.Clock == nil {
		return blocked("nothing measures how long answers take: the clock of this target stands until it is moved", "judge by grasp-check")
	}
	w.private.waits = nil
	for len(w.private.waits) < seriesMax && w.told() == tellNoise {
		var series waited
		asked := []struct {
			at    repository
			waits *[]time.Duration
		}{{there, &series.there}, {missing, &series.missing}, {missing, &series.again}}
		for round := range waitRounds {
			for turn := range asked {
				a := asked[(round+turn)%len(asked)]
				start := w.run.now()
				if out := ask(a.at); !out.held() {
					return out
				}
				*a.waits = append(*a.waits, w.run.now().Sub(start))
			}
		}
		w.private.waits = append(w.private.waits, series)
	}
	return outcome{}
}

// relayInTurns measures the refusals of questions on somebody's connection. Where it ends with the refusal of who authenticates there
// is nothing to ask.
func (w *world) relayInTurns(who string) outcome {
	relay, out := w.doorway(who)
	if !out.held() {
		return out
	}
	asked := 0
	return w.waitInTurns(func(at repository) outcome {
		asked++
		filter := client.Filter{
			Authors: []string{at.owner.Pubkey}, Kinds: []int{client.KindAnnouncement}, Tags: map[string][]string{"d": {at.identifier}},
		}
		name := fmt.Sprint("turn-", asked)
		a := w.answerOn(relay, question{"REQ", name, fmt.Appendf(nil, `["REQ",%q,%s]`, name, filter.JSON())})
		switch {
		case a.none != nil && w.shownOut(who, a.none):
			return notApplicable("the connection of who is no member ends: %v", a.none)
		case a.none != nil:
			return inconclusive("a refusal", a.none)
		case a.prefix == "rate-limited":
			return inconclusive("a refusal", client.RateLimited{Text: a.text})
		case !a.refused():
			return violated("a question of who is no member is answered by %v", a)
		}
		return outcome{}
	})
}

// told is what two of the series say, if it is the same.
func (w *world) told() telling {
	count := make(map[telling]int)
	for _, series := range w.private.waits {
		count[series.tells()]++
	}
	for _, said := range []telling{tellNothing, tellApart} {
		if count[said] >= 2 {
			return said
		}
	}
	return tellNoise
}

// waitsTellNothing judges what was measured.
func (w *world) waitsTellNothing() outcome {
	switch w.told() {
	case tellNothing:
		return outcome{}
	case tellApart:
		last := w.private.waits[len(w.private.waits)-1]
		return violated("in two series whoever waits for a refusal can tell whether there is a repository: of two it is guessed in %.0f%% of all pairs which is which",
			50+100*abs(guess(last.there, last.missing)))
	case tellNoise:
	}
	return outcome{verdict: Inconclusive, reason: "the waits for refusals are too uneven to compare"}
}
