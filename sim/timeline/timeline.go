// Package timeline draws the records of a run as lanes, one for each node, from top to bottom: as text for a terminal, and as
// SVG. Nodes are servers, people and git hosts; messages are arrows between them, as far as records say who speaks to whom.
// It knows the facts of traces by their words, judges nothing and opens no file.
package timeline

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/sim/trace"
)

// Options say what of a run is drawn.
type Options struct {
	Start instant.Instant // of the run
	From  time.Duration   // since then
	Until time.Duration   // zero is the end
	Nodes []string        // records at or about these alone; none is all
}

// A Timeline collects records, with the names that people give.
type Timeline struct {
	options Options
	rows    []row
	down    map[string]bool // servers that are down at the record that came last
	before  map[string]bool // and before the first row
	hosts   map[string]bool
}

// A row is one record, as it is drawn.
type row struct {
	record   trace.Record
	node     string // where it happened
	peer     string // who else has to do with it, "" if nobody is known
	inward   bool   // from the peer to the node
	lost     bool
	ended    bool
	start    bool
	violated bool
}

// New returns an empty timeline.
func New(o Options) *Timeline {
	return &Timeline{options: o, down: map[string]bool{}, before: map[string]bool{}, hosts: map[string]bool{}}
}

// Rows is how many records are drawn.
func (t *Timeline) Rows() int { return len(t.rows) }

// Add takes in the next record.
func (t *Timeline) Add(r trace.Record) {
	row := t.rowOf(r)
	since := r.At.Sub(t.options.Start)
	in := since >= t.options.From && (t.options.Until == 0 || since <= t.options.Until) && t.about(row)
	if in {
		t.rows = append(t.rows, row)
	}
	switch {
	case row.ended:
		t.down[row.node] = true
	case row.start:
		delete(t.down, row.node)
	default:
		return
	}
	if len(t.rows) == 0 {
		if t.before[row.node] = row.ended; row.start {
			delete(t.before, row.node)
		}
	}
}

// about reports whether a row is one of those that are asked for.
func (t *Timeline) about(r row) bool {
	nodes := t.options.Nodes
	return len(nodes) == 0 || r.violated || slices.Contains(nodes, r.node) || r.peer != "" && slices.Contains(nodes, r.peer)
}

func (t *Timeline) rowOf(r trace.Record) row {
	out := row{record: r, node: r.Host, peer: r.Peer, inward: r.Peer != "", ended: r.EndsLife()}
	switch r.Fact {
	case "publish", "push":
		if isServer(r.Detail) {
			out.peer = r.Detail
		}
	case "fetch_started":
		if u, err := url.Parse(r.Detail); err == nil && u.Host != "" {
			out.peer = u.Host
			t.hosts[u.Host] = true
		}
	case "message_lost", "request_lost":
		if out.lost = true; isNode(r.Detail) {
			out.peer, out.inward = r.Detail, false
		}
	case "server_started":
		out.start = true
	case "invariant_violated":
		out.violated = true
	}
	return out
}

func isServer(name string) bool {
	number, is := strings.CutPrefix(name, "server")
	_, err := strconv.Atoi(number)
	return is && err == nil
}

// isNode reports whether a text is the name of a node, as "owner1", and not words of another kind.
func isNode(text string) bool { return isServer(text) || text == "newcomers" || order(text) >= 0 }

// lanes are the nodes that have a row, in the order in which they are drawn: servers, git hosts, people by their repository.
func (t *Timeline) lanes() []string {
	seen := map[string]bool{}
	var all []string
	for _, r := range t.rows {
		for _, name := range []string{r.node, r.peer} {
			if name != "" && !seen[name] {
				seen[name] = true
				all = append(all, name)
			}
		}
	}
	rank := func(name string) int {
		switch {
		case isServer(name):
			return 0
		case t.hosts[name]:
			return 1
		case name == "world":
			return 3
		}
		return 2
	}
	slices.SortFunc(all, func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(number(a), number(b)), cmp.Compare(order(a), order(b)), cmp.Compare(a, b))
	})
	return all
}

// number is that at the end of a name, or 0.
func number(name string) int {
	n, err := strconv.Atoi(strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz"))
	if err != nil {
		return 0
	}
	return n
}

// order is that of the people of one repository.
func order(name string) int {
	return slices.Index([]string{"owner", "maintainer", "stranger"}, strings.TrimRight(name, "0123456789"))
}

// words say what happened in a row, without where.
func (r row) words() string {
	parts := []string{r.record.Fact}
	if r.violated {
		parts = []string{"VIOLATED " + r.record.Requirement}
	}
	if r.record.Event != "" {
		parts = append(parts, r.record.Event)
	}
	if r.record.Identifier != "" && r.record.Event == "" {
		parts = append(parts, r.record.Identifier)
	}
	if r.record.Push != 0 {
		parts = append(parts, "push "+strconv.FormatUint(r.record.Push, 10))
	}
	if r.record.Detail != "" && r.record.Detail != r.peer {
		parts = append(parts, r.record.Detail)
	}
	return strings.ReplaceAll(strings.Join(parts, " "), "\n", " ")
}

// clock is an instant as people read it, to the millisecond.
func (t *Timeline) clock(at instant.Instant) string {
	d := at.Sub(t.options.Start).Truncate(time.Millisecond)
	pad := func(n time.Duration, width int) string {
		s := strconv.FormatInt(int64(n), 10)
		return strings.Repeat("0", max(0, width-len(s))) + s
	}
	return pad(d/time.Hour, 2) + ":" + pad(d/time.Minute%60, 2) + ":" + pad(d/time.Second%60, 2) + "." + pad(d/time.Millisecond%1000, 3)
}
