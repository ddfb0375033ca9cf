package gitexec

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"time"
)

// The oldest git that is used: the first whose protocol version 2 can tell an unborn HEAD.
const (
	versionMajor = 2
	versionMinor = 31
)

// versionWait is how long git may take to say its version: what does not say it will not do anything else either.
const versionWait = 10 * time.Second

func (e *Exec) checkVersion() error {
	wait := min(versionWait, e.options.Lifetime)
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	out, err := e.output(ctx, "", nil, "version")
	if ctx.Err() != nil {
		return fmt.Errorf("%w: %s does not say its version within %v", ErrGit, e.git, wait)
	}
	if err != nil {
		return fmt.Errorf("%w: %s does not run: %w", ErrGit, e.git, err)
	}
	var major, minor int
	if _, err := fmt.Sscanf(string(out), "git version %d.%d", &major, &minor); err != nil {
		return fmt.Errorf("%w: %s says %.60q instead of its version", ErrGit, e.git, bytes.TrimSpace(out))
	}
	if major < versionMajor || major == versionMajor && minor < versionMinor {
		return fmt.Errorf("%w: %s has version %d.%d, %d.%d or later is needed", ErrGit, e.git, major, minor,
			versionMajor, versionMinor)
	}
	e.minor = minor
	if major > versionMajor {
		e.minor = math.MaxInt
	}
	return nil
}
