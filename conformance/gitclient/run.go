package gitclient

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// A Command is one run of git.
type Command struct {
	In      string   // folder below the place; "" is the place itself
	Version int      // of the protocol: 0, 1 or 2
	Args    []string // the subcommand and what follows it
	Input   []byte
	CA      string // file with the certificates to trust, "" for those of the machine
	Resolve string // a host, its port and its addresses, as http.curloptResolve has them (git 2.37); "" for what the machine knows
	// Secret is an HTTP header that every request carries, as http.extraHeader has it. Git gets it in its environment, where no list of
	// processes shows it, and no Answer has it.
	Secret string
}

// String is the command as one would type it.
func (c Command) String() string {
	return fmt.Sprintf("git -c protocol.version=%d %s", c.Version, strings.Join(c.Args, " "))
}

// An Answer is how one run of git ended.
type Answer struct {
	Command        Command
	Exit           int    // exit code; -1 if there is none
	Stdout, Stderr string // cut behind TextBytesMax
	Late           bool   // it was killed, for it took longer than TimeMax or was given up
	Err            error  // why it could not be run at all
}

// Well reports whether git ended with code 0.
func (a Answer) Well() bool { return a.Err == nil && !a.Late && a.Exit == 0 }

// String tells the end of git in one line, with what it said on stderr.
func (a Answer) String() string {
	end := fmt.Sprintf("exit %d", a.Exit)
	switch {
	case a.Err != nil:
		end = a.Err.Error()
	case a.Late:
		end = "no end"
	}
	if a.Stderr == "" {
		return fmt.Sprintf("git %s: %s", a.Command.Args[0], end)
	}
	return fmt.Sprintf("git %s: %s: %s", a.Command.Args[0], end, oneLine(a.Stderr))
}

// lineMax bounds what String shows of stderr.
const lineMax = 600

func oneLine(text string) string {
	line := strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), " | ")
	if len(line) > lineMax {
		line = line[:lineMax] + "..."
	}
	return line
}

// settings keep git from doing what nobody asked it for: no maintenance in the background, no hooks, no redirects that lead
// elsewhere, no helpers that know passwords, no transport but HTTP.
var settings = []string{
	"gc.auto=0", "maintenance.auto=false", "core.hooksPath=/dev/null", "credential.helper=", "core.askPass=",
	"protocol.allow=never", "protocol.http.allow=always", "protocol.https.allow=always", "http.followRedirects=false",
	"advice.detachedHead=false", "core.pager=cat", "init.defaultBranch=main",
}

// kept are the variables that git inherits: where to find programs and, if somebody asked for it, certificates.
var kept = []string{"PATH", "TMPDIR", "SYSTEMROOT", "SSL_CERT_FILE", "SSL_CERT_DIR"}

// environment is all that git knows of the machine, of what a process inherits.
func (p *Place) environment(inherited []string) []string {
	env := []string{
		"HOME=" + p.at(home), "XDG_CONFIG_HOME=" + p.at(home), "USERPROFILE=" + p.at(home),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_ATTR_NOSYSTEM=1",
		"GIT_TERMINAL_PROMPT=0", "GIT_CEILING_DIRECTORIES=" + p.root, "GIT_OPTIONAL_LOCKS=0",
		"GIT_TRACE=0", "GIT_TRACE_PACKET=0", "GIT_TRACE_CURL=0", "GIT_FLUSH=0", "LC_ALL=C", "LANGUAGE=C",
	}
	for _, pair := range inherited {
		if name, _, _ := strings.Cut(pair, "="); slices.Contains(kept, name) {
			env = append(env, pair)
		}
	}
	return env
}

// Run runs git and waits for its end. Everything that it has started ends with it.
func (p *Place) Run(ctx context.Context, c Command) Answer {
	ctx, cancel := context.WithTimeout(ctx, TimeMax)
	defer cancel()
	args := make([]string, 0, 2*len(settings)+2+len(c.Args))
	for _, s := range append([]string{"protocol.version=" + strconv.Itoa(c.Version)}, settings...) {
		args = append(args, "-c", s)
	}
	if c.CA != "" {
		args = append(args, "-c", "http.sslCAInfo="+c.CA)
	}
	if c.Resolve != "" {
		args = append(args, "-c", "http.curloptResolve="+c.Resolve)
	}
	cmd := exec.CommandContext(ctx, p.git.path, append(args, c.Args...)...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = p.at(c.In), append(p.environment(cmd.Environ()), c.extraHeader()...), drainMax
	cmd.Stdin = bytes.NewReader(c.Input)
	var stdout, stderr bounded
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	ownGroup(cmd)
	cmd.Cancel = func() error { killGroup(cmd.Process); return nil }
	err := cmd.Run()
	if err != nil && cmd.Process != nil { // one that ended well has nobody left who could write to its pipes
		killGroup(cmd.Process)
	}
	a := Answer{Command: c, Exit: -1, Stdout: c.without(stdout.text.String()), Stderr: c.without(stderr.text.String()), Late: ctx.Err() != nil}
	a.Command.Secret = ""
	if cmd.ProcessState != nil {
		a.Exit = cmd.ProcessState.ExitCode()
	}
	var ended *exec.ExitError
	if err != nil && !a.Late && !errors.As(err, &ended) {
		a.Err = fmt.Errorf("run git: %w", err)
	}
	return a
}

// extraHeader is what git knows of the secret.
func (c Command) extraHeader() []string {
	if c.Secret == "" {
		return nil
	}
	return []string{"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=http.extraHeader", "GIT_CONFIG_VALUE_0=" + c.Secret}
}

// without is a text in which no word of the secret's value is left.
func (c Command) without(text string) string {
	_, value, _ := strings.Cut(c.Secret, ":")
	for _, word := range strings.Fields(value) {
		if len(word) >= secretWordMin {
			text = strings.ReplaceAll(text, word, "(secret)")
		}
	}
	return text
}

// secretWordMin is how long a word of a secret is at least; shorter ones, such as the name of a scheme, tell nothing.
const secretWordMin = 16

// A bounded keeps the beginning of what is written to it.
type bounded struct {
	text bytes.Buffer
}

// Write takes everything.
func (b *bounded) Write(p []byte) (int, error) {
	b.text.Write(p[:min(len(p), TextBytesMax-b.text.Len())])
	return len(p), nil
}
