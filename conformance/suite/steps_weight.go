package suite

import (
	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
)

// weightSteps judge the memory that something costs a server. Who keeps all of what a client sends, several times over, is
// ended by a few clients.
func weightSteps() []step {
	return []step{
		{
			text: `the memory of the server is weighed`,
			role: record, sees: serverLife, needs: []string{"weight"},
			doc: "what the server's processes held at most is noted, and counted anew from here on",
			run: func(w *world, _ []string, _ [][]string) outcome {
				var out outcome
				w.weight, out = w.weigh()
				return out
			},
		},
		{
			text: `that took at most {number} megabytes of memory`,
			role: assertion, sees: serverLife, needs: []string{"weight"},
			doc: "since they were weighed the server's processes held at most so much more than at most before",
			run: func(w *world, a []string, _ [][]string) outcome {
				now, out := w.weigh()
				if !out.held() {
					return out
				}
				const megabyte = 1 << 20
				more := max(now-w.weight, 0) / megabyte
				w.note("it took the server %d megabytes of memory", more)
				if more > number(a[0]) {
					return violated("it took the server %d megabytes of memory, more than %s", more, a[0])
				}
				return outcome{}
			},
		},
	}
}

// weigh asks for the memory of the server.
func (w *world) weigh() (int64, outcome) {
	weigher, is := w.run.target.(target.Weigher)
	if !is {
		return 0, blocked("the memory of the target cannot be read", "let --launch start it")
	}
	bytes, err := weigher.Weigh(w.ctx)
	if err != nil {
		return 0, inconclusive("weigh", client.TransportError{Phase: "weigh", Text: err.Error(), Err: err})
	}
	return bytes, outcome{}
}
