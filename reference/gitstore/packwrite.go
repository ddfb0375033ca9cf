package gitstore

import (
	"bufio"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"math"

	"github.com/go-git/go-git/v5/plumbing"
)

// WritePack writes a pack of whole objects in the order given: the same objects give the same bytes.
func WritePack(w io.Writer, list []Object) error {
	return writePack(never{}, w, len(list), func(i int) (plumbing.EncodedObject, error) {
		return newStored(list[i].Type, list[i].Data), nil
	})
}

// never is a Cancel that never stops.
type never struct{}

func (never) Err() error { return nil }

func writePack(c Cancel, w io.Writer, count int, object func(int) (plumbing.EncodedObject, error)) error {
	p, err := newPackWriter(w, count)
	if err != nil {
		return err
	}
	for i := range count {
		if err := c.Err(); err != nil {
			return err
		}
		o, err := object(i)
		if err != nil {
			return err
		}
		if err := p.object(o); err != nil {
			return err
		}
	}
	_, err = p.close()
	return err
}

// A packWriter writes a pack entry by entry.
type packWriter struct {
	out     *bufio.Writer
	sum     hash.Hash
	crc     uint32 // of what was written since it was last set to 0
	offset  int64
	deflate *zlib.Writer // nil until an object needs it: to make one costs as much as to compress a hundred
}

func newPackWriter(w io.Writer, count int) (*packWriter, error) {
	if int64(count) > math.MaxUint32 {
		panic("gitstore: invariant: more objects than a pack can hold")
	}
	// Full buffers make full side-band packets.
	p := &packWriter{out: bufio.NewWriterSize(w, 60<<10), sum: sha1.New()}
	head := binary.BigEndian.AppendUint32([]byte("PACK"), 2)
	_, err := p.Write(binary.BigEndian.AppendUint32(head, uint32(count)))
	return p, err
}

// Write writes bytes of an entry.
func (p *packWriter) Write(b []byte) (int, error) {
	p.sum.Write(b)
	p.crc = crc32.Update(p.crc, crc32.IEEETable, b)
	p.offset += int64(len(b))
	return p.out.Write(b)
}

// object writes an entry of a whole object.
func (p *packWriter) object(o plumbing.EncodedObject) error {
	if _, err := p.Write(packEntryHeader(o.Type(), o.Size())); err != nil {
		return err
	}
	r, err := o.Reader()
	if err != nil {
		return fmt.Errorf("read object: %w", err)
	}
	if p.deflate == nil {
		// Whoever fetches waits for this: time is worth more than a tenth of the size.
		if p.deflate, err = zlib.NewWriterLevel(p, zlib.BestSpeed); err != nil {
			panic("gitstore: invariant: level of compression: " + err.Error())
		}
	}
	p.deflate.Reset(p)
	n, err := io.Copy(p.deflate, r)
	if err = errors.Join(err, r.Close()); err != nil {
		return err
	}
	if n != o.Size() {
		return errSize
	}
	if err := p.deflate.Close(); err != nil {
		return fmt.Errorf("deflate object: %w", err)
	}
	return nil
}

// close writes the checksum and returns it.
func (p *packWriter) close() (checksum plumbing.Hash, err error) {
	copy(checksum[:], p.sum.Sum(nil))
	if _, err := p.out.Write(checksum[:]); err != nil {
		return checksum, err
	}
	return checksum, p.out.Flush()
}

func packEntryHeader(kind ObjectType, size int64) []byte {
	head := []byte{byte(kind)<<4 | byte(size&15)}
	for size >>= 4; size > 0; size >>= 7 {
		head[len(head)-1] |= 0x80
		head = append(head, byte(size&0x7f))
	}
	return head
}
