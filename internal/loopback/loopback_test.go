package loopback_test

import (
	"net"
	"testing"

	"github.com/graspkit/graspkit/internal/loopback"
)

// Each address is another one, and can be listened at twice.
func TestFree(t *testing.T) {
	seen := map[string]bool{}
	for range 20 {
		addr, err := loopback.Free(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if seen[addr] {
			t.Errorf("%s: given twice", addr)
		}
		seen[addr] = true
		for range 2 {
			l, err := net.Listen("tcp", addr)
			if err != nil {
				t.Fatal(err)
			}
			_ = l.Close()
		}
	}
}
