package suite

// A turn is a lock that is held while the target is waited for. Unlike a mutex it lets virtual time pass meanwhile, for
// who waits for a channel is known to wait. A new one is free.
type turn chan struct{}

func newTurn() turn { return make(turn, 1) }

func (t turn) Lock() { t <- struct{}{} }

func (t turn) Unlock() { <-t }
