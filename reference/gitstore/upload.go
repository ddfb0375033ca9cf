package gitstore

import (
	"errors"
	"fmt"
	"io"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/graspkit/graspkit/reference/gitproto"
)

// UploadPack is what Backend.UploadPack does. A request that cannot be served is a *gitproto.ProtocolError, and nothing
// of an answer was written then but acknowledgments.
func (v *View) UploadPack(c Cancel, version int, r io.Reader, w io.Writer) error {
	if version != 2 {
		return v.fetch(c, r, w)
	}
	request, err := gitproto.ReadRequestV2(r)
	if err != nil {
		return err
	}
	switch request.Command {
	case "":
		return nil
	case "ls-refs":
		a := v.advertisement(gitproto.UploadPackService, version)
		if err := v.objects.failed(); err != nil {
			return err
		}
		return gitproto.ParseLsRefs(request.Args).Write(w, a)
	case "fetch":
		q, err := gitproto.ParseFetch(request.Args)
		if err != nil {
			return err
		}
		return v.fetchV2(c, q, w)
	default:
		return &gitproto.ProtocolError{What: fmt.Sprintf("invalid command %.80q", request.Command)}
	}
}

// fetch serves one request of version 0 or 1.
func (v *View) fetch(c Cancel, in io.Reader, w io.Writer) error {
	q, err := gitproto.ReadFetch(in)
	if err != nil || len(q.Wants) == 0 {
		return err
	}
	p, err := v.plan(c, q)
	if err != nil {
		return err
	}
	lines := gitproto.NewWriter(w)
	if q.Deepen.Asked() {
		p.writeCut(lines, false)
		lines.Flush()
	}
	if q.CutShort || !v.acknowledge(lines, q, p) || lines.Err() != nil {
		return errors.Join(lines.Err(), v.objects.failed())
	}
	return v.send(c, q, p, w)
}

// acknowledge answers the haves of a version 0 or 1 request and reports whether the pack follows.
func (v *View) acknowledge(lines *gitproto.Writer, q gitproto.FetchRequest, p *plan) bool {
	for i, have := range p.common {
		switch {
		case q.Acks == gitproto.DetailedAck:
			lines.Line("ACK " + have.String() + " common")
		case q.Acks == gitproto.MultiAck:
			lines.Line("ACK " + have.String() + " continue")
		case i == 0:
			lines.Line("ACK " + have.String())
		}
	}
	last := ""
	if len(p.common) > 0 {
		last = "ACK " + p.common[len(p.common)-1].String()
	}
	if q.Done {
		switch {
		case last == "":
			lines.Line("NAK")
		case q.Acks != gitproto.SingleAck:
			lines.Line(last)
		}
		return true
	}
	ready := q.Acks == gitproto.DetailedAck && p.enough()
	if ready {
		lines.Line(last + " ready")
	}
	if last == "" || q.Acks != gitproto.SingleAck {
		lines.Line("NAK")
	}
	if ready && q.NoDone {
		lines.Line(last)
		return true
	}
	return false
}

// fetchV2 serves the fetch command of version 2.
func (v *View) fetchV2(c Cancel, q gitproto.FetchRequest, w io.Writer) error {
	if len(q.Wants) == 0 && !q.WaitForDone {
		return nil
	}
	p, err := v.plan(c, q)
	if err != nil {
		return err
	}
	lines := gitproto.NewWriter(w)
	if len(q.Haves) > 0 && !q.Done {
		lines.Line("acknowledgments")
		if len(p.common) == 0 {
			lines.Line("NAK")
		}
		for _, have := range p.common {
			lines.Line("ACK " + have.String())
		}
		if q.WaitForDone || !p.enough() {
			lines.Flush()
			return errors.Join(lines.Err(), v.objects.failed())
		}
		lines.Line("ready")
		lines.Delim()
	}
	if len(q.Wants) == 0 {
		return lines.Err()
	}
	if q.Deepen.Asked() {
		lines.Line("shallow-info")
		p.writeCut(lines, true)
		lines.Delim()
	}
	lines.Line("packfile")
	if lines.Err() != nil {
		return lines.Err()
	}
	return v.send(c, q, p, w)
}

// writeCut writes the shallow and unshallow lines; those of version 2 end in a line feed.
func (p *plan) writeCut(lines *gitproto.Writer, feed bool) {
	write := lines.Text
	if feed {
		write = lines.Line
	}
	for _, h := range p.shallow {
		write("shallow " + h.String())
	}
	for _, h := range p.unshallow {
		write("unshallow " + h.String())
	}
}

// send writes the pack. Once it has begun, a failure can only be told on band 3.
func (v *View) send(c Cancel, q gitproto.FetchRequest, p *plan, w io.Writer) error {
	list, err := p.selection(c)
	if err != nil {
		return err
	}
	out := w
	if q.BandSize > 0 {
		out = gitproto.NewBand(w, gitproto.PackBand, q.BandSize)
	}
	err = writePack(c, out, len(list), func(i int) (plumbing.EncodedObject, error) {
		return v.mustBeThere(list[i])
	})
	if q.BandSize == 0 {
		return err
	}
	if err != nil {
		_, _ = gitproto.NewBand(w, gitproto.ErrorBand, q.BandSize).Write([]byte("the pack could not be sent\n"))
		return err
	}
	lines := gitproto.NewWriter(w)
	lines.Flush()
	return lines.Err()
}
