// Package sim is the simulated world: servers, the actors that use them and the links between, in one goroutine under
// virtual time. A run is a function of its scenario, its seed and its options. Objects are oids and signatures are
// taken as valid here; the world with real bytes is simtarget. The package judges nothing itself: see sim/invariant.
package sim

import (
	"slices"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/sim/kernel"
)

// A Task is something that happens at an instant.
type Task interface{ Run(now instant.Instant) }

// A Timer is somebody who must be woken at an instant that may change at any time.
type Timer interface {
	// Deadline is when Fire must be called; false if never.
	Deadline() (instant.Instant, bool)
	// Fire is called at the deadline, or at once if that has passed already.
	Fire(now instant.Instant)
}

// An Engine is the clock of a world: it runs tasks and fires timers in the order of their instants. Tasks of one
// instant are shuffled by the seed, and so is whether a timer of that instant comes before or after them. It panics with
// a Livelock where that finds no end.
type Engine struct {
	now      instant.Instant
	schedule *kernel.Schedule[Task]
	timers   []timer
	coin     kernel.Key
	done     uint64
	halted   bool
	rush     rush // at the present instant
	settling *rush
}

// timer is a Timer with what tells it from others.
type timer struct {
	Timer
	identity uint64
}

// NewEngine returns an engine whose clock stands at start.
func NewEngine(seed uint64, start instant.Instant) *Engine {
	return &Engine{
		now: start, schedule: kernel.NewSchedule[Task](seed), coin: kernel.NewKey(seed, "sim/timer"),
	}
}

// Now is the present instant.
func (e *Engine) Now() instant.Instant { return e.now }

// Done is the number of tasks that ran and timers that fired.
func (e *Engine) Done() uint64 { return e.done }

// Halt makes RunUntil and Settle return before anything else happens. There is no way on from it.
func (e *Engine) Halt() { e.halted = true }

// AddTimer adds a timer. One that wants nothing has no deadline. The identity says what the timer is, and is the same in
// every run; see kernel.Schedule.
func (e *Engine) AddTimer(identity uint64, t Timer) { e.timers = append(e.timers, timer{t, identity}) }

// RemoveTimer takes a timer out, because its owner has ended.
func (e *Engine) RemoveTimer(t Timer) {
	e.timers = slices.DeleteFunc(e.timers, func(other timer) bool { return other.Timer == t })
}

// At schedules a task. It panics if the instant has passed. The identity says what the task is; see kernel.Schedule.
func (e *Engine) At(at instant.Instant, identity uint64, t Task) {
	if at < e.now {
		panic("sim: invariant: task in the past")
	}
	e.schedule.Push(at, identity, t)
}

// Settle runs tasks until none is left, and every timer whose deadline comes up to then. Afterwards nothing happens
// without new input or more time.
func (e *Engine) Settle() {
	e.settling = &rush{}
	defer func() { e.settling = nil }()
	for e.schedule.Len() > 0 || e.overdue() {
		if !e.step(maxInstant) {
			return
		}
	}
}

// RunUntil runs everything up to and at the instant, and leaves the clock there.
func (e *Engine) RunUntil(until instant.Instant) {
	for e.step(until) {
	}
	if !e.halted {
		e.now = max(e.now, until)
	}
}

const maxInstant = instant.Instant(1<<63 - 1)

// overdue reports whether a timer must be fired without waiting.
func (e *Engine) overdue() bool {
	_, at, ok := e.first()
	return ok && at <= e.now
}

// step runs what comes next, unless that comes after the limit.
func (e *Engine) step(limit instant.Instant) bool {
	if e.halted {
		return false
	}
	which, at, armed := e.first()
	next, pending := e.schedule.Next()
	if armed && pending && at == next && e.coin.With(uint64(at)).With(e.timers[which].identity).Uint64()&1 == 0 {
		armed = false // this timer comes after the tasks of its instant
	}
	switch {
	case armed && (!pending || at <= next):
		if at > limit {
			return false
		}
		e.pass(max(e.now, at), e.timers[which].Timer)
		e.timers[which].Fire(e.now)
	case pending && next <= limit:
		at, task := e.schedule.Pop()
		e.pass(at, task)
		task.Run(at)
	default:
		return false
	}
	return true
}

// pass sets the clock to when the next thing happens.
func (e *Engine) pass(to instant.Instant, who any) {
	if to > e.rush.since {
		e.rush = rush{since: to}
	}
	e.now = to
	e.done++
	e.rush.more(to, who)
	if e.settling != nil {
		e.settling.more(to, who)
	}
}

// first returns the timer with the earliest deadline, which counts as now if it has passed.
func (e *Engine) first() (which int, at instant.Instant, ok bool) {
	for i, t := range e.timers {
		if d, armed := t.Deadline(); armed && (!ok || d < at) {
			which, at, ok = i, d, true
		}
	}
	return which, max(at, e.now), ok
}
