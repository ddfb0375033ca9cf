package client

import (
	"fmt"
	"time"
)

// Where a server takes few connections, several clients may each hold what another one waits for. So who holds one waits a short while
// for a further one, and once it was not to be had asks for none any more: its check comes to an end, which makes room, and is tried
// again alone.

// yieldAfter is how long one who holds a connection waits for another.
const yieldAfter = 10 * time.Second

// holds counts connections that are opened or closed.
func (c *Client) holds(change int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open += change
}

// holding reports whether the client has connections for which somebody else may wait.
func (c *Client) holding() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.shares && c.open > 0
}

// fewPlaces is how many connections a client holds at least who has as many as there are.
const fewPlaces = 2

// alone is how many connections the client holds for which nobody else waits.
func (c *Client) alone() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shares {
		return 0
	}
	return c.open
}

// NoPlace is what became of a connection that was not to be had by who holds so many already and is alone: the server takes no more at a
// time. It says nothing else of it.
type NoPlace struct {
	Open int
	Text string
}

func (NoPlace) observation() {}

func (o NoPlace) String() string {
	return fmt.Sprintf("the server takes no further connection beside %d of this check: %s", o.Open, o.Text)
}

// yields is how long is waited for a further connection by who holds one.
func (c *Client) yields() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.starved {
		return 0
	}
	return yieldAfter
}

// starves files that a further connection was not to be had.
func (c *Client) starves() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.starved = true
}
