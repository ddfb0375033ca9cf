package gitstore

import (
	"bufio"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// WritePack writes a pack of whole objects in the order given: the same objects give the same bytes.
func WritePack(w io.Writer, list []Object) error {
	return writePack(never{}, w, len(list), func(i int) Object { return list[i] })
}

// never is a Cancel that never stops.
type never struct{}

func (never) Err() error { return nil }

func writePack(c Cancel, w io.Writer, count int, object func(int) Object) error {
	if int64(count) > math.MaxUint32 {
		panic("gitstore: invariant: more objects than a pack can hold")
	}
	sum := sha1.New()
	// Full buffers make full side-band packets.
	out := bufio.NewWriterSize(w, 60<<10)
	both := io.MultiWriter(out, sum)
	head := binary.BigEndian.AppendUint32([]byte("PACK"), 2)
	head = binary.BigEndian.AppendUint32(head, uint32(count))
	if _, err := both.Write(head); err != nil {
		return err
	}
	deflate := zlib.NewWriter(both)
	for i := range count {
		if err := c.Err(); err != nil {
			return err
		}
		o := object(i)
		if _, err := both.Write(packEntryHeader(o)); err != nil {
			return err
		}
		deflate.Reset(both)
		if _, err := deflate.Write(o.Data); err != nil {
			return err
		}
		if err := deflate.Close(); err != nil {
			return fmt.Errorf("deflate object: %w", err)
		}
	}
	if _, err := out.Write(sum.Sum(nil)); err != nil {
		return err
	}
	return out.Flush()
}

func packEntryHeader(o Object) []byte {
	size := len(o.Data)
	head := []byte{byte(o.Type)<<4 | byte(size&15)}
	for size >>= 4; size > 0; size >>= 7 {
		head[len(head)-1] |= 0x80
		head = append(head, byte(size&0x7f))
	}
	return head
}
