package suite

import (
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
)

// commandSteps speak of the command list of a push byte by byte.
func commandSteps() []step {
	return []step{
		{
			text: `a client pushes commands with the ids:`,
			role: act, sees: reports, cost: cost{pushes: 1},
			doc: "pushes a table of ref, old and new id: (zero), (missing) for an object that nobody has, (seen) for where the ref is, or a commit",
			run: func(w *world, _ []string, table [][]string) outcome { return w.pushIDs(table) },
		},
		{
			text: `a client pushes {number} branches that no state names`,
			role: act, sees: reports, cost: cost{pushes: 1},
			doc: "pushes so many new branches with names of 200 letters",
			run: func(w *world, a []string, _ [][]string) outcome { return w.pushMany(int(number(a[0]))) },
		},
		{
			text: `the advertisement for pushes offers (\S+)`,
			role: assertion, sees: advertised,
			doc: "the capability is in the advertisement that who pushes to the lighthouse gets",
			run: func(w *world, a []string, _ [][]string) outcome {
				o := w.client.Advertise(w.ctx, w.run.lighthouse.path(), client.ReceivePack, 0)
				advert, is := o.(client.Advert)
				if !is {
					return unlessInconclusive("advertisement", o)
				}
				if _, offered := advert.Cap(a[0]); !offered {
					return violated("the capabilities are %v", advert.Caps)
				}
				return outcome{}
			},
		},
		{
			text: `a client pushes nothing`,
			role: act, sees: pages,
			doc: "sends the empty push by which git finds out, before a large one, whether it may",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.rpc(w.path("owner"), client.ReceivePack, "0000")
			},
		},
	}
}

// pushIDs sends commands with the ids given and a pack of every commit that they name, once the server has moved what it
// may move by itself.
func (w *world) pushIDs(table [][]string) outcome {
	w.letMove()
	var rows [][]string
	for _, row := range table {
		rows = append(rows, []string{row[0], deletion})
	}
	id := func(word string) string {
		switch word {
		case "(zero)":
			return client.ZeroOID
		case "(missing)":
			return strings.Repeat("1", len(client.ZeroOID))
		}
		return w.git.history.oid(word)
	}
	out := w.push("owner", rows, func(w *world, opts *client.PushOpts) {
		var tips []string
		for i, row := range table {
			if row[1] != "(seen)" {
				opts.Commands[i].Old = id(row[1])
			}
			opts.Commands[i].New = id(row[2])
			if w.git.history.known(row[2]) {
				tips = append(tips, opts.Commands[i].New)
			}
		}
		if len(tips) > 0 {
			opts.Pack = w.git.history.Pack(tips, nil)
		}
	})
	if !out.held() {
		return out
	}
	for i, row := range table {
		if w.git.history.known(row[2]) {
			w.git.pushed.rows[i] = []string{rows[i][0], row[2]}
		}
	}
	return out
}

// longName is the length of the names of many branches.
const longName = 200

// pushMany pushes branches whose refusal, one by one, takes more than a pipe holds.
func (w *world) pushMany(n int) outcome {
	var rows [][]string
	for _, row := range branches(n + 1)[1:] {
		rows = append(rows, []string{row[0] + "-" + strings.Repeat("x", longName-len(row[0])), row[1]})
	}
	return w.push("owner", rows, nil)
}
