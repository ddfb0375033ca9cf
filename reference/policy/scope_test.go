package policy_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

func scope(t *testing.T, entries ...string) *policy.Scope {
	t.Helper()
	s := &policy.Scope{}
	for _, entry := range entries {
		if err := s.Add(entry); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestScope(t *testing.T) {
	a, b := repo.PubKey(strings.Repeat("ab", 32)), repo.PubKey(strings.Repeat("cd", 32))
	at := func(key repo.PubKey, identifier, host string) repo.Announcement {
		id := repo.ID{Owner: key, Identifier: identifier}
		return repo.Announcement{ID: id, Clone: []string{"https://" + host + id.Path()}, Relays: []string{"wss://relay.test"}}
	}
	for _, c := range []struct {
		name  string
		scope *policy.Scope
		of    repo.Announcement
		want  bool
	}{
		{"none", nil, at(a, "demo", "o.test"), false},
		{"empty", scope(t), at(a, "demo", "o.test"), false},
		{"all", scope(t, "all"), at(a, "demo", "o.test"), true},
		{"owner", scope(t, a.Npub()), at(a, "demo", "o.test"), true},
		{"another owner", scope(t, a.Npub()), at(b, "demo", "o.test"), false},
		{"repository", scope(t, a.Npub()+"/two%20words"), at(a, "two words", "o.test"), true},
		{"another of the owner", scope(t, a.Npub()+"/demo"), at(a, "demos", "o.test"), false},
		{"that of another owner", scope(t, a.Npub()+"/demo"), at(b, "demo", "o.test"), false},
		{"identifier", scope(t, "demo"), at(b, "demo", "o.test"), true},
		{"an identifier like a word", scope(t, "%61ll"), at(b, "all", "o.test"), true},
		{"an identifier like a word, and another", scope(t, "%61ll"), at(b, "demo", "o.test"), false},
		{"service", scope(t, "https://O.test/"), at(b, "demo", "o.test"), true},
		{"another service", scope(t, "https://o.test"), at(b, "demo", "o.test.evil"), false},
		{"another port", scope(t, "https://o.test:8"), at(b, "demo", "o.test"), false},
		{"one of several", scope(t, "x", "wss://p.test", b.Npub()), at(a, "demo", "p.test"), true},
	} {
		if got := c.scope.Has(c.of); got != c.want {
			t.Errorf("%s: got %t, want %t", c.name, got, c.want)
		}
	}
	for _, wrong := range []string{"", "npub1x", "a/b", "https://", "ftp://o.test", "https://o.test/?x", "..", a.Npub() + "/"} {
		if err := (&policy.Scope{}).Add(wrong); err == nil || !strings.Contains(err.Error(), wrong) {
			t.Errorf("%q: got %v, want an error that names it", wrong, err)
		}
	}
	if got := scope(t, "x", "all", "x").Entries(); !slices.Equal(got, []string{"x", "all"}) {
		t.Errorf("entries: got %v", got)
	}
}

// The reason to accept is the first that holds; whether there is a repository depends on the announcement and the settings alone,
// but for an archive that is only read and has it already (G05-01, G05-03, G05-07).
func TestAnnouncementOfAnArchive(t *testing.T) {
	service := repo.Service{Host: "grasp.test"}
	key := repo.PubKey("3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d")
	id := repo.ID{Owner: key, Identifier: "x"}
	here := repo.Announcement{ID: id, Clone: []string{service.CloneURL(id, "https")}, Relays: []string{"wss://grasp.test"}}
	there := repo.Announcement{ID: id, Clone: []string{"https://o.test" + id.Path()}, Relays: []string{"wss://o.test"}}
	vouched := map[repo.ID]repo.Announcement{{Owner: "A", Identifier: "x"}: {Maintainers: []repo.PubKey{key}}}
	known := map[repo.ID]repo.Announcement{id: {}}
	in, out := scope(t, "x"), scope(t, "y")
	for _, c := range []struct {
		name      string
		terms     policy.Terms
		announced map[repo.ID]repo.Announcement
		hosts     bool // the repository is hosted
		of        repo.Announcement
		want      string // requirement; a refusal begins with "-"
		hosted    bool
	}{
		{"lists", policy.Terms{Archive: out}, nil, false, here, "G01-ANN-01", true},
		{"lists, in the scope", policy.Terms{Archive: in}, nil, false, here, "G01-ANN-01", true},
		{"in the scope", policy.Terms{Archive: in}, nil, false, there, "G05-01", true},
		{"beside the scope", policy.Terms{Archive: out}, nil, false, there, "-G05-03", false},
		{"vouched for, in the scope", policy.Terms{Archive: in}, vouched, false, there, "G01-ANN-14", true},
		{"vouched for, beside the scope", policy.Terms{Archive: out}, vouched, false, there, "G01-ANN-14", false},
		{"newer, in the scope", policy.Terms{Archive: in}, known, true, there, "G05-01", true},
		{"newer, beside the scope", policy.Terms{Archive: out}, known, true, there, "G01-ANN-18", false},
		{"read only, lists", policy.Terms{Archive: out, ReadOnly: true}, nil, false, here, "-G05-03", false},
		{"read only, lists and is there", policy.Terms{Archive: out, ReadOnly: true}, known, true, here, "G01-ANN-01", true},
		{"read only, lists and in the scope", policy.Terms{Archive: in, ReadOnly: true}, nil, false, here, "G01-ANN-01", true},
		{"read only, in the scope", policy.Terms{Archive: in, ReadOnly: true}, nil, false, there, "G05-01", true},
		{"read only, beside the scope", policy.Terms{Archive: out, ReadOnly: true}, nil, false, there, "-G05-03", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.terms.Service = service
			v := view{announcements: c.announced}
			if c.hosts {
				v.hosted = []repo.ID{id}
			}
			got, hosted := policy.Announcement(v, c.terms, c.of)
			requirement := got.Requirement
			if !got.Accepted() {
				requirement = "-" + requirement
			}
			if requirement != c.want || hosted != c.hosted {
				t.Errorf("got %s, hosted %t, want %s, %t", requirement, hosted, c.want, c.hosted)
			}
		})
	}
}
