package suite

// Places bound how many checks at a time ask something of a live target. A check that waits for nothing more to come asks
// nothing: meanwhile its place is somebody else's. Nil ones bound nothing.
type places chan struct{}

// restingMax is how many checks more than there are places are begun: so many may rest.
const restingMax = 24

func (p places) take() {
	if p != nil {
		p <- struct{}{}
	}
}

func (p places) leave() {
	if p != nil {
		<-p
	}
}

// rest gives up a place for a wait. Of two that rest at once in one check the second one has none to give.
func (p places) rest(wait func()) {
	select {
	case <-p:
		defer p.take()
	default:
	}
	wait()
}
