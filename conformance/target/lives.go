package target

import (
	"context"
	"time"
)

// A Pauser can keep its server down for a while between an orderly stop and the next start.
type Pauser interface {
	// RestartAfter stops the server in an orderly way, lets down pass, and starts it again on the same data. It returns
	// when the new server answers.
	RestartAfter(ctx context.Context, down time.Duration) error
}

// A Breaker can end its server at points that no client can hit on purpose.
type Breaker interface {
	// BreakAfterRefs lets the next push move its refs, and ends the server without warning before anything else comes of
	// it. The exchange of that push ends somehow, and by then a new server answers on what survived.
	BreakAfterRefs(ctx context.Context) error
	// RestartFailing stops the server in an orderly way; a first start ends after it has read what was saved and before
	// it takes clients, and a second one succeeds. It returns when the new server answers.
	RestartFailing(ctx context.Context) error
}
