package hosts

import (
	"slices"
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/sim/githost"
)

// lie is the object that a host that lies has its refs point to.
const lie = "1111111111111111111111111111111111111111"

// cheat is what a host that cheats sends.
var cheat = target.GitObject{Type: "blob", Data: []byte("nobody has asked for this\n")}

// argumentsOf returns the first words of what follows a prefix, line by line.
func argumentsOf(lines []string, prefix string) []string {
	var out []string
	for _, line := range lines {
		if rest, ok := strings.CutPrefix(line, prefix); ok {
			word, _, _ := strings.Cut(rest, " ")
			out = append(out, word)
		}
	}
	return out
}

// shown are the refs that an advertisement shows, HEAD first and then by name.
func (r *repository) shown(mode githost.Mode) []target.GitRef {
	refs := slices.Clone(r.refs)
	slices.SortFunc(refs, func(a, b target.GitRef) int { return strings.Compare(a.Name, b.Name) })
	if mode == githost.Lies {
		for i := range refs {
			refs[i].OID = lie
		}
	}
	for _, ref := range refs {
		if ref.Name == "refs/heads/main" && refs[0].Name != "HEAD" {
			return append([]target.GitRef{{Name: "HEAD", OID: ref.OID}}, refs...)
		}
	}
	return refs
}

// advertisement is the answer to info/refs.
func (r *repository) advertisement(version int, mode githost.Mode, tipsOnly bool) []byte {
	var out []byte
	if version == 2 {
		for _, line := range []string{"version 2", "agent=fake", "ls-refs", "fetch", "object-format=sha1"} {
			out = append(out, client.WireLine(line+"\n")...)
		}
		return append(out, client.WireFlush...)
	}
	out = append(out, client.WireLine("# service=git-upload-pack\n")...)
	out = append(out, client.WireFlush...)
	if version == 1 {
		out = append(out, client.WireLine("version 1\n")...)
	}
	capabilities := "\x00side-band-64k ofs-delta no-progress agent=fake"
	if !tipsOnly {
		capabilities += " allow-tip-sha1-in-want allow-reachable-sha1-in-want"
	}
	refs := r.shown(mode)
	if len(refs) == 0 {
		refs = []target.GitRef{{Name: "capabilities^{}", OID: client.ZeroOID}}
	}
	for _, ref := range refs {
		out = append(out, client.WireLine(ref.OID+" "+ref.Name+capabilities+"\n")...)
		capabilities = ""
	}
	return append(out, client.WireFlush...)
}

// listRefs is the answer to ls-refs.
func (r *repository) listRefs(lines []string, mode githost.Mode) []byte {
	prefixes := argumentsOf(lines, "ref-prefix ")
	var out []byte
	for _, ref := range r.shown(mode) {
		matches := func(prefix string) bool { return strings.HasPrefix(ref.Name, prefix) }
		if len(prefixes) == 0 || slices.ContainsFunc(prefixes, matches) {
			out = append(out, client.WireLine(ref.OID+" "+ref.Name+"\n")...)
		}
	}
	return append(out, client.WireFlush...)
}

// uploadPack is the answer to a request for a pack; nil if it is none. Has says what the host has by now.
func (r *repository) uploadPack(version int, lines []string, mode githost.Mode, tipsOnly bool, has func(oid string) bool) []byte {
	if version == 2 && slices.Contains(lines, "command=ls-refs") {
		return r.listRefs(lines, mode)
	}
	wants := argumentsOf(lines, "want ")
	if len(wants) == 0 || version == 2 && !slices.Contains(lines, "command=fetch") {
		return nil
	}
	tip := func(oid string) bool {
		return slices.ContainsFunc(r.refs, func(ref target.GitRef) bool { return ref.OID == oid })
	}
	for _, oid := range wants {
		if mode == githost.Lies || mode == githost.Cheats {
			break // of these anything may be wanted
		}
		if !has(oid) || tipsOnly && !tip(oid) {
			return client.WireLine("ERR upload-pack: not our ref " + oid + "\n")
		}
	}
	var out []byte
	if version == 2 {
		out = client.WireLine("packfile\n")
	} else {
		out = client.WireLine("NAK\n")
	}
	pack := r.pack(wants, argumentsOf(lines, "have "), mode, has)
	bare := version != 2 && !strings.Contains(strings.Join(lines, " "), "side-band-64k")
	switch {
	case mode == githost.Floods:
		return append(out, client.WireBand(1, pack[:len(pack)-20])...)
	case mode == githost.Truncates && bare:
		return append(out, pack[:len(pack)/2]...)
	case mode == githost.Truncates:
		out = append(out, client.WireBand(1, pack)...)
		return out[:len(out)-len(pack)/2]
	case bare:
		return append(out, pack...)
	}
	out = append(out, client.WireBand(1, pack)...)
	return append(out, client.WireFlush...)
}

// pack is what a host sends, by how it behaves.
func (r *repository) pack(wants, haves []string, mode githost.Mode, has func(oid string) bool) []byte {
	switch mode { //nolint:exhaustive // all others send what was asked for
	case githost.Cheats, githost.Lies:
		h := client.NewHolding()
		if mode == githost.Cheats {
			h.Put(cheat)
		}
		return h.Pack(h.All())
	}
	lacks := func(oid string) bool { return !has(oid) }
	pack := r.holding.Pack(slices.DeleteFunc(r.holding.Reached(wants, haves), lacks))
	if mode == githost.Corrupts {
		pack[len(pack)-25] ^= 0xff // the last bytes before the checksum
	}
	return pack
}
