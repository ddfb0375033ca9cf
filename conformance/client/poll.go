package client

import (
	"context"
	"fmt"
	"time"

	"github.com/graspkit/graspkit/conformance/target"
)

// Back-off of Poll.
const (
	pollDelayMin     = 50 * time.Millisecond
	pollDelayMax     = 30 * time.Second
	pollStepsAtLeast = 20 // no delay is longer than this part of the bound, so short bounds stay sharp
)

// lateMax is above every bound behind which somebody waits once more as long: what comes then is late, and whose fault that
// is, this machine's or the server's, nobody can say. Bounds as long as that do not feel how busy a machine is.
const lateMax = time.Minute

// restWithin is longer than every short bound that is judged: who waits that long for what has no bound rests meanwhile, and does not
// mind that it takes a moment to come back.
const restWithin = 15 * time.Second

// Poll calls step until it is done, with growing pauses, for at most within by the target's clock. It
// calls step once at the start and, if need be, once at the bound. It returns whether step was done, and
// step's last observation.
//
// Where time is not ours, a step that is done soon after a short bound is Late: neither done nor a violation.
//
// Where the target is not willing to wait that long, step is called once and the observation is a
// TransportError that wraps target.ErrUnsupported, unless step was done at once.
func (c *Client) Poll(ctx context.Context, within time.Duration, step func() (done bool, o Observation)) (bool, Observation) {
	start := c.target.Now()
	delay := pollDelayMin
	delayMax := max(pollDelayMin, min(pollDelayMax, within/pollStepsAtLeast))
	for {
		done, o := step()
		if done {
			return true, o
		}
		left := within - c.target.Now().Sub(start)
		if left <= 0 {
			return c.pollLate(ctx, within, o, step)
		}
		if unable := c.unwilling(within); unable != nil {
			return false, unable
		}
		pause := c.target.Sleep
		if within >= restWithin {
			pause = c.sleep
		}
		if err := pause(ctx, min(delay, left)); err != nil {
			c.heed(err)
			return false, TransportError{Phase: "sleep", Text: err.Error(), Err: err}
		}
		delay = min(2*delay, delayMax)
	}
}

// pollLate ends a Poll whose bound has passed: last is what was seen then.
func (c *Client) pollLate(ctx context.Context, within time.Duration, last Observation, step func() (bool, Observation)) (bool, Observation) {
	if c.still || within >= lateMax || within <= 0 {
		return false, last
	}
	start := c.target.Now()
	for c.target.Now().Sub(start) < within {
		if err := c.target.Sleep(ctx, max(pollDelayMin, within/pollStepsAtLeast)); err != nil {
			c.heed(err)
			return false, last
		}
		done, o := step()
		if done {
			return false, Late{After: within + c.target.Now().Sub(start), Bound: within}
		}
		last = o
	}
	return false, last
}

// Wait lets d pass; the observation is nil when it did.
func (c *Client) Wait(ctx context.Context, d time.Duration) Observation {
	if err := c.sleep(ctx, d); err != nil {
		c.heed(err)
		return TransportError{Phase: "sleep", Text: err.Error(), Err: err}
	}
	return nil
}

// restFrom is from how long on a pause is a rest: to give up a place for less is not worth the wait for another one.
const restFrom = 500 * time.Millisecond

// sleep lets d pass, and rests meanwhile if that is long.
func (c *Client) sleep(ctx context.Context, d time.Duration) (err error) {
	if d < restFrom {
		return c.target.Sleep(ctx, d)
	}
	c.rest(func() { err = c.pass(ctx, d) })
	return err
}

// unwilling is an observation when the target does not wait as long as d, however it is cut up.
func (c *Client) unwilling(d time.Duration) Observation {
	patient, ok := c.target.(target.Patient)
	if !ok || d <= patient.Patience() {
		return nil
	}
	err := fmt.Errorf("wait %v, longer than the time budget %v: %w", d, patient.Patience(), target.ErrUnsupported)
	return TransportError{Phase: "sleep", Text: err.Error(), Err: err}
}
