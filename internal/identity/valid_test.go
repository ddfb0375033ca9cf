package identity

import "testing"

func TestValidIsTheRangeOfSecretKeys(t *testing.T) {
	last := order
	last[31]--
	above := order
	above[31]++
	var ones [32]byte
	for i := range ones {
		ones[i] = 0xff
	}
	for _, c := range []struct {
		name   string
		secret [32]byte
		want   bool
	}{
		{"zero", [32]byte{}, false},
		{"one", [32]byte{31: 1}, true},
		{"order less one", last, true},
		{"order", order, false},
		{"order and one", above, false},
		{"all bits set", ones, false},
	} {
		if got := valid(c.secret); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}
