package gitexec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/graspkit/graspkit/reference/gitlayout"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitread"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// Advertise implements gitstore.Backend. What receive-pack offers is written here, because its requests are read
// here; what upload-pack offers is git's own, said again as long as no ref moves.
func (e *Exec) Advertise(c gitstore.Cancel, id repo.ID, service gitproto.Service, version int, w io.Writer) error {
	path, err := e.layout.Open(id)
	if err != nil {
		return err
	}
	table, err := gitread.Refs(path)
	if err != nil {
		return err
	}
	refs := table.Refs
	if service == gitproto.ReceivePackService {
		a := gitproto.Advertisement{Service: service, Version: version}
		for _, ref := range refs.Refs {
			a.Refs = append(a.Refs, gitproto.AdvertisedRef{Ref: ref})
		}
		return a.Write(w)
	}
	if version != 2 && len(refs.Refs) == 0 && refs.Head != "" {
		// Git before 2.41 says nothing of no ref, and a client learns of no capability then (G01-GIT-04, G01-GIT-15).
		return gitproto.Advertisement{Service: service, Version: version, HeadTarget: refs.Head}.Write(w)
	}
	if table.Symbolic() || !gitlayout.Plain(path) { // more than the refs is in it
		return e.advertiseUploads(c, path, version, w)
	}
	return e.sayAgain(c, path, version, refs, w)
}

// sayAgain writes what git upload-pack advertises of a plain repository. No process is asked for what follows from what
// git has said before.
func (e *Exec) sayAgain(c gitstore.Cancel, path string, version int, refs gitstore.Refs, w io.Writer) error {
	key := keyOf(path, version, refs)
	if said, ok := e.adverts.get(key); ok {
		_, err := w.Write(said)
		return err
	}
	listed := version != 2 && bare(path, refs)
	if listed {
		if text, ok := e.adverts.compose(version, refs); ok {
			_, err := w.Write(text)
			return err
		}
	}
	var said copied
	if err := e.advertiseUploads(c, path, version, io.MultiWriter(w, &said)); err != nil {
		return err
	}
	// A HEAD that names no ref is a commit perhaps, and refs that have moved meanwhile are in it or not.
	if after, err := refsIn(path); err == nil && refs.Head != "" && after.Head == refs.Head && slices.Equal(after.Refs, refs.Refs) {
		e.adverts.keep(key, said.text)
		if listed {
			e.adverts.learn(version, refs, said.text)
		}
	}
	return nil
}

// advertiseUploads lets git upload-pack advertise.
func (e *Exec) advertiseUploads(c gitstore.Cancel, path string, version int, w io.Writer) error {
	if version != 2 {
		lines := gitproto.NewWriter(w)
		lines.Line("# service=" + string(gitproto.UploadPackService))
		lines.Flush()
		if lines.Err() != nil {
			return lines.Err()
		}
	}
	_, _, err := e.upload(c, path, version, nil, w, "--advertise-refs")
	return err
}

// UploadPack implements gitstore.Backend. If git refuses a request without an answer, that is a
// *gitproto.ProtocolError with its first words that name no path. If it gives up within its answer, the client is told there.
func (e *Exec) UploadPack(c gitstore.Cancel, id repo.ID, version int, r io.Reader, w io.Writer) error {
	path, err := e.layout.Open(id)
	if err != nil {
		return err
	}
	// The request is read first: git must not wait for a slow client while it holds a place among the children.
	request, err := io.ReadAll(io.LimitReader(r, gitproto.RequestMax+1))
	switch {
	case err != nil:
		return fmt.Errorf("read request: %w", err)
	case len(request) > gitproto.RequestMax:
		return &gitproto.ProtocolError{What: fmt.Sprintf("the request is longer than %d bytes", gitproto.RequestMax)}
	case len(request) == 0:
		return nil
	}
	last := &lastWord{w: w}
	answered, told, err := e.upload(c, path, version, request, last)
	why := "upload-pack: " + strings.TrimPrefix(reason(told, "the request cannot be served"), "git upload-pack: ")
	switch {
	case err == nil || c.Err() != nil:
		return err
	case !answered:
		return &gitproto.ProtocolError{What: why}
	case !diedByItself(err):
		return err
	case last.said():
		return nil // it has told the client why, in an ERR line or on band 3 (G01-GIT-07)
	case last.between():
		return gitproto.WriteError(w, why)
	}
	return err
}

// diedByItself reports whether git ended with the status of its own fatal errors, and not by a signal.
func diedByItself(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.ExitCode() == fatalStatus
}

// fatalStatus is the exit status of a git command that ends with "fatal:".
const fatalStatus = 128

// upload runs git upload-pack and reports whether it wrote anything, and what it said besides. Git does not wait for the client, and gives back its place
// when it has said all; what the client has not taken by then is spooled.
func (e *Exec) upload(c gitstore.Cancel, path string, version int, stdin []byte, w io.Writer, args ...string) (answered bool, told []string, err error) {
	args = append(append([]string{"upload-pack", "--strict", "--stateless-rpc"}, args...), path)
	taken, err, sent := e.answers.Relay(w, func(w io.Writer) error {
		git, err := e.child(contextOf(c), e.uploads, path, args...)
		if err != nil {
			return err
		}
		defer git.release()
		defer e.layout.Read(path)()
		git.cmd.Env = append(git.cmd.Env, "GIT_PROTOCOL=version="+strconv.Itoa(version))
		git.cmd.Stdin = bytes.NewReader(stdin)
		err = git.pipe(w)
		told = git.told(e.layout.Dir())
		return err
	})
	if sent != nil {
		return taken > 0, told, fmt.Errorf("send answer: %w", sent)
	}
	return taken > 0, told, err
}

// pipe runs the process to its end and copies what it writes, itself: a goroutine of the process could outlive this call.
func (c *child) pipe(w io.Writer) error {
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("git %s: %w", c.verb, err)
	}
	if err := c.start(); err != nil {
		return err
	}
	_, copyErr := io.Copy(w, out)
	if copyErr != nil {
		_ = c.cmd.Cancel() // nobody reads what it writes
	}
	if err := c.cmd.Wait(); err != nil && copyErr == nil {
		return c.fault(err)
	}
	return copyErr
}
