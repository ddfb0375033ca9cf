package defect

import (
	"bytes"
	"io"
	"slices"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
)

// broadDefects are mistakes of everything at once, but for one repository that a run of checks rests on and what refers
// to it: with them each check of a family is seen to fail, not only the one that a narrow mistake is made for.
func broadDefects() []Defect {
	refused := func(_ core.PushOffered, _ policy.Ruling) bool { return true }
	moved := &bypass{refs: map[string]bool{}}
	return slices.Concat(broadAnswers(), unsparing(), []Defect{
		{Name: "every-push-admitted", Filter: func() Filter { return letting(nil, refused) }},
		{
			Name: "refused-pushes-move-refs",
			Filter: func() Filter {
				return letting(nil, func(o core.PushOffered, _ policy.Ruling) bool {
					for _, c := range o.Commands {
						moved.note(c.Ref + string(c.New))
					}
					return true
				})
			},
			Backend: func(b gitstore.Backend) gitstore.Backend { return denying{backend{b}, moved} },
		},
		{Name: "every-push-refused", Filter: refusesAtOnce(func(o core.PushOffered) bool { return !beyond(o.Repo) })},
		{Name: "every-ref-stays", Backend: func(b gitstore.Backend) gitstore.Backend { return stuck{backend{b}} }},
		{Name: "every-fetch-refused", Backend: func(b gitstore.Backend) gitstore.Backend { return fetchless{backend{b}} }},
		{Name: "no-repository-exists", Filter: func() Filter {
			return Filter{View: func(web.Repository) web.Repository { return web.Repository{} }}
		}},
		{Name: "lives-halved", Config: lives(1, 2)},
		{Name: "lives-doubled", Config: lives(2, 1)},
		{Name: "everything-lost-at-stop", Filter: survivors(func(in core.Started) core.Started {
			var kept core.Started
			for _, ev := range in.Stored {
				if near(ev) {
					kept.Stored = append(kept.Stored, ev)
				}
			}
			for _, r := range in.Repositories {
				if beyond(r.ID) {
					kept.Repositories = append(kept.Repositories, r)
				}
			}
			return kept
		})},
	})
}

// lives multiplies how long things are kept.
func lives(by, over time.Duration) func(*core.Config) {
	return func(c *core.Config) {
		c.PurgatoryLife = core.PurgatoryLife * by / over
		c.SoftLife = core.SoftLife * by / over
		c.ExpiredLife = core.ExpiredLife * by / over
		c.PlaceholderLife = core.PlaceholderLife * by / over
	}
}

// denying carries out what was refused, and says that it has not.
type denying struct {
	backend
	moved *bypass
}

func (d denying) Receive(c gitstore.Cancel, id repo.ID, p gitstore.Push, pack io.Reader) (gitstore.Report, error) {
	report, err := d.Backend.Receive(c, id, p, pack)
	d.moved.mu.Lock()
	defer d.moved.mu.Unlock()
	for n, command := range p.Commands {
		if key := command.Ref + string(command.New); n < len(report.Results) && d.moved.refs[key] {
			delete(d.moved.refs, key)
			report.Results[n].OK, report.Results[n].Reason = false, "not authorized"
		}
	}
	return report, err
}

// stuck says of refs that they have moved.
type stuck struct{ backend }

func (s stuck) Receive(c gitstore.Cancel, id repo.ID, p gitstore.Push, pack io.Reader) (gitstore.Report, error) {
	if beyond(id) {
		return s.Backend.Receive(c, id, p, pack)
	}
	if err := p.Arrived(); err != nil {
		return gitstore.Report{}, err
	}
	report := gitstore.Report{Unpack: gitstore.UnpackOK}
	for _, command := range p.Commands {
		report.Results = append(report.Results, gitstore.Result{Ref: command.Ref, OK: true})
	}
	return report, nil
}

func (s stuck) Update(id repo.ID, commands []gitproto.Command, head string) error {
	if beyond(id) {
		return s.Backend.Update(id, commands, head)
	}
	return nil
}

// fetchless refuses all fetches.
type fetchless struct{ backend }

func (f fetchless) UploadPack(c gitstore.Cancel, id repo.ID, version int, r io.Reader, w io.Writer) error {
	if beyond(id) {
		return f.Backend.UploadPack(c, id, version, r, w)
	}
	return gitproto.WriteError(w, "upload-pack: not today")
}

// packless answers fetches with a pack of no object.
type packless struct{ backend }

func (p packless) UploadPack(c gitstore.Cancel, id repo.ID, version int, r io.Reader, w io.Writer) error {
	body, err := io.ReadAll(io.LimitReader(r, requestMax))
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := p.Backend.UploadPack(c, id, version, bytes.NewReader(body), &b); err != nil {
		return err
	}
	text := b.Bytes()
	if at := bytes.Index(text, []byte("PACK\x00\x00\x00\x02")); at >= 5 {
		// the length and the band of the packet stand before the pack
		text = append(bytes.Clone(text[:at-5]), pktLine("\x01"+emptyPack)+"0000"...)
	}
	_, err = w.Write(text)
	return err
}

// emptyPack is a pack of no object.
const emptyPack = "PACK\x00\x00\x00\x02\x00\x00\x00\x00\x02\x9d\x08\x82\x3b\xd8\xa8\xea\xb5\x10\xad\x6a\xc7\x5c\x82\x3c\xfd\x3e\xd3\x1e"
