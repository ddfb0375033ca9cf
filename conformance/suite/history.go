package suite

import (
	"crypto/sha1" //nolint:gosec // the ids of git are
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
)

// A history holds the git objects of one check by the names that tables use:
//
//	first - second - third     a line of commits
//	first - side               beside it
//	unrelated                  a root of its own
//	first - large              with a file of one megabyte
//	first - bulky              with files of five megabytes together
//	first - weighty            with files of twenty megabytes together
//	first - huge               with files of fifty megabytes together
//	tag                        an annotated tag of first
//	outer                      an annotated tag of tag
//	last                       an annotated tag of third
//	merge                      of second and side
//	first - long - longer      with a file of twenty kilobytes, and with a line more in it
//	second - rebased           written a day before it was made
//	module, modes, signed      children of first with a submodule, with a link and a program, with a signature
//
// They are made when a table names them first, so that a pack holds nothing that the check did not name
// or needs.
type history struct {
	*client.History
	seed    string
	bulk    *client.Bulk // what is there for its size only, the same in all checks: a server may hold it once
	oids    map[string]string
	commits map[string]bool // oids of commits made so far
	sent    map[string]bool // oids of objects that a push was made of
}

func newHistory(root, check string, bulk *client.Bulk) *history {
	seed := root + "/" + check
	return &history{History: client.NewHistory(seed), seed: seed, bulk: bulk, oids: make(map[string]string), commits: make(map[string]bool), sent: make(map[string]bool)}
}

// known reports whether a name is one of an object.
func (h *history) known(name string) bool {
	switch name {
	case "first", "second", "third", "side", "large", "bulky", "weighty", "huge", "unrelated", "tag", "outer", "last", "merge", "module", "modes", "signed", "rebased", "long", "longer":
		return true
	}
	return false
}

// oid returns the object of a name. It panics if there is no such name.
func (h *history) oid(name string) string {
	if oid, ok := h.oids[name]; ok {
		return oid
	}
	var oid string
	switch name {
	case "first", "unrelated":
		oid = h.commit(name, "")
	case "second", "side":
		oid = h.commit(name, h.oid("first"))
	case "third":
		oid = h.commit(name, h.oid("second"))
	case "large":
		oid = h.Commit(h.oid("first"), map[string]string{"large": noise(h.seed, largeBytes)}, name)
		h.commits[oid] = true
	case "bulky", "weighty", "huge":
		oid = h.Bulk(h.oid("first"), h.bulk, bulkFiles[name], name)
		h.commits[oid] = true
	case "tag":
		oid = h.Tag("v1", h.oid("first"))
	case "outer":
		oid = h.Tag("v2", h.oid("tag"))
	case "last":
		oid = h.Tag("v3", h.oid("third"))
	case "long":
		oid = h.Commit(h.oid("first"), map[string]string{"long": noise(h.seed, longBytes)}, name)
		h.commits[oid] = true
	case "longer":
		oid = h.Commit(h.oid("long"), map[string]string{"long": noise(h.seed, longBytes) + "\none line more\n"}, name)
		h.commits[oid] = true
	case "merge", "module", "modes", "signed", "rebased":
		oid = h.uncommon(name)
		h.commits[oid] = true
	default:
		panic(fmt.Sprintf("suite: invariant: no object called %q", name))
	}
	h.oids[name] = oid
	return oid
}

// uncommon makes a commit of a sort that repositories have now and then.
func (h *history) uncommon(name string) string {
	const file, program, link, module = "100644", "100755", "120000", "160000"
	readme := client.TreeEntry{Mode: file, Name: "README", OID: h.Blob(name + "\n")}
	entries, head := []client.TreeEntry{readme}, ""
	switch name {
	case "merge":
		return h.Merge([]string{h.oid("second"), h.oid("side")}, map[string]string{"README": name + "\n"}, name)
	case "rebased":
		return h.Rebased(h.oid("second"), map[string]string{"README": name + "\n"}, name)
	case "module":
		listed := h.Blob("[submodule \"lib\"]\n\tpath = lib\n\turl = https://git.example.invalid/lib.git\n")
		elsewhere := fmt.Sprintf("%x", sha1.Sum([]byte(h.seed)))
		entries = []client.TreeEntry{{Mode: file, Name: ".gitmodules", OID: listed}, readme, {Mode: module, Name: "lib", OID: elsewhere}}
	case "modes":
		entries = append(entries, client.TreeEntry{Mode: link, Name: "link", OID: h.Blob("README")}, client.TreeEntry{Mode: program, Name: "run", OID: h.Blob("#!/bin/sh\n")})
	case "signed":
		head = "encoding ISO-8859-1\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n iQEzBAABCAAdFiEE\n =abcd\n -----END PGP SIGNATURE-----\n"
	}
	return h.CommitTree([]string{h.oid("first")}, entries, head, name)
}

// largeBytes is the size of the large file.
const largeBytes = 1 << 20

// longBytes is the size of a file of which git sends differences alone to who can do with them.
const longBytes = 20 << 10

// noise is text of n bytes that hardly compresses. The same seed gives the same text.
func noise(seed string, n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		digest := sha256.Sum256(fmt.Appendf(nil, "%s %d", seed, i))
		b.WriteString(hex.EncodeToString(digest[:]))
	}
	return b.String()[:n]
}

// commit makes a commit. The id of the second one begins with a zero: whoever looks at the first digits alone takes it for
// no object.
func (h *history) commit(name, parent string) string {
	files := map[string]string{"README": name + "\n", "src/" + name: name + "\n"}
	oid := h.Commit(parent, files, name)
	for i := 1; name == "second" && oid[0] != '0'; i++ {
		oid = h.Commit(parent, files, fmt.Sprintf("%s, try %d", name, i))
	}
	h.commits[oid] = true
	return oid
}
