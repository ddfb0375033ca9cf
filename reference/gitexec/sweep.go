package gitexec

import (
	"context"
	"errors"
	"os/exec"

	"github.com/graspkit/graspkit/reference/gitlayout"
)

// sweep removes what a git process that was killed has left in a repository. One that was moving loose objects out of
// quarantine may have moved a commit and not its tree: then the repository would seem to have what it cannot serve, and refs
// be moved there. Which ones it moved nobody knows, so all that no ref reaches go, and come again with the next push. The
// quarantine goes last: whoever is killed here does it again.
func (e *Exec) sweep(path string) error {
	if gitlayout.HalfReceived(path) {
		_, err := e.output(context.Background(), path, nil, "prune", "--expire=now")
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) { // a repository that git finds broken was so before
			return err
		}
	}
	return gitlayout.Sweep(path)
}
