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
		kilobytes, ok := lineOf(status, "VmHWM:")
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

// resident adds up what the processes of a session hold now; 0 if that cannot be read.
func resident(leader int) int64 {
	var all int64
	for _, pid := range session(leader) {
		status, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status") // it may have ended in between
		kilobytes, _ := lineOf(status, "VmRSS:")
		all += kilobytes << 10
	}
	return all
}

// available is how much memory the machine has left; 0 if that cannot be read.
func available() int64 {
	info, _ := os.ReadFile("/proc/meminfo")
	kilobytes, _ := lineOf(info, "MemAvailable:")
	return kilobytes << 10
}

// lineOf is the value of a line of /proc/PID/status, or of /proc/meminfo, in kilobytes.
func lineOf(text []byte, name string) (kilobytes int64, ok bool) {
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		if value, is := strings.CutPrefix(lines.Text(), name); is {
			kilobytes, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(value, "kB")), 10, 64)
			return kilobytes, err == nil
		}
	}
	return 0, false
}
