package suite

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Places bound how many checks at a time ask something of a live target. A check that waits for nothing more to come asks
// nothing: meanwhile its place is somebody else's. Who comes back has the next place before anybody who begins: what he has waited for may
// not be there much longer.
type places struct {
	crowded func() bool // whether the target has room for no more than one check, from now on
	one     turn

	mu    sync.Mutex
	free  int             // guarded by mu
	back  []chan struct{} // guarded by mu; of those who come back, closed when one has a place
	fresh []chan struct{} // guarded by mu; the same of those who begin
}

// restingMax is how many checks more than there are places are begun: so many may rest.
const restingMax = 24

func newPlaces(n int, crowded func() bool) *places {
	return &places{free: n, crowded: crowded, one: newTurn()}
}

// ask asks for a place in one of the two queues.
func (p *places) ask(queue *[]chan struct{}) chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	has := make(chan struct{})
	if p.free > 0 {
		p.free--
		close(has)
	} else {
		*queue = append(*queue, has)
	}
	return has
}

// leave hands a place on.
func (p *places) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, queue := range []*[]chan struct{}{&p.back, &p.fresh} {
		if len(*queue) > 0 {
			close((*queue)[0])
			*queue = (*queue)[1:]
			return
		}
	}
	p.free++
}

// withdraw takes back that somebody has asked to come back, and returns false where he has the place already.
func (p *places) withdraw(has chan struct{}) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := slices.Index(p.back, has)
	if at >= 0 {
		p.back = slices.Delete(p.back, at, at+1)
	}
	return at >= 0
}

// A place is that of one check; nil ones bound nothing.
type place struct {
	of     *places
	single bool

	mu   sync.Mutex
	held bool // guarded by mu; of two things that rest at once in one check the second one has nothing to give up
}

func (p *place) take() {
	if p == nil {
		return
	}
	<-p.of.ask(&p.of.fresh)
	p.holds()
	if p.of.crowded() {
		p.of.one.Lock()
		p.single = true
	}
}

func (p *place) leave() {
	if p == nil {
		return
	}
	if p.single {
		p.of.one.Unlock()
		p.single = false
	}
	p.giveUp()
}

func (p *place) holds() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held = true
}

// comesBack takes the place again, unless it turns out meanwhile that there is room for no more than one: whoever has it then may wait for
// the very connections that this check holds.
func (p *place) comesBack() {
	has := p.of.ask(&p.of.back)
	for {
		look, stop := context.WithTimeout(context.Background(), crowdedLook)
		select {
		case <-has:
			stop()
			p.holds()
			return
		case <-look.Done():
			stop()
			if p.of.crowded() && p.of.withdraw(has) {
				return
			}
		}
	}
}

// crowdedLook is how often who waits for its place looks whether there is room.
const crowdedLook = time.Second

func (p *place) giveUp() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.held {
		return false
	}
	p.held = false
	p.of.leave()
	return true
}

// rest gives up the place for a wait, where others may come meanwhile. Where they may not any more it is not asked for again
// either: who was under way before has to come to its end. queue performs the wait for the place.
func (p *place) rest(wait func(), queue func(resume func())) {
	gave := p != nil && !p.of.crowded() && p.giveUp()
	wait()
	if gave && !p.of.crowded() {
		queue(p.comesBack)
	}
}
