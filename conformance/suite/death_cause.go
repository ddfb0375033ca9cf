package suite

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/graspkit/graspkit/conformance/target"
)

// A server that answers nobody and takes more and more memory while nobody asks anything of it will end, and whoever is under way
// then has not ended it. So where a check that is alone gets no answer, the memory is read for a while.
const (
	growthTimes = 4        // readings, each of which has to be larger than the one before
	growthLeast = 32 << 20 // by so many bytes
	growthPause = time.Second
)

// runsAway says how a target that is left alone takes more and more memory, or "".
func (r *run) runsAway(ctx context.Context) string {
	weigher, is := r.target.(target.Weigher)
	if !is || !r.startsAgain() {
		return ""
	}
	var held []int64
	for range growthTimes {
		bytes, err := weigher.Weigh(ctx)
		if err != nil || len(held) > 0 && bytes < held[len(held)-1]+growthLeast || r.client.Wait(ctx, growthPause) != nil {
			return ""
		}
		held = append(held, bytes)
	}
	return fmt.Sprintf("nobody asked anything of it, and it held %d MiB of memory, and %d MiB %v later",
		held[0]>>20, held[len(held)-1]>>20, time.Duration(len(held)-1)*growthPause)
}

// howItEnded is how the server has ended by itself, as far as the target knows, with the line that it gave the reason in.
func (r *run) howItEnded() string {
	living, is := r.target.(target.Living)
	if !is {
		return ""
	}
	err := living.Alive()
	if err == nil {
		return ""
	}
	lines := strings.Split(err.Error(), "\n")
	how := "; " + strings.TrimSuffix(lines[0], "; the last that it wrote:")
	for _, line := range lines[1:] {
		if strings.Contains(line, "panic: ") || strings.Contains(line, "fatal error: ") {
			return how + ": " + strings.Trim(line, " |\t")
		}
	}
	return how
}
