package suite

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/graspkit/graspkit/conformance/client"
	histories "github.com/graspkit/graspkit/conformance/history"
)

// A course says what a race is about.
type course struct {
	authors  []string // whose states race; the first one is the owner
	deletes  bool     // states are deleted, too
	restarts bool     // the server restarts in the middle
}

const (
	raceRounds = 3 // a round is two states and what everybody does about them
	raceRoles  = 4 // what clients do; further ones do the same
	lastTries  = 3 // pushes of the last state, which a server may be quicker with
)

// run lets so many clients race, and ends with a last state that is pushed when everybody is done.
func (r *race) run(n int) outcome {
	racers := r.line(n)
	leave := func() {
		for _, racer := range racers {
			racer.hangUp()
		}
	}
	defer leave()
	ended := outcome{}
	restart := func() {
		if r.course.restarts {
			began := histories.Operation{Kind: histories.Restart, Began: r.since(), Call: r.moment.Add(1), Result: histories.Accepted, Client: n}
			ended = r.w.restart()
			began.Ended, began.Return = r.since(), r.moment.Add(1)
			r.mu.Lock()
			r.ops = append(r.ops, began)
			r.mu.Unlock()
		}
	}
	if worldOf(r.w.run.target) == "sim" {
		r.inTurn(r.w.ctx, racers, restart)
	} else {
		r.atOnce(r.w.ctx, racers, restart)
	}
	leave() // there may be no room for one more
	return ended.then(func() outcome { return r.last(n) })
}

// line are the clients with their scripts, round by round: the first one publishes a state and pushes it or takes it back, the
// second one publishes another, which is there at once where its commit is, and the others push what they know of.
func (r *race) line(n int) []*racer {
	racers := make([]*racer, n)
	for i := range racers {
		racers[i] = &racer{race: r, number: i}
	}
	here := [raceRounds]string{"first", "second", "second"} // the last one leaves the refs as they are
	comes := [raceRounds]string{"second", "third", "side"}
	for round := range raceRounds {
		var held, there int
		states := []func(){
			func() { held = r.state(0, []string{"refs/heads/main", comes[round]}) },
			func() { there = r.state(len(r.repo.Authors)-1, []string{"refs/heads/main", here[round]}) },
		}
		if r.course.deletes { // the one that is taken back would be the latest
			states[0], states[1] = states[1], states[0]
		}
		states[0]()
		states[1]()
		other := held
		if round%2 == 1 {
			other = 0
		}
		for i, racer := range racers {
			switch i % raceRoles {
			case 0:
				racer.script = append(racer.script, racer.publish(held))
				if r.course.deletes {
					racer.script = append(racer.script, racer.remove(held, r.w.tick()), racer.find)
				} else {
					racer.script = append(racer.script, racer.read, racer.push(held))
				}
			case 1:
				racer.script = append(racer.script, racer.publish(there), racer.find, racer.read)
			case 2:
				racer.script = append(racer.script, racer.read, racer.push(held), racer.read)
			case 3:
				racer.script = append(racer.script, racer.read, racer.push(other), racer.find)
			}
		}
	}
	return racers
}

// perRound is how many exchanges each script has in a round.
const perRound = 3

// turns is the order of the exchanges of a round, by role, where one thing happens after the other. In the last round who pushes
// saw the refs while the one state was the latest, and comes when the other one is, or when it was taken back; in the one before
// the older state comes later.
func (r *race) turns(round int) []int {
	switch {
	case r.course.deletes && round == 0:
		return []int{0, 2, 2, 0, 0, 2, 1, 1, 3, 3, 3, 1}
	case r.course.deletes:
		return []int{1, 1, 0, 2, 3, 0, 2, 3, 0, 2, 3, 1}
	case round == 0:
		return []int{0, 0, 0, 2, 2, 2, 1, 1, 1, 3, 3, 3}
	case round == 1:
		return []int{1, 1, 0, 2, 3, 2, 3, 0, 0, 2, 3, 1}
	}
	return []int{0, 2, 3, 1, 1, restartTurn, 2, 3, 0, 0, 2, 3, 1}
}

