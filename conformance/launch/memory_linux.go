package launch

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/graspkit/graspkit/conformance/target"
)

// peak adds up the most memory that the processes of a session have held, each for itself, and begins to count anew. Of
// those that have ended nothing is known any more.
func peak(leader int) (int64, error) {
	var all int64
	for _, pid := range session(leader) {
		dir := "/proc/" + strconv.Itoa(pid)
		status, err := os.ReadFile(dir + "/status")
		if err != nil { // it ended in between
			continue
		}
		kilobytes, ok := highWater(status)
		if !ok {
			continue
		}
		all += kilobytes << 10
		_ = os.WriteFile(dir+"/clear_refs", []byte("5"), 0) // where it may not be, the mark only rises
	}
	if all == 0 {
		return 0, fmt.Errorf("memory of the server: %w", target.ErrUnsupported)
	}
	return all, nil
}

// highWater is the line VmHWM of /proc/PID/status, in kilobytes.
func highWater(status []byte) (kilobytes int64, ok bool) {
	for lines := bufio.NewScanner(bytes.NewReader(status)); lines.Scan(); {
		if value, is := strings.CutPrefix(lines.Text(), "VmHWM:"); is {
			kilobytes, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(value, "kB")), 10, 64)
			return kilobytes, err == nil
		}
	}
	return 0, false
}
