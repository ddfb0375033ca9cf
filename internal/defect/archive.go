package defect

import (
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/internal/archived"
	"github.com/graspkit/graspkit/reference/core"
)

// archiveDefects are mistakes of archives.
func archiveDefects() []Defect {
	return []Defect{
		{Name: "archived-announcements-refused", Archive: true, Filter: rejects(listing(func(value string) bool {
			return len(value) > len(archived.Service) && value[:len(archived.Service)] == archived.Service
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
