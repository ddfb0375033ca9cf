package launch

import (
	"errors"
	"fmt"
	"time"

	"github.com/benbjohnson/clock"
)

// ErrGrown is returned when a server was ended because it took memory without end.
var ErrGrown = errors.New("launch: the server took memory without end, and was killed before others had none")

// weighEvery is how often a server is looked at: who takes a gigabyte a second has taken half of one more by then.
const weighEvery = 500 * time.Millisecond

// A server may take one of so many shares of the memory that was free at first, and so many bytes at least: on a small machine it is
// for the kernel to say who has too much.
const (
	memoryShare = 2
	memoryLeast = 2 << 30
)

// memoryOf is how many bytes a server may hold where so many are free; 0 bounds nothing.
func memoryOf(free int64) int64 {
	if free <= 0 {
		return 0
	}
	return max(free/memoryShare, memoryLeast)
}

// watch ends a process, and whatever it has begun, that takes more memory than it may. It returns once the process has ended.
func (p *process) watch(clk clock.Clock, most int64) {
	if most <= 0 { // nobody can tell
		return
	}
	ticker := clk.Ticker(weighEvery)
	defer ticker.Stop()
	for {
		select {
		case <-p.ended:
			return
		case <-ticker.C:
		}
		if held := resident(p.cmd.Process.Pid); held > most {
			grown := fmt.Errorf("%w: it held %d MiB, and may hold %d", ErrGrown, held>>20, most>>20)
			p.grown.Store(&grown)
			killGroup(p.cmd.Process)
			<-p.ended
			return
		}
	}
}
