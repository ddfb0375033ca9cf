package defect

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/web"
)

// listedDefects are mistakes of what the document lists beside what is offered.
func listedDefects() []Defect {
	return []Defect{
		{Name: "archive-listed-alone", Web: func(c *web.Config) {
			unlists02(c)
			lists("GRASP-05")(c)
		}},
		{Name: "sync-listed-idle", Web: lists02, Config: func(c *core.Config) { c.Hunt.UserDelay = 2 * time.Hour }},
		{Name: "submissions-unlisted", Answer: submissions},
		{Name: "submissions-not-offered", Web: lists("GRASP-06")},
		{Name: "submissions-shown-anywhere", Answer: shownAnywhere},
		{Name: "submissions-taken-silently", Answer: takenSilently},
	}
}

// lists makes the document list a GRASP, if it does not.
func lists(name string) func(*web.Config) {
	return func(c *web.Config) {
		if !slices.Contains(c.Grasps, name) {
			c.Grasps = append(slices.Clone(c.Grasps), name)
		}
	}
}

// unlists02 makes the document not list GRASP-02.
func unlists02(c *web.Config) {
	c.Grasps = slices.DeleteFunc(slices.Clone(c.Grasps), func(g string) bool { return g == "GRASP-02" })
}

// submissions answers at the place for pull requests as the repository itself would.
func submissions(q web.Request, r web.Route) web.Route {
	path, ok := strings.CutPrefix(q.Path, "/prs")
	other, is := advertises(path, q.Query)
	if !ok || !is {
		return r
	}
	return other
}

// shownAnywhere advertises an empty repository at every path of the place for pull requests.
func shownAnywhere(q web.Request, r web.Route) web.Route {
	service, ok := strings.CutPrefix(q.Query, "service=")
	if !ok || !strings.HasPrefix(q.Path, "/prs/") || !strings.HasSuffix(q.Path, "/info/refs") {
		return r
	}
	line := "# service=" + service + "\n"
	return submission("application/x-"+service+"-advertisement", fmt.Sprintf("%04x%s00000000", len(line)+4, line))
}

// takenSilently answers what is posted at the place for pull requests, and advertises nothing there.
func takenSilently(q web.Request, r web.Route) web.Route {
	for _, service := range []string{"git-upload-pack", "git-receive-pack"} {
		if strings.HasPrefix(q.Path, "/prs/") && strings.HasSuffix(q.Path, "/"+service) {
			return submission("application/x-"+service+"-result", "0000")
		}
	}
	return r
}

// submission is an answer at the place for pull requests.
func submission(contentType, body string) web.Route {
	header := append(web.Config{}.CORS(), web.Header{Name: "Content-Type", Value: contentType})
	return web.Route{Kind: web.KindRespond, Response: web.Response{Status: 200, Header: header, Body: []byte(body)}}
}
