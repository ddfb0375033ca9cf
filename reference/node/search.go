package node

import (
	"context"

	"github.com/graspkit/graspkit/reference/core"
)

// search is a worker: it looks for what large questions of clients ask for, beside the core, until the node has ended.
func (n *Node) search() {
	for e := range n.find {
		found := core.EventsFound{Request: e.Request, Found: e.Question.Find()}
		_ = n.put(context.Background(), item{input: found}) // ErrStopped: nobody left to hear it
	}
}
