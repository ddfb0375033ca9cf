package client

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// historyStart is the commit time of the first object of every history, in seconds since the Unix
// epoch; each further commit or tag is a minute later. No clock is involved.
const historyStart = 1_700_000_000

// HistoryTime is the time of the nth commit or tag of a history, counted from 0, in seconds since the Unix epoch.
func HistoryTime(n int) int64 { return historyStart + 60*int64(n) }

// A History makes git objects in memory. The same seed and the same calls give the same objects.
// It belongs to one goroutine.
type History struct {
	seed  string
	graph *graph
	made  int
}

// NewHistory returns an empty history. The seed is in the author's name, so histories of different
// seeds share no commit.
func NewHistory(seed string) *History {
	if strings.ContainsAny(seed, "<>\n\x00") {
		panic(fmt.Sprintf("client: invariant: history seed %q", seed))
	}
	return &History{seed: seed, graph: newGraph()}
}

// Commit makes a commit of the given files (path to content, folders separated by slashes) on a parent,
// "" for none, and returns its oid. It panics if the parent is not in the history.
func (h *History) Commit(parent string, files map[string]string, msg string) string {
	if parent == "" {
		return h.Merge(nil, files, msg)
	}
	return h.Merge([]string{parent}, files, msg)
}

// Merge makes a commit with any number of parents.
func (h *History) Merge(parents []string, files map[string]string, msg string) string {
	return h.commit(parents, h.blobs(files), msg)
}

// blobs makes a blob of each file.
func (h *History) blobs(files map[string]string) map[string]string {
	blobs := make(map[string]string, len(files))
	for _, path := range slices.Sorted(maps.Keys(files)) {
		blobs[path] = h.Blob(files[path])
	}
	return blobs
}

// commit makes a commit of blobs by path.
func (h *History) commit(parents []string, blobs map[string]string, msg string) string {
	return h.commitOf(h.tree(blobs), parents, "", msg)
}

// Rebased makes a commit that was written a day before the others, and made anew when the next commit would be.
func (h *History) Rebased(parent string, files map[string]string, msg string) string {
	const day = 24 * 60 * 60
	tree, author := h.tree(h.blobs(files)), h.signedAt(HistoryTime(h.made)-day)
	return h.commitBy(tree, []string{parent}, author, "", msg)
}

// Committed is the time at which a commit was made, in seconds since the Unix epoch.
func (h *History) Committed(commit string) int64 {
	_, rest, _ := strings.Cut(string(h.must(commit, plumbing.CommitObject).data), "\ncommitter ")
	line, _, _ := strings.Cut(rest, "\n")
	words := strings.Fields(line)
	at, err := strconv.ParseInt(words[len(words)-2], 10, 64)
	if err != nil {
		panic(fmt.Sprintf("client: invariant: commit %s: %v", commit, err))
	}
	return at
}

// A TreeEntry is one entry of a tree as git writes it.
type TreeEntry struct{ Mode, Name, OID string }

// CommitTree makes a commit of a tree with these entries, in this order; further lines of its head stand behind the committer.
func (h *History) CommitTree(parents []string, entries []TreeEntry, head, msg string) string {
	return h.commitOf(h.entries(entries), parents, head, msg)
}

func (h *History) commitOf(tree string, parents []string, head, msg string) string {
	return h.commitBy(tree, parents, "", head, msg)
}

// commitBy makes a commit whose author is who makes it unless another one is given.
func (h *History) commitBy(tree string, parents []string, author, head, msg string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "tree %s\n", tree)
	for _, parent := range parents {
		h.must(parent, plumbing.CommitObject)
		fmt.Fprintf(&b, "parent %s\n", parent)
	}
	who := h.signature()
	fmt.Fprintf(&b, "author %s\ncommitter %s\n%s\n%s\n", cmp.Or(author, who), who, head, msg)
	return h.graph.put(plumbing.CommitObject, []byte(b.String()))
}

