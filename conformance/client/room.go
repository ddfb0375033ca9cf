package client

import "fmt"

// NoRoom is what became of a subscription that was not asked for: the relay says how many it takes on a connection, and that many are
// open. It says nothing of the relay.
type NoRoom struct{ Most int }

func (NoRoom) observation() {}

func (o NoRoom) String() string {
	return fmt.Sprintf("the document allows %d subscriptions on a connection, and so many are open", o.Most)
}

// filled reports whether another subscription would be one more than the relay takes on a connection by its own words.
func (r *Relay) filled(sub string) bool {
	if r.c.most == 0 || r.subs[sub] != nil {
		return false
	}
	open := 0
	for _, s := range r.subs {
		if !s.over {
			open++
		}
	}
	return open >= r.c.most
}
