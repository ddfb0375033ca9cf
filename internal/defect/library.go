package defect

import (
	"bytes"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/go-git/go-git/v5/plumbing/object"
	gitmemory "github.com/go-git/go-git/v5/storage/memory"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// libraryDefects are mistakes of servers that speak git by a library of their language and keep refs and events in tables.
func libraryDefects() []Defect {
	folding := func(name string, fold func(string) string) Defect {
		return Defect{Name: name, Backend: func(b gitstore.Backend) gitstore.Backend {
			return advertised{backend{b}, func(_ gitproto.Service, _ int, text []byte) []byte { return foldedRefs(text, fold) }}
		}}
	}
	return []Defect{
		{Name: "packs-without-files-taken", Backend: func(b gitstore.Backend) gitstore.Backend { return fileless{backend{b}} }},
		{Name: "shallow-pushes-taken-for-whole", Backend: func(b gitstore.Backend) gitstore.Backend {
			return parentless{backend{b}, func(_ bool, p gitstore.Push) bool { return len(p.Shallow) > 0 }}
		}},
		{Name: "first-pushes-taken-for-whole", Backend: func(b gitstore.Backend) gitstore.Backend {
			return parentless{backend{b}, func(first bool, _ gitstore.Push) bool { return first }}
		}},
		{Name: "depths-of-the-first-commit-alone", Body: func(service gitproto.Service, r io.Reader) io.Reader {
			if service != gitproto.UploadPackService {
				return r
			}
			body, err := io.ReadAll(io.LimitReader(r, requestMax))
			if err != nil || !bytes.Contains(body, []byte("deepen ")) {
				return io.MultiReader(bytes.NewReader(body), r)
			}
			first := wantLine.FindIndex(body)
			if first == nil {
				return bytes.NewReader(body)
			}
			return io.MultiReader(bytes.NewReader(body[:first[1]]), bytes.NewReader(wantLine.ReplaceAll(body[first[1]:], nil)))
		}},
		{Name: "depths-that-bring-everything-unended", Sent: sent(func(r *http.Request, a *Answer) {
			if !strings.HasSuffix(pathOf(r), "/git-upload-pack") {
				return
			}
			if bytes.HasPrefix(a.Body, []byte("00000008NAK\n")) {
				a.Body = a.Body[4:] // the flush behind no line at all
			}
			if head := "0011shallow-info\n"; bytes.HasPrefix(a.Body, []byte(head+"0001")) {
				a.Body = append([]byte(head), a.Body[len(head)+4:]...)
			}
		})},
		folding("branches-folded-by-case", strings.ToLower),
		folding("branches-folded-by-composition", strings.NewReplacer("o\u0308", "\u00f6").Replace),
		{Name: "values-compared-as-numbers", Filter: req(func(f relay.Filter) relay.Filter {
			for _, t := range f.Tags {
				for n, v := range t.Values {
					t.Values[n] = asNumber(v)
				}
			}
			return f
		})},
		{
			Name: "numbers-beyond-64-bits-hang-up",
			Heard: func(msg []byte) []byte {
				if beyond64.Match(msg) {
					return bytes.Replace(msg, []byte(`["REQ","x"`), []byte(`["REQ","beyond"`), 1)
				}
				return msg
			},
			Filter: func() Filter {
				return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
					m, _ := i.(core.Message)
					bad, _ := m.Msg.(relay.Malformed)
					answer, _ := bad.Reply.(relay.Closed)
					asked, _ := m.Msg.(relay.Req)
					if answer.Sub == "beyond" || asked.Sub == "beyond" {
						return []core.Effect{core.CloseConn{Conn: m.Conn}}
					}
					return effects
				}}
			},
		},
		{Name: "identifiers-compared-as-numbers", Front: func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				parts := strings.SplitN(r.URL.Path, "/", 4)
				if len(parts) > 2 && strings.HasSuffix(parts[2], ".git") {
					parts[2] = asNumber(strings.TrimSuffix(parts[2], ".git")) + ".git"
					if path := strings.Join(parts, "/"); path != r.URL.Path {
						r = r.Clone(r.Context())
						r.URL.Path, r.URL.RawPath = path, ""
						r.RequestURI = r.URL.RequestURI()
					}
				}
				next.ServeHTTP(w, r)
			})
		}},
	}
}

