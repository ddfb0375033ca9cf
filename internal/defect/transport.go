package defect

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/httpd"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

func transportDefects() []Defect {
	return []Defect{
		{Name: "author-queries-closed", Filter: authorQueriesClosed},
		forced("certificates-carried-out", unwrapped),
		forced("malformed-names-repaired", repaired),
		wordless("refusals-wordless"),
		{Name: "large-pushes-lost", Backend: func(b gitstore.Backend) gitstore.Backend { return losing{backend{b}} }},
		{Name: "bombs-exhaust", Backend: func(b gitstore.Backend) gitstore.Backend { return &exhausted{backend: backend{b}} }},
		{Name: "idle-pushes-block", Limits: func(l *httpd.Limits) { l.GitAtOnce = 40 }},
		{Name: "begun-pushes-keep-others-out", Front: oneBodyAtATime},
	}
}

// oneBodyAtATime lets one push of the whole server come at a time, however long it takes: with the limit of the reference, which ends
// what does not go on, the others would be answered about when whoever waits for an answer gives up.
func oneBodyAtATime(next http.Handler) http.Handler {
	const pushed = 64 << 20
	var comes sync.Mutex
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/git-receive-pack") {
			_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // a server that cannot has none
			comes.Lock()
			body, err := io.ReadAll(io.LimitReader(r.Body, pushed))
			comes.Unlock()
			if err != nil {
				return // nobody is there any more
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
		}
		next.ServeHTTP(w, r)
	})
}

// authorQueriesClosed answers a subscription by authors alone with CLOSED. The core never sees it.
func authorQueriesClosed() Filter {
	byAuthor := func(i core.Input) (core.ConnID, string, bool) {
		m, _ := i.(core.Message)
		req, ok := m.Msg.(relay.Req)
		if !ok || len(req.Filters) != 1 {
			return 0, "", false
		}
		f := req.Filters[0]
		only := len(f.Authors) == 1 && len(f.IDs)+len(f.Kinds)+len(f.Tags) == 0 && f.Since == nil && f.Until == nil && f.Limit == nil
		return m.Conn, req.Sub, only
	}
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			_, _, closed := byAuthor(i)
			return i, !closed
		},
		Out: func(i core.Input, effects []core.Effect) []core.Effect {
			if conn, sub, closed := byAuthor(i); closed {
				return append(effects, core.Send{Conn: conn, Msg: relay.Closed{Sub: sub, Text: "error: not today"}})
			}
			return effects
		},
	}
}

// A bypass remembers refs of pushes between the hooks of one defect.
type bypass struct {
	mu   sync.Mutex
	refs map[string]bool
}

func (b *bypass) note(ref string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.refs[ref] = true
}

func (b *bypass) any(commands []gitproto.Command) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range commands {
		if b.refs[c.Ref] {
			return true
		}
	}
	return false
}

// forget drops the refs of a push.
func (b *bypass) forget(commands []gitproto.Command) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range commands {
		delete(b.refs, c.Ref)
	}
}

// forced changes the lines of a push's command list, and lets pushes with refs that it names run whatever the core says.
func forced(name string, change func(lines []string, force func(ref string)) []string) Defect {
	b := &bypass{refs: map[string]bool{}}
	return Defect{
		Name:   name,
		Filter: func() Filter { return b.admitting(nil) },
		Body: func(service gitproto.Service, r io.Reader) io.Reader {
			if service != gitproto.ReceivePackService {
				return r
			}
			return rewritten(r, func(lines []string) []string { return change(lines, b.note) })
		},
	}
}

// admitting lets refused pushes with noted refs run. Refused, if not nil, is told of every refusal.
func (b *bypass) admitting(refused func([]gitproto.Command)) Filter {
	return letting(nil, func(o core.PushOffered, _ policy.Ruling) bool {
		if refused != nil && len(o.Commands) > 0 {
			refused(o.Commands)
		}
		if !b.any(o.Commands) {
			return false
		}
		if refused == nil {
			b.forget(o.Commands) // one bypass is one push
		}
		return true
	})
}

// wordless answers refused pushes with a report that has no reasons.
func wordless(name string) Defect {
	b := &bypass{refs: map[string]bool{}}
	return Defect{
		Name: name,
		Filter: func() Filter {
			return b.admitting(func(commands []gitproto.Command) {
				for _, c := range commands {
					b.note(c.Ref)
				}
			})
		},
		Backend: func(inner gitstore.Backend) gitstore.Backend { return &mumbling{backend{inner}, b} },
	}
}

type mumbling struct {
	backend
	refused *bypass
}

// errMumbled ends a push that is refused without a word.
var errMumbled = errors.New("defect: refused without a word")

