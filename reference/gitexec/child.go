package gitexec

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitturn"
)

// Limits of one git process.
const (
	stderrMax = 4 << 10         // bytes of its standard error that are kept
	waitDelay = 5 * time.Second // for its pipes to close after its end
)

// unpackMax is the least number of objects of a push that stay together as a pack: loose ones are each made durable,
// and a clone looks for differences between them again.
const unpackMax = 20

// environment is all that a git process sees of the environment: nothing of the server's own, no configuration of
// the system or of a user.
func environment(git, home string, memory int64) []string {
	return []string{
		"PATH=" + filepath.Dir(git) + ":/usr/local/bin:/usr/bin:/bin",
		"HOME=" + home, "XDG_CONFIG_HOME=" + home,
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_ATTR_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0",
		"GIT_USER_AGENT=" + gitproto.Agent, "GIT_NO_REPLACE_OBJECTS=1", "LC_ALL=C", "TZ=UTC",
		"GIT_ALLOC_LIMIT=" + strconv.FormatInt(memory, 10),
	}
}

// configuration of every git process. What a repository's own configuration says is overruled. The command that would name
// the refs of what a push borrows from, the repository itself, is none: an empty name starts no process.
func (e *Exec) configuration() []string {
	settings := append(e.durability(),
		"core.hooksPath=/dev/null", "core.bigFileThreshold=1m",
		"core.logAllRefUpdates=false", "core.alternateRefsCommand=", "safe.directory=*", "gc.auto=0",
		"maintenance.auto=false", "protocol.version=2",
		"receive.autogc=false", "receive.updateServerInfo=false", "receive.fsckObjects=true",
		"receive.unpackLimit="+strconv.Itoa(unpackMax),
		"receive.maxInputSize="+strconv.FormatInt(e.options.Limits.PackMax, 10),
		"receive.denyDeletes=false", "receive.denyNonFastForwards=false", "receive.denyCurrentBranch=ignore",
		"receive.denyDeleteCurrent=ignore", "receive.advertiseAtomic=true", "receive.keepAlive=0",
		"uploadpack.allowFilter=true", "uploadpack.allowAnySHA1InWant=true", "uploadpack.allowRefInWant=false",
		"uploadpackfilter.allow=true", "lsrefs.unborn=advertise",
	)
	for _, wart := range warts() {
		settings = append(settings, "receive.fsck."+wart+"=ignore")
	}
	args := make([]string, 0, 2*len(settings))
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	return args
}

// warts lists, as git names them, the faults of old but honest histories.
func warts() []string {
	return []string{
		"missingSpaceBeforeDate", "missingSpaceBeforeEmail", "missingEmail", "missingNameBeforeEmail", "badDate",
		"badTimezone", "zeroPaddedDate", "zeroPaddedFilemode",
	}
}

// A child is a git process that may run: it holds a place among the children and must be released.
type child struct {
	cmd       *exec.Cmd
	verb      string
	stderr    head
	memory    int64
	processor time.Duration
	idle      bool // it has time: others go first
	release   func()
}

// child prepares "git <configuration> args..." in a repository's folder; an empty folder means the store's own. It
// waits for a place in the pool. The process is killed, with those that it started, when ctx ends or its lifetime is over.
func (e *Exec) child(ctx context.Context, pool *gitturn.Places, dir string, args ...string) (*child, error) {
	late, give, err := pool.Take(ctx)
	if err != nil {
		return nil, fmt.Errorf("wait for a git process: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, e.options.Lifetime)
	c := &child{verb: args[0], memory: e.options.Memory, processor: e.options.Processor, idle: late}
	c.cmd = exec.CommandContext(ctx, e.git, append(e.configuration(), args...)...)
	c.release = func() {
		cancel()
		give()
	}
	c.cmd.Dir, c.cmd.Env, c.cmd.Stderr = e.layout.Dir(), slices.Clone(e.env), &c.stderr
	if dir != "" {
		// Without it git would look for a repository in the folders above a broken one.
		c.cmd.Dir, c.cmd.Env = dir, append(c.cmd.Env, "GIT_DIR="+dir)
	}
	c.cmd.WaitDelay = waitDelay
	ownGroup(c.cmd)
	return c, nil
}

// start starts the process and bounds it. What it is given to read through a pipe is best written afterwards: the processes
// that it starts by then are bounded too.
func (c *child) start() error {
	if err := c.cmd.Start(); err != nil {
		return c.fault(err)
	}
	if err := bound(c.cmd, c.memory, c.processor); err != nil {
		_ = c.cmd.Cancel() // without limits it must not run
		return errors.Join(fmt.Errorf("bound git %s: %w", c.verb, err), c.cmd.Wait())
	}
	if c.idle {
		yield(c.cmd)
	}
	return nil
}

// run runs the process to its end.
func (c *child) run() error {
	if err := c.start(); err != nil {
		return err
	}
	if err := c.cmd.Wait(); err != nil {
		return c.fault(err)
	}
	return nil
}

// output runs the process to its end and returns what it has written.
func (c *child) output() ([]byte, error) {
	var out bytes.Buffer
	c.cmd.Stdout = &out
	err := c.run()
	return out.Bytes(), err
}

// fault describes how a process ended, for logs. It may name paths: it is never sent to a client.
func (c *child) fault(err error) error {
	return fmt.Errorf("git %s: %w: %s", c.verb, err, bytes.TrimSpace(c.stderr.text))
}

// output runs git to its end and returns what it wrote.
func (e *Exec) output(ctx context.Context, dir string, stdin io.Reader, args ...string) ([]byte, error) {
	c, err := e.child(ctx, e.queries, dir, args...)
	if err != nil {
		return nil, err
	}
	defer c.release()
	c.cmd.Stdin = stdin
	return c.output()
}

// A head keeps the first stderrMax bytes that are written to it.
type head struct{ text []byte }

func (t *head) Write(p []byte) (int, error) {
	t.text = append(t.text, p[:min(len(p), stderrMax-len(t.text))]...)
	return len(p), nil
}
