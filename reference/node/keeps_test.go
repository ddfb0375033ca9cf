package node_test

import (
	"testing"

	"github.com/benbjohnson/clock"

	"github.com/graspkit/graspkit/reference/node"
)

// An asked journal counts how often it is asked for room.
type askedJournal struct {
	*journal

	asked int
}

func (j *askedJournal) Room() error {
	j.asked++
	return j.journal.Room()
}

// Who comes, asks and goes has nothing written: the journal is not asked for room, as it is for every event.
func TestReadersNeedNoRoom(t *testing.T) {
	var heard []string
	j := &askedJournal{journal: newJournal()}
	n := begin(t, node.Config{Machine: recording(&heard), Clock: clock.NewMock(), Journal: j})
	told := func() { // what came before was carried out
		if _, _, err := n.Deadline(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	told()
	before := j.asked
	c := connect(t, n)
	receive(t, c, `["REQ","a",{"kinds":[1]}]`)
	if got := next(t, c); got != `["EOSE","a"]` {
		t.Errorf("query: got %s", got)
	}
	receive(t, c, `["CLOSE","a"]`)
	told()
	if j.asked != before {
		t.Errorf("for a reader: asked %d times for room", j.asked-before)
	}
	receive(t, c, aFrame)
	told()
	if j.asked == before {
		t.Error("for an event: not asked for room")
	}
}
