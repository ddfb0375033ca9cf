package client_test

import (
	"fmt"
	"testing"

	"github.com/graspkit/graspkit/conformance/client"
)

// Git itself answers a negotiation in rounds, however much the client has that the server does not know.
func TestFetchRounds(t *testing.T) {
	s, _, c := filled(t)
	for version := range 3 {
		for _, own := range []int{0, 1, 40, 200} {
			t.Run(fmt.Sprintf("v%d/%d", version, own), func(t *testing.T) {
				advert, ok := c.Advertise(t.Context(), repoPath, client.UploadPack, version).(client.Advert)
				if !ok {
					t.Fatal("no advertisement")
				}
				var haves []string
				for i := range own {
					haves = append(haves, fmt.Sprintf("%040x", i+1))
				}
				objects, n, o := c.FetchRounds(t.Context(), repoPath, advert, []string{s.three}, append(haves, s.one))
				if o != nil {
					t.Fatalf("FetchRounds: got %v after %d rounds, want objects", o, n.Rounds)
				}
				if err := objects.Connected(s.three, s.h.Closure(s.one)...); err != nil || objects.Has(s.one) || n.Rounds == 0 {
					t.Errorf("FetchRounds: got %v, %d rounds: %v", objects.OIDs(), n.Rounds, err)
				}
			})
		}
	}
}

// A report goes by what was asked for.
func TestReportInBand(t *testing.T) {
	const (
		plain   = "000eunpack ok\n0016ok refs/heads/main0000"
		whole   = "002e\x01000eunpack ok\n0017ok refs/heads/main\n00000000"
		endless = "002e\x01000eunpack ok\n0017ok refs/heads/main\n0000"
		text    = "error: no\n"
	)
	for _, test := range []struct {
		name, body string
		good       bool
	}{{"whole", whole, true}, {"plain", plain, false}, {"endless", endless, false}, {"text", text, false}, {"nothing", "", false}} {
		if report, err := client.ReadReportInBand([]byte(test.body)); (err == nil) != test.good {
			t.Errorf("%s: got %v, %v", test.name, report, err)
		}
	}
}

// A client claims what is offered.
func TestCapsFor(t *testing.T) {
	create := client.Command{Old: client.ZeroOID, New: fmt.Sprintf("%040x", 1), Ref: "refs/heads/main"}
	remove := client.Command{Old: create.New, New: client.ZeroOID, Ref: "refs/heads/main"}
	for _, test := range []struct {
		caps        []string
		claimed     string
		lacks       string
		lacksDelete string
	}{
		{nil, "report-status", "report-status", "report-status"},
		{[]string{"report-status"}, "report-status", "", "delete-refs"},
		{[]string{"report-status", "delete-refs", "side-band-64k"}, "report-status side-band-64k", "", ""},
	} {
		advert := client.Advert{Caps: test.caps}
		if got := client.CapsFor(advert); got != test.claimed {
			t.Errorf("CapsFor(%v): got %q, want %q", test.caps, got, test.claimed)
		}
		if got := advert.Lacks([]client.Command{create}); got != test.lacks {
			t.Errorf("Lacks(%v): got %q, want %q", test.caps, got, test.lacks)
		}
		if got := advert.Lacks([]client.Command{remove}); got != test.lacksDelete {
			t.Errorf("Lacks(%v) of a deletion: got %q, want %q", test.caps, got, test.lacksDelete)
		}
	}
}
