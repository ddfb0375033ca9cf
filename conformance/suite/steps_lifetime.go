package suite

import (
	"strconv"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// lifetimeSteps speak of events that end by their own word (NIP-40) or by their author's (NIP-09), and of how many there
// are (NIP-45).
func lifetimeSteps() []step {
	return []step{
		{
			text: `the {actor} posts an issue that expired {number} seconds ago`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "publishes an issue whose expiration (NIP-40) is past",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.postExpiring(a[0], "", -time.Duration(number(a[1]))*time.Second)
			},
		},
		{
			text: `the {actor} posts an issue that expired when time began`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "publishes an issue that names the lighthouse, with an expiration of 0",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.postExpiring(a[0], "", -time.Duration(w.run.target.Now().Unix())*time.Second)
			},
		},
		{
			text: `the {actor} posts an issue that expires at the second {number} of time`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "publishes an issue with this expiration (NIP-40), as it is written",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.needLighthouse().then(func() outcome {
					w.sent.expires = number(a[1])
					ev := w.expiring(a[0], w.issue(a[0], "expiring", w.tick()))
					w.remember("issue", "", ev)
					return w.publish(ev)
				})
			},
		},
		{
			text: `the {actor} posts an issue that expires in {number} seconds`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "publishes an issue with an expiration (NIP-40) to come",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.postExpiring(a[0], "", time.Duration(number(a[1]))*time.Second)
			},
		},
		{
			text: `the same issue that expires in an hour is accepted`,
			role: twin, sees: answers, cost: cost{events: 1},
			doc: "the same issue with an expiration to come is accepted",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.postExpiring("contributor", "", time.Hour).then(w.accepted)
			},
		},
		{
			text: `the {actor} posted an issue that expires in {number} seconds`,
			role: setUp, sees: answers, cost: cost{events: 1},
			doc: "an issue with an expiration to come was accepted",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.postExpiring(a[0], "", time.Duration(number(a[1]))*time.Second).then(w.accepted)
			},
		},
		{
			text: `the {actor} posted the issue{name}, which expires in {number} seconds`,
			role: setUp, sees: answers, cost: cost{events: 1},
			doc: "an issue with an expiration to come, known by this name, was accepted",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.postExpiring(a[0], a[1], time.Duration(number(a[2]))*time.Second).then(w.accepted)
			},
		},
		{
			text: `the {actor} published a state, which expires in {number} seconds:`,
			role: setUp, sees: answers, cost: cost{events: 1},
			doc: "a state with an expiration to come and the refs of the table was accepted",
			run: func(w *world, a []string, table [][]string) outcome {
				return w.publishExpiring(a[0], time.Duration(number(a[1]))*time.Second, table).then(w.accepted)
			},
		},
		{
			text: `the {actor} announced the repository, which expires in {number} seconds`,
			role: setUp, sees: answers, cost: cost{events: 1},
			doc: "an announcement with an expiration to come was accepted",
			run: func(w *world, a []string, _ [][]string) outcome {
				w.expire(time.Duration(number(a[1])) * time.Second)
				with := map[string]string{"expiration": strconv.FormatInt(w.sent.expires, 10)}
				return w.announce(announcing{actor: a[0], with: with}).then(w.accepted)
			},
		},
		{
			text: `the {actor} published (a pull request|an update) of the commit (\w+), which expires in {number} seconds`,
			role: setUp, sees: answers, cost: cost{events: 2},
			doc: "a pull request, or an update, with an expiration to come was accepted",
			run: func(w *world, a []string, _ [][]string) outcome {
				p := pulling{actor: a[0], label: labelOf(a[1]), commit: a[2]}
				return w.original(p).then(func() outcome {
					w.expire(time.Duration(number(a[3])) * time.Second)
					ev := w.expiring(p.actor, w.buildPull(p))
					w.remember(p.label, "", ev)
					w.sent.byLabel["root"] = ev
					return w.publish(ev).then(w.accepted)
				})
			},
		},
		{
			text: expirationPasses,
			role: act, sees: passing,
			doc: "time passes until a second after the expiration",
			run: func(w *world, _ []string, _ [][]string) outcome {
				w.close() // no connection has to live through the wait
				w.sent.expiryAwaited = true
				left := w.sent.expires - w.run.target.Now().Unix()
				return passed(w.client.Wait(w.ctx, time.Duration(max(left, 0)+1)*time.Second))
			},
		},
		{
			text: `the {actor}'s request to delete the {label} is taken`,
			role: setUp, sees: answers, cost: cost{events: 1},
			doc: "a deletion request was accepted and the event is not served; a server that takes none, or does nothing on them, is not judged",
			run: func(w *world, a []string, _ [][]string) outcome {
				ev := w.event(a[1])
				deletion := client.Deletion(w.key(a[0]), []string{ev.ID}, nil, w.tick())
				w.remember("deletion", "", deletion)
				return w.publish(deletion).then(func() outcome {
					if reason, refused := client.Refusal(w.sent.answer); refused {
						return notApplicable("the server takes no deletion requests: %s", reason)
					}
					return w.accepted().then(func() outcome { return w.tookEffect(ev) })
				})
			},
		},
		{
			text: `the {actor} posted {number} issues`,
			role: setUp, sees: answers, cost: cost{events: 1, each: true},
			doc: "so many issues on the lighthouse were accepted, each of a date of its own, and not in the order of their dates",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.postMany(a[0], int(number(a[1])), 0)
			},
		},
		{
			text: `the {actor} posted up to {number} issues`,
			role: setUp, sees: answers, cost: cost{events: 1, each: true},
			doc: "as many issues as are accepted within a minute, each of a date of its own, and not in the order of their dates; where that are less than a sixth, nothing is judged",
			run: func(w *world, a []string, _ [][]string) outcome {
				n := int(number(a[1]))
				return w.postMany(a[0], n, time.Minute).then(func() outcome {
					if some := len(w.sent.posted); some < n/6 {
						return notApplicable("the server took %d events within a minute, too few to tell", some)
					}
					return outcome{}
				})
			},
		},
		{
			text: `a count by {any} is {number}`,
			role: assertion, sees: servedEvents,
			doc: "the answer to a COUNT by the filter named",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.counts(int(number(a[1])), w.filters(a[0])...)
			},
		},
		{
			text: `a count of everything is the sum of the counts of what is until "([a-z]+)" and of what is since a second later`,
			role: assertion, sees: servedEvents,
			doc: "COUNTs without a condition and of the two parts agree; where others publish meanwhile, or much is here, nothing is judged",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.countsAddUp(w.event("issue " + quote(a[0])))
			},
		},
		{
			text: `a count of the {actor}'s events is {number}`,
			role: assertion, sees: servedEvents,
			doc: "the answer to a COUNT by author",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.counts(int(number(a[1])), client.Filter{Authors: []string{w.key(a[0]).Pubkey}})
			},
		},
		{
			text: `a count of the {actor}'s events of the repository is {number}`,
			role: assertion, sees: servedEvents,
			doc: "the answer to a COUNT by author and identifier",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.counts(int(number(a[1])), client.Filter{
					Authors: []string{w.key(a[0]).Pubkey}, Tags: map[string][]string{"d": {w.identifier}},
				})
			},
		},
	}
}