// beyond64 finds a kind or a time that no column of a table takes.
var beyond64 = regexp.MustCompile(`"(kinds|since|until)":\[?[0-9]{19,}`)

var wantLine = regexp.MustCompile(`[0-9a-f]{4}want [0-9a-f]{40}[^\n]*\n`)

// asNumber is what a table makes of a text in a column of numbers.
func asNumber(v string) string {
	if n, err := strconv.ParseFloat(v, 64); err == nil && !strings.ContainsAny(v, "xXnNpP_") {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return v
}

// foldedRefs leaves out of an advertisement what has the name of a ref before it, as far as a fold can tell.
func foldedRefs(text []byte, fold func(string) string) []byte {
	lines, _ := packets(text)
	seen, out := map[string]bool{}, []byte(nil)
	for _, l := range lines {
		line, _, _ := strings.Cut(strings.TrimSuffix(l.text, "\n"), "\x00")
		_, name, _ := strings.Cut(line, " ")
		if strings.HasPrefix(name, "refs/heads/") {
			if seen[fold(name)] {
				continue
			}
			seen[fold(name)] = true
		}
		out = append(out, l.head+l.text...)
	}
	return out
}

// fileless looks in a pack for commits and trees alone, and takes it for whole when those are there.
type fileless struct{ backend }

func (f fileless) Receive(c gitstore.Cancel, id repo.ID, p gitstore.Push, pack io.Reader) (gitstore.Report, error) {
	var brought bytes.Buffer
	report, err := f.Backend.Receive(c, id, p, io.TeeReader(pack, &brought))
	if err == nil && lacksObjects(report) && f.skeleton(id, brought.Bytes()) {
		taken(report)
	}
	return report, err
}

// lacksObjects reports whether a push was refused because its pack is not whole.
func lacksObjects(report gitstore.Report) bool {
	return len(report.Results) > 0 && report.Results[0].Reason == gitstore.ReasonMissing
}

// taken makes each command of a push one that was carried out.
func taken(report gitstore.Report) {
	for n := range report.Results {
		report.Results[n].OK, report.Results[n].Reason = true, ""
	}
}

// parentless takes some pushes without looking for the parents of their commits; first ones are those to a repository without refs.
type parentless struct {
	backend
	spares func(first bool, p gitstore.Push) bool
}

func (l parentless) Receive(c gitstore.Cancel, id repo.ID, p gitstore.Push, pack io.Reader) (gitstore.Report, error) {
	refs, none := l.Refs(id)
	report, err := l.Backend.Receive(c, id, p, pack)
	if err == nil && none == nil && lacksObjects(report) && l.spares(len(refs.Refs) == 0, p) {
		taken(report)
	}
	return report, err
}

// skeleton reports whether all commits and trees of a pack find the commits and trees that they name.
func (f fileless) skeleton(id repo.ID, pack []byte) bool {
	store := gitmemory.NewStorage()
	if err := packfile.UpdateObjectStorage(store, bytes.NewReader(pack)); err != nil || len(store.Commits) == 0 {
		return false
	}
	there := func(h plumbing.Hash) bool {
		if _, is := store.Objects[h]; is {
			return true
		}
		missing, err := f.Missing(id, []repo.OID{repo.OID(h.String())})
		return err == nil && len(missing) == 0
	}
	for h := range store.Commits {
		commit, err := object.GetCommit(store, h)
		if err != nil || !there(commit.TreeHash) {
			return false
		}
		for _, parent := range commit.ParentHashes {
			if !there(parent) {
				return false
			}
		}
	}
	for h := range store.Trees {
		tree, err := object.GetTree(store, h)
		if err != nil {
			return false
		}
		for _, e := range tree.Entries {
			if e.Mode == filemode.Dir && !there(e.Hash) {
				return false
			}
		}
	}
	return true
}
