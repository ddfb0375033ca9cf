package policy

import (
	"math/bits"
	"strconv"
)

// WorkMax is the work of an id without any bit set.
const WorkMax = 256

// Work is how many leading bits of an event id are zero (NIP-13). An id is 64 hex digits.
func Work(id string) int {
	for i := range len(id) {
		digit, err := strconv.ParseUint(id[i:i+1], 16, 4)
		if err != nil {
			return 4 * i
		}
		if digit != 0 {
			return 4*i + bits.LeadingZeros8(uint8(digit)) - 4
		}
	}
	return 4 * len(id)
}

// NeedsWork refuses an event whose id has less work than is asked for (N13-01).
func NeedsWork(id string, needed int) Ruling {
	return refuse("N13-01", "pow", "the id has "+strconv.Itoa(Work(id))+" bits of work, and "+strconv.Itoa(needed)+" are needed")
}
