package legal_test

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/legal"
)

// Every server has a name of its own and says what it does, and what it owes is in the catalogue, with a reason.
func TestServersAreNamed(t *testing.T) {
	var names []string
	all := append(legal.All(), legal.Kin()...)
	for _, s := range slices.Concat(legal.Syncs(), legal.Archives(), legal.Pluses()) {
		all = append(all, legal.Server{Name: s.Name, What: s.What, Owes: s.Owes, Rows: s.Rows, Unsaid: s.Unsaid})
	}
	for _, s := range all {
		if !regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`).MatchString(s.Name) || s.What == "" || slices.Contains(names, s.Name) {
			t.Errorf("%q: %q", s.Name, s.What)
		}
		names = append(names, s.Name)
		for id, why := range s.Owes {
			if _, known := spec.Lookup(id); !known || why == "" {
				t.Errorf("%s: owes %s: %q", s.Name, id, why)
			}
		}
		for _, id := range s.Unsaid {
			if _, known := spec.Lookup(id); !known || !strings.HasPrefix(id, s.Rows) {
				t.Errorf("%s: judged by %s, and nothing can be said of %s", s.Name, s.Rows, id)
			}
		}
	}
	if len(names) < 25 {
		t.Errorf("got %d servers, want at least 25", len(names))
	}
}

// A server shows no power but those of its life, and its clock is the one that it was given.
func TestServersAreStrangers(t *testing.T) {
	for _, s := range append(legal.All(), legal.Kin()...) {
		synctest.Test(t, func(t *testing.T) {
			on := s.Open(clock.New())
			if _, is := on.(target.Restarter); is != s.Mortal {
				t.Errorf("%s: got Restarter %t", s.Name, is)
			}
			for name, is := range map[string]bool{
				"World": implements[target.World](on), "ClockAdvancer": implements[target.ClockAdvancer](on),
				"Hosts": implements[target.Hosts](on), "Witness": implements[target.Witness](on), "Staller": implements[target.Staller](on),
			} {
				if is {
					t.Errorf("%s: got the power %s", s.Name, name)
				}
			}
			before := on.Now()
			if err := on.Sleep(t.Context(), week); err != nil {
				t.Fatal(err)
			}
			if got := on.Now().Sub(before); got != week {
				t.Errorf("%s: got %v, want the time that has passed", s.Name, got)
			}
		})
	}
}

// Who gives up before his connection is made takes no place from others.
func TestPlacesAreGivenBack(t *testing.T) {
	all := legal.All()
	s := all[slices.IndexFunc(all, func(s legal.Server) bool { return s.Name == "four-connections" })]
	synctest.Test(t, func(t *testing.T) {
		on := s.Open(clock.New())
		late, cancel := context.WithCancel(t.Context())
		cancel()
		for range 4 {
			if _, err := on.Dial(late); err == nil {
				t.Error("got a connection that nobody waited for")
			}
		}
		for range 4 {
			if _, err := on.Dial(t.Context()); err != nil {
				t.Errorf("got %v, want four places", err)
			}
		}
	})
}

func implements[T any](x any) bool {
	_, is := x.(T)
	return is
}

const week = 7 * 24 * time.Hour