// Receive refuses what was noted. That may be before the pack comes, or not until it is here, if the repository was busy before.
func (m *mumbling) Receive(c gitstore.Cancel, id repo.ID, push gitstore.Push, pack io.Reader) (gitstore.Report, error) {
	noted := m.refused.any(push.Commands)
	arrived := push.Arrived
	push.Here = func() error {
		if err := arrived(); err != nil || !noted && !m.refused.any(push.Commands) {
			return err
		}
		return errMumbled
	}
	var report gitstore.Report
	var err error
	if noted {
		err = push.Here()
	} else {
		report, err = m.Backend.Receive(c, id, push, pack)
	}
	if !errors.Is(err, errMumbled) {
		return report, err
	}
	m.refused.forget(push.Commands)
	report = gitstore.Report{Unpack: gitstore.UnpackOK}
	for _, command := range push.Commands {
		report.Results = append(report.Results, gitstore.Result{Ref: command.Ref})
	}
	return report, nil
}

// losing keeps nothing of pushes with many refs and says that it has.
type losing struct{ backend }

func (l losing) Receive(c gitstore.Cancel, id repo.ID, push gitstore.Push, pack io.Reader) (gitstore.Report, error) {
	const many = 50
	if len(push.Commands) <= many {
		return l.Backend.Receive(c, id, push, pack)
	}
	if err := push.Arrived(); err != nil {
		return gitstore.Report{}, err
	}
	report := gitstore.Report{Unpack: gitstore.UnpackOK}
	for _, command := range push.Commands {
		report.Results = append(report.Results, gitstore.Result{Ref: command.Ref, OK: true})
	}
	return report, nil
}

// exhausted answers nothing any more after a large request.
type exhausted struct {
	backend
	mu   sync.Mutex
	over bool
}

var errMemory = errors.New("out of memory")

func (e *exhausted) UploadPack(c gitstore.Cancel, id repo.ID, version int, r io.Reader, w io.Writer) error {
	const enough = 8 << 20
	body, err := io.ReadAll(io.LimitReader(r, enough+1))
	e.mu.Lock()
	e.over = e.over || len(body) > enough
	e.mu.Unlock()
	if err != nil {
		return err
	}
	return e.Backend.UploadPack(c, id, version, bytes.NewReader(body), w)
}

func (e *exhausted) Advertise(c gitstore.Cancel, id repo.ID, service gitproto.Service, version int, w io.Writer) error {
	e.mu.Lock()
	over := e.over
	e.mu.Unlock()
	if over {
		return errMemory
	}
	return e.Backend.Advertise(c, id, service, version, w)
}

// unwrapped makes the lines of a push certificate plain commands.
func unwrapped(lines []string, force func(ref string)) []string {
	if len(lines) < 2 || !strings.HasPrefix(lines[0], "push-cert\x00") {
		return lines
	}
	_, caps, _ := strings.Cut(strings.TrimSuffix(lines[0], "\n"), "\x00")
	_, text, _ := strings.Cut(strings.Join(lines[1:], ""), "\n\n")
	var out []string
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) != 3 {
			continue
		}
		force(fields[2])
		if len(out) == 0 {
			line = strings.TrimSuffix(line, "\n") + "\x00" + caps
		}
		out = append(out, line)
	}
	return out
}

// repaired gives malformed names one that is not.
func repaired(lines []string, force func(ref string)) []string {
	for i, line := range lines {
		command, caps, found := strings.Cut(strings.TrimSuffix(line, "\n"), "\x00")
		const ids = 82 // two object ids, each with a space
		if len(command) <= ids || !strings.HasPrefix(command[ids:], "refs/heads/") || repo.IsRefName(command[ids:]) {
			continue
		}
		const clean = "refs/heads/cleaned"
		force(clean)
		lines[i] = command[:ids] + clean
		if found {
			lines[i] += "\x00" + caps
		}
	}
	return lines
}

// rewritten changes the lines before the first flush packet. What has another form stays as it is.
func rewritten(r io.Reader, change func(lines []string) []string) io.Reader {
	const linesMax = 2000
	var raw bytes.Buffer
	in := io.TeeReader(r, &raw)
	var lines []string
	for len(lines) < linesMax {
		var size [4]byte
		if _, err := io.ReadFull(in, size[:]); err != nil {
			return io.MultiReader(&raw, r)
		}
		n, err := strconv.ParseUint(string(size[:]), 16, 16)
		if err == nil && n == 0 {
			break
		}
		if err != nil || n < 4 {
			return io.MultiReader(&raw, r)
		}
		line := make([]byte, n-4)
		if _, err := io.ReadFull(in, line); err != nil {
			return io.MultiReader(&raw, r)
		}
		lines = append(lines, string(line))
	}
	if len(lines) == linesMax {
		return io.MultiReader(&raw, r)
	}
	var b strings.Builder
	for _, line := range change(lines) {
		fmt.Fprintf(&b, "%04x%s", len(line)+4, line)
	}
	return io.MultiReader(strings.NewReader(b.String()+"0000"), r)
}
