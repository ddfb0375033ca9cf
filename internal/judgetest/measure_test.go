package judgetest

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/graspkit/graspkit/conformance/cleanup"
	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/ledger"
	"github.com/graspkit/graspkit/conformance/measure"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/defect"
)

// The reference is measured as it is set, and each mistake shows in the value that it spoils.
func TestMeasuresShowMistakes(t *testing.T) {
	if testing.Short() {
		t.Skip("virtual time runs on one thread: -short leaves it to the run without the race detector")
	}
	for name, spoiled := range map[string][]string{
		"":                             nil,
		"hunt-at-once":                 {"first-delay"},
		"failures-punished":            {"interval-2", "interval-3"},
		"a-sixth-request-at-once":      {"in-flight"},
		"one-request-more-in-a-minute": {"starts", "window-frees"},
		"failures-asked-again-at-once": {"interval-1"},
		"waits-for-pushes":             {"first-delay", "in-flight", "starts", "window-frees"},
	} {
		t.Run(name, func(t *testing.T) {
			d, ok := defect.Lookup(name)
			if !ok && name != "" {
				t.Fatal("the defect cannot be planted")
			}
			r, err := measure.Run(t.Context(), simulated(d), measure.Config{Seed: "judgetest", Reference: true})
			if err != nil {
				t.Fatal(err)
			}
			var broken []string
			for _, f := range r.Facts {
				if f.Verdict == measure.Broken {
					broken = append(broken, f.Name)
				}
			}
			for _, fact := range spoiled {
				if !slices.Contains(broken, fact) {
					t.Errorf("%s: got it kept (violated are %v)", fact, broken)
				}
			}
			if name == "" && len(broken) > 0 {
				t.Errorf("got %v violated, want none", broken)
			}
			if r.Hunts != (name != "waits-for-pushes") {
				t.Errorf("Hunts: got %t", r.Hunts)
			}
		})
	}
}

// How the reference follows relays is measured, and what it does otherwise shows.
func TestSyncIsMeasured(t *testing.T) {
	for name, other := range map[string]map[string]int64{
		"":                           {},
		"relays-not-followed":        nil, // nothing to see
		"pages-unturned":             {"sync-pages-turned": 0},
		"relays-tried-without-pause": {"sync-attempt-4": 30_000, "sync-attempt-5": 30_000, "sync-returned": 30_000},
	} {
		t.Run(name, func(t *testing.T) {
			d, ok := defect.Lookup(name)
			if !ok && name != "" {
				t.Fatal("the defect cannot be planted")
			}
			r, err := measure.Sync(t.Context(), simulated(d), measure.Config{Seed: "judgetest"})
			if err != nil {
				t.Fatal(err)
			}
			if follows := other != nil; r.Follows != follows || (len(r.Asks) > 0) != follows {
				t.Fatalf("Follows: got %t, and %d questions", r.Follows, len(r.Asks))
			}
			want := map[string]int64{
				"sync-connected": 0, "sync-asked-for-repository": 5_000, "sync-page": 500, "sync-pages-turned": 3,
				"sync-attempt-1": 5_000, "sync-attempt-4": 40_000, "sync-attempt-5": 80_000, "sync-returned": 160_000,
				"sync-looked-back": 900_000, "sync-asked-for-all": 1, "sync-asked-for-all-pages": 0,
			}
			maps.Copy(want, other)
			for _, f := range r.Facts {
				n, known := want[f.Name]
				switch {
				case other == nil && f.Seen:
					t.Errorf("%s: got %d, want nothing to see", f.Name, f.Measured)
				case other != nil && known && (!f.Seen || f.Measured != n):
					t.Errorf("%s: got %d, seen %t, want %d", f.Name, f.Measured, f.Seen, n)
				}
			}
		})
	}
}

// A service for members alone is measured through its door, by the first key that opens it, and shows what a public one shows: git data
// is hunted alike, and relays that let in members alone are asked for the repository by a service that has a key of its own, and not by one
// that has none. Who is not let in measures nothing.
func TestPrivateServicesAreMeasured(t *testing.T) {
	if testing.Short() {
		t.Skip("virtual time runs on one thread: -short leaves it to the run without the race detector")
	}
	stranger, member := client.NewKey("measure", "stranger"), client.NewKey("measure", "member")
	private := func(d defect.Defect) target.Target {
		t.Helper()
		on := simulated(d)
		list, is := on.(target.Membered)
		if !is {
			t.Fatal("nobody can say who is a member")
		}
		if err := list.SetMembers(t.Context(), []string{member.Pubkey}); err != nil {
			t.Fatal(err)
		}
		return on
	}
	cfg := measure.Config{Seed: "judgetest", Reference: true, Keys: []client.Key{stranger, member}}
	public, err := measure.Run(t.Context(), simulated(defect.Defect{}), measure.Config{Seed: cfg.Seed, Reference: true})
	if err != nil {
		t.Fatal(err)
	}
	hunts, err := measure.Run(t.Context(), private(privately(true)), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if !hunts.Hunts || hunts.Violated() || !slices.Equal(hunts.Facts, public.Facts) {
		t.Errorf("got %+v, want what the public one shows: %+v", hunts.Facts, public.Facts)
	}
	for _, identity := range []bool{true, false} {
		synced, err := measure.Sync(t.Context(), private(privately(identity)), cfg)
		if err != nil {
			t.Fatal(err)
		}
		asked := slices.ContainsFunc(synced.Facts, func(f measure.Fact) bool { return f.Name == "sync-asked-for-repository" && f.Seen })
		if !synced.Follows || asked != identity {
			t.Errorf("with a key of its own, %t: Follows: got %t, asked for the repository: %t", identity, synced.Follows, asked)
		}
	}
	cfg.Keys = cfg.Keys[:1]
	if _, err := measure.Run(t.Context(), private(privately(true)), cfg); !errors.Is(err, measure.ErrShut) {
		t.Errorf("by a stranger: got %v, want ErrShut", err)
	}
}

// A memory is a ledger that ends with the test.
type memory struct{ bytes.Buffer }

func (*memory) Sync() error  { return nil }
func (*memory) Close() error { return nil }

// What measurements write is listed, with that which the server gets from relays of theirs, and by the list all of it goes.
func TestMeasurementsAreListed(t *testing.T) {
	on, list := simulated(defect.Defect{}), &memory{}
	cfg := measure.Config{Seed: "judgetest", Nonce: "listed"}
	var err error
	if cfg.Ledger, err = ledger.New(list, ledger.Run{Run: "r", URL: on.ServiceURL(), Seed: cfg.Seed, Nonce: cfg.Nonce}); err != nil {
		t.Fatal(err)
	}
	if _, err := measure.Run(t.Context(), on, cfg); err != nil {
		t.Fatal(err)
	}
	if _, err := measure.Sync(t.Context(), on, cfg); err != nil {
		t.Fatal(err)
	}
	book, err := ledger.Read(bytes.NewReader(list.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[int]int{}
	for _, e := range book.Events {
		kinds[e.Kind]++
	}
	if kinds[30617] < 2 || kinds[30618] < 2 || kinds[1621] < 2 || len(book.Pushes) != 1 {
		t.Errorf("listed are events of these kinds: %v, and %d pushes", kinds, len(book.Pushes))
	}
	done, err := cleanup.Run(t.Context(), on, book, cleanup.Config{})
	if err != nil || !done.Clean() || done.NoKey > 0 {
		t.Errorf("clean-up: got %+v, %v", done, err)
	}
}
