package cleanup_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/ledger"
)

// announces writes so many announcements of the run.
func (w *writer) announces(n int) {
	for i := range n {
		w.writes(client.Announce(keyOf("a/owner"), client.AnnounceOpts{Identifier: fmt.Sprintf("gc-0a1b2c3d-%d", i+1), CreatedAt: w.fake.now.Unix()}), true, true)
	}
}

// A repository that stays is told, an empty one too, and is waited for a moment, all of them together. Where there is something
// empty at every path an empty one is none.
func TestRepositoriesThatStay(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name        string
		change      func(f *fake)
		left, empty int
	}{
		{"none", func(*fake) {}, 0, 0},
		{"full", func(f *fake) { f.keeps = true }, 40, 0},
		{"empty", func(f *fake) { f.keeps, f.empty = true, true }, 40, 40},
		{"none, and something empty everywhere", func(f *fake) { f.anywhere = true }, 0, 0},
		{"full, and something empty everywhere", func(f *fake) { f.keeps, f.anywhere = true, true }, 40, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := newFake()
			test.change(f)
			w := newWriter(t, f)
			w.announces(40)
			begun := f.now
			r := cleaned(t, f, w.book())
			if len(r.Kept) != 0 || len(r.Left) != test.left || r.Empty != test.empty || r.Repositories != 40 || r.Clean() != (test.left == 0) {
				t.Errorf("got %d events, %d repositories of %d, %d of them empty", len(r.Kept), len(r.Left), r.Repositories, r.Empty)
			}
			if took := f.now.Sub(begun); took > 5*time.Second {
				t.Errorf("it took %v of the server's time", took)
			}
		})
	}
}

// Where members alone are let in the keys that were given are tried, and without the right one nobody can say.
func TestMembersAlone(t *testing.T) {
	t.Parallel()
	keys := []client.Key{client.NewKey("given", "stranger"), client.NewKey("given", "me"), client.NewKey("given", "other")}
	for _, test := range []struct {
		name   string
		member int // of the keys
		listed bool
		keys   []client.Key
		clean  bool
	}{
		{"the second key", 1, true, keys, true},
		{"the second key, and NIP-09 not listed", 1, false, keys, true},
		{"the first key", 0, true, keys, true},
		{"none of the keys", 0, true, keys[1:], false},
		{"no key", 0, true, nil, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := newFake()
			if !test.listed {
				f.document = "{}"
			}
			mine := keys[test.member]
			f.members = []string{mine.Pubkey}
			w := newWriter(t, f)
			for i := range 7 {
				ev := client.Announce(mine, client.AnnounceOpts{Identifier: fmt.Sprintf("gc-0a1b2c3d-%d", i), CreatedAt: f.now.Unix()})
				w.writes(ev, false, true)
			}
			r := cleaned(t, f, w.book(), test.keys...)
			if r.Clean() != test.clean || (len(f.events) == 0) != test.clean || r.Events != 7 || r.Repositories != 7 {
				t.Errorf("got %+v, %d events left", r, len(f.events))
			}
			if !test.clean && (r.Unsure != 7 || r.Unseen != 7 || r.Shut != 7) {
				t.Errorf("got %+v, want that nobody can say", r)
			}
		})
	}
}

// A service for members has no token for a path at which there can be no repository. Who is let in elsewhere is not told to ask for a key
// because of these; where GRASP-06 is listed, what is below /prs/ is looked for.
func TestMembersAreTurnedAwayFromNowhere(t *testing.T) {
	t.Parallel()
	me := client.NewKey("given", "me")
	somebody := "/" + keyOf("a/owner").Npub + "/"
	for _, test := range []struct {
		path, document string
		gone           bool
	}{
		{somebody + "..%2f" + me.Npub + "%2fdemo.git", `{"supported_nips":[9]}`, true},
		{somebody + "%252e%252e%252fdemo.git", `{"supported_nips":[9]}`, true},
		{somebody + "..%5cdemo.git", `{"supported_nips":[9]}`, true},
		{"/prs" + somebody + "demo.git", `{"supported_nips":[9],"supported_grasps":["GRASP-01"]}`, true},
		{"/prs" + somebody + "demo.git", `{"supported_nips":[9],"supported_grasps":["GRASP-06"]}`, false},
		{somebody + "demo%20it.git", `{"supported_nips":[9]}`, false},
	} {
		f := newFake()
		f.document, f.members, f.shut = test.document, []string{me.Pubkey}, test.path
		w := newWriter(t, f)
		w.writes(client.Announce(me, client.AnnounceOpts{Identifier: "gc-0a1b2c3d-0", CreatedAt: f.now.Unix()}), false, true)
		if err := w.list.Push(ledger.Push{Repository: run.URL + test.path}); err != nil {
			t.Fatal(err)
		}
		r := cleaned(t, f, w.book(), me)
		if r.Clean() != test.gone || r.Shut != 0 || !test.gone && r.Unseen != 1 {
			t.Errorf("%s: got %+v, want it gone: %v, and no call for a key", test.path, r, test.gone)
		}
	}
}

// The repositories of a ledger are those that an event announces which was not refused, and those that were pushed to.
func TestMade(t *testing.T) {
	t.Parallel()
	f := newFake()
	w := newWriter(t, f)
	w.announces(2)
	w.writes(client.Announce(keyOf("a/owner"), client.AnnounceOpts{Identifier: "refused"}), true, false)
	made := w.book().Made()
	if len(made) != 2 || !slices.IsSorted(made) || !strings.HasSuffix(made[0], "/gc-0a1b2c3d-1.git") {
		t.Errorf("got %v", made)
	}
}