// tookEffect waits until an event is gone that somebody asked to delete. That requests have an effect is judged elsewhere.
func (w *world) tookEffect(ev *nostr.Event) outcome {
	var end outcome
	bound, _ := w.run.patience(&w.run.releases, 0)
	gone, _ := w.client.Poll(w.ctx, bound, func() (bool, client.Observation) {
		var gone bool
		gone, end = w.gone(ev)
		return gone || !end.held(), nil
	})
	if !gone && end.held() {
		return notApplicable("deletion requests have no effect here: %s is still served", describe(ev))
	}
	return end
}

// postExpiring publishes an issue that expires some time from now.
func (w *world) postExpiring(actor, name string, in time.Duration) outcome {
	return w.needLighthouse().then(func() outcome {
		if in > 0 {
			in = w.brief(in)
		}
		w.sent.expires = w.run.target.Now().Add(in).Unix()
		plain := w.issue(actor, "expiring"+name, w.tick())
		tags := [][]string{{"expiration", strconv.FormatInt(w.sent.expires, 10)}}
		for _, tag := range plain.Tags {
			tags = append(tags, tag)
		}
		ev := client.Build(w.key(actor), plain.Kind, tags, plain.Content, int64(plain.CreatedAt))
		w.remember("issue", name, ev)
		out := w.publish(ev)
		_, refused := client.Refusal(w.sent.answer)
		if came := w.run.target.Now().Unix() >= w.sent.expires; out.held() && refused && in > 0 && in < slowerBy && came {
			return w.postExpiring(actor, name, in+slowerBy) // it has come too late
		}
		return out
	})
}

// expire sets when the event that comes next expires.
func (w *world) expire(in time.Duration) {
	w.sent.expires = w.run.target.Now().Add(w.brief(in)).Unix()
}

