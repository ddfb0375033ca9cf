package suite

import (
	"context"
	"sync"
	"time"
)

// Places bound how many checks at a time ask something of a live target. A check that waits for nothing more to come asks
// nothing: meanwhile its place is somebody else's.
type places struct {
	slots   chan struct{}
	crowded func() bool // whether the target has room for no more than one check, from now on
	one     turn
}

// restingMax is how many checks more than there are places are begun: so many may rest.
const restingMax = 24

func newPlaces(n int, crowded func() bool) *places {
	return &places{slots: make(chan struct{}, n), crowded: crowded, one: newTurn()}
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
	p.resume()
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

func (p *place) resume() {
	p.of.slots <- struct{}{}
	p.holds()
}

func (p *place) holds() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held = true
}

// comesBack takes the place again, unless it turns out meanwhile that there is room for no more than one: whoever has it then may wait for
// the very connections that this check holds.
func (p *place) comesBack() {
	for {
		look, stop := context.WithTimeout(context.Background(), crowdedLook)
		select {
		case p.of.slots <- struct{}{}:
			stop()
			p.holds()
			return
		case <-look.Done():
			stop()
			if p.of.crowded() {
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
	<-p.of.slots
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
