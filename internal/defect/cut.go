package defect

import (
	"bytes"
	"io"
	"regexp"
	"slices"
	"strconv"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/go-git/go-git/v5/plumbing/object"
	gitmemory "github.com/go-git/go-git/v5/storage/memory"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// Lines of requests for less than all commits.
var (
	relativeLine  = regexp.MustCompile(`[0-9a-f]{4}deepen-relative\n?`)
	exclusionLine = regexp.MustCompile(`[0-9a-f]{4}deepen-not ([^\n]+)\n`)
	sinceLine     = regexp.MustCompile(`[0-9a-f]{4}deepen-since ([0-9]+)\n`)
	shallowLine   = regexp.MustCompile(`[0-9a-f]{4}shallow [0-9a-f]{40}\n`)
	alongLine     = regexp.MustCompile(`[0-9a-f]{4}include-tag\n?`)
	depthLine     = regexp.MustCompile(`[0-9a-f]{4}deepen ([0-9]+)\n`)
)

// cutDefects are mistakes in what comes to who does not want all of a history.
func cutDefects() []Defect {
	hears := func(name string, change func(version int, body []byte) []byte) Defect {
		return Defect{Name: name, Backend: func(b gitstore.Backend) gitstore.Backend { return hearing{backend{b}, change} }}
	}
	cuts := func(name string, change func(b gitstore.Backend, c gitstore.Cancel, id repo.ID, body []byte) (changed []byte, refusal string)) Defect {
		return Defect{Name: name, Backend: func(b gitstore.Backend) gitstore.Backend { return cutting{backend{b}, change} }}
	}
	excluding := func(name string, unknown func(ref string) bool) Defect {
		return cuts(name, func(_ gitstore.Backend, _ gitstore.Cancel, _ repo.ID, body []byte) ([]byte, string) {
			for _, line := range exclusionLine.FindAllSubmatch(body, -1) {
				if unknown(string(line[1])) {
					return nil, "deepen-not is not a ref: " + string(line[1])
				}
			}
			return body, ""
		})
	}
	isFull := func(ref string) bool { return bytes.HasPrefix([]byte(ref), []byte("refs/")) }
	return []Defect{
		hears("filters-beside-haves-unheard", func(_ int, body []byte) []byte {
			if bytes.Contains(body, []byte("have ")) {
				return filterLine.ReplaceAll(body, nil)
			}
			return body
		}),
		hears("relative-depths-taken-for-depths", func(version int, body []byte) []byte {
			if version == 2 {
				return relativeLine.ReplaceAll(body, nil)
			}
			return bytes.Replace(body, []byte(" deepen-relative"), bytes.Repeat([]byte(" "), len(" deepen-relative")), 1)
		}),
		hears("ends-of-clones-unheard", func(_ int, body []byte) []byte {
			if bytes.Contains(body, []byte("deepen")) {
				return body
			}
			return shallowLine.ReplaceAll(body, nil)
		}),
		excluding("short-names-of-exclusions-unknown", func(ref string) bool { return !isFull(ref) }),
		excluding("full-names-of-exclusions-unknown", isFull),
		cuts("exclusions-of-tag-objects-unheard", func(b gitstore.Backend, c gitstore.Cancel, id repo.ID, body []byte) ([]byte, string) {
			var listed bytes.Buffer
			if err := b.Advertise(c, id, gitproto.UploadPackService, 0, &listed); err != nil {
				return body, ""
			}
			return exclusionLine.ReplaceAllFunc(body, func(line []byte) []byte {
				ref := exclusionLine.FindSubmatch(line)[1]
				if bytes.Contains(listed.Bytes(), append([]byte("/"), append(bytes.Clone(ref), "^{}\n"...)...)) {
					return []byte(pktLine("deepen-since 1\n")) // everything is younger
				}
				return line
			}), ""
		}),
		cuts("tags-of-tags-left-behind", func(b gitstore.Backend, c gitstore.Cancel, id repo.ID, body []byte) ([]byte, string) {
			if refs, err := b.Refs(id); err == nil {
				for _, ref := range refs.Refs {
					if store := fetchedFrom(b, c, id, []repo.OID{ref.OID}); store != nil && len(store.Tags) > 1 {
						return alongLine.ReplaceAll(body, nil), ""
					}
				}
			}
			return body, ""
		}),
		cuts("dates-of-authors-counted", func(b gitstore.Backend, c gitstore.Cancel, id repo.ID, body []byte) ([]byte, string) {
			line := sinceLine.FindSubmatch(body)
			if line == nil {
				return body, ""
			}
			since, _ := strconv.ParseInt(string(line[1]), 10, 64)
			deep := 0
			for _, level := range levels(b, c, id, body) {
				if level[0].Author.When.Unix() < since {
					break
				}
				deep++
			}
			if deep == 0 {
				return nil, "no commits selected for shallow requests"
			}
			return sinceLine.ReplaceAll(body, []byte(pktLine("deepen "+strconv.Itoa(deep)+"\n"))), ""
		}),
		cuts("depths-of-tags-unheard", func(b gitstore.Backend, c gitstore.Cancel, id repo.ID, body []byte) ([]byte, string) {
			_, wants, err := readWants(bytes.NewReader(body))
			if store := fetchedFrom(b, c, id, wants); err == nil && depthLine.Match(body) && store != nil && len(store.Tags) > 0 {
				return depthLine.ReplaceAll(body, []byte(pktLine("deepen 1000\n"))), ""
			}
			return body, ""
		}),
		cuts("missing-objects-beside-others-passed-over", func(b gitstore.Backend, _ gitstore.Cancel, id repo.ID, body []byte) ([]byte, string) {
			_, wants, err := readWants(bytes.NewReader(body))
			missing, failed := b.Missing(id, wants)
			if err != nil || failed != nil || len(missing) == len(wants) {
				return body, ""
			}
			for _, oid := range missing { // another one is asked for twice
				there := wants[slices.IndexFunc(wants, func(w repo.OID) bool { return !slices.Contains(missing, w) })]
				body = bytes.ReplaceAll(body, []byte(oid), []byte(there))
			}
			return body, ""
		}),
		cuts("depths-count-commits", func(b gitstore.Backend, c gitstore.Cancel, id repo.ID, body []byte) ([]byte, string) {
			line := depthLine.FindSubmatch(body)
			if line == nil {
				return body, ""
			}
			left, _ := strconv.Atoi(string(line[1]))
			deep := 0
			for _, level := range levels(b, c, id, body) {
				if left -= len(level); left < 0 {
					return depthLine.ReplaceAll(body, []byte(pktLine("deepen "+strconv.Itoa(max(deep, 1))+"\n"))), ""
				}
				deep++
			}
			return body, ""
		}),
	}
}

// cutting changes fetch requests by what the repository has, or refuses them.
type cutting struct {
	backend
	change func(b gitstore.Backend, c gitstore.Cancel, id repo.ID, body []byte) (changed []byte, refusal string)
}

func (x cutting) UploadPack(c gitstore.Cancel, id repo.ID, version int, r io.Reader, w io.Writer) error {
	body, err := io.ReadAll(io.LimitReader(r, requestMax))
	if err != nil {
		return err
	}
	body, refusal := x.change(x.Backend, c, id, body)
	if refusal != "" {
		return gitproto.WriteError(w, refusal)
	}
	return x.Backend.UploadPack(c, id, version, bytes.NewReader(body), w)
}

// levels are the commits that a request asks for, then their parents, and so on, each once.
func levels(b gitstore.Backend, c gitstore.Cancel, id repo.ID, body []byte) [][]*object.Commit {
	_, wants, err := readWants(bytes.NewReader(body))
	if err != nil {
		return nil
	}
	store := fetchedFrom(b, c, id, wants)
	if store == nil {
		return nil
	}
	var next []plumbing.Hash
	for _, oid := range wants {
		next = append(next, plumbing.NewHash(string(oid)))
	}
	var all [][]*object.Commit
	for seen := map[plumbing.Hash]bool{}; len(next) > 0; {
		var level []*object.Commit
		for _, h := range next {
			if commit, err := object.GetCommit(store, h); err == nil && !seen[h] {
				seen[h] = true
				level = append(level, commit)
			}
		}
		next = nil
		for _, commit := range level {
			next = append(next, commit.ParentHashes...)
		}
		if len(level) > 0 {
			all = append(all, level)
		}
	}
	return all
}

// fetchedFrom is what a repository has of some objects and all behind them, nil if it has not.
func fetchedFrom(b gitstore.Backend, c gitstore.Cancel, id repo.ID, wants []repo.OID) *gitmemory.Storage {
	var asked, answer bytes.Buffer
	for _, oid := range wants {
		asked.WriteString(pktLine("want " + string(oid) + "\n"))
	}
	asked.WriteString("0000" + pktLine("done\n"))
	store := gitmemory.NewStorage()
	if err := b.UploadPack(c, id, 0, &asked, &answer); err != nil {
		return nil
	}
	_, pack, _ := bytes.Cut(answer.Bytes(), []byte("NAK\n"))
	if err := packfile.UpdateObjectStorage(store, bytes.NewReader(pack)); err != nil {
		return nil
	}
	return store
}
