package client

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
)

// A DeltaBase says how a pack tells what an object is like.
type DeltaBase uint8

// The ways in which git writes deltas.
const (
	ByOffset  DeltaBase = iota // an object that stands before it in the pack, by how far
	ByName                     // the same, by its id
	Elsewhere                  // an object that is not in the pack, by its id
)

// DeltaPack is Pack with deltas: of each type of object all but the first one are told by the one before, or all of them by
// one that the excluded commits have.
func (h *History) DeltaPack(tips, exclude []string, by DeltaBase) []byte {
	oids, bases, at := h.uncovered(tips, exclude), make(map[plumbing.ObjectType]string), make(map[string]int)
	if by == Elsewhere {
		for _, oid := range h.closure(exclude, nil) {
			bases[h.graph.mustHave(oid).kind] = oid
		}
	}
	var out bytes.Buffer
	out.WriteString("PACK")
	out.Write(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, packVersion), uint32(len(oids))))
	for _, oid := range oids {
		o := h.graph.mustHave(oid)
		base, has := bases[o.kind]
		at[oid] = out.Len()
		switch {
		case !has:
			out.Write(entryHead(o.kind, o.size))
			deflate(&out, o.content())
		default:
			delta := packfile.DiffDelta(h.graph.mustHave(base).content(), o.content())
			if by == ByOffset {
				out.Write(entryHead(plumbing.OFSDeltaObject, len(delta)))
				out.Write(backBy(at[oid] - at[base]))
			} else {
				out.Write(entryHead(plumbing.REFDeltaObject, len(delta)))
				raw, err := hex.DecodeString(base)
				if err != nil {
					panic(fmt.Sprintf("client: invariant: oid %q: %v", base, err))
				}
				out.Write(raw)
			}
			deflate(&out, delta)
		}
		if by != Elsewhere {
			bases[o.kind] = oid
		}
	}
	sum := sha1.Sum(out.Bytes())
	out.Write(sum[:])
	return out.Bytes()
}

const packVersion = 2

// entryHead is the head of an entry of a pack: its type and its size, unpacked.
func entryHead(kind plumbing.ObjectType, size int) []byte {
	const more, low, rest = 0x80, 4, 7
	head := []byte{byte(kind)<<low | byte(size)&0x0f}
	for size >>= low; size > 0; size >>= rest {
		head[len(head)-1] |= more
		head = append(head, byte(size)&0x7f)
	}
	return head
}

// backBy is how far before an entry its base begins, as a pack writes it.
func backBy(n int) []byte {
	out := []byte{byte(n & 0x7f)}
	for n >>= 7; n > 0; n >>= 7 {
		n--
		out = append([]byte{0x80 | byte(n&0x7f)}, out...)
	}
	return out
}
