package httpd

import "testing"

// Nobody gets more than a share, whoever else there is, and all together not more than there is.
func TestShare(t *testing.T) {
	s := share{all: 5, each: 2}
	var leave []func()
	enter := func(remote string, want bool) {
		t.Helper()
		l, ok := s.enter(remote)
		if ok != want {
			t.Errorf("%s: got %t, want %t", remote, ok, want)
		}
		if ok {
			leave = append(leave, l)
		}
	}
	enter("192.0.2.1", true)
	enter("192.0.2.1", true)
	enter("192.0.2.1", false)
	enter("", true)
	enter("", true)
	enter("", true)           // an address that is not known has no share
	enter("192.0.2.2", false) // all are taken
	leave[0]()
	enter("192.0.2.1", true)
	for _, l := range leave[1:] {
		l()
	}
	if s.running != 0 || len(s.of) != 0 {
		t.Errorf("when all have left: got %d running of %v", s.running, s.of)
	}
	unbound := share{all: 5}
	for range 5 {
		if _, ok := unbound.enter("192.0.2.1"); !ok {
			t.Error("without shares: got no place")
		}
	}
}
