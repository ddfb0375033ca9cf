package policy_test

import (
	"testing"

	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

func TestAnnouncement(t *testing.T) {
	service := repo.Service{Host: "grasp.test"}
	owner := repo.PubKey("3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d")
	id := repo.ID{Owner: owner, Identifier: "x"}
	here, relay := service.CloneURL(id, "https"), service.RelayURL("wss")
	voucher := repo.ID{Owner: "A", Identifier: "x"}
	for _, c := range []struct {
		name          string
		announced     map[repo.ID]repo.Announcement
		clone, relays []string
		want          string // requirement; a refusal begins with "-"
		hosted        bool
	}{
		{"both", nil, []string{here}, []string{relay}, "G01-ANN-01", true},
		{"clone elsewhere", nil, []string{"https://other.test/x.git"}, []string{relay}, "-G01-ANN-02", false},
		{"relays elsewhere", nil, []string{here}, []string{"wss://other.test"}, "-G01-ANN-03", false},
		{"no relays", nil, []string{here}, nil, "-G01-ANN-04", false},
		{"vouched for", map[repo.ID]repo.Announcement{voucher: {Maintainers: []repo.PubKey{owner}}}, nil, nil, "G01-ANN-14", false},
		{"withdrawn", map[repo.ID]repo.Announcement{id: {}}, []string{"https://other.test/x.git"}, nil, "G01-ANN-18", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, hosted := policy.Announcement(view{announcements: c.announced}, policy.Terms{Service: service}, repo.Announcement{ID: id, Clone: c.clone, Relays: c.relays})
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
