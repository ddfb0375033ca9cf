package defect

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"
	"sync"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// errDash is what becomes of a command line with a name that looks like an option.
var errDash = errors.New("unknown option")

// Request lines that some defects do not hear.
var (
	filterLine = regexp.MustCompile(`[0-9a-f]{4}filter [a-z:0-9]+\n`)
	deepenLine = regexp.MustCompile(`[0-9a-f]{4}deepen [0-9]+\n`)
)

func transferDefects() []Defect {
	advertising := func(name string, change func(service gitproto.Service, version int, text []byte) []byte) Defect {
		return Defect{Name: name, Backend: func(b gitstore.Backend) gitstore.Backend { return advertised{backend{b}, change} }}
	}
	blots := func(name string, inVersion2 bool, word string) Defect {
		return advertising(name, func(_ gitproto.Service, version int, text []byte) []byte {
			if version == 2 != inVersion2 {
				return text
			}
			return bytes.ReplaceAll(text, []byte(word), bytes.Repeat([]byte("x"), len(word)))
		})
	}
	deaf := func(name string, line *regexp.Regexp) Defect {
		return Defect{Name: name, Backend: func(b gitstore.Backend) gitstore.Backend { return deafened{backend{b}, line} }}
	}
	return []Defect{
		blots("version-2-without-shallow", true, "shallow"),
		blots("filters-unannounced", false, "filter"),
		blots("acks-unannounced", false, "multi_ack_detailed"),
		deaf("filters-ignored", filterLine),
		deaf("depth-ignored", deepenLine),
		advertising("internal-refs-shown", func(service gitproto.Service, _ int, text []byte) []byte {
			body, ok := bytes.CutSuffix(text, []byte("0000"))
			at := bytes.Index(body, []byte(" refs/heads/main"))
			if !ok || service != gitproto.ReceivePackService || at < len(repo.ZeroOID) {
				return text
			}
			line := string(body[at-len(repo.ZeroOID):at]) + " refs/keep-around/1\n"
			return []byte(string(body) + pktLine(line) + "0000")
		}),
		advertising("service-line-missing", func(_ gitproto.Service, _ int, text []byte) []byte {
			return bytes.TrimPrefix(text, []byte(pktLine("# service=git-upload-pack\n")+"0000"))
		}),
		{Name: "empty-repositories-unlisted", Backend: func(b gitstore.Backend) gitstore.Backend { return fullOnly{backend{b}} }},
		{Name: "aborted-fetches-block", Backend: func(b gitstore.Backend) gitstore.Backend { return &blocking{backend: backend{b}} }},
		{Name: "head-reset-by-push", Backend: func(b gitstore.Backend) gitstore.Backend { return resetting{backend{b}} }},
		{Name: "alignment-forgotten", Backend: func(b gitstore.Backend) gitstore.Backend { return still{backend{b}} }},
		{Name: "names-as-options", Backend: func(b gitstore.Backend) gitstore.Backend { return dashed{backend{b}} }},
	}
}

// advertised changes advertisements.
type advertised struct {
	backend
	change func(service gitproto.Service, version int, text []byte) []byte
}

func (a advertised) Advertise(c gitstore.Cancel, id repo.ID, service gitproto.Service, version int, w io.Writer) error {
	var b bytes.Buffer
	if err := a.Backend.Advertise(c, id, service, version, &b); err != nil {
		return err
	}
	_, err := w.Write(a.change(service, version, b.Bytes()))
	return err
}

// requestMax bounds what a defect reads of a fetch request.
const requestMax = 1 << 20

// deafened leaves lines out of fetch requests.
type deafened struct {
	backend
	line *regexp.Regexp
}

func (d deafened) UploadPack(c gitstore.Cancel, id repo.ID, version int, r io.Reader, w io.Writer) error {
	body, err := io.ReadAll(io.LimitReader(r, requestMax))
	if err != nil {
		return err
	}
	return d.Backend.UploadPack(c, id, version, bytes.NewReader(d.line.ReplaceAll(body, nil)), w)
}

// fullOnly lists no refs of a repository that has none.
type fullOnly struct{ backend }

func (f fullOnly) UploadPack(c gitstore.Cancel, id repo.ID, version int, r io.Reader, w io.Writer) error {
	if refs, err := f.Refs(id); err == nil && len(refs.Refs) == 0 {
		return gitproto.WriteError(w, "upload-pack: the repository is empty")
	}
	return f.Backend.UploadPack(c, id, version, r, w)
}

// blocking serves no fetch of a repository any more after several requests that ended too early.
type blocking struct {
	backend
	mu   sync.Mutex
	torn map[repo.ID]int
}

func (b *blocking) UploadPack(c gitstore.Cancel, id repo.ID, version int, r io.Reader, w io.Writer) error {
	body, err := io.ReadAll(io.LimitReader(r, requestMax))
	if err != nil {
		return err
	}
	b.mu.Lock()
	if b.torn == nil {
		b.torn = map[repo.ID]int{}
	}
	if version == 0 && !bytes.Contains(body, []byte("done")) {
		b.torn[id]++
	}
	blocked := b.torn[id] > 3
	b.mu.Unlock()
	if blocked {
		return gitproto.WriteError(w, "upload-pack: busy")
	}
	return b.Backend.UploadPack(c, id, version, bytes.NewReader(body), w)
}

// resetting points HEAD at main after each push.
type resetting struct{ backend }

func (r resetting) Receive(c gitstore.Cancel, id repo.ID, push gitstore.Push, pack io.Reader) (gitstore.Report, error) {
	report, err := r.Backend.Receive(c, id, push, pack)
	if err == nil {
		err = r.Update(id, nil, "refs/heads/main")
	}
	return report, err
}

// still moves no ref without a push.
type still struct{ backend }

func (s still) Update(id repo.ID, commands []gitproto.Command, head string) error {
	if len(commands) > 0 {
		return nil
	}
	return s.Backend.Update(id, commands, head)
}

// dashed cannot make a repository whose name begins like an option.
type dashed struct{ backend }

func (d dashed) Create(id repo.ID) error {
	if strings.HasPrefix(id.Identifier, "-") {
		return errDash
	}
	return d.Backend.Create(id)
}
