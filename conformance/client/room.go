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

// TooManyFilters is what became of a query or a count that was not asked for: the relay says how many filters it takes in one. It says
// nothing of the relay.
type TooManyFilters struct{ Most int }

func (TooManyFilters) observation() {}

func (o TooManyFilters) String() string {
	return fmt.Sprintf("the document allows %d filters in a query", o.Most)
}

// beyond returns TooManyFilters for a query that has more filters than the relay takes by its own words.
func (c *Client) beyond(filters []Filter) Observation {
	if c.filters > 0 && len(filters) > c.filters {
		return TooManyFilters{c.filters}
	}
	return nil
}
