package defect

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1" //nolint:gosec // the ids of git are
	"encoding/binary"
	"io"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
	gitmemory "github.com/go-git/go-git/v5/storage/memory"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// thinDefects are packs that rest on what the client has, though it has not said that it can do with such ones.
func thinDefects() []Defect {
	return []Defect{{Name: "packs-thin-unasked", Backend: func(b gitstore.Backend) gitstore.Backend { return thinning{backend{b}} }}}
}

// thinned is from how many bytes on a file is sent as a difference to one that the client has.
const thinned = 1000

// A thinning backend sends large files of those who have something as differences to what they have.
type thinning struct{ backend }

func (x thinning) UploadPack(c gitstore.Cancel, id repo.ID, version int, r io.Reader, w io.Writer) error {
	body, err := io.ReadAll(io.LimitReader(r, requestMax))
	if err != nil {
		return err
	}
	_, wants, err := readWants(bytes.NewReader(body))
	if pack := x.thin(c, id, wants, havesOf(body)); err == nil && pack != nil && bytes.Contains(body, []byte("done\n")) && !bytes.Contains(body, []byte("thin-pack")) {
		start := "NAK\n"
		if version == 2 {
			start = "packfile\n"
		}
		if _, err := io.WriteString(w, pktLine(start)); err != nil {
			return err
		}
		if version != 2 && !bytes.Contains(body, []byte("side-band-64k")) {
			_, err := w.Write(pack)
			return err
		}
		if _, err := gitproto.NewBand(w, gitproto.PackBand, gitproto.SideBand64kMax).Write(pack); err != nil {
			return err
		}
		_, err := io.WriteString(w, "0000")
		return err
	}
	return x.Backend.UploadPack(c, id, version, bytes.NewReader(body), w)
}

// havesOf are the ids that a request tells.
func havesOf(body []byte) []repo.OID {
	var haves []repo.OID
	for _, part := range bytes.Split(body, []byte("have "))[1:] {
		if len(part) >= len(repo.ZeroOID) {
			haves = append(haves, repo.OID(part[:len(repo.ZeroOID)]))
		}
	}
	return haves
}

// thin is a pack for who has some objects of the repository, in which the largest file is a difference; nil if there is none.
func (x thinning) thin(c gitstore.Cancel, id repo.ID, wants, haves []repo.OID) []byte {
	if len(haves) == 0 {
		return nil
	}
	had, all := fetchedFrom(x.Backend, c, id, haves), fetchedFrom(x.Backend, c, id, wants)
	if had == nil || all == nil {
		return nil
	}
	base := largestOf(had)
	for h := range had.Objects {
		delete(all.Blobs, h)
	}
	file := largestOf(all)
	if base.IsZero() || file.IsZero() || all.Blobs[file].Size() < thinned || had.Blobs[base].Size() < thinned {
		return nil
	}
	var b bytes.Buffer
	count := 0
	for h, object := range all.Objects {
		if _, has := had.Objects[h]; has {
			continue
		}
		count++
		content := contentOf(object)
		if h == file {
			content = insertion(int(had.Blobs[base].Size()), content)
			b.Write(entryHeader(plumbing.REFDeltaObject, len(content)))
			b.Write(base[:])
		} else {
			b.Write(entryHeader(object.Type(), len(content)))
		}
		z := zlib.NewWriter(&b)
		_, _ = z.Write(content)
		_ = z.Close()
	}
	pack := binary.BigEndian.AppendUint32([]byte("PACK\x00\x00\x00\x02"), uint32(count)) //nolint:gosec // few
	pack = append(pack, b.Bytes()...)
	sum := sha1.Sum(pack) //nolint:gosec // the ids of git are
	return append(pack, sum[:]...)
}

func largestOf(store *gitmemory.Storage) (largest plumbing.Hash) {
	for h, blob := range store.Blobs {
		if largest.IsZero() || blob.Size() > store.Blobs[largest].Size() {
			largest = h
		}
	}
	return largest
}

func contentOf(object plumbing.EncodedObject) []byte {
	r, err := object.Reader()
	if err != nil {
		return nil
	}
	content, _ := io.ReadAll(r)
	return content
}

// entryHeader is the type and the size of an entry of a pack.
func entryHeader(kind plumbing.ObjectType, size int) []byte {
	header := []byte{byte(kind)<<4 | byte(size&15)} //nolint:gosec // a type has three bits
	for size >>= 4; size > 0; size >>= 7 {
		header[len(header)-1] |= 0x80
		header = append(header, byte(size&0x7f))
	}
	return header
}

// insertion is a difference to any content of a size that takes nothing of it.
func insertion(size int, content []byte) []byte {
	delta := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(size)), uint64(len(content))) //nolint:gosec // sizes
	for part := range slices.Chunk(content, 127) {
		delta = append(append(delta, byte(len(part))), part...)
	}
	return delta
}
