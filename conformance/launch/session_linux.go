package launch

import (
	"os"
	"strconv"
	"strings"
)

// session returns the processes of a session that have not ended.
func session(leader int) []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var pids []int
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + entry.Name() + "/stat")
		if err != nil { // it ended in between
			continue
		}
		// After the name in parentheses, which may hold anything: state, parent, group, session.
		fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		if len(fields) > 3 && fields[0] != "Z" && fields[0] != "X" && fields[3] == strconv.Itoa(leader) {
			pids = append(pids, pid)
		}
	}
	return pids
}
