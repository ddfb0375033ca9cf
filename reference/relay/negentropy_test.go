package relay_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/reference/negentropy"
	"github.com/graspkit/graspkit/reference/relay"
)

func TestDecodeNegentropy(t *testing.T) {
	most := strings.Repeat("ab", relay.NegBytesMax)
	for _, c := range []struct {
		frame string
		want  relay.ClientMessage
	}{
		{`["NEG-OPEN","s",{"kinds":[1]},"61aAFf"]`, relay.NegOpen{
			Sub: "s", Filter: relay.Filter{Kinds: []int{1}}, Message: []byte{0x61, 0xaa, 0xff},
		}},
		{`["NEG-OPEN","s",{},""]`, relay.NegOpen{Sub: "s", Message: []byte{}}},
		{`["NEG-MSG","s","62"]`, relay.NegMessage{Sub: "s", Message: []byte{0x62}}},
		{`["NEG-CLOSE","s"]`, relay.NegClose{Sub: "s"}},
	} {
		if diff := cmp.Diff(c.want, relay.Decode([]byte(c.frame))); diff != "" {
			t.Errorf("%s: %s", c.frame, diff)
		}
	}
	if got, ok := relay.Decode([]byte(`["NEG-MSG","s","` + most + `"]`)).(relay.NegMessage); !ok || len(got.Message) != relay.NegBytesMax {
		t.Errorf("longest message: got %T with %d bytes", got, len(got.Message))
	}
	for _, frame := range []string{
		`["NEG-OPEN","s"]`, `["NEG-OPEN","s",{}]`, `["NEG-OPEN","s","61"]`, `["NEG-OPEN","s",{},61]`, `["NEG-OPEN","s",{},"6"]`,
		`["NEG-OPEN","s",{},"6g"]`, `["NEG-OPEN","s",{},"61",1]`, `["NEG-OPEN","s",{"ids":["x"]},"61"]`, `["NEG-MSG","s"]`,
		`["NEG-OPEN","s",[],"61"]`, `["NEG-OPEN","s",{},16,"61"]`, `["NEG-MSG","s",["61"]]`, `["NEG-MSG","s","` + most + `ab"]`,
	} {
		m, ok := relay.Decode([]byte(frame)).(relay.Malformed)
		refusal, is := m.Reply.(relay.NegError)
		if !ok || !is || refusal.Sub != "s" || !strings.HasPrefix(refusal.Text, "invalid: ") {
			t.Errorf("%.60s: got %+v, want a refusal of the reconciliation", frame, m)
		}
	}
	long := strings.Repeat("x", relay.SubIDMax+1)
	m, ok := relay.Decode([]byte(`["NEG-MSG","` + long + `","61"]`)).(relay.Malformed)
	if refusal, is := m.Reply.(relay.NegError); !ok || !is || refusal.Sub != long {
		t.Errorf("long id: got %+v", m)
	}
}

func TestSessionKeepsSetsApart(t *testing.T) {
	one := negentropy.NewSet([]negentropy.Item{{Time: 1}})
	two := negentropy.NewSet([]negentropy.Item{{Time: 1}, {Time: 2}})
	s := &relay.Session{}
	if !s.Open("a", nil) || !s.OpenSet("a", one, 0) {
		t.Fatal("one of each: got a refusal")
	}
	if s.Close("a"); s.Set("a") != one {
		t.Error("the end of the subscription ended the reconciliation")
	}
	if !s.OpenSet("a", two, 0) || s.Set("a") != two || s.SetItems() != 2 {
		t.Errorf("opened again: got %d items, want those of the second", s.SetItems())
	}
	for n := range relay.SetsMax - 1 {
		if !s.OpenSet(fmt.Sprint(n), one, 0) {
			t.Fatalf("got a refusal after %d", n+1)
		}
	}
	if s.OpenSet("more", one, 0) || !s.OpenSet("0", two, 0) || s.Set("more") != nil {
		t.Errorf("at the limit: want no other, but one of them again")
	}
	if s.UseSet("a", 7) != two || s.UseSet("1", 5) != one || s.UseSet("never", 1) != nil {
		t.Error("used: want each set by its id")
	}
	s.CloseSet("a")
	s.CloseSet("never")
	if s.Set("a") != nil || !s.OpenSet("more", one, 0) {
		t.Error("closed: got it still")
	}
}

func TestIdleSetIsTheOneUsedLongestAgo(t *testing.T) {
	s := &relay.Session{}
	if sub, turn := s.IdleSet(); sub != "" || turn != 0 {
		t.Errorf("without any: got %q of turn %d", sub, turn)
	}
	set := negentropy.NewSet(nil)
	for i, sub := range []string{"a", "b", "c"} {
		s.OpenSet(sub, set, uint64(i+1))
	}
	s.UseSet("a", 4)
	if sub, turn := s.IdleSet(); sub != "b" || turn != 2 {
		t.Errorf("got %q of turn %d, want b of turn 2", sub, turn)
	}
}
