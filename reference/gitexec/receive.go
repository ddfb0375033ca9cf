package gitexec

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/gitlayout"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// Receive implements gitstore.Backend: git receive-pack gets the commands as they are encoded here and the client's
// pack. Shallow lines and push options are not handed on: everything that a new value reaches must be there, and
// options are for hooks, of which there are none.
func (e *Exec) Receive(c gitstore.Cancel, id repo.ID, push gitstore.Push, pack io.Reader) (gitstore.Report, error) {
	path, err := e.layout.Open(id)
	if err != nil {
		return gitstore.Report{}, err
	}
	var h held
	if gitstore.NeedsPack(push.Commands) {
		if h, err = e.hold(c, path, pack); err != nil {
			return gitstore.Report{}, err
		}
		defer h.close()
		if h.screen.Refused != "" {
			return gitstore.Refused(push.Commands, h.screen.Refused, nil), nil
		}
	}
	if err := push.Arrived(); err != nil {
		return gitstore.Report{}, err
	}
	refs, err := refsIn(path)
	if err != nil {
		return gitstore.Report{}, err
	}
	push.Commands = gitproto.Grounded(push.Commands, refs.At)
	if reasons := refusals(refs, push.Commands); reasons != nil {
		return gitstore.Refused(push.Commands, gitstore.UnpackOK, reasons), nil
	}
	if !gitstore.NeedsPack(push.Commands) {
		h.screen = gitstore.Screening{} // of the pack nothing is taken in
	}
	if refused, err := e.layout.Reserve(path, h.screen.Bytes, h.screen.Objects); refused != "" || err != nil {
		return gitstore.Refused(push.Commands, refused, nil), err
	}
	if err := e.layout.Settle(path); err != nil {
		return gitstore.Report{}, err
	}
	if report, done, err := e.receivePlain(c, path, push.Commands, refs, h); done {
		if !report.Whole() {
			e.layout.Release(path, h.screen.Bytes, h.screen.Objects)
		}
		return report, err
	}
	since, err := gitlayout.Mark(path)
	if err != nil {
		return gitstore.Report{}, err
	}
	first, rest := split(push.Commands)
	// A branch whose name becomes a folder must be gone before git makes the folder. If the rest fails it comes back.
	if len(first) > 0 {
		if err := e.updateRefs(contextOf(c), path, first); err != nil {
			e.layout.Release(path, h.screen.Bytes, h.screen.Objects)
			return gitstore.Report{}, err
		}
	}
	status, told, err := e.receivePack(c, path, rest, h)
	// Whatever became of the push: the next one may build on objects that are there, and does not write them again.
	unsynced := errors.Join(e.layout.SyncChanged(path, since), e.syncRefs(path, rest))
	report, ok := reportOf(status, rest)
	report.Notes = told
	if err != nil || !ok {
		if sweepErr := e.sweep(path); sweepErr != nil {
			err = errors.Join(err, sweepErr)
		}
		// Killed or crashed: what the refs say is what happened.
		after, refsErr := refsIn(path)
		if refsErr != nil {
			return gitstore.Report{}, errors.Join(err, refsErr, unsynced)
		}
		report = outcome(after, rest)
	}
	report, err = e.finish(path, push.Commands, first, report, err)
	if report.Unpack != gitstore.UnpackOK {
		e.layout.Release(path, h.screen.Bytes, h.screen.Objects)
	}
	return report, errors.Join(err, unsynced)
}

// finish completes the report of the commands that git executed by those that went before.
func (e *Exec) finish(path string, all, first []gitproto.Command, report gitstore.Report, err error) (gitstore.Report, error) {
	succeeded := !slices.ContainsFunc(report.Results, func(r gitstore.Result) bool { return !r.OK })
	if len(first) > 0 && !succeeded {
		err = errors.Join(err, e.updateRefs(context.Background(), path, back(first)))
	}
	byRef := map[string]gitstore.Result{}
	for _, c := range first {
		byRef[c.Ref] = gitstore.Result{Ref: c.Ref, OK: true}
		if !succeeded {
			byRef[c.Ref] = gitstore.Result{Ref: c.Ref, Reason: gitstore.ReasonAtomic}
		}
	}
	for _, result := range report.Results {
		byRef[result.Ref] = result
	}
	full := gitstore.Report{Unpack: report.Unpack, Notes: report.Notes}
	for _, c := range all {
		full.Results = append(full.Results, byRef[c.Ref])
	}
	if err != nil && succeeded {
		// All refs moved although git did not end well: the push is done, and nobody is helped by an error.
		err = nil
	}
	return full, err
}

