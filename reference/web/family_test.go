package web_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/reference/web"
)

// Below /prs/ every well-formed path answers git, whatever is known of it, and has no page; without the setting there is nothing
// (G06-URL-01, G06-URL-02, G06-FETCH-01, G06-ADV-01, G06-WEB-01).
func TestRouteContributions(t *testing.T) {
	const advertise = "/info/refs?service=git-upload-pack"
	receive := "Content-Type: application/x-git-receive-pack-request"
	on, based := config, config
	on.Contributions, based.Contributions = true, true
	based.Service.Base = "/base"
	for _, c := range []struct {
		line    string
		headers []string
		want    string // with the setting
		without string // without
	}{
		{"GET /prs/" + npub + "/unknown.git" + advertise, nil, "advertise git-upload-pack prs/unknown", "404"},
		{"GET /prs/" + npub + "/demo.git" + advertise, nil, "advertise git-upload-pack prs/demo", "404"},
		{"GET /prs/" + npub + "/a%20b.git/info/refs?service=git-receive-pack", nil, "advertise git-receive-pack prs/a b", "404"},
		{"POST /prs/" + npub + "/x.git/git-receive-pack", []string{receive}, "5 git-receive-pack prs/x", "404"},
		{"POST /prs/" + npub + "/x.git/git-receive-pack", nil, "415", "404"},
		{"GET /prs/" + npub + "/x.git/git-receive-pack", nil, "405", "404"},
		{"GET /prs/" + npub + "/x.git/info/refs", nil, "400", "404"},
		{"GET /prs/" + npub + "/x.git", nil, "404", "404"},
		{"GET /prs/" + npub + "/x", nil, "404", "404"},
		{"GET /prs/" + npub + "/x" + advertise, nil, "404", "404"},
		{"GET /prs/" + npub + "/x/y.git" + advertise, nil, "404", "404"},
		{"GET /prs/" + npub + "/..%2fy.git" + advertise, nil, "400", "404"},
		{"GET /prs/" + npub + "/%2e%2e.git" + advertise, nil, "400", "404"},
		{"GET /prs/" + npub + "/.git" + advertise, nil, "400", "404"},
		{"GET /prs/" + npub + "/../" + npub + "/demo.git" + advertise, nil, "404", "404"},
		{"GET /prs/" + string(alice) + "/x.git" + advertise, nil, "400", "404"},
		{"GET /prs/" + strings.ToUpper(npub) + "/x.git" + advertise, nil, "400", "404"},
		{"GET /prs/" + npub[:62] + "7/x.git" + advertise, nil, "400", "404"},
		{"GET /PRS/" + npub + "/x.git" + advertise, nil, "404", "404"},
		{"GET /prs//" + npub + "/x.git" + advertise, nil, "404", "404"},
		{"GET /prs" + npub + "/x.git" + advertise, nil, "400", "400"},
		{"GET /prs/x.git" + advertise, nil, "400", "400"},
		{"GET /prs/prs/" + npub + "/x.git" + advertise, nil, "404", "404"},
		{"GET /prs/", nil, "404", "404"},
		{"OPTIONS /prs/" + npub + "/x.git" + advertise, nil, "204", "204"},
		{"GET /" + npub + "/demo.git" + advertise, nil, "advertise git-upload-pack demo", "advertise git-upload-pack demo"},
		{"GET /" + npub + "/prs%2fdemo.git" + advertise, nil, "400", "400"},
	} {
		if got := brief(on.Route(hosted, request(c.line, c.headers...))); got != c.want {
			t.Errorf("%s: got %s, want %s", c.line, got, c.want)
		}
		if got := brief(config.Route(hosted, request(c.line, c.headers...))); got != c.without {
			t.Errorf("%s, off: got %s, want %s", c.line, got, c.without)
		}
		method, path, _ := strings.Cut(c.line, " ")
		if got := brief(based.Route(hosted, request(method+" /base"+path, c.headers...))); got != c.want {
			t.Errorf("%s below the base: got %s, want %s", c.line, got, c.want)
		}
	}
}

// The document lists what is on, and says of an archive what is in it (G05-02, G05-05, G06-ADV-01).
func TestDocumentTellsTheFamily(t *testing.T) {
	for _, c := range []struct {
		name     string
		change   func(*web.Config)
		grasps   []string
		curation string
		criteria []string // in it
	}{
		{"neither", func(*web.Config) {}, []string{"GRASP-01"}, "", []string{web.CriteriaDefault}},
		{"contributions", func(c *web.Config) { c.Contributions = true }, []string{"GRASP-01", "GRASP-06"}, "", []string{web.CriteriaDefault}},
		{
			"both", func(c *web.Config) {
				c.Grasps, c.Archive, c.Contributions = []string{"GRASP-01", "GRASP-02"}, []string{"npub1x", "demo"}, true
			}, []string{"GRASP-01", "GRASP-02", "GRASP-05", "GRASP-06"}, "", []string{web.CriteriaDefault, "npub1x, demo"},
		},
		{
			"read only", func(c *web.Config) { c.Archive, c.ReadOnly, c.Curation = []string{"demo"}, true, "by hand" },
			[]string{"GRASP-01", "GRASP-05"},
			web.CurationArchive,
			[]string{"no pushes", "demo"},
		},
		{
			"read only, all", func(c *web.Config) { c.Archive, c.ReadOnly = []string{"x", "all"}, true },
			[]string{"GRASP-01", "GRASP-05"},
			web.CurationArchiveAll,
			[]string{"all repositories"},
		},
		{
			"much", func(c *web.Config) { c.Archive, c.Curation = strings.Fields(strings.Repeat("x ", 25)), "by hand" },
			[]string{"GRASP-01", "GRASP-05"},
			"by hand",
			[]string{"and 15 more"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := config
			c.change(&cfg)
			var got struct {
				Grasps   []string `json:"supported_grasps"`
				Criteria string   `json:"repo_acceptance_criteria"`
				Curation *string  `json:"curation"`
			}
			if err := json.Unmarshal(cfg.Route(hosted, request("GET /", "Accept: application/nostr+json")).Response.Body, &got); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Grasps, c.grasps) || (got.Curation == nil) != (c.curation == "") || got.Curation != nil && *got.Curation != c.curation {
				t.Errorf("got %+v", got)
			}
			for _, part := range c.criteria {
				if !strings.Contains(got.Criteria, part) {
					t.Errorf("criteria: got %q, want %q in it", got.Criteria, part)
				}
			}
		})
	}
}
