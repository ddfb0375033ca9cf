package node

import (
	"context"
	"log/slog"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// tellOfChanges tells the operator what a start finds that no server leaves behind: that it goes by another name now, or that
// repositories have been taken away. It goes on all the same: nothing is removed for that.
func (n *Node) tellOfChanges(cfg core.Config, started core.Started) {
	if cfg.Service == (repo.Service{}) {
		return // nobody knows what it is called
	}
	there := map[repo.ID]bool{}
	for _, r := range started.Repositories {
		there[r.ID] = true
	}
	var elsewhere, lost []repo.ID
	hosted := 0
	for _, ev := range started.Stored {
		if ev.Kind != policy.KindAnnouncement {
			continue
		}
		a, reason := repo.ParseAnnouncement(ev)
		if reason != "" {
			continue
		}
		clone, relays := cfg.Service.ListedIn(a)
		switch {
		case !clone || !relays:
			elsewhere = append(elsewhere, a.ID)
		case !there[a.ID]:
			lost = append(lost, a.ID)
			hosted++
		default:
			hosted++
		}
	}
	ctx := context.Background()
	if hosted == 0 && len(elsewhere) > 0 && cfg.Archive.Scope.Empty() {
		n.log.LogAttrs(ctx, slog.LevelWarn, "no announcement here names this service: it has another URL than it had, and serves none of these repositories",
			slog.String("service", cfg.Service.CloneURL(elsewhere[0], "http")), slog.Int("announcements", len(elsewhere)))
	}
	if len(lost) > 0 && !cfg.Archive.ReadOnly {
		n.counts.add("repositories_lost")
		n.log.LogAttrs(ctx, slog.LevelError, "repositories of announcements that are served are not there: they begin anew, without data",
			slog.Int("repositories", len(lost)), slog.String("repo", lost[0].Path()))
	}
}
