package defect

import (
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
)

// archivedService is the service of which an archive that is judged keeps everything. Nobody answers there.
const archivedService = "https://archived.example.invalid"

// ArchiveConfig is an archive of all that lists another service.
func ArchiveConfig(readOnly bool) core.ArchiveConfig {
	scope := &policy.Scope{}
	if err := scope.Add(archivedService); err != nil {
		panic("defect: invariant: the archived service: " + err.Error())
	}
	return core.ArchiveConfig{Scope: scope, ReadOnly: readOnly}
}

// archiveDefects are mistakes of archives.
func archiveDefects() []Defect {
	return []Defect{
		{Name: "archived-announcements-refused", Archive: true, Filter: rejects(listing(func(value string) bool {
			return len(value) > len(archivedService) && value[:len(archivedService)] == archivedService
		}))},
		{Name: "archives-listed-without-sync", Archive: true, Web: unlists02},
		{Name: "archives-leave-issues", Archive: true, Filter: left(func(kind int) bool { return kind == 1621 })},
		{Name: "archives-keep-anything", Archive: true, Filter: says("G05-03")},
		{Name: "archives-hunt-late", Archive: true, Config: func(c *core.Config) { c.Hunt.UserDelay = 2 * time.Hour }},
		{
			Name: "read-only-archives-take-pushes", Archive: true,
			Answer: document(`"repo_acceptance_criteria"`, `"curation":"Read-only sync of some repositories","repo_acceptance_criteria"`),
		},
		{Name: "read-only-untold", ReadOnly: true, Answer: document(`"curation"`, `"x-curation"`)},
		{Name: "archived-states-of-anybody", Archive: true, Filter: says("G01-MNT-03")},
		{Name: "archived-issues-refused", Archive: true, Filter: rejects(func(ev *nostr.Event) bool { return ev.Kind == 1621 })},
		{Name: "archived-orphans-taken", Archive: true, Filter: says("G01-REL-05")},
		{Name: "archived-pull-requests-refused", Archive: true, Filter: rejects(func(ev *nostr.Event) bool { return ev.Kind == 1618 })},
	}
}
