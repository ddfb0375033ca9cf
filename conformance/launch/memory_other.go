//go:build !linux

package launch

import (
	"fmt"

	"github.com/graspkit/graspkit/conformance/target"
)

// resident and available are not known where there is no /proc.
func resident(int) int64 { return 0 }
func available() int64   { return 0 }

// peak cannot be read where there is no /proc.
func peak(int) (int64, error) {
	return 0, fmt.Errorf("memory of the server: %w", target.ErrUnsupported)
}
