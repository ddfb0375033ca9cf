package suite

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
)

// An outcome is how one step ended. The zero value means that it held and the check goes on.
type outcome struct {
	verdict     Verdict // Fail stands for a violation, whatever its score; "" for a step that held
	reason      string
	requirement string // the violated one; "" is the check's primary one
	cause       string // the requirement whose violation kept the check from being judged
	unlock      string // of Blocked: what the user can do
	dead        bool   // the target gave no answer at all
	broken      bool   // by a connection that ended, or that did not come about
	paced       bool   // it asked for a slower pace
	told        bool   // the server has said no to what it has to take, in so many words
	proceed     bool   // a violation that lets the following steps run
	step        int    // that came to it, from 1; 0 is none
}

func (o outcome) held() bool { return o.verdict == "" }

func violated(format string, args ...any) outcome {
	return outcome{verdict: Fail, reason: fmt.Sprintf(format, args...)}
}

// violatedAs is a violation of one requirement among those of the check; the check goes on.
func violatedAs(requirement, format string, args ...any) outcome {
	o := violated(format, args...)
	o.requirement, o.proceed = requirement, true
	return o
}

func harnessError(format string, args ...any) outcome {
	return outcome{verdict: HarnessError, reason: fmt.Sprintf(format, args...)}
}

func notApplicable(format string, args ...any) outcome {
	return outcome{verdict: NotApplicable, reason: fmt.Sprintf(format, args...)}
}

func blocked(reason, unlock string) outcome {
	return outcome{verdict: Blocked, reason: reason, unlock: unlock}
}

// inconclusive is the outcome of an observation that proves nothing.
func inconclusive(what string, o client.Observation) outcome {
	out := outcome{verdict: Inconclusive, reason: what + ": nothing seen"}
	if o != nil {
		out.reason = what + ": " + o.String()
	}
	switch o.(type) {
	case client.Silence, client.TransportError:
		out.dead, out.broken = true, lostConnection(o)
	case client.RateLimited:
		out.dead, out.paced = true, true
	case client.NoPlace:
		out.verdict = Unsupported
	}
	if tooFast(o) {
		out.dead, out.paced = true, true
	}
	out.broken = out.broken || awayBehindAFront(o)
	return out
}

// awayBehindAFront tells the answers that something before the server gives for it while it is not there.
func awayBehindAFront(o client.Observation) bool {
	answer, is := o.(client.HTTPAnswer)
	return is && (answer.Status == http.StatusBadGateway || answer.Status == http.StatusGatewayTimeout)
}

// lostConnection reports whether a connection ended, or did not come about, and not because the check had no time left or the world
// does not wait.
func lostConnection(o client.Observation) bool {
	broken, is := o.(client.TransportError)
	return is && !slices.ContainsFunc([]error{context.DeadlineExceeded, context.Canceled, target.ErrIdle, target.ErrUnsupported},
		func(ours error) bool { return errors.Is(broken.Err, ours) })
}

// tooFast tells the answers of HTTP that ask for a slower pace.
func tooFast(o client.Observation) bool {
	answer, is := o.(client.HTTPAnswer)
	return is && (answer.Status == http.StatusTooManyRequests || answer.Status == http.StatusServiceUnavailable && answer.Header.Get("Retry-After") != "")
}

// asSetup turns a violation into a failed precondition: a failed dependency, if it is known on what.
func (o outcome) asSetup() outcome {
	if o.verdict != Fail {
		return o
	}
	o.verdict, o.requirement, o.proceed = SetupFail, "", false
	if o.cause != "" {
		o.verdict = DependencyFail
	}
	return o
}

// asTwin turns a violation into a failed dependency: the accepted twin of a refusal was not accepted.
func (o outcome) asTwin() outcome {
	if o.verdict == Fail || o.verdict == SetupFail {
		o.verdict, o.requirement, o.proceed = DependencyFail, "", false
		o.reason = "accepted twin: " + o.reason
	}
	return o
}

// orElse is this outcome, or another one if this says nothing.
func (o outcome) orElse(other outcome) outcome {
	if o.held() {
		return other
	}
	return o
}

// then runs the next act if the step held so far.
func (o outcome) then(next func() outcome) outcome {
	if !o.held() {
		return o
	}
	return next()
}
