package suite

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"slices"

	"github.com/graspkit/graspkit/conformance/client"
)

// bombOf posts so many megabytes of zeros, compressed to a thousandth, behind what a proper request begins with.
func (w *world) bombOf(megabytes int, service, lead string) outcome {
	name := client.UploadPack
	if service == "push" {
		name = client.ReceivePack
	}
	header := http.Header{"Content-Type": {"application/x-" + name + "-request"}, "Content-Encoding": {"gzip"}}
	w.page = w.client.Do(w.ctx, http.MethodPost, w.path("owner")+"/"+name, header, zeros(lead, megabytes))
	w.note("the answer is %.200v", w.page)
	return outcome{}
}

// bombLead is what a bomb begins with.
func (w *world) bombLead(what string) string {
	first, second := w.git.history.oid("first"), w.git.history.oid("second")
	list := pkt(fmt.Sprintf("%s %s refs/heads/main\x00 %s", first, second, client.CapsDefault)) + "0000"
	switch what {
	case "nothing":
		return ""
	case "a list of commands":
		return list
	case "a list and the head of a pack":
		return list + "PACK\x00\x00\x00\x02\x00\x00\x00\x03"
	}
	panic("suite: invariant: unknown beginning " + what)
}

// zeros is a lead and so many megabytes of zeros behind it, two at least, compressed to a thousandth. To a compressor that has seen zeros one
// megabyte of them is like the next, so it is asked for one only.
func zeros(lead string, megabytes int) []byte {
	one := make([]byte, 1<<20)
	sum := crc32.NewIEEE()
	body := bytes.NewBuffer([]byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255}) // RFC 1952: no name, no time, no system
	z, err := flate.NewWriter(body, flate.DefaultCompression)
	ends := make([]int, 0, 3)
	for _, part := range [][]byte{[]byte(lead), one, one} {
		if err == nil {
			_, err = io.MultiWriter(z, sum).Write(part)
		}
		if err == nil {
			err = z.Flush() // to whole bytes
		}
		ends = append(ends, body.Len())
	}
	if err != nil {
		panic("suite: invariant: compress to memory: " + err.Error())
	}
	again := slices.Clone(body.Bytes()[ends[1]:ends[2]])
	for range megabytes - 2 {
		_, _ = sum.Write(one) // a hash takes everything
		body.Write(again)
	}
	body.Write([]byte{3, 0}) // RFC 1951: a last block, empty
	tail := binary.LittleEndian.AppendUint32(nil, sum.Sum32())
	body.Write(binary.LittleEndian.AppendUint32(tail, uint32(len(lead)+megabytes<<20))) //nolint:gosec // modulo 2^32, as RFC 1952 wants it
	return body.Bytes()
}
