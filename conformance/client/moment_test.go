package client

import (
	"testing"
	"time"
)

func TestMomentary(t *testing.T) {
	for _, test := range []struct {
		o    Observation
		want moment
	}{
		{OKFrame{Accepted: true, Prefix: "error", Text: "stored all the same"}, ""},
		{OKFrame{Prefix: "error", Text: "database is locked (5)"}, "error: database is locked (#)"},
		{OKFrame{Prefix: "restricted", Text: "an operation is in progress; retry"}, "restricted: an operation is in progress; retry"},
		{OKFrame{Prefix: "restricted", Text: "only members may publish"}, ""},
		{OKFrame{Text: "Busy, come back in 3 s"}, ": Busy, come back in # s"},
		{OKFrame{Prefix: "invalid", Text: "the signature does not fit"}, ""},
		{RateLimited{Text: "try again"}, ""},
		{nil, ""},
	} {
		if got := momentary(test.o); got != test.want {
			t.Errorf("%v: got %q, want %q", test.o, got, test.want)
		}
	}
}

// Words that never pass are tried out for two events or so, words that have passed are waited for.
func TestHoped(t *testing.T) {
	p := NewPace(0)
	tried := func(m moment) (waited time.Duration) {
		for pause := paceMin; p.hoped(m, waited, pause); pause *= 2 {
			waited += pause
		}
		return waited
	}
	if first, second := tried("error: never"), tried("error: never"); first == 0 || first > momentTries || second != 0 {
		t.Errorf("in vain: got %v and %v, want a while and nothing", first, second)
	}
	p.turned("error: never")
	if got := tried("error: never"); got <= momentTries || got > momentWaits {
		t.Errorf("passed: got %v, want more than before", got)
	}
	for i := range 2 * momentsMax {
		tried(moment("error: " + string(rune('a'+i))))
	}
	if got := tried("error: one more"); got != 0 {
		t.Errorf("many words: got %v, want nothing", got)
	}
	if limits, _ := p.Told(); limits[ForTheMoment+"error: never"] != 1 {
		t.Errorf("got %v, want the words that have passed", limits)
	}
}

// A server that takes nothing is not busy.
func TestHesitant(t *testing.T) {
	for events, want := range []bool{false, true} {
		p := NewPace(0)
		p.events = events
		for range momentsFew + 1 {
			p.hoped("restricted: busy", 0, time.Second)
		}
		if p.Hesitant() != want {
			t.Errorf("%d events taken: got %t, want %t", events, !want, want)
		}
	}
}