// restartTurn is when the server restarts, in the last round.
const restartTurn = -1

// inTurn performs one exchange after the other.
func (r *race) inTurn(ctx context.Context, racers []*racer, restart func()) {
	next := make([]int, len(racers))
	for round := range raceRounds {
		for _, role := range r.turns(round) {
			if role == restartTurn {
				restart()
				continue
			}
			for i := role; i < len(racers); i += raceRoles {
				racers[i].script[next[i]](ctx)
				next[i]++
			}
		}
	}
}

// atOnce lets all clients go at once. The restart comes when half of what they do is done.
func (r *race) atOnce(ctx context.Context, racers []*racer, restart func()) {
	var group sync.WaitGroup
	half := make(chan struct{})
	acts := int64(len(racers) * raceRounds * perRound / 2)
	for _, racer := range racers {
		group.Go(func() {
			for _, act := range racer.script {
				if ctx.Err() == nil {
					act(ctx)
				}
				if r.past.Add(1) == acts {
					close(half)
				}
			}
		})
	}
	<-half
	restart()
	group.Wait()
}

// last publishes a state that is newer than all others, pushes it, and waits for it to be shown.
func (r *race) last(n int) outcome {
	w := r.w
	end := &racer{race: r, number: n}
	defer end.hangUp()
	state := r.state(0, []string{"refs/heads/main", "third"}, []string{"refs/heads/dev", "side"})
	want := r.repo.States[state].Refs
	end.publish(state)(w.ctx)
	if end.relay == nil { // who turns away whoever is too many was not asked
		r.end = outcome{verdict: Inconclusive, broken: true, reason: "there is no connection on which the last state is answered"}
		end.look(w.ctx, false)
		return outcome{}
	}
	if refusal := r.refusalOf(state); refusal != "" { // it never comes, and nothing that is seen now has settled by it
		r.end = outcome{verdict: SetupFail, reason: "the last state is refused: " + refusal}
		end.look(w.ctx, false)
		return outcome{}
	}
	for range lastTries {
		if end.read(w.ctx); end.seen != want {
			end.push(state)(w.ctx)
		}
	}
	r.end = w.eventually("owner", 0, func(advert client.Advert) string {
		if refs, stray := r.refs(advert); refs != want || stray != "" {
			return fmt.Sprintf("the last state is not shown: %v", advert)
		}
		return ""
	})
	end.look(w.ctx, r.end.held() || r.end.verdict == Fail)
	return outcome{}
}

// refusalOf is how a state was refused, "" if it was not.
func (r *race) refusalOf(state int) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.refusals[r.events[state].ID]
}

// explained judges what the clients of the race saw.
func (r *race) explained(rules histories.Rules) outcome {
	lost := 0
	for _, o := range r.ops {
		if o.Result == histories.Unknown {
			lost++
		}
	}
	r.w.note("%d operations, %d of them not answered", len(r.ops), lost)
	switch verdict, why := histories.Check(r.repo, rules, r.carriedOut()); {
	case verdict == histories.Unexplained:
		return violated("%s", why)
	case verdict == histories.Undecided:
		return outcome{verdict: Inconclusive, reason: "too much happened at the same time to look through all orders"}
	case r.end.verdict == Fail: // what was not answered may be in its way
		return r.end.asSetup()
	}
	return r.end
}

// carriedOut are the operations as far as they were done when they were answered: where requests to delete are carried out a while later,
// nobody knows when in a race.
func (r *race) carriedOut() []histories.Operation {
	deletes := func(o histories.Operation) bool { return o.Kind == histories.Delete && o.Result == histories.Accepted }
	if !slices.ContainsFunc(r.ops, deletes) || r.w.run.erasedLater(r.w.ctx, client.KindDeletion) == 0 {
		return r.ops
	}
	ops := slices.Clone(r.ops)
	for i, o := range ops {
		if deletes(o) {
			ops[i].Result = histories.Unknown
		}
	}
	return ops
}