// receivePack runs git receive-pack and returns its report, and what it has said besides if it refuses the pack.
func (e *Exec) receivePack(c gitstore.Cancel, path string, commands []gitproto.Command, pack held) (gitproto.Status, []string, error) {
	if len(commands) == 0 {
		return gitproto.Status{Unpack: gitstore.UnpackOK}, nil, nil
	}
	var head bytes.Buffer
	list := gitproto.CommandList{
		Commands: commands, Capabilities: gitproto.Capabilities{"report-status", "atomic", "quiet", "object-format=sha1"},
	}
	if err := gitproto.WriteCommands(&head, list); err != nil {
		return gitproto.Status{}, nil, fmt.Errorf("encode commands: %w", err)
	}
	git, err := e.child(contextOf(c), e.receives, path, "receive-pack", "--stateless-rpc", path)
	if err != nil {
		return gitproto.Status{}, nil, err
	}
	defer git.release()
	answer := limited{max: gitproto.StatusMax}
	git.cmd.Stdout = &answer
	in, err := git.cmd.StdinPipe()
	if err != nil {
		return gitproto.Status{}, nil, fmt.Errorf("git receive-pack: %w", err)
	}
	git.processor = e.processor(pack)
	if err := git.start(); err != nil {
		return gitproto.Status{}, nil, err
	}
	input := io.Reader(&head)
	if gitstore.NeedsPack(commands) {
		input = io.MultiReader(&head, pack.reader())
	}
	// The copy runs here and not in a goroutine of the process, so that its limits come first. That it fails is no news: git
	// says itself what is wrong, and a process that ended reads no more.
	_, _ = io.Copy(in, input)
	_ = in.Close()
	if err := git.cmd.Wait(); err != nil {
		return gitproto.Status{}, nil, git.fault(err)
	}
	status, err := gitproto.ReadStatus(&answer.Buffer)
	if err != nil {
		return gitproto.Status{}, nil, fmt.Errorf("report of git receive-pack: %w", err)
	}
	if status.Unpack == gitstore.UnpackOK {
		return status, nil, nil
	}
	told := git.told(e.layout.Dir())
	status.Unpack = reason(told, status.Unpack)
	return status, told, nil
}

// limited is a buffer that takes no more than max bytes.
type limited struct {
	bytes.Buffer

	max int
}

func (l *limited) Write(p []byte) (int, error) {
	if l.Len()+len(p) > l.max {
		return 0, errors.New("gitexec: the answer is too long")
	}
	return l.Buffer.Write(p)
}

// reportOf converts git's report, which must name exactly the refs of the commands.
func reportOf(status gitproto.Status, commands []gitproto.Command) (gitstore.Report, bool) {
	byRef := map[string]gitproto.RefStatus{}
	for _, r := range status.Refs {
		byRef[r.Ref] = r
	}
	report := gitstore.Report{Unpack: status.Unpack}
	for _, c := range commands {
		r, ok := byRef[c.Ref]
		if !ok {
			return gitstore.Report{}, false
		}
		report.Results = append(report.Results, gitstore.Result(r))
	}
	return report, status.Unpack != "" && len(status.Refs) == len(commands)
}

// outcome reads a report from the refs.
func outcome(refs gitstore.Refs, commands []gitproto.Command) gitstore.Report {
	report := gitstore.Report{Unpack: gitstore.UnpackOK}
	for _, c := range commands {
		result := gitstore.Result{Ref: c.Ref, OK: refs.At(c.Ref) == c.New}
		if !result.OK {
			result.Reason = "storage error"
			report.Unpack = "storage error"
		}
		report.Results = append(report.Results, result)
	}
	return report
}

// refusals returns why commands cannot be applied, by ref, as far as the refs tell; git judges the rest.
func refusals(refs gitstore.Refs, commands []gitproto.Command) map[string]string {
	reasons := stale(refs, commands)
	for _, c := range commands {
		if !gitproto.CheckRefName(c.Ref) || !strings.HasPrefix(c.Ref, "refs/") {
			if reasons == nil {
				reasons = map[string]string{}
			}
			reasons[c.Ref] = gitstore.ReasonName
		}
	}
	return reasons
}

// split puts deletions of refs that stand in the way of a new one before all else: git refuses to make a/b in the
// transaction that deletes a.
func split(commands []gitproto.Command) (first, rest []gitproto.Command) {
	for _, c := range commands {
		blocks := c.New.IsZero() && slices.ContainsFunc(commands, func(other gitproto.Command) bool {
			return !other.New.IsZero() &&
				(strings.HasPrefix(other.Ref, c.Ref+"/") || strings.HasPrefix(c.Ref, other.Ref+"/"))
		})
		if blocks {
			first = append(first, c)
		} else {
			rest = append(rest, c)
		}
	}
	return first, rest
}