// expirationPasses is the step before which nothing may have expired.
const expirationPasses = `its expiration passes`

// againTimes is how many times as long something short lasts where a check is tried again: the first time it may have been too short.
const againTimes = 4

// brief is a time within which something short has to be done.
func (w *world) brief(in time.Duration) time.Duration {
	in = w.run.while(in)
	if w.again {
		in *= againTimes
	}
	return in
}

// expiring is an event with its expiration, signed anew.
func (w *world) expiring(whose string, plain *nostr.Event) *nostr.Event {
	tags := [][]string{{"expiration", strconv.FormatInt(w.sent.expires, 10)}}
	for _, tag := range plain.Tags {
		tags = append(tags, tag)
	}
	return client.Build(w.key(whose), plain.Kind, tags, plain.Content, int64(plain.CreatedAt))
}

// publishExpiring publishes a state that expires some time from now.
func (w *world) publishExpiring(whose string, in time.Duration, table [][]string) outcome {
	w.expire(in)
	ev := w.expiring(whose, w.buildState(whose, w.tick(), table))
	w.git.state, w.git.states = table, append(w.git.states, table)
	w.remember("state", "", ev)
	return w.publish(ev)
}

// postMany publishes issues, each accepted before the next one, in no order of their dates: a relay that keeps many events in pages, or
// appends what is new, has to find a place for each among those that are there. Behind a time, if there is one, no other one is begun.
func (w *world) postMany(actor string, n int, within time.Duration) outcome {
	begin := w.client.Now()
	dates := make([]int64, n)
	for i := range dates {
		dates[i] = w.tick()
	}
	for i := range dates {
		if within > 0 && w.client.Now()-begin > int64(within.Seconds()) {
			break
		}
		out := w.postIssue(actor, "many", dates[scattered(i, n)]).then(w.accepted).asSetup()
		if !out.held() {
			return out
		}
		w.sent.posted = append(w.sent.posted, w.sent.last)
	}
	return outcome{}
}

// scattered is the place of i in an order of n places in which those beside each other are far apart, and each place comes once.
func scattered(i, n int) int {
	stride := n*5/8 + 1
	for common(stride, n) > 1 {
		stride--
	}
	return i * stride % n
}

// common is the greatest divisor of both.
func common(a, b int) int {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}

// counts judges the answer to a COUNT.
func (w *world) counts(want int, filters ...client.Filter) outcome {
	relay, out := w.connect()
	if !out.held() {
		return out
	}
	got, o := relay.Count(w.ctx, filters...)
	if o != nil {
		return w.uncountable(relay, "a count", o)
	}
	if got.N != want && got.Rough {
		return notApplicable("the count is %d, want %d, and is said to be approximate", got.N, want)
	}
	if got.N != want {
		return violated("the count is %d, want %d", got.N, want)
	}
	return outcome{}
}

// countedMax is up to how many events a count has to be exact: a server that has very many may count no further, or roughly.
const countedMax = 400

// countRounds is how often counts are compared before it is said that others publish too much to tell.
const countRounds = 3

// countsAddUp judges that a count of everything is that of what is until an event and of what is younger. It is asked before
// and behind the parts, so that what others publish meanwhile accuses nobody.
func (w *world) countsAddUp(ev *nostr.Event) outcome {
	relay, out := w.connect()
	if !out.held() {
		return out
	}
	until := int64(ev.CreatedAt)
	since := until + 1
	for range countRounds {
		var n [4]int
		rough := false
		for i, filter := range []client.Filter{{}, {Until: &until}, {Since: &since}, {}} {
			var o client.Observation
			var tally client.Tally
			tally, o = relay.Count(w.ctx, filter)
			n[i], rough = tally.N, rough || tally.Rough
			if _, refused := o.(client.ClosedFrame); refused {
				w.note("counts of everything are refused: %v", o)
				return outcome{}
			}
			if o != nil {
				return w.uncountable(relay, "a count", o)
			}
		}
		switch {
		case rough || n[0] > countedMax:
			w.note("a count of everything is %d, which may be a rough one", n[0])
			return outcome{}
		case n[0] == n[3] && n[1]+n[2] == n[0]:
			return outcome{}
		case n[0] == n[3]:
			return violated("a count of everything is %d, one until %d is %d, and one since %d is %d", n[0], until, n[1], since, n[2])
		}
	}
	w.note("counts of everything: others publish too much to tell")
	return outcome{}
}