// entries makes a tree.
func (h *History) entries(entries []TreeEntry) string {
	var out []byte
	for _, e := range entries {
		out = append(out, e.Mode+" "+e.Name+"\x00"...)
		oid, err := hex.DecodeString(e.OID)
		if err != nil {
			panic(fmt.Sprintf("client: invariant: oid %q: %v", e.OID, err))
		}
		out = append(out, oid...)
	}
	return h.graph.put(plumbing.TreeObject, out)
}

// Tag makes an annotated tag object for a target and returns the oid of the tag object.
func (h *History) Tag(name, target string) string {
	o := h.must(target, plumbing.AnyObject)
	text := fmt.Sprintf("object %s\ntype %s\ntag %s\ntagger %s\n\n%s\n", target, o.kind, name, h.signature(), name)
	return h.graph.put(plumbing.TagObject, []byte(text))
}

// Blob makes a blob and returns its oid.
func (h *History) Blob(content string) string {
	return h.graph.put(plumbing.BlobObject, []byte(content))
}

// Tree returns the oid of a commit's tree.
func (h *History) Tree(commit string) string {
	links, err := h.must(commit, plumbing.CommitObject).links()
	if err != nil {
		panic(fmt.Sprintf("client: invariant: commit %s: %v", commit, err))
	}
	return links[0]
}

// Closure returns the oids of everything reachable from the tips, sorted.
func (h *History) Closure(tips ...string) []string { return h.closure(tips, nil) }

// Pack returns a pack of everything reachable from the tips and not from the excluded commits. The
// objects are sorted by oid and stored without deltas: the same arguments give the same bytes.
func (h *History) Pack(tips, exclude []string) []byte {
	return h.graph.writePack(h.uncovered(tips, exclude))
}

// uncovered are the oids of everything reachable from the tips and not from the excluded commits, sorted.
func (h *History) uncovered(tips, exclude []string) []string {
	stop := make(map[string]bool)
	for _, oid := range h.closure(exclude, nil) {
		stop[oid] = true
	}
	return h.closure(tips, stop)
}

// PackObjects returns a pack of exactly the objects given, complete or not.
func (h *History) PackObjects(oids ...string) []byte { return h.graph.writePack(oids) }

func (h *History) closure(tips []string, stop map[string]bool) []string {
	oids, err := h.graph.walk(tips, stop, nil)
	if err != nil {
		panic(fmt.Sprintf("client: invariant: history: %v", err))
	}
	return oids
}

// must returns an object of the history that has the type wanted.
func (h *History) must(oid string, kind plumbing.ObjectType) gitObject {
	o, have := h.graph.objects[oid]
	if !have || (kind != plumbing.AnyObject && o.kind != kind) {
		panic(fmt.Sprintf("client: invariant: %s is no %s of the history", oid, kind))
	}
	return o
}

// signature is who made the next object, and when.
func (h *History) signature() string {
	at := HistoryTime(h.made)
	h.made++
	return h.signedAt(at)
}

func (h *History) signedAt(at int64) string {
	return fmt.Sprintf("%s <author@example.invalid> %d +0000", strings.TrimSpace("history "+h.seed), at)
}

// tree makes the tree of some blobs by path, folder by folder.
func (h *History) tree(files map[string]string) string {
	type entry struct{ mode, name, oid, order string }
	var entries []entry
	folders := make(map[string]map[string]string)
	for _, path := range slices.Sorted(maps.Keys(files)) {
		folder, rest, nested := strings.Cut(path, "/")
		if folder == "" {
			panic(fmt.Sprintf("client: invariant: path %q", path))
		}
		if !nested {
			entries = append(entries, entry{"100644", path, files[path], path})
			continue
		}
		if folders[folder] == nil {
			folders[folder] = make(map[string]string)
		}
		folders[folder][rest] = files[path]
	}
	for _, name := range slices.Sorted(maps.Keys(folders)) {
		entries = append(entries, entry{"40000", name, h.tree(folders[name]), name + "/"})
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.order, b.order) })
	whole := make([]TreeEntry, len(entries))
	for i, e := range entries {
		whole[i] = TreeEntry{e.mode, e.name, e.oid}
	}
	return h.entries(whole)
}
